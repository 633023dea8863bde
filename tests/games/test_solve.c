/* The solver against an exhaustive oracle on small endgames of every variant,
 * against known proofs, and against itself by walking its proofs. */
#include "games/solve/solve.h"
#include "pbm/base/child_confine.h"
#include "tests/util/rows.h"
#include "tests/util/util.h"

#if SANITIZED
#define SLOWED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLOWED 1
#endif
#endif
#ifdef SLOWED
#define EVERY 12 /* rows, positions: every so many */
#else
#define EVERY 1
#endif

#define MIB ((size_t)1 << 20)

static struct game game_named(const char *name)
{
	struct game g = { .rules = rules_find(name, strlen(name), NULL) };

	ck_assert_msg(g.rules != NULL, "%s", name);
	return g;
}

static struct pos position(const struct game *g, const char *fen, const char *moves)
{
	struct pos p = row_position(g, fen, "position");

	while (*moves) {
		size_t n = strcspn(moves, " ");
		struct move m;

		ck_assert_msg(game_read_move(g, &p, moves, n, &m, NULL, NULL) == 0, "%s", moves);
		game_apply(g, &p, &m, NULL);
		moves += n + (moves[n] != '\0');
	}
	return p;
}

static struct solve *solver(const struct game *g, void *memory, size_t size)
{
	struct err e = { 0 };
	struct solve *s = solve_init(g, memory, size, &e);

	ck_assert_msg(s != NULL, "%s", e.text);
	return s;
}

/* The line is legal and its end is the result claimed. */
static void check_line(const struct game *g, struct pos p, const struct solve_result *r,
                       const char *where)
{
	enum color winner = r->value == SOLVE_WIN ? p.to_move : !p.to_move;
	struct moves *legal = malloc(sizeof *legal);
	struct outcome o;

	for (size_t i = 0; i < r->n; i++) {
		bool found = false;

		game_turns(g, &p, legal);
		for (size_t k = 0; k < legal->n; k++)
			found = found || memcmp(&legal->v[k], &r->line[i], sizeof r->line[i]) == 0;
		ck_assert_msg(found, "%s: ply %zu of the line is illegal", where, i);
		game_apply(g, &p, &r->line[i], NULL);
	}
	game_result(g, &p, &o);
	ck_assert_msg(o.result == (winner == WHITE ? RESULT_WHITE : RESULT_BLACK),
	              "%s: the line of %zu plies ends in %s", where, r->n, result_text(o.result));
	free(legal);
}

static void check_value(const struct game *g, const struct pos *p, struct solve *s,
                        const struct solve_limits *limits, enum solve_value expected,
                        const char *where)
{
	struct solve_result *r = malloc(sizeof *r);

	solve_run(s, p, limits, r);
	ck_assert_msg(r->value == expected, "%s: value %d, not %d, after %llu nodes", where,
	              (int)r->value, (int)expected, (unsigned long long)r->nodes);
	ck_assert_msg(r->complete, "%s: the line of %zu plies is cut", where, r->n);
	check_line(g, *p, r, where);
	ck_assert_msg(solve_verify(s, p, r->value, NULL, NULL), "%s: not verified", where);
	ck_assert_msg(!solve_verify(s, p, expected == SOLVE_WIN ? SOLVE_LOSS : SOLVE_WIN,
	                            &(struct solve_limits){ .nodes = 3000 }, NULL),
	              "%s: the opposite is verified too", where);
	free(r);
}

/* White's first moves that are known to lose quickly. */
static const struct {
	const char *moves;
	enum solve_value value;
	uint64_t nodes;
} openings[] = {
	{ "d4", SOLVE_WIN, 20000 },     { "d3", SOLVE_WIN, 20000 },     { "e4", SOLVE_WIN, 20000 },
	{ "e4 b5", SOLVE_LOSS, 20000 }, { "d4 e5", SOLVE_LOSS, 20000 },
};

START_TEST(first_moves_that_lose)
{
	struct game g = game_named("antichess");
	struct pos p = position(&g, NULL, openings[_i].moves);
	void *memory = calloc(16, MIB);

	check_value(&g, &p, solver(&g, memory, 16 * MIB),
	            &(struct solve_limits){ .nodes = openings[_i].nodes }, openings[_i].value,
	            openings[_i].moves);
	free(memory);
}
END_TEST

static struct solve *proofs_solver;
static unsigned proofs_row;

