#include "games/engine/engine_search.h"

#include <string.h>

#include "games/board.h"
#include "games/engine/engine_order.h"

#define CLAIM_PLIES 100 /* 50 moves: a draw that may be claimed */
#define VAIN_MAX 32
#define REPORT_EVERY 4096
#define PATIENCE 4096  /* nodes over the limit, until the first turn has a score */
#define CHOICE_PLIES 4 /* of quiescence, in which all of several forced captures are tried */

/* A position in work. */
struct engine_node {
	const struct pos *p;
	unsigned ply;
	int depth; /* 0 and less: quiescence */
	int alpha, beta, best;
	bool check; /* or captures are compulsory: no time for quiet turns */
	bool all;   /* are all turns searched, so that none means the end? */
	int eval;
	unsigned best_at; /* the best turn's index in the list, or NO_INDEX */
	unsigned turns;   /* of the list, to be searched */
	unsigned width;   /* no more of them; 0: all */
	unsigned tried;
	unsigned vain_n;
	struct move vain[VAIN_MAX]; /* quiet turns that did not refute */
};

static int search(struct engine_search *s, const struct pos *p, unsigned ply, int depth, int alpha,
                  int beta, bool null);

uint64_t search_key(const struct pos *p)
{
	return key_of(p, WHITE).check;
}

/* Has the position of this ply come before? */
static bool repeats(const struct engine_search *s, const struct pos *p, unsigned ply)
{
	unsigned at = s->keys_n + ply, back = p->halfmove < at ? p->halfmove : at;

	for (unsigned i = 4; i <= back; i += 2)
		if (s->keys[at - i] == s->keys[at])
			return true;
	return false;
}

/* Begins with a position: its key, and the table's entry on its way to the processor. */
static void enter(struct engine_search *s, const struct pos *p, unsigned ply, int depth)
{
	uint64_t key = search_key(p);

	s->keys[s->keys_n + ply] = key;
	if (depth > 0)
		__builtin_prefetch(table_pair(&s->table, key));
}

static int score_draw(const struct engine_search *s, const struct pos *p)
{
	return p->to_move == s->own ? s->eval.row->draw : -s->eval.row->draw;
}

/* Is the value of the position known without a search? */
static bool is_known(struct engine_search *s, const struct pos *p, unsigned ply, int *score)
{
	enum result r = s->fast->leaf[p->to_move](s->game, p);
	enum result own = p->to_move == WHITE ? RESULT_WHITE : RESULT_BLACK;

	if (r == own)
		*score = ENGINE_WIN - (int)ply;
	else if (r == RESULT_WHITE || r == RESULT_BLACK)
		*score = (int)ply - ENGINE_WIN;
	else if (r == RESULT_DRAW || p->halfmove >= CLAIM_PLIES || repeats(s, p, ply))
		*score = score_draw(s, p);
	else
		return false;
	return ply > 0;
}

/* The score of a position in which there is no turn. */
static int score_end(const struct engine_search *s, const struct pos *p, unsigned ply)
{
	struct outcome o;

	game_result(s->game, p, &o);
	if (o.result == RESULT_DRAW || o.result == RESULT_RUNNING)
		return score_draw(s, p);
	return (o.result == RESULT_WHITE) == (p->to_move == WHITE) ? ENGINE_WIN - (int)ply
	                                                           : (int)ply - ENGINE_WIN;
}

static bool must_stop(struct engine_search *s)
{
	if (s->nodes >= s->report_at) {
		s->report_at = s->nodes + REPORT_EVERY;
		s->now->nodes = s->nodes;
		if (s->limits->report && !s->limits->report(s->limits->ctx, s->now))
			s->cancelled = s->may_stop;
	}
	if (s->cancelled || s->nodes >= s->stop_at + (s->may_stop ? 0 : PATIENCE))
		s->stopped = true;
	return s->stopped;
}

/* A turn at the front of the best line. */
static void line_keep(struct engine_search *s, unsigned ply, const struct move *m)
{
	struct frame *f = &s->frame[ply], *next = &s->frame[ply + 1];

	f->line[0] = *m;
	f->line_n = 1;
	while (f->line_n <= next->line_n && f->line_n + ply < ENGINE_DEPTH) {
		f->line[f->line_n] = next->line[f->line_n - 1];
		f->line_n++;
	}
}

