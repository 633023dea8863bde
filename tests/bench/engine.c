/* make bench-engine: how fast and how strong the computer plays.
 *   engine speed                     nodes/s of each game, and the hash of all turns chosen
 *   engine chance|material [GAMES]   levels 3 and 4 against turns by chance, and against a search
 *                                    of three plies that counts men, for each game and options
 *   engine levels [GAMES]            each level against the one below
 *   engine proofs [N]                N verdicts of each game of the losing family, verified
 *   engine fairy GAME MS LEAST [GAMES]  against Fairy-Stockfish, with the same CPU time for a turn
 *   engine match GAME A B [GAMES]    A nodes against B nodes
 * GAME=suicide: that game alone; SEED=1: other openings; RIVAL=program: another UCI engine than
 * Fairy-Stockfish; PORTABLE=1: without PEXT.  A score is followed by its standard error and, in
 * parentheses, by the score that is wanted.
 * Games begin with some plies by chance, and each beginning is played twice, colours changed. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "games/engine/engine.h"
#include "games/fast/losing_fast.h"
#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"

#define FAIRY "/usr/games/fairy-stockfish"
#define RIVAL (getenv("RIVAL") ? getenv("RIVAL") : FAIRY)
#define MEMORY ((size_t)96 << 20)
#define PLIES_MAX 400
#define SOLVE_NODES 200000 /* against an engine; else a tenth */

enum kind { ENGINE, CHANCE, MATERIAL, FAIRY_ENGINE };

struct player {
	enum kind kind;
	uint64_t nodes;
	double target; /* seconds of CPU a turn; 0: nodes stay */
	double cpu;    /* used */
	double asked;  /* the sum of nodes, of all turns */
	unsigned turns;
};

static const unsigned level_nodes[] = { 0, 30, 300, 3000, 30000, 300000, 3000000 };

bool __real_attacks_have_pext(void);
bool __wrap_attacks_have_pext(void);
bool __wrap_attacks_have_pext(void)
{
	static int have = -1;

	if (have < 0)
		have = !getenv("PORTABLE") && __real_attacks_have_pext();
	return have;
}

static uint64_t random_state = 88172645463325252u;
static unsigned chance(unsigned n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)(random_state >> 33) % n;
}

/* A game in play. */
struct play {
	struct game g;
	void *memory[2];
	struct engine *engine[2]; /* of both players */
	struct pos pos[PLIES_MAX + 1];
	const struct pos *past[PLIES_MAX + 1];
	struct move line[PLIES_MAX];
	unsigned n;
	struct moves legal;
	struct outcome outcome;
};

/* ---- Fairy-Stockfish ---- */
static struct {
	FILE *in, *out;
	pid_t pid;
} fairy;