/* Black to move wins, and what it plays leaves White lost. */
static void check_proof(const json_t *row, const char *where)
{
	static struct game g;
	struct pos p;

	if (proofs_row++ % EVERY)
		return;
	g = game_named("antichess");
	p = row_position(&g, row_text(row, "fen"), where);
	if (!proofs_solver)
		proofs_solver = solver(&g, calloc(64, MIB), 64 * MIB);
	check_value(&g, &p, proofs_solver, NULL, SOLVE_WIN, where);
	p = position(&g, row_text(row, "fen"), row_text(row, "black_wins_with"));
	check_value(&g, &p, proofs_solver, NULL, SOLVE_LOSS, where);
}

START_TEST(known_proofs)
{
	rows_run("tests/data/games/antichess_proofs.jsonl", check_proof);
	free(proofs_solver);
}
END_TEST

/* The oracle: all positions that can follow from one, and what each is worth
 * by working back from the finished ones. */
#define GRAPH_MAX 40000
#define GRAPH_EDGES (24 * GRAPH_MAX)
#define GRAPH_SLOTS 131072

enum worth { WORTH_NOTHING, WORTH_WIN, WORTH_LOSS }; /* for the side to move */

struct graph {
	struct pos v[GRAPH_MAX];
	unsigned first[GRAPH_MAX + 1];
	unsigned edge[GRAPH_EDGES];
	unsigned char worth[GRAPH_MAX];
	unsigned slot[GRAPH_SLOTS]; /* index + 1 */
	unsigned n;
	struct moves legal;
};

static size_t slot_of(const struct pos *p)
{
	uint64_t h = p->to_move + 2u * p->ep + 256u * p->castling;

	for (unsigned i = 0; i < 8; i++) {
		uint64_t word = i < 2 ? p->color[i] : p->type[i - 2];

		h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return h % GRAPH_SLOTS;
}

/* The index of a position, GRAPH_MAX when there is no room. */
static unsigned graph_add(struct graph *gr, const struct pos *p)
{
	size_t at = slot_of(p);

	for (; gr->slot[at]; at = (at + 1) % GRAPH_SLOTS)
		if (game_same_position(&gr->v[gr->slot[at] - 1], p))
			return gr->slot[at] - 1;
	if (gr->n == GRAPH_MAX)
		return GRAPH_MAX;
	gr->v[gr->n] = *p;
	gr->v[gr->n].halfmove = 0;
	gr->v[gr->n].fullmove = 1;
	gr->slot[at] = ++gr->n;
	return gr->n - 1;
}

static unsigned char worth_of(const struct outcome *o, const struct pos *p)
{
	if (o->result != RESULT_WHITE && o->result != RESULT_BLACK)
		return WORTH_NOTHING;
	return (o->result == RESULT_WHITE) == (p->to_move == WHITE) ? WORTH_WIN : WORTH_LOSS;
}

/* False when the endgame is too large. */
static bool graph_explore(struct graph *gr, const struct game *g, const struct pos *root)
{
	unsigned edges = 0;

	graph_add(gr, root);
	for (unsigned i = 0; i < gr->n; i++) {
		struct outcome o;

		gr->first[i] = edges;
		game_result(g, &gr->v[i], &o);
		gr->worth[i] = worth_of(&o, &gr->v[i]);
		gr->legal.n = 0;
		if (o.result == RESULT_RUNNING)
			game_turns(g, &gr->v[i], &gr->legal);
		if (edges + gr->legal.n > GRAPH_EDGES)
			return false;
		for (size_t k = 0; k < gr->legal.n; k++) {
			struct pos next = gr->v[i];

			game_apply(g, &next, &gr->legal.v[k], NULL);
			gr->edge[edges] = graph_add(gr, &next);
			if (gr->edge[edges++] == GRAPH_MAX)
				return false;
		}
	}
	gr->first[gr->n] = edges;
	return true;
}

static unsigned char worth_by_moves(const struct graph *gr, unsigned i)
{
	unsigned won = 0;

	for (unsigned k = gr->first[i]; k < gr->first[i + 1]; k++) {
		if (gr->worth[gr->edge[k]] == WORTH_LOSS)
			return WORTH_WIN;
		won += gr->worth[gr->edge[k]] == WORTH_WIN;
	}
	return won && won == gr->first[i + 1] - gr->first[i] ? WORTH_LOSS : WORTH_NOTHING;
}

static void graph_work_back(struct graph *gr)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (unsigned i = gr->n; i-- > 0;) {
			if (gr->worth[i] == WORTH_NOTHING && gr->first[i] < gr->first[i + 1])
				changed |= (gr->worth[i] = worth_by_moves(gr, i)) != WORTH_NOTHING;
		}
	}
}

