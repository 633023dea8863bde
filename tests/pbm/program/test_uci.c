/* pbm uci as chess programs use it: lines in, lines out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "tests/util/util.h"

static char *uci(const char *input, int *status)
{
	const char *pbm = getenv("PBM") ? getenv("PBM") : "build/pbm";

	return util_pbm((const char *[]){ pbm, "uci", NULL }, input, status);
}

static void check_says(const char *input, const char *text, int expected)
{
	int status;
	char *out = uci(input, &status);

	ck_assert_msg(strstr(out, text) != NULL, "after\n%s\n\"%s\" is missing:\n%s", input, text,
	              out);
	ck_assert_int_eq(status, expected);
	free(out);
}

static const struct {
	const char *input, *says;
	int status;
} dialogs[] = {
	{ "uci\n", "option name UCI_Variant type combo default chess var chess ", 0 },
	{ "uci\n", "\nuciok\n", 0 },
	{ "isready\nquit\nnonsense\n", "readyok\n", 0 },
	{ "position startpos moves e2e4 e7e5\ngo depth 2\n", "bestmove ", 0 },
	{ "position fen 6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1\ngo nodes 2000", "score mate 1 ", 0 },
	{ "position fen 6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1\ngo nodes 2000", "bestmove e1e8\n", 0 },
	{ "position startpos\ngo movetime 20\n", "bestmove ", 0 },
	{ "position startpos\ngo wtime 300 btime 300 winc 10 movestogo 3\n", "bestmove ", 0 },
	{ "position startpos\ngo infinite\nisready\nstop\n", "readyok\n", 0 },
	{ "position startpos\r\ngo infinite\r\nisready\r\nstop\r\n", "readyok\n", 0 },
	/* Another line goes before "stop", and the input ends without it. */
	{ "position startpos\ngo infinite\ndebug off\nstop\n", "bestmove ", 0 },
	{ "position startpos\ngo infinite\n", "bestmove ", 0 },
	{ "position startpos\ngo infinite\nisready\r", "bestmove ", 0 },
	/* A clock that has run out leaves the shortest time, and not all of it. */
	{ "position startpos\ngo wtime 0 btime 1000\n", "bestmove ", 0 },
	{ "position startpos\ngo wtime -12 btime 1000 winc 100\n", "bestmove ", 0 },
	{ "position startpos\ngo movetime 0\n", "bestmove ", 0 },
	{ "setoption name MultiPV value 3\nposition startpos\ngo depth 2\n", " multipv 3 ", 0 },
	{ "setoption name UCI_Variant value 3check\nposition startpos\ngo depth 1\n", "bestmove",
	  0 },
	{ "setoption name UCI_Variant value avalanchechess\nposition startpos moves e2e4,c7c6\n"
	  "go nodes 500\n",
	  "bestmove ", 0 },
	/* The game is over. */
	{ "position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1\ngo\n", "bestmove (none)\n", 0 },
	/* Lines that make no sense. */
	{ "go\n", "info string There is no position yet.\n", EX_DATAERR },
	{ "position startpos moves e2e5\n", "info string The pawn on e2 cannot go to e5.",
	  EX_DATAERR },
	/* "go" is always answered, because the other program waits for it. */
	{ "position startpos moves e2e5\ngo\n", "There is no position yet.\nbestmove (none)\n",
	  EX_DATAERR },
	{ "position startpos\ngo nodes\n", "A number is missing.\nbestmove (none)\n", EX_DATAERR },
	{ "position fen\ngo\n", "info string ", EX_DATAERR },
	{ "position fen moves e2e4\ngo\n", "bestmove (none)\n", EX_DATAERR },
	{ "position startpos e2e4\n", "info string Write \"moves\" before the moves.\n",
	  EX_DATAERR },
	{ "position fen 8/8\n", "info string ", EX_DATAERR },
	{ "position\n", "info string Write: position startpos", EX_DATAERR },
	{ "setoption name Hash value many\n", "info string There is no such option", EX_DATAERR },
	{ "setoption name UCI_Variant value halma\n", "info string ", EX_DATAERR },
	{ "dance\nisready\n", "info string There is no such command.\nreadyok\n", EX_DATAERR },
};

START_TEST(dialog)
{
	check_says(dialogs[_i].input, dialogs[_i].says, dialogs[_i].status);
}
END_TEST

START_TEST(a_long_line_is_dropped)
{
	size_t n = 3 << 20;
	char *input = malloc(n + 20);

	memset(input, 'x', n);
	strcpy(input + n, "\nisready\n");
	check_says(input, "info string A line is too long.\nreadyok\n", EX_DATAERR);
	input[1 << 20] = '\0'; /* it ends without a newline, where the memory for a line ends */
	check_says(input, "info string A line is too long.\n", EX_DATAERR);
	free(input);
}
END_TEST

/* Nobody finds "stop" after more lines than there is room for; so it stops by itself. */
START_TEST(stops_when_lines_fill_its_memory)
{
	static const char go[] = "position startpos\ngo infinite\n";
	size_t n = 2 << 20;
	char *input = malloc(sizeof go + n);

	memset(input, '\n', sizeof go + n);
	memcpy(input, go, sizeof go - 1);
	input[sizeof go + n - 1] = '\0';
	check_says(input, "bestmove ", 0);
	free(input);
}
END_TEST

START_TEST(refuses_a_long_fen)
{
	char input[700];

	snprintf(input, sizeof input,
	         "position fen 6k1/8/8/8/8/8/8/4R2K w - - 0 %0300d\ngo nodes 10\n", 1);
	check_says(input, "info string The FEN is too long.\n", EX_DATAERR);
}
END_TEST

/* It plays a whole game of each kind against itself. */
START_TEST(plays_a_game)
{
	const struct rules *rules = rules_all[_i];
	struct game g = { .rules = rules };
	struct str line;
	struct pos p;

	str_init(&line, 10000);
	game_setup(&g, NULL, &p, NULL);
	for (unsigned ply = 0; ply < 6; ply++) {
		char input[10200], turn[40] = "";
		struct move m;
		int status;

		snprintf(
			input, sizeof input,
			"setoption name UCI_Variant value %s\nposition startpos%s%s\ngo nodes 100\n",
			rules->name, line.len ? " moves" : "", line.len ? line.data : "");
		char *out = uci(input, &status), *best = strstr(out, "bestmove ");
		ck_assert_msg(status == 0 && best && sscanf(best, "bestmove %39s", turn) == 1,
		              "%s: %s", input, out);
		bool over = strcmp(turn, "(none)") == 0;
		free(out);
		if (over)
			break;
		ck_assert(game_read_move(&g, &p, turn, strlen(turn), &m, NULL, NULL) == 0);
		game_apply(&g, &p, &m, NULL);
		str_addf(&line, " %s", turn);
	}
	str_release(&line);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("uci");
	TCase *t = tcase_create("uci");
	int games = 0;

	while (rules_all[games])
		games++;
	tcase_add_loop_test(t, dialog, 0, (int)(sizeof dialogs / sizeof dialogs[0]));
	tcase_add_test(t, a_long_line_is_dropped);
	tcase_add_test(t, stops_when_lines_fill_its_memory);
	tcase_add_test(t, refuses_a_long_fen);
	tcase_add_loop_test(t, plays_a_game, 0, games);
	suite_add_tcase(s, t);

	SRunner *r = srunner_create(s);

	srunner_run_all(r, CK_NORMAL);

	int failed = srunner_ntests_failed(r);

	srunner_free(r);
	return failed != 0;
}
