/* A player whom a transaction has read once is not read again. */
#include "store/store_inside.h"
#include "tests/util/store_case.h"

static void has_zone(const char *zone)
{
	struct player_doc p;

	must(store_player_get(s, &a, "ALICE", &p, e));
	ck_assert_str_eq(p.userid, "Alice");
	ck_assert_str_eq(p.addresses[0].address, "alice@example.org");
	ck_assert_uint_eq(p.setting_count, zone != NULL);
	if (zone)
		ck_assert_str_eq(p.settings[0].value, zone);
}

static void set_zone(const char *zone)
{
	struct player_address address = { .address = "alice@example.org" };
	struct player_doc p = sample_player("Alice", &address);

	p.setting_count = 1;
	p.settings = &(struct player_setting){ "timezone", zone };
	must(store_player_put(s, &p, e));
}

START_TEST(known_players)
{
	struct player_address address = { .address = "alice@example.org" };
	struct player_doc p = sample_player("Alice", &address);

	must(store_begin(s, e));
	must(store_player_put(s, &p, e));
	p = (struct player_doc){ 0 };
	has_zone(NULL);
	has_zone(NULL);
	must(store_mark(s, e));
	set_zone("UTC");
	has_zone("UTC");
	has_zone("UTC");
	must(store_end_mark(s, ERR_BAD, &(struct err){ 0 }, e));
	has_zone(NULL);
	set_zone("UTC");
	must(store_commit(s, e));
	has_zone("UTC");
	must(store_begin(s, e));
	has_zone("UTC");
	set_zone("Europe/Berlin");
	has_zone("Europe/Berlin");
	store_abort(s);
	has_zone("UTC");
	must_fail(ERR_NOT_FOUND, store_player_get(s, &a, "bob", &p, e));
}
END_TEST

/* More of them than it keeps, each again and again. */
START_TEST(many_known_players)
{
	char userid[20], address[40];

	must(store_begin(s, e));
	for (int i = 0; i < 3 * PLAYER_CACHE_SIZE; i++) {
		snprintf(userid, sizeof userid, "player%d", i);
		snprintf(address, sizeof address, "player%d@example.org", i);
		struct player_doc p = sample_player(userid,
		                                    &(struct player_address){ .address = address });
		must(store_player_put(s, &p, e));
	}
	for (int i = 0; i < 9 * PLAYER_CACHE_SIZE; i++) {
		struct player_doc p;

		snprintf(userid, sizeof userid, "player%d", i * 7 % (3 * PLAYER_CACHE_SIZE));
		must(store_player_get(s, &a, userid, &p, e));
		ck_assert_str_eq(p.userid, userid);
	}
	must(store_commit(s, e));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store_known");
	TCase *t = tcase_create("store_known");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, known_players);
	tcase_add_test(t, many_known_players);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