/* Compares the solver's answers for the same position, and how sure it was. */
static bool compare(const struct game *g, struct solve *s, const struct graph *gr, unsigned i)
{
	struct solve_result *r = malloc(sizeof *r);
	char where[200], fen[120];
	struct str f = STR_FIXED(fen);
	bool decided;

	game_write_fen(g, &gr->v[i], &f);
	snprintf(where, sizeof where, "%s %s", g->rules->name, fen);
	solve_run(s, &gr->v[i], &(struct solve_limits){ .nodes = 20000 }, r);
	decided = r->value != SOLVE_UNKNOWN || r->settled;
	if (r->value != SOLVE_UNKNOWN) {
		ck_assert_msg(gr->worth[i] == (r->value == SOLVE_WIN ? WORTH_WIN : WORTH_LOSS),
		              "%s: a false proof, value %d", where, (int)r->value);
		ck_assert_msg(r->complete, "%s: the line is cut", where);
		check_line(g, gr->v[i], r, where);
		ck_assert_msg(solve_verify(s, &gr->v[i], r->value,
		                           &(struct solve_limits){ .nodes = 1000000 }, NULL),
		              "%s: not verified", where);
	} else if (r->settled) {
		ck_assert_msg(gr->worth[i] == WORTH_NOTHING, "%s: worth %d, called a draw", where,
		              gr->worth[i]);
	} else {
		ck_assert_msg(gr->worth[i] == WORTH_NOTHING, "%s: worth %d, not found", where,
		              gr->worth[i]);
	}
	free(r);
	return decided;
}

/* Endgames, each variant's own points among them; every how many of their
 * positions are tried; whether draws there are quickly seen to be draws. */
static const struct {
	const char *game, *fen;
	unsigned every;
	bool draws_settle;
} endgames[] = {
	{ "antichess", "8/8/8/3k4/8/8/3K4/8 w - - 0 1", 23, false },
	{ "antichess", "8/8/8/3r4/8/8/3K4/8 w - - 0 1", 23, true },
	{ "antichess", "8/8/8/3n4/8/8/3N4/8 b - - 0 1", 23, true },
	{ "antichess", "8/8/8/3b4/8/8/3N4/8 w - - 0 1", 23, true },
	{ "antichess", "8/7P/8/8/8/k7/8/8 w - - 0 1", 101, false },
	{ "suicide", "8/8/8/3q4/8/8/3N4/8 w - - 0 1", 23, true },
	{ "suicide", "8/8/8/p7/P7/2b5/8/8 w - - 0 1", 7, false },
	{ "losing2", "8/8/8/3k4/8/8/3B4/8 w - - 0 1", 53, false },
	{ "losing2", "8/3p4/8/8/8/8/3P4/8 w - - 0 1", 23, false },
	{ "losing3", "8/8/8/3k4/3p4/3P4/3K4/8 w - - 0 1", 53, false },
	{ "losing4", "8/8/8/3k4/3p4/3P4/3K4/8 w - - 0 1", 53, false },
	{ "losers", "8/8/8/3k4/3p4/3P4/3K4/8 b - - 0 1", 53, false },
	{ "losing5", "8/8/8/3k4/8/8/3N4/8 b - - 0 1", 53, true },
	{ "giveaway", "8/8/8/8/8/8/8/r3K3 w - - 0 1", 53, true },
	{ "kamikaze", "8/8/8/3k4/8/8/3K4/8 w - - 0 1", 23, false },
	{ "kamikaze", "8/8/8/3k4/8/8/3N4/8 w - - 0 1", 53, true },
	{ "kamikaze2", "8/8/8/8/p7/P7/P7/8 b - - 0 1", 1, true },
	{ "kamikaze2", "8/8/8/5b2/p7/P7/8/8 w - - 0 1", 3, false },
};

START_TEST(endgames_as_the_oracle_says)
{
	struct game g = game_named(endgames[_i].game);
	struct pos p = row_position(&g, endgames[_i].fen, endgames[_i].fen);
	struct graph *gr = calloc(1, sizeof *gr);
	void *memory = calloc(32, MIB);
	struct solve *s = solver(&g, memory, 32 * MIB);

	ck_assert_msg(graph_explore(gr, &g, &p), "%s: too large", endgames[_i].fen);
	graph_work_back(gr);
	for (unsigned i = 0; i < gr->n; i += endgames[_i].every * EVERY) {
		bool decided = compare(&g, s, gr, i);

		ck_assert_msg(decided || !endgames[_i].draws_settle, "%s %s: position %u undecided",
		              endgames[_i].game, endgames[_i].fen, i);
	}
	free(gr);
	free(memory);
}
END_TEST

/* Each is drawn by going round although one side could hope to win: White's king need never come
 * near, the passing pawn always waits, two kings keep away from each other.  A solver that takes
 * a repeated position for progress finds a win in some of them. */
