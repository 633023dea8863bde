/* Counts of turns by depth, against tables and between the flavours. */
#include <glob.h>

#include "pbm/base/child_confine.h"
#include "tests/util/rows.h"

#include "games/attacks.h"

/* Deeper entries of the tables are left out. */
#if SANITIZED
#define NODES_MAX 1000000
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NODES_MAX 1000000
#endif
#endif
#ifndef NODES_MAX
#define NODES_MAX 130000000
#endif

static void check_depths(const json_t *row, const char *where)
{
	struct game g = row_game(row, where);
	struct pos p = row_position(&g, row_text(row, "fen"), where);
	json_t *counts = json_object_get(row, "perft"), *n;
	const char *depth;

	if (!counts)
		counts = json_object_get(row, "perft_turns");
	json_object_foreach(counts, depth, n) {
		uint64_t expected = (uint64_t)json_integer_value(n);

		if (expected <= NODES_MAX)
			ck_assert_msg(game_perft(&g, &p, atoi(depth)) == expected,
			              "%s: %s: depth %s: %llu, not %llu", where,
			              row_text(row, "fen"), depth,
			              (unsigned long long)game_perft(&g, &p, atoi(depth)),
			              (unsigned long long)expected);
	}
}

/* The list of legal turns is another way to the same number. */
static void check_listing(const json_t *row, const char *where)
{
	struct game g = row_game(row, where);
	struct pos p = row_position(&g, row_text(row, "fen"), where);
	struct moves legal;
	uint64_t sum = 0;

	game_turns(&g, &p, &legal);
	ck_assert_msg(legal.n == game_perft(&g, &p, 1), "%s: depth 1", where);
	for (size_t i = 0; i < legal.n; i++) {
		struct pos next = p;

		game_apply(&g, &next, &legal.v[i], NULL);
		sum += game_perft(&g, &next, 1);
	}
	ck_assert_msg(sum == game_perft(&g, &p, 2), "%s: depth 2", where);
}

static void check_flavours(const json_t *row, const char *where)
{
	struct game g = row_game(row, where);
	struct pos p = row_position(&g, row_text(row, "fen"), where);
	const struct rules_fast *fast = g.rules->fast;
	int depth = fast->count[WHITE] ? 3 : 2;

	ck_assert_msg(fast[ATTACKS_PORTABLE].perft[p.to_move](&g, &p, depth) ==
	                      fast[ATTACKS_PEXT].perft[p.to_move](&g, &p, depth),
	              "%s: the flavours differ", where);
}

static glob_t tables;

START_TEST(perft_depths)
{
	rows_run(tables.gl_pathv[_i], check_depths);
}
END_TEST

START_TEST(perft_listing)
{
	rows_run(tables.gl_pathv[_i], check_listing);
}
END_TEST

START_TEST(perft_flavours)
{
	if (!attacks_have_pext()) {
		puts("skipped: no fast PEXT here, flavours not compared");
		return;
	}
	rows_run(tables.gl_pathv[_i], check_flavours);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("perft");
	TCase *t = tcase_create("perft");

	if (glob("tests/data/perft/*.jsonl", 0, NULL, &tables) != 0)
		return 1;

	int tables_n = (int)tables.gl_pathc;

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, perft_depths, 0, tables_n);
	tcase_add_loop_test(t, perft_listing, 0, tables_n);
	tcase_add_loop_test(t, perft_flavours, 0, tables_n);
	suite_add_tcase(s, t);

	SRunner *r = srunner_create(s);

	srunner_run_all(r, CK_NORMAL);

	int failed = srunner_ntests_failed(r);

	srunner_free(r);
	globfree(&tables);
	return failed != 0;
}
