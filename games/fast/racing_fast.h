/* Racing kings: the functions that its rules and its perft share. */
#pragma once

#include "games/orthodox.h"

extern const struct rules_fast racing_fast[2];

GAMES_INLINE bool racing_has_arrived(const struct pos *p, enum color c)
{
	return p->type[KING] & p->color[c] & RANK_8;
}

/* Makes c's move m.  False: it gives check, which is not allowed. */
GAMES_INLINE bool racing_try(struct pos *p, struct move m, enum color c, enum attacks_path path)
{
	gen_apply(p, m, c, 0, NULL);
	return !board_checked(p, !c, path);
}

/* Can Black, who is to move, bring its king to the last rank now? */
GAMES_INLINE bool racing_can_follow(const struct pos *p, enum attacks_path path)
{
	struct gen_list l;

	gen_list_moves(p, BLACK, 0, true, 0, path, &l);
	for (unsigned i = 0; i < l.n; i++) {
		struct move m = l.v[l.first + i];
		struct pos next = *p;

		if ((m.flags & MOVE_TYPE) == KING && BIT(m.to) & RANK_8 &&
		    racing_try(&next, m, BLACK, path))
			return true;
	}
	return false;
}

/* The result with c to move, stalemate apart. */
GAMES_INLINE enum result racing_result(const struct pos *p, enum color c, enum attacks_path path)
{
	bool white = racing_has_arrived(p, WHITE), black = racing_has_arrived(p, BLACK);

	if (white && black)
		return RESULT_DRAW;
	if (black)
		return RESULT_BLACK;
	return white && (c == WHITE || !racing_can_follow(p, path)) ? RESULT_WHITE : RESULT_RUNNING;
}