static const struct {
	const char *game, *fen;
	bool settled;
} rounds[] = {
	{ "antichess", "8/8/8/3k4/8/8/3K4/8 w - - 0 1", true },
	{ "antichess", "8/k7/8/8/8/8/8/6K1 b - - 0 1", true },
	{ "losing2", "8/8/8/3k4/8/8/3B4/8 w - - 0 1", false },
	{ "losers", "8/8/8/3k4/3p4/3P4/3K4/8 w - - 0 1", false },
	{ "kamikaze2", "8/8/8/5b2/p7/P7/8/8 w - - 0 1", false },
};

START_TEST(going_round_wins_nothing)
{
	struct game g = game_named(rounds[_i].game);
	struct pos p = row_position(&g, rounds[_i].fen, rounds[_i].fen);
	struct solve_result r;
	void *memory = calloc(16, MIB);
	struct solve *s = solver(&g, memory, 16 * MIB);

	solve_run(s, &p, &(struct solve_limits){ .nodes = 300000 }, &r);
	ck_assert_int_eq(r.value, SOLVE_UNKNOWN);
	ck_assert_uint_eq(r.n, 0);
	ck_assert_msg(r.settled || !rounds[_i].settled, "%s", rounds[_i].fen);
	for (enum solve_value v = SOLVE_WIN; v <= SOLVE_LOSS; v++)
		ck_assert_msg(
			!solve_verify(s, &p, v, &(struct solve_limits){ .nodes = 50000 }, NULL),
			"%s: %d is verified", rounds[_i].fen, (int)v);
	free(memory);
}
END_TEST

/* Nothing left to search. */
static const struct {
	const char *game, *fen;
	enum solve_value value;
	bool settled;
} finished[] = {
	{ "antichess", "8/8/8/8/p7/P7/8/8 w - - 0 1", SOLVE_WIN, false },
	{ "losing2", "8/8/8/8/p7/P7/8/8 w - - 0 1", SOLVE_UNKNOWN, true },
	{ "losing3", "8/8/8/8/8/2kq4/8/K7 w - - 0 1", SOLVE_WIN, false },
	{ "losing3", "8/8/8/8/8/2k5/8/KQ6 w - - 0 1", SOLVE_LOSS, false },
	{ "antichess", "8/8/8/3b4/8/8/3B4/8 w - - 0 1", SOLVE_UNKNOWN, true },
	{ "kamikaze2", "8/8/8/8/p7/P7/P7/8 b - - 0 1", SOLVE_UNKNOWN, true },
	{ "kamikaze2", "8/8/8/8/p7/P7/P7/8 w - - 0 1", SOLVE_WIN, false },
};

START_TEST(finished_positions)
{
	struct game g = game_named(finished[_i].game);
	struct pos p = row_position(&g, finished[_i].fen, finished[_i].fen);
	struct solve_result r;
	void *memory = calloc(4, MIB);
	struct solve *s = solver(&g, memory, 4 * MIB);

	solve_run(s, &p, NULL, &r);
	ck_assert_msg(r.value == finished[_i].value && r.settled == finished[_i].settled &&
	                      r.n == 0 && r.nodes == 0,
	              "%s %s: %d", finished[_i].game, finished[_i].fen, (int)r.value);
	ck_assert(r.complete == (r.value != SOLVE_UNKNOWN));
	ck_assert(solve_verify(s, &p, r.value, NULL, NULL) == (r.value != SOLVE_UNKNOWN));
	free(memory);
}
END_TEST

START_TEST(limits_leave_it_unknown)
{
	static const uint64_t limits[] = { 1, 2, 100, 1024, 2049 };
	struct game g = game_named("antichess");
	struct pos p = position(&g, NULL, "d4");
	void *memory = calloc(4, MIB);
	struct solve *s = solver(&g, memory, 4 * MIB);
	struct solve_result r;

	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		solve_run(s, &p, &(struct solve_limits){ .nodes = limits[i] }, &r);
		ck_assert(r.value == SOLVE_UNKNOWN && !r.settled && r.n == 0);
		ck_assert_msg(r.nodes == limits[i], "%llu nodes", (unsigned long long)r.nodes);
	}
	/* The work done is not lost, and a proof can be too large to walk. */
	solve_run(s, &p, NULL, &r);
	ck_assert_int_eq(r.value, SOLVE_WIN);
	ck_assert(!solve_verify(s, &p, SOLVE_WIN, &(struct solve_limits){ .nodes = 50 }, NULL));
	ck_assert(solve_verify(s, &p, SOLVE_WIN, NULL, NULL));
	free(memory);
}
END_TEST

