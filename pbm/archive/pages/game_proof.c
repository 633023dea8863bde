#include "pbm/archive/pages/game_proof.h"

#include <stdlib.h>
#include <string.h>

#include "games/solve/solve.h"

#define PLIES 12          /* looked at, from the end */
#define NODES 1000        /* a position */
#define MEMORY (5u << 19) /* bytes */

/* The winner of a position; SEAT_NONE: not known. */
static uint8_t winner_of(struct solve *s, const struct pos *p, struct solve_result *found)
{
	const struct solve_limits limits = { .nodes = NODES };

	solve_run(s, p, &limits, found);
	if (found->value == SOLVE_UNKNOWN)
		return SEAT_NONE;
	return found->value == SOLVE_WIN ? p->to_move : !p->to_move;
}

void game_proof(const struct match *m, uint8_t *winners)
{
	size_t last = m->ply, first;

	memset(winners, SEAT_NONE, m->ply + 1);
	if (!m->game.rules->fast->count[WHITE])
		return;
	if (m->outcome.result != RESULT_RUNNING && last-- == 0)
		return;
	AUTO(mem_free) void *memory = mem_alloc(MEMORY);
	AUTO(mem_free) struct solve_result *found = mem_alloc(sizeof *found);
	struct solve *s = solve_init(&m->game, memory, MEMORY, NULL);
	first = last >= PLIES ? last - PLIES + 1 : 0;
	for (size_t i = last + 1; s && i-- > first;) {
		winners[i] = winner_of(s, &m->positions[i], found);
		if (winners[i] == SEAT_NONE)
			break;
	}
}