/* Makes a listed turn; false: it is not legal, or left out. */
static bool make(struct engine_search *s, const struct engine_node *n, const struct move *m,
                 struct pos *out)
{
	for (unsigned k = 0; n->ply == 0 && k < s->left_n; k++)
		if (turn_same(m, &s->left[k]))
			return false;
	*out = *n->p;
	if (!s->fast->apply[n->p->to_move](s->game, out, m))
		return false;
	s->nodes++;
	return true;
}

static bool is_known_score(int score)
{
	return score > SCORE_KNOWN || score < -SCORE_KNOWN;
}

/* In the table, wins are counted from their own position instead of the first. */
static int score_kept(int score, int plies)
{
	if (score > SCORE_KNOWN)
		return score + plies;
	return score < -SCORE_KNOWN ? score - plies : score;
}

static void keep(struct engine_search *s, const struct engine_node *n, int alpha)
{
	enum bound bound = n->best >= n->beta ? BOUND_LOWER
	                   : n->best > alpha  ? BOUND_EXACT
	                                      : BOUND_UPPER;
	struct table_entry e = {
		.key = s->keys[s->keys_n + n->ply],
		.index = (uint16_t)n->best_at,
		.score = (int16_t)score_kept(n->best, (int)n->ply),
		.eval = (int16_t)n->eval,
		.depth = (uint8_t)n->depth,
		.bound = (uint8_t)bound,
	};

	table_put(&s->table, &e);
}

/* Takes over what the table has; true: it is enough. */
static bool look_up(struct engine_search *s, struct engine_node *n)
{
	const struct table_entry *e = table_get(&s->table, s->keys[s->keys_n + n->ply]);
	int score;

	n->best_at = NO_INDEX;
	n->eval = SCORE_MAX;
	if (!e)
		return false;
	n->best_at = e->index;
	n->eval = e->eval;
	score = score_kept(e->score, -(int)n->ply);
	if (n->ply == 0 || e->depth < n->depth || n->beta - n->alpha > 1 ||
	    e->bound == (score >= n->beta ? BOUND_UPPER : BOUND_LOWER))
		return false;
	n->best = score;
	return true;
}

/* So good that the opponent could move twice. */
static bool null_refutes(struct engine_search *s, struct engine_node *n)
{
	struct pos next = *n->p;
	uint64_t pieces = next.color[next.to_move] & ~next.type[PAWN] & ~next.type[KING];

	if (!s->eval.row->null || !pieces || n->depth < 3)
		return false;
	next.to_move = !next.to_move;
	next.ep = NO_SQUARE;
	next.halfmove++;
	n->best = -search(s, &next, n->ply + 1, n->depth - 3 - n->depth / 6, -n->beta, 1 - n->beta,
	                  false);
	return n->best >= n->beta && !is_known_score(n->best);
}

/* Lists all turns, and sees whether they are captures because they must be. */
static void list_all(struct engine_search *s, struct engine_node *n)
{
	struct gen_list *l = &s->frame[n->ply].list;

	s->fast->list[n->p->to_move](s->game, n->p, l);
	n->all = true;
	n->turns = l->n;
	n->check = n->check || (s->forced && l->captures);
}

/* Can the position do without a search of its turns? */
static bool is_cut(struct engine_search *s, struct engine_node *n, bool null)
{
	int margin = s->eval.row->margin;

	if (look_up(s, n))
		return true;
	if (s->forced)
		list_all(s, n);
	if (n->eval == SCORE_MAX)
		n->eval = n->check ? 0 : eval(&s->eval, n->p, -SCORE_MAX, SCORE_MAX);
	if (n->check || !null || n->beta - n->alpha > 1 || n->eval < n->beta ||
	    is_known_score(n->beta))
		return false;
	if (margin && n->depth <= 6 && n->eval - margin * n->depth >= n->beta) {
		n->best = n->eval;
		return true;
	}
	return null_refutes(s, n);
}

static void list_quiet(const struct engine_search *s, const struct engine_node *n,
                       struct gen_list *l)
{
	enum color c = n->p->to_move;

	if (s->fast->captures[c] && !n->all)
		s->fast->captures[c](s->game, n->p, l);
	else
		s->fast->list[c](s->game, n->p, l);
}