static bool stop_at_third(void *ctx, const struct solve_progress *now)
{
	unsigned *calls = ctx;

	ck_assert(now->nodes > 0 && now->n <= SOLVE_DEPTH);
	ck_assert(now->n == 0 || now->line[0].from < NO_SQUARE);
	return ++*calls < 3;
}

START_TEST(a_report_can_stop_it)
{
	struct game g = game_named("antichess");
	struct pos p = position(&g, NULL, "");
	void *memory = calloc(4, MIB);
	struct solve_result r;
	unsigned calls = 0;

	solve_run(solver(&g, memory, 4 * MIB), &p,
	          &(struct solve_limits){ .report = stop_at_third, .ctx = &calls }, &r);
	ck_assert_uint_eq(calls, 3);
	ck_assert(r.value == SOLVE_UNKNOWN && !r.settled);
	free(memory);
}
END_TEST

/* A table far too small forgets proofs; the line and the walk find them again. */
START_TEST(a_small_table_is_enough)
{
	struct game g = game_named("antichess");
	struct pos p = position(&g, "3k4/1p3p2/2pb4/8/8/2PKP3/8/3Q4 b - - 1 22", "");
	void *memory = calloc(4, MIB);

	check_value(&g, &p, solver(&g, memory, 4 * MIB), NULL, SOLVE_WIN, "small table");
	free(memory);
}
END_TEST

START_TEST(refusals)
{
	struct game chess = game_named("chess"), antichess = game_named("antichess");
	void *memory = calloc(4, MIB);
	struct err e = { 0 };

	ck_assert(!solve_init(&chess, memory, 4 * MIB, &e));
	ck_assert_int_eq(e.code, ERR_BAD);
	err_clear(&e);
	ck_assert(!solve_init(&antichess, memory, SOLVE_MEMORY_MIN - 1, &e));
	ck_assert_int_eq(e.code, ERR_LIMIT);
	ck_assert(solve_init(&antichess, memory, SOLVE_MEMORY_MIN, &e));
	free(memory);
}
END_TEST

/* The winner's first move, then a position after the loser's reply: another way is found, or
 * none. */
START_TEST(avoided_positions_are_in_no_proof)
{
	struct game g = game_named("antichess");
	struct pos p = position(&g, NULL, "d4");
	struct pos after[2] = { p, p };
	struct solve_result *r = malloc(sizeof *r), *other = malloc(sizeof *other);
	struct solve_limits limits = { .nodes = 20000 };
	struct solve_avoid room;
	void *memory = calloc(16, MIB);

	solve_run(solver(&g, memory, 16 * MIB), &p, &limits, r);
	ck_assert_int_eq(r->value, SOLVE_WIN);
	for (size_t i = 0; i < 2; i++) {
		const struct pos *avoid = &after[i];
		struct pos now = p;

		for (size_t k = 0; k <= i; k++)
			game_apply(&g, &after[i], &r->line[k], NULL);
		memset(memory, 0, 16 * MIB);
		struct solve *s = solver(&g, memory, 16 * MIB);
		ck_assert(solve_avoid(s, &avoid, 1, &room));
		solve_run(s, &p, &limits, other);
		ck_assert(other->value != SOLVE_LOSS);
		for (size_t k = 0; k < other->n; k++) {
			game_apply(&g, &now, &other->line[k], NULL);
			ck_assert(!game_same_position(&now, avoid));
		}
		ck_assert(other->value != SOLVE_WIN ||
		          memcmp(&other->line[0], &r->line[0], sizeof r->line[0]) != 0);
		ck_assert(other->value != SOLVE_WIN ||
		          solve_verify(s, &p, SOLVE_WIN, &limits, NULL));
		ck_assert(!solve_avoid(s, &avoid, SOLVE_AVOID_MAX + 1, &room));
	}
	free(memory);
	free(other);
	free(r);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("solve");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, first_moves_that_lose, 0, ROWS(openings));
	tcase_add_test(t, known_proofs);
	tcase_add_loop_test(t, endgames_as_the_oracle_says, 0, ROWS(endgames));
	tcase_add_loop_test(t, going_round_wins_nothing, 0, ROWS(rounds));
	tcase_add_loop_test(t, finished_positions, 0, ROWS(finished));
	tcase_add_test(t, limits_leave_it_unknown);
	tcase_add_test(t, a_report_can_stop_it);
	tcase_add_test(t, a_small_table_is_enough);
	tcase_add_test(t, avoided_positions_are_in_no_proof);
	tcase_add_test(t, refusals);
	return util_main(t);
}
