#include <string.h>

#include "games/solve/solve_proof.h"
#include "games/solve/solve_search.h"

#define SLICE 1024 /* nodes before the sides are compared again */

struct solve *solve_init(const struct game *g, void *memory, size_t size, struct err *e)
{
	struct solve *s = memory;
	size_t own = (sizeof *s + 63) / 64 * 64;

	if (!g->rules->fast->count[WHITE]) {
		err_set(e, ERR_BAD, "%s is not a game of the losing family: no proofs there.",
		        g->rules->title);
		return NULL;
	}
	if (size < SOLVE_MEMORY_MIN) {
		err_set(e, ERR_LIMIT, "A solver needs %u KiB at least.", SOLVE_MEMORY_MIN >> 10);
		return NULL;
	}
	s->game = g;
	s->fast = &g->rules->fast[attacks_have_pext()];
	s->table.v = (struct proof_entry *)(void *)((char *)memory + own);
	s->table.room = s->table.buckets = (size - own) / (BUCKET * sizeof(struct proof_entry));
	return s;
}

void solve_forget(struct solve *s, uint64_t positions)
{
	uint64_t buckets = positions / BUCKET + 1;

	s->table.buckets = buckets < s->table.room ? (size_t)buckets : s->table.room;
	memset(s->table.v, 0, s->table.buckets * BUCKET * sizeof(struct proof_entry));
}

bool solve_avoid(struct solve *s, const struct pos *const *positions, size_t n,
                 struct solve_avoid *room)
{
	if (n > SOLVE_AVOID_MAX)
		return false;
	for (size_t i = 0; i < n; i++) {
		room->keys[WHITE][i] = key_of(positions[i], WHITE).check;
		room->keys[BLACK][i] = key_of(positions[i], BLACK).check;
	}
	room->n = n;
	s->avoid = room;
	return true;
}

/* One side's attempt to prove that it wins. */
struct trial {
	enum color attacker;
	bool over;     /* proved or refuted */
	uint32_t open; /* the proof number */
	uint64_t nodes;
	struct numbers now;
};

static void trial_go_on(struct solve *s, const struct pos *p, struct trial *a, uint64_t last)
{
	uint64_t before = s->nodes, slice = SLICE + a->nodes / 4;

	s->stop_at = last - before < slice ? last : before + slice;
	search_root(s, p, a->attacker);
	a->now = search_node(s, p, 0, NUMBERS_ANY);
	a->nodes += s->nodes - before;
	a->over = numbers_solved(a->now);
	a->open = p->to_move == a->attacker ? a->now.phi : a->now.delta;
}

/* The side whose proof looks smaller goes on, and gets the more of the work
 * the smaller it looks; the other one always gets its share. */
static struct trial *choose(struct trial a[2])
{
	if (a[0].over || a[1].over)
		return a[0].over ? &a[1] : &a[0];
	return (double)a[0].nodes * a[0].open <= (double)a[1].nodes * a[1].open ? &a[0] : &a[1];
}

static enum solve_value value_of(const struct pos *p, enum color winner)
{
	return p->to_move == winner ? SOLVE_WIN : SOLVE_LOSS;
}

static void search_both(struct solve *s, const struct pos *p, struct solve_result *out)
{
	struct trial a[2] = {
		{ .attacker = p->to_move, .open = 1 },
		{ .attacker = !p->to_move, .open = 1 },
	};
	uint64_t last = s->stop_at;

	while (!(a[0].over && a[1].over)) {
		struct trial *next = choose(a);

		s->stop_at = last;
		out->open = a[0].open;
		if (search_must_stop(s))
			return;
		trial_go_on(s, p, next, last);
		if (next->over && !next->open) {
			out->value = value_of(p, next->attacker);
			return;
		}
	}
	out->settled = !a[0].now.dist && !a[1].now.dist;
}

void solve_run(struct solve *s, const struct pos *p, const struct solve_limits *limits,
               struct solve_result *out)
{
	struct outcome o;

	*out = (struct solve_result){ .value = SOLVE_UNKNOWN };
	search_begin(s, limits);
	game_result(s->game, p, &o);
	if (o.result == RESULT_RUNNING)
		search_both(s, p, out);
	else if (o.result == RESULT_DRAW)
		out->settled = true;
	else
		out->value = value_of(p, o.result == RESULT_WHITE ? WHITE : BLACK);
	out->nodes = s->nodes;
	if (out->value != SOLVE_UNKNOWN)
		proof_write(s, p, out);
}
