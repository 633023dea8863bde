/* Moves in the letters of other languages, and drawings of boards. */
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation_letters.h"
#include "games/variants/registry.h"
#include "tests/util/suite.h"

static const struct {
	enum tongue t;
	const char *english, *said;
} said[] = {
	{ TONGUE_GERMAN, "Nf3", "Sf3" },
	{ TONGUE_GERMAN, "alice played 2. Nf3: knight g1-f3.",
	  "alice played 2. Sf3: knight g1-f3." },
	{ TONGUE_GERMAN, "Nbd7, R1xe2+, Qh4xe1, Bf1c4, Kxe2, O-O-O, e4, exd5",
	  "Sbd7, T1xe2+, Dh4xe1, Lf1c4, Kxe2, O-O-O, e4, exd5" },
	{ TONGUE_GERMAN, "e8=Q, bxa1=N#, e8=QX", "e8=D, bxa1=S#, e8=DX" },
	{ TONGUE_GERMAN, "Nf3,d6 NxXe5 Nxe5X", "Sf3,d6 NxXe5 Sxe5X" },
	{ TONGUE_GERMAN, "Bob, No. Re: Be2e Rook a1 QUEEN BBe2 N9 Ne9",
	  "Bob, No. Re: Be2e Rook a1 QUEEN BBe2 N9 Ne9" },
	{ TONGUE_FRENCH, "Ke2 Qe2 Re2 Be2 Ne2", "Re2 De2 Te2 Fe2 Ce2" },
	{ TONGUE_SPANISH, "Ke2 Qe2 Re2 Be2 Ne2", "Re2 De2 Te2 Ae2 Ce2" },
	{ TONGUE_FIGURINE, "Ke2 Qe2 Re2 Be2 Ne2", "♔e2 ♕e2 ♖e2 ♗e2 ♘e2" },
	{ TONGUE_ENGLISH, "Ke2 Ne2", "Ke2 Ne2" },
	{ TONGUE_GERMAN, "", "" },
	{ TONGUE_GERMAN, "N", "N" },
	{ TONGUE_GERMAN, "=Q", "=Q" },
};

START_TEST(says)
{
	for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
		char text[200];
		struct str s = STR_FIXED(text);

		notation_say(said[i].t, said[i].english, &s);
		ck_assert_str_eq(text, said[i].said);
	}
}
END_TEST

static const struct {
	enum tongue t;
	const char *typed, *heard;
} heard[] = {
	{ TONGUE_GERMAN, "Sf3", "Nf3" },
	{ TONGUE_GERMAN, "17: Sf3, danke, dein Ld3 war gut", "17: Nf3, danke, dein Ld3 war gut" },
	{ TONGUE_GERMAN, "Nf3", "Nf3" },
	{ TONGUE_GERMAN, "e8=D", "e8=Q" },
	{ TONGUE_GERMAN, "if Sc6 then Lb5", "if Nc6 then Bb5" },
	{ TONGUE_GERMAN, "Das war gut", "Das war gut" },
	{ TONGUE_FRENCH, "Cf3", "Nf3" },
	{ TONGUE_FRENCH, "Te1", "Re1" },
	{ TONGUE_FRENCH, "Re1", "Re1" },
	{ TONGUE_FRENCH, "Fxc4+", "Bxc4+" },
};

START_TEST(hears)
{
	for (size_t i = 0; i < sizeof heard / sizeof heard[0]; i++) {
		char text[200];
		struct str s = STR_FIXED(text);

		notation_hear(heard[i].t, heard[i].typed, &s);
		ck_assert_str_eq(text, heard[i].heard);
	}
}
END_TEST

/* A line that the drawing of the first position holds. */
static const struct {
	enum draw_kind kind;
	enum draw_size size;
	enum color below;
	const char *line;
	size_t lines;
} drawings[] = {
	{ DRAW_ASCII, DRAW_NORMAL, WHITE, "\n  8 | r | n | b | q | k | b | n | r | 8\n", 19 },
	{ DRAW_ASCII, DRAW_NORMAL, BLACK, "\n  1 | R | N | B | K | Q | B | N | R | 1\n", 19 },
	{ DRAW_ASCII, DRAW_LARGE, WHITE,
	  "\n  8 |  r  |  n  |  b  |  q  |  k  |  b  |  n  |  r  | 8\n", 35 },
	{ DRAW_ASCII, DRAW_LARGE, WHITE, "       a     b     c     d     e     f     g     h\n",
	  35 },
	{ DRAW_ASCII, DRAW_SMALL, WHITE, "\n  7  p p p p p p p p\n  6  . . . . . . . .\n", 9 },
	{ DRAW_UNICODE, DRAW_NORMAL, WHITE, "\n    ├───┼───┼───┼───┼───┼───┼───┼───┤\n", 19 },
	{ DRAW_UNICODE, DRAW_SMALL, BLACK, "\n     h g f e d c b a\n", 9 },
	{ DRAW_FIGURINE, DRAW_NORMAL, WHITE, "\n  8 │ ♜ │ ♞ │ ♝ │ ♛ │ ♚ │ ♝ │ ♞ │ ♜ │ 8\n", 19 },
	{ DRAW_PROSE, DRAW_LARGE, WHITE, "White:\n  king e1\n  queen d1\n  rooks a1 h1\n", 14 },
	{ DRAW_PROSE, DRAW_NORMAL, BLACK, "Black:\n  king e8\n  queen d8\n", 14 },
};

START_TEST(draws)
{
	struct game g = { .rules = rules_find("chess", 5, NULL) };
	struct pos p;

	ck_assert_ptr_nonnull(g.rules);
	ck_assert_int_eq(game_setup(&g, NULL, &p, NULL), 0);
	for (size_t i = 0; i < sizeof drawings / sizeof drawings[0]; i++) {
		char text[8192];
		struct str s = STR_FIXED(text);
		size_t lines = 0;

		game_draw_in(&g, &p, drawings[i].below, NULL,
		             (struct draw_style){ drawings[i].kind, drawings[i].size }, &s);
		for (const char *at = text; (at = strchr(at, '\n')); at++)
			lines++;
		ck_assert_msg(strstr(text, drawings[i].line) != NULL, "%zu:\n%s", i, text);
		ck_assert_msg(lines == drawings[i].lines, "%zu: %zu lines", i, lines);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tongue");
	TCase *t = tcase_create("tongue");

	tcase_add_test(t, says);
	tcase_add_test(t, hears);
	tcase_add_test(t, draws);
	suite_add_tcase(s, t);
	return suite_run(s);
}
