#include "games/solve/solve_search.h"

#define REPORT_EVERY 4096

static const struct solve_limits no_limits;

void successor_make(const struct game *g, const struct rules_fast *fast, const struct pos *p,
                    enum color attacker, const struct move *m, struct successor *out)
{
	struct pos next = *p;

	fast->apply[p->to_move](g, &next, m);
	out->move = *m;
	out->key = key_of(&next, attacker);
	out->reversible = m->from == NO_SQUARE ||
	                  (!(m->flags & MOVE_CAPTURE) && (m->flags & MOVE_TYPE) != PAWN);
}

unsigned successors_list(const struct game *g, const struct rules_fast *fast, const struct pos *p,
                         enum color attacker, struct successor *out)
{
	struct gen_list l;

	fast->list[p->to_move](g, p, &l);
	for (unsigned i = 0; i < l.n; i++)
		successor_make(g, fast, p, attacker, &l.v[l.first + i], &out[i]);
	return l.n;
}

/* The numbers of a position where somebody has won, or neither side has. */
static struct numbers numbers_end(enum result result, const struct pos *p, enum color attacker)
{
	bool attacker_won = result == (attacker == WHITE ? RESULT_WHITE : RESULT_BLACK);

	if (attacker_won == (p->to_move == attacker))
		return (struct numbers){ 0, NUMBER_MAX, 0 };
	return (struct numbers){ NUMBER_MAX, 0, 0 };
}

/* The result of a finished position, or a guess from its mobility. */
static struct numbers numbers_guess(const struct solve *s, const struct pos *p)
{
	unsigned n = s->fast->count[p->to_move](s->game, p);

	/* Nothing to move, or nothing left to win. */
	if (!n) {
		struct outcome o;

		game_result(s->game, p, &o);
		if (o.result != RESULT_RUNNING)
			return numbers_end(o.result, p, s->attacker);
		n = 1;
	}
	return (struct numbers){ 1, n, 0 };
}

void search_begin(struct solve *s, const struct solve_limits *limits)
{
	s->limits = limits ? limits : &no_limits;
	s->nodes = 0;
	s->stop_at = s->limits->nodes ? s->limits->nodes : UINT64_MAX;
	s->report_at = REPORT_EVERY;
	s->stopped = false;
}

void search_root(struct solve *s, const struct pos *p, enum color attacker)
{
	s->attacker = attacker;
	s->ply[0] = (struct ply){ .key = key_of(p, s->attacker) };
	s->used = 0;
}

void search_enter(struct solve *s, unsigned depth, const struct successor *c)
{
	const struct ply *before = &s->ply[depth];
	struct ply *next = &s->ply[depth + 1];

	s->line[depth] = c->move;
	*next = (struct ply){ .key = c->key, .since = depth + 1 };
	if (c->reversible) {
		next->since = before->since;
		next->path = path_add(before->path, before->key);
	}
}

/* Refuted: the position stood on the line `dist` plies ago. */
static struct numbers refuted(bool attacker_moves, unsigned dist)
{
	if (attacker_moves)
		return (struct numbers){ NUMBER_MAX, 0, (uint16_t)dist };
	return (struct numbers){ 0, NUMBER_MAX, (uint16_t)dist };
}

/* The number of plies since its position stood on the line before this child; 0: never. */
static unsigned repeats(const struct solve *s, unsigned depth, const struct successor *c)
{
	if (!c->reversible)
		return 0;
	/* At least four plies back: the same side moves, and one back is not it. */
	for (unsigned d = depth + 1; d >= s->ply[depth].since + 4; d -= 2)
		if (s->ply[d - 4].key.check == c->key.check)
			return depth + 1 - (d - 4);
	return 0;
}

/* May the loser claim a draw after it? */
static bool is_avoided(const struct solve *s, const struct successor *c)
{
	for (size_t i = 0; s->avoid && i < s->avoid->n; i++)
		if (s->avoid->keys[s->attacker][i] == c->key.check)
			return true;
	return false;
}

static struct numbers look_up(struct solve *s, const struct pos *p, unsigned depth,
                              const struct successor *c, uint64_t path)
{
	bool attacker_moves = p->to_move != s->attacker;
	unsigned back = repeats(s, depth, c);
	struct numbers now;
	struct pos next = *p;

	if (is_avoided(s, c))
		return refuted(attacker_moves, 0);
	if (back)
		return refuted(attacker_moves, back);
	if (!table_find(&s->table, c->key, c->reversible ? path : 0, &now)) {
		s->fast->apply[p->to_move](s->game, &next, &c->move);
		now = numbers_guess(s, &next);
	}
	if (!numbers_solved(now) && (depth + 1 == SOLVE_DEPTH || s->used > SPARE_SUCCESSORS))
		return refuted(attacker_moves, DIST_MAX);
	return now;
}

