#include "games/engine/engine.h"

#include "games/engine/engine_order.h"
#include "games/engine/engine_search.h"

#include <string.h>

#define SOLVER_SHARE 4 /* the solver's part of the memory: one byte in four */
#define SOLVER_NODE 2  /* a node of the solver costs as much as so many others */
#define SOLVER_NODES_MAX 2000000
#define TABLE_BYTES 16 /* for each node */
#define WINDOW 40      /* around the score of the depth before */
#define LONG_WAY 20    /* plies without a capture or a pawn's turn */

struct engine {
	struct engine_search search;
	struct solve *solve; /* NULL: another family */
	struct solve_avoid avoid;
	struct solve_result solved;
};

static size_t aligned(size_t size)
{
	return (size + 63) / 64 * 64;
}

struct engine *engine_init(const struct game *g, void *memory, size_t size, struct err *e)
{
	struct engine *x = memory;
	char *at = (char *)memory + aligned(sizeof *x);
	size_t solver = size / SOLVER_SHARE / 64 * 64;

	if (size < ENGINE_MEMORY_MIN) {
		err_set(e, ERR_LIMIT, "An engine needs %u MiB at least.", ENGINE_MEMORY_MIN >> 20);
		return NULL;
	}
	if (size > ENGINE_MEMORY_MAX)
		size = ENGINE_MEMORY_MAX;
	x->search.game = g;
	x->search.fast = &g->rules->fast[attacks_have_pext()];
	x->search.forced = x->search.fast->count[WHITE] != NULL;
	eval_init(&x->search.eval, g);
	if (x->search.forced) {
		x->solve = solve_init(g, at, solver, e);
		at += solver;
	}
	x->search.table.v = (struct table_entry *)(void *)at;
	x->search.table.room = (size_t)((char *)memory + size - at) /
	                       (2 * sizeof(struct table_entry));
	return x;
}

/* The keys of the positions that can come again. */
static void take_past(struct engine_search *s, const struct pos *const *positions, size_t n)
{
	size_t last = n - 1, first = last > KEYS_BEFORE ? last - KEYS_BEFORE : 0;

	s->keys_n = 0;
	for (size_t i = first; i < last; i++)
		s->keys[s->keys_n++] = search_key(positions[i]);
}

static void take_line(struct engine_search *s, int score, struct engine_line *out)
{
	const struct frame *f = &s->frame[0];

	/* A draw is one, however little the side wants it. */
	if (score == s->eval.row->draw)
		score = 0;
	*out = (struct engine_line){ .score = score, .n = f->line_n };
	memcpy(out->line, f->line, f->line_n * sizeof f->line[0]);
	if (score > SCORE_KNOWN || score < -SCORE_KNOWN) {
		out->proved = score > 0 ? SOLVE_WIN : SOLVE_LOSS;
		out->length = (unsigned)(ENGINE_WIN - (score > 0 ? score : -score));
	}
}

/* A window around the score of the depth before. */
struct window {
	int low, high, width;
};

/* Makes the window wider on the side where the score fell out of it; false: it did not. */
static bool widen(struct window *w, int score)
{
	bool above = score >= w->high;

	if ((above && w->high == SCORE_MAX) || (!above && score > w->low) || w->low == -SCORE_MAX)
		return false;
	w->width *= 4;
	if (w->width > 1000)
		w->low = -SCORE_MAX, w->high = SCORE_MAX;
	else if (above)
		w->high += w->width;
	else
		w->low -= w->width;
	return true;
}

/* The best turn at this depth of those that are not left out; false: there is none, or the
 * search was stopped before it knew one. */
static bool find_line(struct engine_search *s, const struct pos *p, int depth,
                      struct engine_line *out)
{
	struct window w = { -SCORE_MAX, SCORE_MAX, WINDOW };
	int score;

	if (depth > 3 && out->n) {
		score = out->score ? out->score : s->eval.row->draw;
		w.low = score - w.width;
		w.high = score + w.width;
	}
	do
		score = search_first(s, p, depth, w.low, w.high);
	while (!s->stopped && widen(&w, score));
	if (s->frame[0].line_n)
		take_line(s, s->stopped && out->n ? out->score : score, out);
	return s->frame[0].line_n > 0;
}

static void leave_out(struct engine_search *s, const struct move *m)
{
	if (s->left_n < GEN_MAX)
		s->left[s->left_n++] = *m;
}

