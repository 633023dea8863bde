/* The losing family and the classics against an independent program, Fairy-Stockfish: the legal
 * moves of positions met in random games.  Skipped where it is not installed.  It plays chess,
 * silently, for a variant that it does not know: compare perft before you add a pair. */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "games/numbered.h"
#include "pbm/base/child_confine.h"
#include "tests/util/rows.h"

#define PROGRAM "/usr/games/fairy-stockfish"
/* Thousands of games in all; FAIRY_GAMES=n plays n of each kind instead. */
#if SANITIZED
#define GAMES_EACH 12
#else
#define GAMES_EACH 250
#endif
#define PLIES_MAX 60

static const char variants_file[] = "[v2:antichess]\npromotionPieceTypes=q\nstalemateValue=draw\n"
				    "[v3:losers]\ncheckmateValue=loss\nstalemateValue=draw\n"
				    "[v4:losers]\nstalemateValue=draw\n";

static const struct {
	const char *game, *variant;
} pairs[] = {
	{ "antichess", "antichess" },
	{ "suicide", "suicide" },
	{ "giveaway", "giveaway" },
	{ "losers", "losers" },
	{ "losing2", "v2" },
	{ "losing3", "v3" },
	{ "losing4", "v4" },
	{ "losing5", "suicide" },
	{ "chess", "chess" },
	{ "chess960", "chess" },
	{ "antichess960", "antichess" },
	{ "threecheck", "3check" },
	{ "kingofthehill", "kingofthehill" },
	{ "racingkings", "racingkings" },
	{ "horde", "horde" },
	{ "crazyhouse", "crazyhouse" },
};

struct engine {
	FILE *in, *out;
	pid_t pid;
	char variants[40];
};

static void engine_start(struct engine *e, const char *variant, bool lots)
{
	int to[2], from[2], fd;

	strcpy(e->variants, "/tmp/variantsXXXXXX");
	fd = mkstemp(e->variants);
	ck_assert(fd >= 0);
	ck_assert(write(fd, variants_file, sizeof variants_file - 1) == sizeof variants_file - 1);
	close(fd);
	ck_assert(pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0);
	e->pid = fork();
	if (e->pid == 0) {
		dup2(to[0], 0);
		dup2(from[1], 1);
		execl(PROGRAM, PROGRAM, (char *)NULL);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	e->in = fdopen(to[1], "w");
	e->out = fdopen(from[0], "r");
	fprintf(e->in,
	        "uci\nsetoption name VariantPath value %s\n"
	        "setoption name UCI_Chess960 value %s\n"
	        "setoption name UCI_Variant value %s\n",
	        e->variants, lots ? "true" : "false", variant);
}

static void engine_stop(struct engine *e)
{
	fputs("quit\n", e->in);
	fclose(e->in);
	fclose(e->out);
	waitpid(e->pid, NULL, 0);
	unlink(e->variants);
}

/* Its legal moves, each between blanks: " e2e4 d2d4 ". */
static size_t engine_moves(struct engine *e, const char *fen, char *out, size_t size)
{
	char line[200];
	size_t n = 0, len = 1;

	strcpy(out, " ");
	fprintf(e->in, "position fen %s\ngo perft 1\n", fen);
	fflush(e->in);
	while (fgets(line, sizeof line, e->out)) {
		char *colon = strchr(line, ':');

		if (strncmp(line, "Nodes", 5) == 0)
			break;
		if (!colon || colon - line > 5 || colon - line < 4)
			continue;
		ck_assert(len + 8 < size);
		*colon = '\0';
		len += (size_t)snprintf(out + len, size - len, "%s ", line);
		n++;
	}
	return n;
}

/* Three-check's count as the checks that are left, before the clock: the
 * packaged program (11.1) reads Black's number of the other form wrongly. */
static void write_fen(const struct game *g, const struct pos *p, struct str *out)
{
	struct game chess = { .rules = rules_find("chess", 5, NULL) };
	char buf[120];
	struct str fen = STR_FIXED(buf);
	int fields = 0;

	if (strcmp(g->rules->name, "threecheck") != 0) {
		game_write_fen(g, p, out);
		return;
	}
	game_write_fen(&chess, p, &fen);
	for (const char *c = buf; *c; c++) {
		str_add_char(out, *c);
		if (*c == ' ' && ++fields == 4)
			str_addf(out, "%d+%d ", 3 - p->own[WHITE], 3 - p->own[BLACK]);
	}
}

static void compare(struct engine *e, const struct game *g, const struct pos *p,
                    const struct moves *legal)
{
	char fen_buf[GAME_FEN_MAX], moves[4000];
	struct str fen = STR_FIXED(fen_buf);

	write_fen(g, p, &fen);

	size_t n = engine_moves(e, fen.data, moves, sizeof moves);

	ck_assert_msg(n == legal->n, "%s: %s: %zu moves, there %zu:%s", g->rules->name, fen.data,
	              legal->n, n, moves);
	for (size_t i = 0; i < legal->n; i++) {
		char uci_buf[16];
		struct str uci = STR_FIXED(uci_buf);

		str_add_char(&uci, ' ');
		game_write_uci(g, p, &legal->v[i], &uci);
		str_add_char(&uci, ' ');
		ck_assert_msg(strstr(moves, uci.data) != NULL, "%s: %s:%sis not in%s",
		              g->rules->name, fen.data, uci.data, moves);
	}
}

START_TEST(same_moves)
{
	struct game g = { .rules = rules_find(pairs[_i].game, strlen(pairs[_i].game), NULL) };
	struct engine e;
	uint64_t seed = 2463534242u + (unsigned)_i;
	unsigned compared = 0;

	engine_start(&e, pairs[_i].variant, g.rules->flags & RULES_LOTS);
	const char *wanted = getenv("FAIRY_GAMES");
	unsigned games = wanted ? (unsigned)strtoul(wanted, NULL, 10) : GAMES_EACH;

	for (unsigned i = 0; i < games; i++) {
		struct pos p;
		struct moves legal;

		char text[100];
		struct str start = STR_FIXED(text);

		if (g.rules->flags & RULES_LOTS)
			numbered_start((unsigned)(seed % NUMBERED_STARTS), g.rules->numbered,
			               &start);
		ck_assert(game_setup(&g, start.len ? text : NULL, &p, NULL) == 0);
		for (unsigned ply = 0; ply < PLIES_MAX; ply++) {
			game_legal(&g, &p, &legal);
			if (!legal.n)
				break;
			compare(&e, &g, &p, &legal);
			compared++;
			seed ^= seed << 13;
			seed ^= seed >> 7;
			seed ^= seed << 17;
			game_apply(&g, &p, &legal.v[seed % legal.n], NULL);
		}
	}
	engine_stop(&e);
	ck_assert_msg(compared > 100, "only %u positions", compared);
}
END_TEST

int main(void)
{
	if (access(PROGRAM, X_OK) != 0) {
		printf("skipped: no " PROGRAM "\n");
		return 0;
	}
	signal(SIGPIPE, SIG_IGN);

	Suite *s = suite_create("fairy");
	TCase *t = tcase_create("fairy");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, same_moves, 0, sizeof pairs / sizeof pairs[0]);
	suite_add_tcase(s, t);

	SRunner *r = srunner_create(s);

	srunner_run_all(r, CK_NORMAL);

	int failed = srunner_ntests_failed(r);

	srunner_free(r);
	return failed != 0;
}