void search_know(struct solve *s, const struct pos *p, unsigned depth, struct successor *c,
                 unsigned n)
{
	uint64_t path = path_add(s->ply[depth].path, s->ply[depth].key);

	for (unsigned i = 0; i < n; i++)
		__builtin_prefetch(table_bucket(&s->table, c[i].key));
	for (unsigned i = 0; i < n; i++)
		c[i].now = look_up(s, p, depth, &c[i], path);
}

/* The children's numbers in one, and the child to go to. */
struct weighed {
	struct numbers now;
	struct successor *best;
	uint32_t second; /* the second least delta */
};

static uint16_t dist_from(uint16_t child, bool proved)
{
	if (proved)
		return child < DIST_MAX - 1 ? (uint16_t)(child + 1) : child;
	return child && child < DIST_MAX ? (uint16_t)(child - 1) : child;
}

/* For a solved node: of the best children, or of all. */
static uint16_t weigh_dist(const struct successor *c, unsigned n, bool reached, bool proved)
{
	uint16_t dist = reached ? DIST_MAX : 0;

	for (unsigned i = 0; i < n; i++) {
		if (reached && !c[i].now.delta && c[i].now.dist < dist)
			dist = c[i].now.dist;
		if (!reached && c[i].now.dist > dist)
			dist = c[i].now.dist;
	}
	return dist_from(dist, proved);
}

static struct weighed weigh(struct successor *c, unsigned n, bool attacker_moves)
{
	struct weighed w = { { NUMBER_MAX, 0, 0 }, c, NUMBER_MAX };
	uint64_t sum = 0;

	for (unsigned i = 0; i < n; i++) {
		uint32_t delta = c[i].now.delta;

		sum += c[i].now.phi;
		if (delta < w.now.phi) {
			w.second = w.now.phi;
			w.now.phi = delta;
			w.best = &c[i];
		} else if (delta < w.second) {
			w.second = delta;
		}
	}
	w.now.delta = sum < NUMBER_MAX - 1 ? (uint32_t)sum : NUMBER_MAX - 1;
	if (!w.now.phi)
		w.now.delta = NUMBER_MAX;
	else if (w.now.phi == NUMBER_MAX)
		w.now.delta = 0;
	if (numbers_solved(w.now))
		w.now.dist = weigh_dist(c, n, !w.now.phi, numbers_proved(w.now, attacker_moves));
	return w;
}

/* The bound to which the best child is searched before another one is better.  The quarter (the
 * epsilon) keeps the search from hopping between two of them. */
static struct numbers child_bound(const struct weighed *w, struct numbers bound)
{
	uint64_t phi = (uint64_t)bound.delta + w->best->now.phi - w->now.delta;
	uint64_t delta = (uint64_t)w->second + w->second / 4 + 1;

	return (struct numbers){
		phi < NUMBER_MAX ? (uint32_t)phi : NUMBER_MAX,
		delta < bound.phi ? (uint32_t)delta : bound.phi,
		0,
	};
}

void search_count(struct solve *s, unsigned depth)
{
	struct solve_progress now = {
		.nodes = ++s->nodes,
		.attacker = s->attacker,
		.line = s->line,
		.n = depth,
	};

	if (s->nodes < s->report_at)
		return;
	s->report_at = s->nodes + REPORT_EVERY;
	if (s->limits->report && !s->limits->report(s->limits->ctx, &now))
		s->stopped = true;
}

static enum finding finding_of(struct numbers now, bool attacker_moves)
{
	if (!numbers_solved(now))
		return FINDING_OPEN;
	if (numbers_proved(now, attacker_moves))
		return FINDING_PROVED;
	return now.dist ? FINDING_REFUTED_BY_PATH : FINDING_REFUTED;
}

struct numbers search_node(struct solve *s, const struct pos *p, unsigned depth,
                           struct numbers bound)
{
	const struct ply *here = &s->ply[depth];
	bool attacker_moves = p->to_move == s->attacker;
	struct successor *c = s->children + s->used;
	unsigned n = successors_list(s->game, s->fast, p, s->attacker, c);
	uint64_t before = s->nodes;
	struct weighed w;

	search_count(s, depth);
	s->used += n;
	search_know(s, p, depth, c, n);
	w = weigh(c, n, attacker_moves);
	while (w.now.phi < bound.phi && w.now.delta < bound.delta && !search_must_stop(s)) {
		struct pos next = *p;

		search_enter(s, depth, w.best);
		s->fast->apply[p->to_move](s->game, &next, &w.best->move);
		w.best->now = search_node(s, &next, depth + 1, child_bound(&w, bound));
		w = weigh(c, n, attacker_moves);
	}
	s->used -= n;
	table_store(&s->table, here->key, here->path, w.now, finding_of(w.now, attacker_moves),
	            s->nodes - before);
	return w.now;
}