/* Puts a line in its place, and the one that stood there where the same turn stood before. */
static void put_line(struct engine_result *out, unsigned k, const struct engine_line *line)
{
	for (unsigned i = k + 1; i < out->lines; i++)
		if (turn_same(&out->line[i].line[0], &line->line[0]))
			out->line[i] = out->line[k];
	out->line[k] = *line;
	if (k == out->lines)
		out->lines++;
}

/* The best turns at this depth. */
static void find_lines(struct engine_search *s, const struct pos *p, int depth, unsigned wanted,
                       struct engine_result *out)
{
	unsigned left = s->left_n;

	for (unsigned k = 0; k < wanted && !s->stopped; k++) {
		struct engine_line line = k < out->lines ? out->line[k] : (struct engine_line){ 0 };

		if (!find_line(s, p, depth, &line))
			break;
		put_line(out, k, &line);
		leave_out(s, &line.line[0]);
	}
	s->left_n = left;
}

/* Deeper and deeper, until the nodes are used up or the best line is proved. */
static void deepen(struct engine_search *s, const struct pos *p, struct engine_result *out)
{
	const struct engine_limits *l = s->limits;
	unsigned last = l->depth && l->depth < ENGINE_DEPTH ? l->depth : ENGINE_DEPTH - 1;
	unsigned wanted = l->lines > ENGINE_LINES ? ENGINE_LINES : l->lines ? l->lines : 1;

	s->stopped = false;
	out->lines = 0;
	for (unsigned depth = 1; depth <= last && !s->stopped; depth++) {
		find_lines(s, p, (int)depth, wanted, out);
		if (s->stopped || !out->lines)
			break;
		out->depth = depth;
		out->nodes = s->nodes;
		if (l->report && !l->report(l->ctx, out))
			break;
		if (wanted == 1 && out->line[0].proved != SOLVE_UNKNOWN &&
		    out->line[0].length <= depth)
			break;
	}
}

/* The first legal turn: the nodes did not suffice to search a single one. */
static void take_any(struct engine_search *s, const struct pos *p, struct engine_result *out)
{
	struct gen_list *l = &s->frame[0].list;

	s->fast->list[p->to_move](s->game, p, l);
	for (unsigned i = 0; i < l->n && !out->lines; i++) {
		struct pos next = *p;

		if (s->fast->apply[p->to_move](s->game, &next, &l->v[l->first + i])) {
			out->line[0] = (struct engine_line){ .n = 1 };
			out->line[0].line[0] = l->v[l->first + i];
			out->lines = 1;
		}
	}
}

/* Positions that stood on the board twice, where a draw can be claimed, win nothing. */
static void avoid_claims(struct engine *e, const struct pos *const *positions, size_t n)
{
	const struct pos *twice[SOLVE_AVOID_MAX];
	const struct engine_search *s = &e->search;
	size_t found = 0;

	positions += n - 1 - s->keys_n;
	for (unsigned i = 0; i < s->keys_n; i++)
		for (unsigned k = i + 1; k < s->keys_n && found < SOLVE_AVOID_MAX; k++)
			if (s->keys[i] == s->keys[k])
				twice[found++] = positions[i];
	solve_avoid(e->solve, twice, found, &e->avoid);
}

/* The solver asks, as the search does, whether it shall stop. */
static bool report_proof(void *ctx, const struct solve_progress *now)
{
	struct engine_search *s = ctx;

	(void)now;
	s->cancelled = !s->limits->report(s->limits->ctx, s->now);
	return !s->cancelled;
}

/* Asks the solver about a position, for as many of its nodes as so many of ours cost. */
static enum solve_value prove(struct engine *e, const struct pos *p, uint64_t nodes)
{
	uint64_t most = nodes / SOLVER_NODE + 1;
	const struct solve_limits limits = {
		.nodes = most < SOLVER_NODES_MAX ? most : SOLVER_NODES_MAX,
		.report = e->search.limits->report ? report_proof : NULL,
		.ctx = &e->search,
	};

	solve_run(e->solve, p, &limits, &e->solved);
	e->search.nodes += e->solved.nodes * SOLVER_NODE;
	return e->solved.value;
}

