#include "pbm/picture/marks.h"

#include "games/board.h"

/* Pawns that stand where they can't stay: the next turn names what they become. */
static uint64_t waiting_pawns(const struct game *g, const struct pos *p)
{
	uint64_t lowest = UINT64_C(0xff), top = lowest << 8 * (game_board(g).ranks - 1);

	return p->type[PAWN] & ((p->color[WHITE] & top) | (p->color[BLACK] & lowest));
}

static uint64_t removed_set(const struct pos *p, const struct effects *fx)
{
	uint64_t set = 0;

	for (size_t i = 0; fx && i < fx->removed_count; i++)
		set |= BIT(fx->removed[i].square);
	return set & ~(p->color[WHITE] | p->color[BLACK]);
}

struct marks marks_find(const struct game *g, const struct pos *p, const struct move *last,
                        const struct effects *fx)
{
	return (struct marks){
		.last = last ? game_marks(g, p, last) : 0,
		.check = game_in_check(g, p) ? p->type[KING] & p->color[p->to_move] : 0,
		.owed = waiting_pawns(g, p),
		.gone = removed_set(p, fx),
	};
}
