/* What the store does beside the work of the process: the files of a large transaction are written
 * while the next one goes on, and a player who was read once is not read again. */
#include "store/inside.h"
#include "tests/util/store_case.h"

#define GAMES 100 /* enough for a thread */

/* Puts the games from first on, with this many plies. */
static void play_games(int64_t first, int64_t n, unsigned ply)
{
	for (int64_t board = first; board < first + n; board++) {
		struct game_doc g = sample_game(board);

		g.ply = ply;
		must(store_game_put(s, &g, e));
	}
}

/* The same in a transaction whose files are written beside the next one. */
static void play_beside(int64_t first, int64_t n, unsigned ply)
{
	must(store_begin(s, e));
	play_games(first, n, ply);
	must(store_end_beside(s, 0, e));
}

static void games_have(int64_t first, int64_t n, unsigned ply)
{
	for (int64_t board = first; board < first + n; board++) {
		struct game_doc g;

		must(store_game_get(s, &a, board, &g, e));
		ck_assert_uint_eq(g.ply, ply);
	}
}

static int64_t pending(void)
{
	int64_t count = 0;

	must(db_number(s->db, DB_PENDING_SIZE, DB_NONE, &count, e));
	return count;
}

static void reopen(void)
{
	store_close(s);
	s = store_site_open(STORE_WRITE);
}

START_TEST(one_after_another)
{
	for (unsigned round = 1; round <= 5; round++) {
		must(store_begin(s, e));
		play_games(1, GAMES, round);
		games_have(1, GAMES, round);
		must(store_end_beside(s, 0, e));
		ck_assert(s->settling.running);
		games_have(1, GAMES, round);
	}
	reopen();
	ck_assert_int_eq(pending(), 0);
	games_have(1, GAMES, 5);
}
END_TEST

/* A game that changes while its old text is on the way gets its new text. */
START_TEST(a_change_meanwhile)
{
	play_beside(1, GAMES, 1);
	must(store_begin(s, e));
	play_games(50, 1, 2);
	must(store_commit(s, e));
	ck_assert(!s->settling.running);
	ck_assert_int_eq(pending(), 1);
	must(store_begin(s, e));
	must(store_commit(s, e));
	ck_assert_int_eq(pending(), 0);
	games_have(1, 49, 1);
	games_have(50, 1, 2);
	games_have(51, GAMES - 50, 1);
}
END_TEST

/* A transaction without documents waits for nothing. */
START_TEST(marks_do_not_wait)
{
	play_beside(1, GAMES, 1);
	must(store_begin(s, e));
	must(store_commit(s, e));
	ck_assert(s->settling.running);
	must(store_begin(s, e));
	play_games(1, 3, 2);
	store_abort(s);
	ck_assert(s->settling.running);
	games_have(1, GAMES, 1);
	must(store_settle(s, e));
	ck_assert(!s->settling.running);
	ck_assert(store_site_has("games/000/100.json"));
	reopen();
	games_have(1, GAMES, 1);
}
END_TEST

START_TEST(few_files_need_no_thread)
{
	play_beside(1, 3, 1);
	ck_assert(!s->settling.running);
	ck_assert(store_site_has("games/000/3.json"));
	must_fail(ERR_BAD, store_end_beside(s, err_set(e, ERR_BAD, "no"), e));
}
END_TEST

/* The folder can't be made at first. */
START_TEST(a_full_disk_is_made_up_for)
{
	store_site_write("games/000", "");
	for (unsigned round = 1; round <= 3; round++) {
		play_beside(1, GAMES, round);
		games_have(1, GAMES, round);
	}
	ck_assert_int_eq(unlink(store_site_path("games/000")), 0);
	must(store_begin(s, e));
	play_games(1, 1, 4);
	must(store_commit(s, e));
	games_have(1, 1, 4);
	games_have(2, GAMES - 1, 3);
	ck_assert(store_site_has("games/000/100.json"));
	reopen();
	ck_assert_int_eq(pending(), 0);
	games_have(2, GAMES - 1, 3);
}
END_TEST

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
	must(store_rollback_to_mark(s, e));
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
	for (int i = 0; i < 3 * KNOWN_PLAYERS; i++) {
		snprintf(userid, sizeof userid, "player%d", i);
		snprintf(address, sizeof address, "player%d@example.org", i);
		struct player_doc p = sample_player(userid,
		                                    &(struct player_address){ .address = address });
		must(store_player_put(s, &p, e));
	}
	for (int i = 0; i < 9 * KNOWN_PLAYERS; i++) {
		struct player_doc p;

		snprintf(userid, sizeof userid, "player%d", i * 7 % (3 * KNOWN_PLAYERS));
		must(store_player_get(s, &a, userid, &p, e));
		ck_assert_str_eq(p.userid, userid);
	}
	must(store_commit(s, e));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store_beside");
	TCase *t = tcase_create("store_beside");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, one_after_another);
	tcase_add_test(t, a_change_meanwhile);
	tcase_add_test(t, marks_do_not_wait);
	tcase_add_test(t, few_files_need_no_thread);
	tcase_add_test(t, a_full_disk_is_made_up_for);
	tcase_add_test(t, known_players);
	tcase_add_test(t, many_known_players);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
