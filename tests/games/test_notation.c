/* Reading what people type, and the sentences that refuse it. */
#include "tests/util/rows.h"

static const char *const kinds[] = {
	[READ_OK] = "ok",
	[READ_UNREADABLE] = "unreadable",
	[READ_ILLEGAL] = "illegal",
	[READ_MUST_CAPTURE] = "must capture",
	[READ_AMBIGUOUS] = "ambiguous",
	[READ_NEEDS_PIECE] = "needs piece",
	[READ_OVER] = "over",
};

static void check_text(const char *got, const char *expected, const char *where)
{
	ck_assert_msg(expected && strcmp(got, expected) == 0, "%s: \"%s\", not \"%s\"", where, got,
	              expected ? expected : "refused");
}

static void check_reading(const json_t *row, const char *where)
{
	struct game g = row_game(row, where);
	struct pos p = row_position(&g, row_text(row, "fen"), where), before = p;
	const char *line = row_text(row, "line"), *text = line ? line : row_text(row, "text");
	struct move m;
	enum read_refusal why = READ_OK;
	struct err e = { 0 };
	size_t used = 0;
	char san_buf[40], words_buf[200];
	struct str san = STR_FIXED(san_buf), words = STR_FIXED(words_buf);
	int rc = line ? game_read_line(&g, &p, text, strlen(text), &m, &used, &why, &e)
	              : game_read_move(&g, &p, text, strlen(text), &m, &why, &e);

	ck_assert(memcmp(&p, &before, sizeof p) == 0);
	if (line)
		ck_assert_msg((json_int_t)used == json_integer_value(json_object_get(row, "used")),
		              "%s: %zu bytes used", where, used);
	if (rc) {
		check_text(e.text, row_text(row, "says"), where);
		check_text(kinds[why], row_text(row, "why"), where);
		return;
	}
	game_write_san(&g, &p, &m, &san);
	check_text(san.data, row_text(row, "san"), where);
	game_describe(&g, &p, &m, false, &words);
	check_text(words.data, row_text(row, "describe"), where);
}

START_TEST(reading)
{
	rows_run("tests/data/games/reading.jsonl", check_reading);
}
END_TEST

static const struct {
	const char *text;
	bool is_move;
} shapes[] = {
	{ "e4", true },
	{ "Nf3,", true },
	{ "e4,c6", true },
	{ "e4,c6 thanks", true },
	{ "O-O", true },
	{ "0-0-0 now", true },
	{ "e8=Q", true },
	{ "e2e4", true },
	{ "Qg5X", true },
	{ "O-OX", true },
	{ "X", false },
	{ "  Rfd1+", true },
	{ "12.Nf3", true },
	{ "N\xe2\x80\x93"
	  "f3",
	  true },
	{ "h3🙂", true },
	{ "Bc2‼", true },
	{ "Bc2‼!", true },
	{ "d4±", true },
	{ "Qc7=", true },
	{ "e4‼e5", false },
	{ "🙂", false },
	{ "", false },
	{ "hello", false },
	{ "resign", false },
	{ "-- ", false },
	{ "Bob,", false },
	{ "draw", false },
	{ "a9", false },
	{ "i4", false },
	{ "e", false },
	{ ",", false },
	{ "\xff\xfe", false },
};

START_TEST(shape)
{
	const char *text = shapes[_i].text;

	ck_assert_msg(game_looks_like_move(text, strlen(text)) == shapes[_i].is_move, "%s", text);
}
END_TEST

/* Moves in words; NULL: the text is none. */
static const struct {
	const char *text, *move;
} spelled[] = {
	{ "e2 e4", "e2e4" },
	{ "E2 E4", "e2e4" },
	{ "e2 to e4", "e2e4" },
	{ "e2 - e4", "e2e4" },
	{ "e2 -> e4", "e2e4" },
	{ "from e2 to e4", "e2e4" },
	{ "pawn to e4", "e4" },
	{ "pawn e4", "e4" },
	{ "pawn e2 to e4.", "e2e4" },
	{ "Pawn from e2 to e4", "e2e4" },
	{ "knight to f3", "Nf3" },
	{ "Knight g1 to f3", "Ng1f3" },
	{ "my knight on g1 to f3", "Ng1f3" },
	{ "N f3", "Nf3" },
	{ "N g1 f3", "Ng1f3" },
	{ "Ng1 f3", "Ng1f3" },
	{ "Ng1 - f3", "Ng1f3" },
	{ "knight b to d2", "Nbd2" },
	{ "bishop takes c3", "Bxc3" },
	{ "B x c3", "Bxc3" },
	{ "Nb1 x c3 +", "Nb1xc3" },
	{ "e takes d5", "exd5" },
	{ "e4 takes d5", "e4xd5" },
	{ "e x d5", "exd5" },
	{ "e8 = Q", "e8=Q" },
	{ "e8 queen", "e8=Q" },
	{ "e7 e8 Q", "e7e8=Q" },
	{ "e7 to e8 promotes to knight", "e7e8=N" },
	{ "castle kingside", "O-O" },
	{ "Castles Queenside!", "O-O-O" },
	{ "0 - 0 - 0", "O-O-O" },
	{ "short castling", "O-O" },
	{ "kurze Rochade", "O-O" },
	{ "e4", NULL },
	{ "Nf3", NULL },
	{ "castle", NULL },
	{ "", NULL },
	{ " ", NULL },
	{ "pawn takes d5", NULL },
	{ "takes d5", NULL },
	{ "e2 e4 e5", NULL },
	{ "e to e4", NULL },
	{ "e takes e5", NULL },
	{ "e2 or e4", NULL },
	{ "knight to f3 or c3", NULL },
	{ "knight", NULL },
	{ "to e4 to", NULL },
	{ "knight Ng1 f3", NULL },
	{ "i9 j4", NULL },
	{ "the king is on e4 now", NULL },
	{ "e4 pawn", NULL },
};

