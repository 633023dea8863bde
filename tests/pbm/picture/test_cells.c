/* Boards as tables: whose side is below, which squares are marked, how large it gets. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/picture/cells.h"
#include "tests/util/util.h"

static const char *const men[2][PIECE_TYPES] = { { "wP", "wN", "wB", "wR", "wQ", "wK" },
	                                         { "bP", "bN", "bB", "bR", "bQ", "bK" } };
static const char *const words[2][PIECE_TYPES] = {
	{ "white pawn", "white knight", "white bishop", "white rook", "white queen", "white king" },
	{ "black pawn", "black knight", "black bishop", "black rook", "black queen", "black king" }
};

static const struct {
	const char *game, *option, *fen, *move;
	enum color side;
	const char *first;              /* the words of the first man */
	int squares;                    /* of the board */
	int counts[CELLS_COLORS], gone; /* marked squares, and crosses */
} rows[] = {
	{ "chess", NULL, NULL, "e4", WHITE, "black rook a8", 64, { 62, 2, 0, 0 }, 0 },
	{ "chess", NULL, NULL, NULL, BLACK, "white rook h1", 64, { 64, 0, 0, 0 }, 0 },
	{ "chess",
	  NULL,
	  "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1",
	  "Qe2+",
	  WHITE,
	  "black king e8",
	  64,
	  { 61, 2, 1, 0 },
	  0 },
	{ "avalanchechess", NULL, NULL, "e4,a6", BLACK, "white rook h1", 64, { 60, 4, 0, 0 }, 0 },
	{ "avalanchechess",
	  NULL,
	  "4k3/8/8/8/8/8/p3P3/4K3 w - - 0 1",
	  "e4,a1",
	  BLACK,
	  "white king e1",
	  64,
	  { 60, 3, 0, 1 },
	  0 },
	{ "connectedchess", "-half", NULL, NULL, WHITE, "black", 32, { 32, 0, 0, 0 }, 0 },
	{ "crazyhouse",
	  NULL,
	  "4k3/8/8/8/8/8/8/4K3[Qppp] w - - 0 1",
	  NULL,
	  WHITE,
	  "black pawn\">&times;3",
	  64,
	  { 64, 0, 0, 0 },
	  1 },
	{ "atomic",
	  NULL,
	  "rnbqkb1r/ppp1pppp/3p4/4N3/8/8/PPPPPPPP/R1BQKB1R w KQkq - 0 4",
	  "Nxf7",
	  WHITE,
	  "black rook a8",
	  64,
	  { 62, 2, 0, 0 },
	  3 },
};

static int count(const char *text, const char *part)
{
	int n = 0;

	for (; (text = strstr(text, part)); text++)
		n++;
	return n;
}

START_TEST(a_board)
{
	struct game g = { .rules = rules_find(rows[_i].game, strlen(rows[_i].game), NULL) };
	const char *option = rows[_i].option;
	struct pos p;
	struct move m;
	struct effects fx = { 0 };
	struct err e = { 0 };
	struct cells_look look = {
		.side = rows[_i].side,
		.pixels = 38,
		.pockets = g.rules->flags & RULES_DROPS,
		.men = men,
		.words = words,
	};
	struct str out;

	ck_assert(!option || game_option(&g, option, strlen(option), NULL) == 0);
	ck_assert_int_eq(game_setup(&g, rows[_i].fen, &p, &e), 0);
	if (rows[_i].move) {
		const char *text = rows[_i].move;

		ck_assert_msg(game_read_move(&g, &p, text, strlen(text), &m, NULL, &e) == 0, "%s",
		              e.text);
		game_apply(&g, &p, &m, &fx);
	}
	str_init(&out, 20000);
	struct marks marks = marks_find(&g, &p, rows[_i].move ? &m : NULL, &fx);
	cells_table(&p, game_board(&g), &marks, &look, &out);
	ck_assert_uint_le(out.len, 7000);
	ck_assert_int_eq(count(out.data, "bgcolor="), rows[_i].squares);
	for (int c = 0; c < CELLS_COLORS; c++)
		ck_assert_int_eq(count(out.data, cells_colors[c][0]) +
		                         count(out.data, cells_colors[c][1]),
		                 rows[_i].counts[c]);
	ck_assert_int_eq(count(out.data, "&times;"), rows[_i].gone);
	const char *alt = strstr(out.data, "alt=\"");
	ck_assert(alt && strncmp(alt + 5, rows[_i].first, strlen(rows[_i].first)) == 0);
	for (const char *line = out.data; *line;) {
		size_t n = strcspn(line, "\n");

		ck_assert_uint_le(n, 900);
		line += n + 1;
	}
	str_release(&out);
}
END_TEST

/* The pictures of the mails were drawn from the archive's men as they are now: make men. */
START_TEST(the_men_are_the_same)
{
	ck_assert_int_eq(system("test $(cat templates/static/men/*.svg | sha256sum | cut -c1-64) = "
	                        "$(cat templates/men/.drawn-from)"),
	                 0);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("cells");

	tcase_add_loop_test(t, a_board, 0, ROWS(rows));
	tcase_add_test(t, the_men_are_the_same);
	return util_main(t);
}