/* The line that the solver has proved. */
static void take_proof(const struct solve_result *r, struct engine_line *out)
{
	*out = (struct engine_line){ .proved = r->value, .length = (unsigned)r->n };
	out->n = r->n < ENGINE_DEPTH ? r->n : ENGINE_DEPTH;
	memcpy(out->line, r->line, out->n * sizeof out->line[0]);
	out->score = ENGINE_WIN - (int)out->length;
	if (out->proved == SOLVE_LOSS)
		out->score = -out->score;
}

/* So many nodes see whether the other side wins after the turn chosen. */
static uint64_t for_answers(const struct eval_row *row, uint64_t nodes)
{
	uint64_t usual = nodes / row->proofs / 4;
	uint64_t least = nodes / 4 < row->answers ? nodes / 4 : row->answers;

	return usual > least ? usual : least;
}

/* The best turn after which the other side has no proved win.  Each that is dropped costs a
 * search among the rest. */
static void choose_unrefuted(struct engine *e, const struct pos *p, uint64_t nodes,
                             struct engine_result *out)
{
	struct engine_search *s = &e->search;
	struct engine_result first;

	for (;;) {
		struct engine_line *best = &out->line[0];
		struct pos next = *p;

		if (!out->lines || best->proved == SOLVE_WIN || s->cancelled)
			break;
		s->fast->apply[p->to_move](s->game, &next, &best->line[0]);
		if (prove(e, &next, for_answers(s->eval.row, nodes)) != SOLVE_WIN)
			return;
		if (!s->left_n)
			first = *out;
		leave_out(s, &best->line[0]);
		s->may_stop = false;
		s->stop_at += nodes / 16;
		deepen(s, p, out);
	}
	if (!out->lines)
		*out = first;
}

/* The solver's wins need not come nearer from turn to turn, and 50 moves without progress are a
 * draw: after some the search, which goes the shortest way it sees, has the last word. */
static void shorten(struct engine_search *s, const struct pos *p, struct engine_result *out)
{
	struct engine_result proved = *out;

	if (p->halfmove < LONG_WAY || out->line[0].proved != SOLVE_WIN)
		return;
	deepen(s, p, out);
	if (!out->lines || out->line[0].score <= proved.line[0].score)
		*out = proved;
}

/* Does the solver know who wins? */
static bool is_solved(struct engine *e, const struct pos *const *positions, size_t n,
                      uint64_t nodes, struct engine_result *out)
{
	struct engine_search *s = &e->search;

	if (!e->solve)
		return false;
	solve_forget(e->solve, nodes);
	avoid_claims(e, positions, n);
	if (prove(e, positions[n - 1], nodes / s->eval.row->proofs) == SOLVE_UNKNOWN ||
	    !e->solved.n)
		return false;
	take_proof(&e->solved, &out->line[0]);
	out->lines = 1;
	shorten(s, positions[n - 1], out);
	return true;
}

/* The search's nodes: the rest is for the answers to its turn, and for another one. */
static uint64_t search_nodes(const struct engine *e, uint64_t nodes)
{
	uint64_t part = nodes / 16, answers;

	if (!e->solve)
		return nodes;
	answers = for_answers(e->search.eval.row, nodes);
	return part * 15 - (answers > part ? answers : part);
}

void engine_think(struct engine *e, const struct pos *const *positions, size_t n,
                  const struct engine_limits *limits, struct engine_result *out)
{
	struct engine_search *s = &e->search;
	const struct pos *p = positions[n - 1];
	uint64_t nodes = limits->nodes;
	struct outcome o;

	*out = (struct engine_result){ 0 };
	game_result(s->game, p, &o);
	if (o.result != RESULT_RUNNING)
		return;
	take_past(s, positions, n);
	table_reset(&s->table, nodes * TABLE_BYTES);
	order_forget(s);
	s->limits = limits;
	s->now = out;
	s->nodes = s->left_n = 0;
	s->report_at = 4096;
	s->may_stop = s->cancelled = false;
	s->seed = limits->seed;
	s->own = p->to_move;
	s->stop_at = search_nodes(e, nodes);
	if (is_solved(e, positions, n, nodes, out)) {
		out->nodes = s->nodes;
		return;
	}
	deepen(s, p, out);
	if (!out->lines)
		take_any(s, p, out);
	if (e->solve)
		choose_unrefuted(e, p, nodes, out);
	out->nodes = s->nodes;
}