START_TEST(spelling)
{
	char buf[40];
	struct str out = STR_FIXED(buf);
	const char *text = spelled[_i].text, *want = spelled[_i].move;
	bool is_move = game_spell_move(text, strlen(text), &out);

	ck_assert_msg(is_move == (want != NULL), "%s: %s", text, out.data);
	if (want)
		ck_assert_str_eq(out.data, want);
}
END_TEST

static const struct {
	const char *game, *typed, *first;
} nears[] = {
	{ "chess", "Nf33", "Nf3" },
	{ "chess", "e2-e4", "e4" },
	{ "chess", "h33", "h3" },
	{ "avalanchechess", "e4,c66", "e4,c6" },
	{ "avalanchechess", "e4 d6", "e4,d6" },
	{ "allmate", "Nf33X", "Nf3" },
	{ "connectedchess", "Na33", "Na3" },
};

START_TEST(nearest)
{
	struct game g = { .rules = rules_find(nears[_i].game, strlen(nears[_i].game), NULL) };
	struct pos p;
	struct move m[3];
	char buf[40];
	struct str san = STR_FIXED(buf);

	ck_assert(game_setup(&g, NULL, &p, NULL) == 0);
	ck_assert(game_nearest(&g, &p, nears[_i].typed, strlen(nears[_i].typed), m, 3) == 3);
	game_write_san(&g, &p, &m[0], &san);
	ck_assert_str_eq(san.data, nears[_i].first);
}
END_TEST

/* Words that say less than a move, after 1. e4 d5 2. Bb5+ c6; NULL: no turn or several fit. */
static const struct {
	const char *text, *move;
} guesses[] = {
	{ "exd", "exd5" },
	{ "exd.", "exd5" },
	{ "e takes d", "exd5" },
	{ "pawn takes d5", "exd5" },
	{ "pawn takes pawn", "exd5" },
	{ "bishop takes", "Bxc6+" },
	{ "bishop takes a pawn on c6 -- sorry!", "Bxc6+" },
	{ "knight to f3, I think", "Nf3" },
	{ "takes", NULL },
	{ "takes pawn", NULL },
	{ "bishop takes knight", NULL },
	{ "knight to f4", NULL },
	{ "dxe", NULL },
	{ "knight", NULL },
	{ "I take the pawn", NULL },
	{ "I take the pawn with my bishop", "Bxc6+" },
	{ "I'll take the pawn with the bishop", "Bxc6+" },
	{ "i move my queens pawn 2 squares", "d4" },
	{ "my queen's pawn goes one square!", "d3" },
	{ "my pawn goes two squares", NULL },
	{ "", NULL },
};

START_TEST(guess)
{
	struct game g = { .rules = rules_find("chess", 5, NULL) };
	const char *text = guesses[_i].text, *want = guesses[_i].move;
	struct pos p;
	struct move m;
	char buf[40];
	struct str san = STR_FIXED(buf);

	ck_assert(game_setup(&g, "rnbqkbnr/pp2pppp/2p5/1B1p4/4P3/8/PPPP1PPP/RNBQK1NR w KQkq - 0 3",
	                     &p, NULL) == 0);
	ck_assert_msg(game_guess_move(&g, &p, text, strlen(text), &m) == (want != NULL), "%s",
	              text);
	if (!want)
		return;
	game_write_san(&g, &p, &m, &san);
	ck_assert_str_eq(san.data, want);
}
END_TEST

START_TEST(reader_is_mover)
{
	struct game g = { .rules = rules_find("avalanche", 9, NULL) };
	struct pos p;
	struct move m;
	char buf[100];
	struct str s = STR_FIXED(buf);

	ck_assert(game_setup(&g, NULL, &p, NULL) == 0);
	ck_assert(game_read_move(&g, &p, "Nf3,h6", 6, &m, NULL, NULL) == 0);
	game_describe(&g, &p, &m, true, &s);
	ck_assert_str_eq(s.data, "knight g1-f3, and pushed the enemy's h-pawn to h6");
}
END_TEST