static void fairy_start(const char *variant)
{
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
		exit(1);
	fairy.pid = fork();
	if (fairy.pid == 0) {
		dup2(to[0], 0);
		dup2(from[1], 1);
		execl(RIVAL, RIVAL, (char *)NULL);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	fairy.in = fdopen(to[1], "w");
	fairy.out = fdopen(from[0], "r");
	fprintf(fairy.in,
	        "uci\nsetoption name Use NNUE value false\n"
	        "setoption name UCI_Variant value %s\n",
	        strcmp(variant, "threecheck") == 0 ? "3check" : variant);
}

/* The CPU time of all its threads. */
static double fairy_cpu(void)
{
	char path[100];
	double sum = 0;
	struct dirent *d;

	snprintf(path, sizeof path, "/proc/%d/task", (int)fairy.pid);
	DIR *dir = opendir(path);
	while (dir && (d = readdir(dir))) {
		double ns;

		snprintf(path, sizeof path, "/proc/%d/task/%.20s/schedstat", (int)fairy.pid,
		         d->d_name);
		FILE *f = fopen(path, "r");
		if (f && fscanf(f, "%lf", &ns) == 1)
			sum += ns / 1e9;
		if (f)
			fclose(f);
	}
	if (dir)
		closedir(dir);
	return sum;
}

static struct move fairy_move(struct play *g, uint64_t nodes)
{
	char line[4096], buf[16];
	struct move *found = NULL;

	fprintf(fairy.in, "position startpos moves");
	for (unsigned i = 0; i < g->n; i++) {
		struct str s = STR_FIXED(buf);

		game_write_uci(&g->g, &g->pos[i], &g->line[i], &s);
		fprintf(fairy.in, " %s", buf);
	}
	fprintf(fairy.in, "\ngo nodes %llu\n", (unsigned long long)nodes);
	fflush(fairy.in);
	do
		if (!fgets(line, sizeof line, fairy.out))
			exit(1);
	while (strncmp(line, "bestmove ", 9) != 0);
	line[9 + strcspn(line + 9, " \n")] = '\0';
	for (size_t i = 0; i < g->legal.n; i++) {
		struct str s = STR_FIXED(buf);

		game_write_uci(&g->g, &g->pos[g->n], &g->legal.v[i], &s);
		if (strcmp(buf, line + 9) == 0)
			found = &g->legal.v[i];
	}
	if (!found) {
		fprintf(stderr, "fairy-stockfish played %s\n", line);
		exit(1);
	}
	return *found;
}

/* ---- A search of three plies that counts men ---- */
static int men_of(const struct game *g, const struct pos *p, enum color c)
{
	static const int worth[] = { 1, 3, 3, 5, 9, 0 };
	int sum = 0;

	for (unsigned t = 0; t < PIECE_TYPES; t++)
		sum += (g->rules->flags & RULES_MUST_CAPTURE ? -1 : worth[t]) *
		       (int)bit_count(p->type[t] & p->color[c], ATTACKS_PORTABLE);
	return sum;
}

static int count_men(const struct game *g, const struct pos *p, int depth, int alpha, int beta)
{
	const struct rules_fast *f = &g->rules->fast[attacks_have_pext()];
	enum result r = f->leaf[p->to_move](g, p);
	unsigned made = 0;
	struct gen_list l;

	if (r == RESULT_DRAW)
		return 0;
	if (r != RESULT_RUNNING)
		return (r == RESULT_WHITE) == (p->to_move == WHITE) ? 1000 + depth : -1000 - depth;
	if (depth == 0)
		return men_of(g, p, p->to_move) - men_of(g, p, !p->to_move);
	f->list[p->to_move](g, p, &l);
	for (unsigned i = 0; i < l.n && alpha < beta; i++) {
		struct pos next = *p;

		if (!f->apply[p->to_move](g, &next, &l.v[l.first + i]))
			continue;
		made++;
		int score = -count_men(g, &next, depth - 1, -beta, -alpha);
		if (score > alpha)
			alpha = score;
	}
	if (!made) {
		struct outcome o;

		game_result(g, p, &o);
		if (o.result == RESULT_DRAW || o.result == RESULT_RUNNING)
			return 0;
		return (o.result == RESULT_WHITE) == (p->to_move == WHITE) ? 1000 + depth
		                                                           : -1000 - depth;
	}
	return alpha;
}

static struct move material_move(struct play *g)
{
	unsigned ties = 0;
	struct move best = g->legal.v[0];
	int top = -2000;

	for (size_t i = 0; i < g->legal.n; i++) {
		struct pos next = g->pos[g->n];

		game_apply(&g->g, &next, &g->legal.v[i], NULL);
		int score = -count_men(&g->g, &next, 2, -2000, 1 - top);
		if (score > top)
			ties = 0;
		if (score >= top && chance(++ties) == 0)
			best = g->legal.v[i];
		if (score > top)
			top = score;
	}
	return best;
}

/* ---- Games ---- */
static void play_begin(struct play *g)
{
	g->n = 0;
	game_setup(&g->g, NULL, &g->pos[0], NULL);
	g->past[0] = &g->pos[0];
}

static void look(struct play *g)
{
	const struct pos *p = &g->pos[g->n];
	unsigned same = 0;

	game_outcome(&g->g, p, &g->outcome);
	for (unsigned i = 0; i < g->n; i++)
		same += game_same_position(&g->pos[i], p);
	if (g->outcome.result == RESULT_RUNNING &&
	    (p->halfmove >= 100 || same >= 2 || g->n == PLIES_MAX))
		g->outcome.result = RESULT_DRAW;
	game_legal(&g->g, p, &g->legal);
}

static void play_turn(struct play *g, struct move m)
{
	g->line[g->n] = m;
	g->pos[g->n + 1] = g->pos[g->n];
	game_apply(&g->g, &g->pos[g->n + 1], &m, NULL);
	g->n++;
	g->past[g->n] = &g->pos[g->n];
}

static void seat_engines(struct play *g)
{
	for (unsigned i = 0; i < 2; i++) {
		g->memory[i] = calloc(1, MEMORY);
		g->engine[i] = engine_init(&g->g, g->memory[i], MEMORY, NULL);
	}
}

static double cpu_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct move engine_move(struct play *g, struct engine *e, uint64_t nodes)
{
	struct engine_limits l = { .nodes = nodes, .seed = chance(1u << 30) };
	struct engine_result r;

	engine_think(e, g->past, g->n + 1, &l, &r);
	return r.line[0].line[0];
}

static struct move player_move(struct play *g, struct player *who, bool second)
{
	bool is_fairy = who->kind == FAIRY_ENGINE;
	double before = is_fairy ? fairy_cpu() : cpu_now(), used;
	struct move m;

	switch (who->kind) {
	case ENGINE: m = engine_move(g, g->engine[second], who->nodes); break;
	case CHANCE: m = g->legal.v[chance((unsigned)g->legal.n)]; break;
	case MATERIAL: m = material_move(g); break;
	default: m = fairy_move(g, who->nodes);
	}
	used = (is_fairy ? fairy_cpu() : cpu_now()) - before;
	if (g->legal.n == 1 && who->target > 0)
		return m;
	who->cpu += used;
	who->asked += (double)who->nodes;
	who->turns++;
	/* As many nodes as bring the average of 200 more turns to the target, by the cost of a node
	 * so far: the cheap turns, whose result is proved at once, are in it. */
	if (who->target > 0 && who->turns % 8 == 0) {
		double owed = (who->target * (who->turns + 200) - who->cpu) / 200;

		who->nodes = (uint64_t)(owed * who->asked / who->cpu) + 1;
	}
	return m;
}

/* Some plies by chance, after which the solver does not know who wins. */
static void open_game(struct play *g, uint64_t nodes)
{
	for (bool open = false; !open;) {
		unsigned plies = 4 + chance(3);

		play_begin(g);
		look(g);
		while (g->n < plies && g->outcome.result == RESULT_RUNNING) {
			play_turn(g, g->legal.v[chance((unsigned)g->legal.n)]);
			look(g);
		}
		open = g->outcome.result == RESULT_RUNNING;
		if (open && g->g.rules->fast->count[WHITE]) {
			struct solve_limits l = { .nodes = nodes };
			struct solve_result *r = malloc(sizeof *r);
			void *memory = calloc(1, 4 << 20);
			struct solve *s = solve_init(&g->g, memory, 4 << 20, NULL);

			solve_run(s, &g->pos[g->n], &l, r);
			open = r->value == SOLVE_UNKNOWN;
			free(memory);
			free(r);
		}
	}
}

/* Points of a (2 for a win) in one game from the opening, which stays. */
static int play_game(struct play *g, struct player *a, struct player *b, enum color a_color)
{
	unsigned opening = g->n;
	enum result won;

	if (b->kind == FAIRY_ENGINE)
		fprintf(fairy.in, "ucinewgame\n");
	for (look(g); g->outcome.result == RESULT_RUNNING; look(g))
		if (g->pos[g->n].to_move == a_color)
			play_turn(g, player_move(g, a, false));
		else
			play_turn(g, player_move(g, b, true));
	won = g->outcome.result;
	g->n = opening;
	if (won == RESULT_DRAW)
		return 1;
	return (won == RESULT_WHITE) == (a_color == WHITE) ? 2 : 0;
}

static void name_game(const struct game *g, char *out, size_t size)
{
	char buf[100];
	struct str s = STR_FIXED(buf);

	buf[0] = '\0';
	game_write_options(g, &s);
	snprintf(out, size, "%s %s", g->rules->name, buf);
}

static void match(const struct game *game, struct player a, struct player b, unsigned games,
                  double least, const char *what)
{
	struct play *g = calloc(1, sizeof *g);
	unsigned points[3] = { 0 };
	char name[200];

	g->g = *game;
	seat_engines(g);
	for (unsigned i = 0; i < games; i++) {
		if (i % 2 == 0)
			open_game(g, b.kind == FAIRY_ENGINE ? SOLVE_NODES : SOLVE_NODES / 10);
		points[play_game(g, &a, &b, i % 2 ? BLACK : WHITE)]++;
		if (getenv("SHOW"))
			fprintf(stderr, "+%u =%u -%u\n", points[2], points[1], points[0]);
	}
	name_game(game, name, sizeof name);
	double score = (points[2] + points[1] / 2.0) / games * 100;
	double variance = (points[2] * 1e4 + points[1] * 25e2) / games - score * score;
	printf("%-36s %-24s +%u =%u -%u %5.1f ± %.1f %% (%.0f) %s %.1f ms, %.1f ms a turn, %llu nodes\n",
	       name, what, points[2], points[1], points[0], score, sqrt(variance / games), least,
	       score < least ? "BELOW" : "", a.cpu / (a.turns + !a.turns) * 1e3,
	       b.cpu / (b.turns + !b.turns) * 1e3, (unsigned long long)a.nodes);
	fflush(stdout);
	free(g->memory[0]);
	free(g->memory[1]);
	free(g);
}

/* ---- Speed ---- */
static uint64_t hash_turn(uint64_t h, const struct move *m, int score)
{
	const unsigned parts[] = {
		m->from, m->to, m->promo, m->own[0], m->own[1], (unsigned)score
	};

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		h = (h ^ parts[i]) * UINT64_C(0x100000001b3);
	return h;
}

static void speed(const struct game *game, unsigned nodes)
{
	struct play *g = calloc(1, sizeof *g);
	uint64_t sum = 0, hash = UINT64_C(0xcbf29ce484222325);
	double used = 0;
	char name[200];

	random_state = 88172645463325252u;
	g->g = *game;
	seat_engines(g);
	play_begin(g);
	look(g);
	for (unsigned done = 0; done < 60;) {
		struct engine_limits l = { .nodes = nodes };
		struct engine_result r;
		double before;

		if (g->outcome.result != RESULT_RUNNING)
			play_begin(g);
		look(g);
		if (g->outcome.result != RESULT_RUNNING)
			continue;
		before = cpu_now();
		engine_think(g->engine[0], g->past, g->n + 1, &l, &r);
		used += cpu_now() - before;
		sum += r.nodes;
		hash = hash_turn(hash, &r.line[0].line[0], r.line[0].score);
		done++;
		play_turn(g, g->legal.v[chance((unsigned)g->legal.n)]);
	}
	name_game(game, name, sizeof name);
	printf("%-36s %6.2f M nodes/s  %016llx\n", name, (double)sum / used / 1e6,
	       (unsigned long long)hash);
	fflush(stdout);
	free(g->memory[0]);
	free(g->memory[1]);
	free(g);
}

/* Each game with each choice of options that nothing forbids. */
static void each_game(const char *only, void (*run)(const struct game *g, unsigned n), unsigned n)
{
	for (const struct rules *const *r = rules_all; *r; r++) {
		unsigned count = 0;

		while ((*r)->options && (*r)->options[count].word)
			count++;
		for (uint32_t o = 0; o < 1u << count; o++) {
			struct game g = { .rules = *r, .options = o };
			bool possible = !only || strcmp(only, (*r)->name) == 0;

			for (unsigned i = 0; i < count; i++)
				possible &= !(o >> i & 1 && o & (*r)->options[i].excludes);
			if (possible)
				if (!getenv("OPT") || o == (uint32_t)atoi(getenv("OPT")))
					run(&g, n);
		}
	}
}

static void against_chance(const struct game *g, unsigned games)
{
	match(g, (struct player){ .kind = ENGINE, .nodes = level_nodes[3] },
	      (struct player){ .kind = CHANCE }, games, 100, "level 3 against chance");
}

static void against_material(const struct game *g, unsigned games)
{
	match(g, (struct player){ .kind = ENGINE, .nodes = level_nodes[4] },
	      (struct player){ .kind = MATERIAL }, games, 90, "level 4 against material");
}

static void against_below(const struct game *g, unsigned games)
{
	for (unsigned level = 2; level <= 4; level++) {
		char what[40];

		snprintf(what, sizeof what, "level %u against %u", level, level - 1);
		match(g, (struct player){ .kind = ENGINE, .nodes = level_nodes[level] },
		      (struct player){ .kind = ENGINE, .nodes = level_nodes[level - 1] }, games, 80,
		      what);
	}
}

static void against_fairy(const struct game *g, double ms, double least, unsigned games)
{
	struct player a = { .kind = ENGINE, .nodes = 20000, .target = ms / 1e3 };
	struct player b = { .kind = FAIRY_ENGINE, .nodes = 20000, .target = ms / 1e3 };

	if (access(RIVAL, X_OK) != 0) {
		printf("fairy-stockfish is not installed: not compared\n");
		return;
	}
	fairy_start(g->rules->name);
	match(g, a, b, games, least, "against Fairy-Stockfish");
	fprintf(fairy.in, "quit\n");
	fclose(fairy.in);
	waitpid(fairy.pid, NULL, 0);
}

/* ---- Verdicts ---- */
/* Are the wins and losses that the engine calls proved really so?  By the walk through the whole
 * proof, which the server itself believes. */
static void verify_proofs(const struct game *game, unsigned verdicts)
{
	struct play *g = calloc(1, sizeof *g);
	unsigned done = 0, held = 0;
	void *memory = malloc(MEMORY);

	if (!game->rules->fast->count[WHITE])
		verdicts = 0;
	g->g = *game;
	seat_engines(g);
	play_begin(g);
	look(g);
	while (done < verdicts) {
		struct engine_limits l = { .nodes = 3000, .seed = done };
		struct engine_result r;

		if (g->outcome.result != RESULT_RUNNING)
			play_begin(g);
		look(g);
		if (g->outcome.result != RESULT_RUNNING)
			continue;
		engine_think(g->engine[0], g->past, g->n + 1, &l, &r);
		if (r.line[0].proved != SOLVE_UNKNOWN) {
			memset(memory, 0, MEMORY);
			done++;
			held += solve_verify(solve_init(game, memory, MEMORY, NULL), &g->pos[g->n],
			                     r.line[0].proved,
			                     &(struct solve_limits){ .nodes = 2000000 }, NULL);
		}
		play_turn(g,
		          chance(3) ? g->legal.v[chance((unsigned)g->legal.n)] : r.line[0].line[0]);
	}
	if (verdicts)
		printf("%-36s %u of %u verdicts verified\n", game->rules->name, held, done);
	fflush(stdout);
	free(memory);
	free(g->memory[0]);
	free(g->memory[1]);
	free(g);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *word;
		void (*run)(const struct game *g, unsigned n);
		unsigned n;
	} parts[] = {
		{ "speed", speed, 60000 },
		{ "chance", against_chance, 200 },
		{ "material", against_material, 200 },
		{ "levels", against_below, 200 },
		{ "proofs", verify_proofs, 70 },
	};
	const char *part = argc > 1 ? argv[1] : "speed";
	struct game g = { 0 };

	if (getenv("SEED"))
		random_state += (uint64_t)atoll(getenv("SEED")) << 20;
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (strcmp(part, parts[i].word) == 0) {
			each_game(getenv("GAME"), parts[i].run,
			          argc > 2 ? (unsigned)atoi(argv[2]) : parts[i].n);
			return 0;
		}
	if (argc > 4)
		g.rules = rules_find(argv[2], strlen(argv[2]), NULL);
	unsigned games = argc > 5 ? (unsigned)atoi(argv[5]) : 200;
	if (strcmp(part, "fairy") == 0 && g.rules)
		against_fairy(&g, atof(argv[3]), atof(argv[4]), games);
	else if (strcmp(part, "match") == 0 && g.rules)
		match(&g, (struct player){ .kind = ENGINE, .nodes = (uint64_t)atoll(argv[3]) },
		      (struct player){ .kind = ENGINE, .nodes = (uint64_t)atoll(argv[4]) }, games,
		      0, "nodes against nodes");
	else
		return 64;
	return 0;
}
