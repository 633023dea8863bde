#include "games/engine/engine_order.h"

#include <string.h>

#define WORTH_BEST (1 << 30)
#define WORTH_CAPTURE (1 << 24)
#define WORTH_KILLER (1 << 20)
#define HISTORY_MAX 8192

static const uint8_t rank_of[PIECE_TYPES + 2] = { 1, 3, 3, 5, 9, 10, 0, 0 };

static unsigned type_on(const struct pos *p, unsigned sq)
{
	for (unsigned type = PAWN; type <= KING; type++)
		if (p->type[type] & BIT(sq))
			return type;
	return PAWN; /* taken in passing */
}

static int32_t worth_quiet(const struct engine_search *s, const struct frame *f, enum color c,
                           const struct move *m)
{
	if (turn_same(m, &f->killer[0]))
		return WORTH_KILLER + 1;
	if (turn_same(m, &f->killer[1]))
		return WORTH_KILLER;
	return s->history[c][m->from & 63][m->to & 63] + s->push[c][m->own[1] & 63] +
	       (m->promo != NO_PIECE ? HISTORY_MAX * 2 * rank_of[m->promo] : 0);
}

/* A capture compulsory: the fewer answers it leaves, the better. */
static int32_t worth_by_answers(const struct engine_search *s, const struct pos *p,
                                const struct move *m)
{
	struct pos next = *p;

	s->fast->apply[p->to_move](s->game, &next, m);
	return -(int32_t)s->fast->count[next.to_move](s->game, &next) * 1024;
}

static uint32_t shuffle(uint32_t seed, uint32_t i)
{
	uint32_t x = (seed + i * 0x9e3779b9u) * 0x85ebca6bu;

	x = (x ^ x >> 13) * 0xc2b2ae35u;
	return x ^ x >> 16;
}

void order_value(struct engine_search *s, const struct pos *p, unsigned ply, unsigned n,
                 unsigned best, int depth)
{
	struct frame *f = &s->frame[ply];
	enum color c = p->to_move;

	for (unsigned i = 0; i < n; i++) {
		const struct move *m = &f->list.v[f->list.first + i];
		int32_t worth = worth_quiet(s, f, c, m);

		if (i == best)
			worth = WORTH_BEST;
		else if (s->forced && depth > 1)
			worth += worth_by_answers(s, p, m);
		else if (m->flags & MOVE_CAPTURE)
			worth += WORTH_CAPTURE + 65536 * (8 * rank_of[type_on(p, m->to)] -
			                                  rank_of[m->flags & MOVE_TYPE]);
		if (ply == 0)
			worth += (int32_t)(shuffle(s->seed, i) & 255);
		/* The index stands for the turn, and lets the first of equals win. */
		f->worth[i] = (int64_t)worth * (GEN_MAX + 1) + (GEN_MAX - i);
	}
}

unsigned order_next(struct frame *f, unsigned left)
{
	int64_t best = f->worth[0];
	unsigned at = 0;

	for (unsigned i = 1; i < left; i++)
		if (f->worth[i] > best) {
			best = f->worth[i];
			at = i;
		}
	f->worth[at] = f->worth[left - 1];
	best %= GEN_MAX + 1;
	return (unsigned)(GEN_MAX - (best < 0 ? best + GEN_MAX + 1 : best));
}

static void learn(int16_t *h, int by)
{
	*h = (int16_t)(*h + by - *h * (by < 0 ? -by : by) / HISTORY_MAX);
}

static void learn_turn(struct engine_search *s, enum color c, const struct move *m, int by)
{
	learn(&s->history[c][m->from & 63][m->to & 63], by);
	if (m->own[1])
		learn(&s->push[c][m->own[1] & 63], by);
}

void order_learn(struct engine_search *s, const struct pos *p, unsigned ply, const struct move *m,
                 int depth, const struct move *vain, unsigned vain_n)
{
	struct frame *f = &s->frame[ply];
	int by = depth < 16 ? depth * depth * 4 + 4 : 1024;

	if (!turn_same(m, &f->killer[0])) {
		f->killer[1] = f->killer[0];
		f->killer[0] = *m;
	}
	learn_turn(s, p->to_move, m, by);
	for (unsigned i = 0; i < vain_n; i++)
		learn_turn(s, p->to_move, &vain[i], -by);
}

void order_forget(struct engine_search *s)
{
	memset(s->history, 0, sizeof s->history);
	memset(s->push, 0, sizeof s->push);
	for (unsigned i = 0; i <= ENGINE_DEPTH; i++)
		s->frame[i].killer[0] = s->frame[i].killer[1] = (struct move){ 0 };
}
