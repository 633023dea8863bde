/* The losing family: a row of switches a variant.  The functions that its rules
 * and its perft share. */
#pragma once

#include "games/orthodox.h"

enum losing_royal { ROYAL_NEVER, ROYAL_ALWAYS, ROYAL_UNTIL_BARE };
enum losing_mate { MATING_SIDE_WINS, MATED_SIDE_WINS };
enum losing_stalemate { STALEMATED_WINS, STALEMATE_DRAWS, FEWER_MEN_WIN };

struct losing {
	unsigned switches;   /* enum gen_switch */
	unsigned promotions; /* bits over enum piece_type */
	enum losing_royal royal;
	enum losing_mate mate;
	enum losing_stalemate stalemate;
	bool bare_wins; /* else: the side without men wins */
	bool dead_bishops;
	bool passes; /* a lone blocked pawn passes */
};

/* Is c's king royal? */
GAMES_INLINE bool losing_is_royal(const struct losing *row, const struct pos *p, enum color c)
{
	uint64_t men = p->color[c], kings = men & p->type[KING];

	if (row->royal != ROYAL_UNTIL_BARE)
		return row->royal == ROYAL_ALWAYS;
	return kings && !(kings & (kings - 1)) && men != kings;
}

/* Has one side no men, or a bare king where that ends the game? */
GAMES_INLINE bool losing_men_ended(const struct losing *row, const struct pos *p)
{
	if (row->bare_wins)
		return !(p->color[WHITE] & (p->color[WHITE] - 1)) ||
		       !(p->color[BLACK] & (p->color[BLACK] - 1));
	return !p->color[WHITE] || !p->color[BLACK];
}

/* Bishops alone on both sides, on colours where the enemy has none: nobody
 * can take or be taken, and nobody runs out of moves for good. */
GAMES_INLINE bool losing_is_dead(const struct losing *row, const struct pos *p)
{
	const uint64_t dark = UINT64_C(0xaa55aa55aa55aa55);
	uint64_t men = p->color[WHITE] | p->color[BLACK];

	return row->dead_bishops && men == p->type[BISHOP] &&
	       !(p->color[WHITE] & dark && p->color[BLACK] & dark) &&
	       !(p->color[WHITE] & ~dark && p->color[BLACK] & ~dark);
}

/* The moves of the side to move, without a pass; none when the men have ended
 * the game. */
void losing_list(const struct losing *row, const struct pos *p, struct gen_list *l);
/* Is the side to move left with a single pawn, in a variant where that passes? */
bool losing_is_lone_pawn(const struct losing *row, const struct pos *p);
/* May the side to move, which has no move, pass? */
bool losing_may_pass(const struct losing *row, const struct pos *p);
void losing_pass(struct pos *p);

/* For variants where no king is royal and nobody castles; where kings are royal
 * and castle as in chess; and for all others.  The game's rules->variant is its
 * struct losing. */
extern const struct rules_fast losing_fast_plain[2], losing_fast_royal[2], losing_fast_any[2];