/* Do forced captures have to be searched, or the end be seen?  The tree of all choices among
 * captures grows without end: far in quiescence, a single one alone is followed on. */
static bool is_forced(const struct engine_search *s, const struct engine_node *n)
{
	const struct gen_list *l = &s->frame[n->ply].list;
	bool choice = l->captures > 1 && n->depth <= -CHOICE_PLIES;

	return s->forced && !choice && (l->captures || !l->n);
}

/* The turns of quiescence; true: none is needed. */
static bool is_quiet(struct engine_search *s, struct engine_node *n)
{
	struct frame *f = &s->frame[n->ply];

	n->best_at = NO_INDEX;
	n->all = n->check && n->depth > -s->eval.row->evasions;
	if (!s->forced && !n->all) {
		n->best = eval(&s->eval, n->p, n->alpha, n->beta);
		if (n->best >= n->beta)
			return true;
	}
	list_quiet(s, n, &f->list);
	n->all = n->all || is_forced(s, n);
	n->turns = n->all ? f->list.n : f->list.captures;
	if (!n->all && s->eval.row->width && n->turns > s->eval.row->width)
		n->width = s->eval.row->width;
	if (!s->forced || n->all)
		return false;
	n->best = eval(&s->eval, n->p, n->alpha, n->beta);
	return true;
}

/* 4 log2(x) */
static int log4(unsigned x)
{
	int whole = 31 - __builtin_clz(x);

	return 4 * whole + (int)((x << 2 >> whole) & 3);
}

/* By how many plies less is a late turn searched? */
static int reduction(const struct engine_search *s, const struct engine_node *n,
                     const struct move *m, bool check)
{
	const struct frame *f = &s->frame[n->ply];
	int r;

	if (n->depth < 3 || n->tried < (s->forced ? 1 : 3) || check || n->check ||
	    m->flags & MOVE_CAPTURE || m->promo != NO_PIECE || turn_same(m, &f->killer[0]) ||
	    turn_same(m, &f->killer[1]))
		return 0;
	r = log4((unsigned)n->depth) * log4(n->tried + 1) / 64 +
	    (s->forced && n->beta - n->alpha == 1);
	return r < n->depth - 1 ? r : n->depth - 2;
}

/* May the turn be passed over, because it is late and nothing suggests it? */
static bool is_hopeless(const struct engine_search *s, const struct engine_node *n,
                        const struct move *m, bool check)
{
	int margin = s->eval.row->margin;
	unsigned square = (unsigned)(n->depth * n->depth);

	if (n->depth <= 0 || !n->tried || check || n->ply == 0 || n->best <= -SCORE_KNOWN ||
	    m->flags & MOVE_CAPTURE || m->promo != NO_PIECE)
		return false;
	if (s->forced)
		return n->tried > 3 + square;
	return margin && n->depth <= 4 &&
	       (n->eval + margin * (n->depth + 1) <= n->alpha || n->tried > 8 + 4 * square);
}

/* Searches a turn that is made. */
static int search_turn(struct engine_search *s, const struct engine_node *n, const struct pos *next,
                       const struct move *m, bool check)
{
	bool extend = n->depth > 0 && (s->forced ? n->turns == 1 : check);
	int depth = n->depth - 1 + (extend && n->ply < ENGINE_DEPTH / 2);
	int less = reduction(s, n, m, check), score;

	if (n->tried == 0 || n->depth <= 0)
		return -search(s, next, n->ply + 1, depth, -n->beta, -n->alpha, true);
	score = -search(s, next, n->ply + 1, depth - less, -n->alpha - 1, -n->alpha, true);
	if (score > n->alpha && less)
		score = -search(s, next, n->ply + 1, depth, -n->alpha - 1, -n->alpha, true);
	if (score > n->alpha && score < n->beta)
		score = -search(s, next, n->ply + 1, depth, -n->beta, -n->alpha, true);
	return score;
}

