/* A puzzle as text: written, read from the game's document, refused. */
#include <check.h>
#include <string.h>

#include "games/notation/notation.h"
#include "pbm/record/puzzle.h"
#include "tests/util/util.h"

#define T0 1796119200

static struct arena arena;

/* 1. f3 e5 2. g4, and Black mates. */
static struct game_doc a_game(const char *puzzle)
{
	static const char *const turns[] = { "f3", "e5", "g4" };
	struct game_doc d = { .board = 7,
		              .game = "chess",
		              .options = "",
		              .players = { "alice", "bob" },
		              .days = 7,
		              .created = T0 };
	struct match m;

	ck_assert_int_eq(match_create(&arena, &d, &m, NULL), 0);
	match_start(&m, T0);
	for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
		struct move mv;

		ck_assert_int_eq(game_read_move(&m.game, match_position(&m), turns[i],
		                                strlen(turns[i]), &mv, NULL, NULL),
		                 0);
		match_play(&m, &mv, T0);
	}
	match_end(&m, "0-1", "resigned", SEAT_WHITE, T0);
	m.doc.puzzle = puzzle;
	return m.doc;
}

START_TEST(what_was_written_is_read)
{
	struct game_doc d = a_game("3 d8h4");
	struct puzzle p;
	char text[100];
	struct str s = STR_FIXED(text);

	ck_assert(puzzle_read(&arena, &d, &p));
	ck_assert_uint_eq(p.ply, 3);
	ck_assert_uint_eq(p.board.ply, 1);
	ck_assert_int_eq(p.board.positions[0].to_move, BLACK);
	puzzle_write(&p, &s);
	ck_assert_str_eq(text, "3 d8h4");
	str_clear(&s);
	puzzle_write_turns(&p, 0, 1, &s);
	ck_assert_str_eq(text, "2... Qh4#");
	str_clear(&s);
	puzzle_write_path(INT64_C(1796083200), &s);
	ck_assert_str_eq(text, "puzzles/2026-12-01.html");
}
END_TEST

static const char *const wrong[] = { "",        "3",           "x d8h4",
	                             "4 d8h4",  "3 d8h4 e1f2", "3 d8d8",
	                             "3  d8h4", "2 g2g4 d8h4", "99999999999999999999 d8h4" };

START_TEST(another_text_is_refused)
{
	struct game_doc d = a_game(wrong[_i]);
	struct puzzle p;

	ck_assert(!puzzle_read(&arena, &d, &p));
}
END_TEST

START_TEST(a_running_game_has_none)
{
	struct game_doc d = a_game("3 d8h4");
	struct puzzle p;

	d.event_count--; /* the end */
	d.state = GAME_RUNNING;
	ck_assert(!puzzle_read(&arena, &d, &p));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("puzzle");

	tcase_add_test(t, what_was_written_is_read);
	tcase_add_loop_test(t, another_text_is_refused, 0, sizeof wrong / sizeof *wrong);
	tcase_add_test(t, a_running_game_has_none);
	return util_main(t);
}
