/* The cost of a formula: each fact is asked of the store once in a mail, however often a formula
 * names it, and is asked again after a game was saved. */
#include "pbm/people/formula_names.h"
#include "pbm/record/match.h"
#include "store/store_documents.h"
#include "tests/util/util.h"

static const struct {
	const char *formula;
	size_t facts;
} rows[] = {
	{ "days > 3", 0 },
	{ "games + games + games + games >= 0", 1 },
	{ "games >= 0 and ontime + ontime > 0 and games < 5", 2 },
	{ "rating + rating + mine + ratingdiff > 0", 2 },
	{ "rating + mine + ontime + games > 0 and provisional", 4 },
};

START_TEST(each_fact_is_asked_once)
{
	char *dir = util_site();
	struct site s;
	struct arena a = { 0 };
	struct err e = { 0 };
	struct request q = { .site = &s, .arena = &a };
	struct player_doc alice;
	struct game_doc d = { .game = "suicide", .options = "", .days = 7 };
	const char *failed;

	ck_assert_msg(site_open(dir, &s, &e) == 0, "%s", e.text);
	ck_assert_int_eq(site_open_store(&s, STORE_READ, &e), 0);
	ck_assert_int_eq(store_player_get(s.store, &a, "alice", &alice, &e), 0);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		q.facts = NULL;
		q.work = 0;
		for (size_t again = 1; again <= 3; again++) {
			int rc = formula_passes(&q, rows[i].formula, &d, &alice, "bob", &failed,
			                        &e);

			ck_assert_msg(rc == 1, "%s: %d %s", rows[i].formula, rc, e.text);
			/* and one for each formula */
			ck_assert_uint_eq(q.work, rows[i].facts + again);
		}
	}
	site_close(&s);
	arena_release(&a);
	util_drop(dir);
}
END_TEST

/* A fact of one player, game and kind is not taken for another's. */
START_TEST(facts_are_told_apart)
{
	char *dir = util_site();
	struct site s;
	struct arena a = { 0 };
	struct err e = { 0 };
	struct request q = { .site = &s, .arena = &a };
	struct player_doc alice, bob;
	struct game_doc d = { .game = "suicide", .options = "" }, c = d;
	const char *failed;

	c.game = "chess";
	ck_assert_msg(site_open(dir, &s, &e) == 0, "%s", e.text);
	ck_assert_int_eq(site_open_store(&s, STORE_WRITE, &e), 0);
	ck_assert_int_eq(store_player_get(s.store, &a, "alice", &alice, &e), 0);
	ck_assert_int_eq(store_player_get(s.store, &a, "bob", &bob, &e), 0);
	ck_assert_int_eq(formula_passes(&q, "games = 0", &d, &alice, "bob", &failed, &e), 1);

	struct game_doc g = { .game = "suicide",
		              .options = "",
		              .players = { "alice", "carol" },
		              .days = 7,
		              .created = 1 };
	struct match m;
	ck_assert_int_eq(store_begin(s.store, &e), 0);
	ck_assert_int_eq(store_next_board(s.store, &g.board, &e), 0);
	ck_assert_int_eq(match_create(&a, &g, &m, &e), 0);
	match_start(&m, 1);
	match_end(&m, "1-0", "carol resigned", SEAT_NONE, 2);
	ck_assert_msg(request_save(&q, &m, &e) == 0, "%s", e.text);
	ck_assert_int_eq(store_commit(s.store, &e), 0);
	ck_assert_int_eq(formula_passes(&q, "games = 1", &d, &alice, "bob", &failed, &e), 1);
	ck_assert_int_eq(formula_passes(&q, "games = 0", &c, &alice, "bob", &failed, &e), 1);
	ck_assert_int_eq(formula_passes(&q, "games = 0", &d, &bob, "alice", &failed, &e), 1);
	ck_assert_int_eq(formula_passes(&q, "ontime = 100", &d, &alice, "bob", &failed, &e), 1);
	site_close(&s);
	arena_release(&a);
	util_drop(dir);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("formula_cost");

	tcase_add_test(t, each_fact_is_asked_once);
	tcase_add_test(t, facts_are_told_apart);
	return util_main(t);
}