static const char drawn_after_bc4[] = "      h   g   f   e   d   c   b   a\n"
				      "    +---+---+---+---+---+---+---+---+\n"
				      "  1 | R | N | * | K | Q | B | N | R | 1\n"
				      "    +---+---+---+---+---+---+---+---+\n"
				      "  2 | P | P | P |   | P | P | P | P | 2\n"
				      "    +---+---+---+---+---+---+---+---+\n"
				      "  3 |   |   |   |   |   |   |   |   | 3\n"
				      "    +---+---+---+---+---+---+---+---+\n"
				      "  4 |   |   |   | P |   |*B*|   |   | 4\n"
				      "    +---+---+---+---+---+---+---+---+\n"
				      "  5 |   |   |   |   |   |   |   |   | 5\n"
				      "    +---+---+---+---+---+---+---+---+\n"
				      "  6 |*p*|   |   | p |   |   |   |   | 6\n"
				      "    +---+---+---+---+---+---+---+---+\n"
				      "  7 | * | p | p |   | p | p | p | p | 7\n"
				      "    +---+---+---+---+---+---+---+---+\n"
				      "  8 | r | n | b | k | q | b | n | r | 8\n"
				      "    +---+---+---+---+---+---+---+---+\n"
				      "      h   g   f   e   d   c   b   a\n";

START_TEST(drawing)
{
	struct game g = { .rules = rules_find("avalanche", 9, NULL) };
	struct pos p;
	struct move m;
	struct str s;

	str_init(&s, 4000);
	ck_assert(game_option(&g, "-standard", 9, NULL) == 0);
	ck_assert(game_setup(&g, "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", &p,
	                     NULL) == 0);
	ck_assert(game_read_move(&g, &p, "Bc4,h6", 6, &m, NULL, NULL) == 0);
	game_apply(&g, &p, &m, NULL);
	game_draw(&g, &p, BLACK, &m, &s);
	ck_assert_str_eq(s.data, drawn_after_bc4);
	str_clear(&s);
	game_draw(&g, &p, WHITE, NULL, &s);
	ck_assert(strncmp(s.data, "      a   b", 11) == 0);
	ck_assert(strchr(s.data, '*') == NULL);
	str_release(&s);
}
END_TEST

static const char half_drawn[] = "      a   b   c   d\n"
				 "    +---+---+---+---+\n"
				 "  8 | r | k | q | r | 8\n"
				 "    +---+---+---+---+\n"
				 "  7 | n | b | b | n | 7\n"
				 "    +---+---+---+---+\n"
				 "  6 |   |   |   |   | 6\n"
				 "    +---+---+---+---+\n"
				 "  5 |   |   |   |   | 5\n"
				 "    +---+---+---+---+\n"
				 "  4 |   |   |   |   | 4\n"
				 "    +---+---+---+---+\n"
				 "  3 |   |*N*|   |   | 3\n"
				 "    +---+---+---+---+\n"
				 "  2 | N | B | B | * | 2\n"
				 "    +---+---+---+---+\n"
				 "  1 | R | K | Q | R | 1\n"
				 "    +---+---+---+---+\n"
				 "      a   b   c   d\n";

START_TEST(drawing_half)
{
	struct game g = { .rules = rules_find("connected", 9, NULL) };
	struct pos p;
	struct move m;
	struct str s;

	str_init(&s, 4000);
	ck_assert(game_option(&g, "-half", 5, NULL) == 0);
	ck_assert(game_setup(&g, NULL, &p, NULL) == 0);
	ck_assert(game_read_move(&g, &p, "Nb3", 3, &m, NULL, NULL) == 0);
	game_apply(&g, &p, &m, NULL);
	game_draw(&g, &p, WHITE, &m, &s);
	ck_assert_str_eq(s.data, half_drawn);
	str_clear(&s);
	game_draw(&g, &p, BLACK, &m, &s);
	ck_assert(strncmp(s.data, "      d   c   b   a\n", 20) == 0);
	str_release(&s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("notation");
	TCase *t = tcase_create("notation");

	tcase_add_test(t, reading);
	tcase_add_loop_test(t, shape, 0, sizeof shapes / sizeof shapes[0]);
	tcase_add_loop_test(t, spelling, 0, sizeof spelled / sizeof spelled[0]);
	tcase_add_loop_test(t, nearest, 0, sizeof nears / sizeof nears[0]);
	tcase_add_loop_test(t, guess, 0, sizeof guesses / sizeof guesses[0]);
	tcase_add_test(t, reader_is_mover);
	tcase_add_test(t, drawing);
	tcase_add_test(t, drawing_half);
	suite_add_tcase(s, t);

	SRunner *r = srunner_create(s);

	srunner_run_all(r, CK_NORMAL);

	int failed = srunner_ntests_failed(r);

	srunner_free(r);
	return failed != 0;
}