/* Takes the score of turn i into account; true: it refutes. */
static bool is_refuted(struct engine_search *s, struct engine_node *n, unsigned i,
                       const struct move *m, int score)
{
	bool quiet = !(m->flags & MOVE_CAPTURE) || s->forced;

	n->tried++;
	s->may_stop = s->may_stop || n->ply == 0;
	if (score > n->best) {
		n->best = score;
		n->best_at = i;
	}
	if (score > n->alpha) {
		n->alpha = score;
		line_keep(s, n->ply, m);
	}
	if (score < n->beta) {
		if (quiet && n->vain_n < VAIN_MAX)
			n->vain[n->vain_n++] = *m;
		return false;
	}
	if (quiet && n->depth > 0)
		order_learn(s, n->p, n->ply, m, n->depth, n->vain, n->vain_n);
	return true;
}

/* Does the turn give check, or a man where captures are compulsory? */
static bool is_urgent(const struct engine_search *s, const struct pos *next, const struct move *m)
{
	if (s->fast->in_check[next->to_move](s->game, next))
		return true;
	return s->forced && m->from != NO_SQUARE &&
	       board_attacks(next, m->to, next->to_move, next->color[WHITE] | next->color[BLACK],
	                     ~UINT64_C(0));
}

/* Searches the listed turns until one refutes; false: the search was stopped. */
static bool search_turns(struct engine_search *s, struct engine_node *n)
{
	struct frame *f = &s->frame[n->ply];

	order_value(s, n->p, n->ply, n->turns, n->best_at, n->depth);
	n->best_at = NO_INDEX;
	for (unsigned k = 0; k < (n->width ? n->width : n->turns); k++) {
		unsigned i = order_next(f, n->turns - k);
		struct move m = f->list.v[f->list.first + i];
		struct pos next;
		bool check;
		int score;

		if (must_stop(s))
			return false;
		if (!make(s, n, &m, &next))
			continue;
		check = n->depth > 0 && is_urgent(s, &next, &m);
		if (is_hopeless(s, n, &m, check || n->check))
			continue;
		score = search_turn(s, n, &next, &m, check);
		if (s->stopped)
			return false;
		if (is_refuted(s, n, i, &m, score))
			break;
	}
	return true;
}

static int search(struct engine_search *s, const struct pos *p, unsigned ply, int depth, int alpha,
                  int beta, bool null)
{
	struct engine_node n = { .p = p, .ply = ply, .depth = depth, .alpha = alpha, .beta = beta };
	struct frame *f = &s->frame[ply];

	f->line_n = 0;
	enter(s, p, ply, depth);
	if (is_known(s, p, ply, &n.best))
		return n.best;
	if (ply == ENGINE_DEPTH)
		return eval(&s->eval, p, alpha, beta);
	n.best = -SCORE_MAX;
	n.check = s->fast->in_check[p->to_move](s->game, p);
	if (depth <= 0 ? is_quiet(s, &n) : is_cut(s, &n, null))
		return n.best;
	if (depth > 0 && !s->forced)
		list_all(s, &n);
	if (depth > 0)
		n.best = -SCORE_MAX;
	else if (n.best > n.alpha)
		n.alpha = n.best;
	if (!search_turns(s, &n))
		return 0;
	if (n.all && !n.tried)
		return score_end(s, p, ply);
	if (depth > 0)
		keep(s, &n, alpha);
	return n.best;
}

int search_first(struct engine_search *s, const struct pos *p, int depth, int alpha, int beta)
{
	return search(s, p, 0, depth, alpha, beta, false);
}

void table_reset(struct position_table *t, uint64_t bytes)
{
	t->pairs = 1;
	while (2 * t->pairs <= t->room && 2 * t->pairs * sizeof *t->v < bytes)
		t->pairs *= 2;
	memset(t->v, 0, 2 * t->pairs * sizeof *t->v);
}

const struct table_entry *table_get(const struct position_table *t, uint64_t key)
{
	const struct table_entry *pair = table_pair(t, key);

	for (unsigned i = 0; i < 2; i++)
		if (pair[i].key == key && pair[i].bound != BOUND_NONE)
			return &pair[i];
	return NULL;
}

void table_put(struct position_table *t, const struct table_entry *entry)
{
	struct table_entry *pair = table_pair(t, entry->key);
	struct table_entry *at = &pair[1];

	if (pair[0].key == entry->key || entry->depth >= pair[0].depth)
		at = &pair[0];
	if (at == &pair[0] && pair[0].key != entry->key)
		pair[1] = pair[0];
	*at = *entry;
}
