/* The losing family: one module, a row of switches a variant. */
#ifndef GAMES_LOSING_H
#define GAMES_LOSING_H

#include "games/orthodox.h"

enum losing_royal { ROYAL_NEVER, ROYAL_ALWAYS, ROYAL_UNTIL_BARE };
enum losing_mate { MATING_SIDE_WINS, MATED_SIDE_WINS };
enum losing_stalemate { STALEMATED_WINS, STALEMATE_DRAWS, FEWER_MEN_WIN };

struct losing {
	const char *pgn;
	const char *start;
	unsigned switches;   /* enum gen_switch */
	unsigned promotions; /* bits over enum piece_type */
	enum losing_royal royal;
	enum losing_mate mate;
	enum losing_stalemate stalemate;
	bool bare_wins; /* else: whoever has no men left */
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

/* Of a side to move that has no move: may it pass? */
bool losing_may_pass(const struct losing *row, const struct pos *p);
void losing_pass(struct pos *p);

/* The perft slot, and the same with the flavour of attacks chosen. */
uint64_t losing_perft(const struct game *g, const struct pos *p, int depth);
uint64_t losing_perft_by(const struct losing *row, const struct pos *p, int depth,
                         enum attacks_path path);

#endif
