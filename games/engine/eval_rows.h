/* The weights of the evaluation, a row a game. */
#pragma once

#include "games/rules.h"

/* Two weights in one number, which add up side by side: with all men on the board, and
 * with few.  In hundredths of a pawn. */
#define WEIGHT(early, late) ((late)*65536 + (early))

struct eval_row {
	const char *game; /* struct rules .name; NULL: the other games of its kind */
	/* Of each type of man: its worth, and what it adds for each step toward the centre
	 * (0 to 6), and for each rank that it has advanced. */
	int32_t man[PIECE_TYPES], centre[PIECE_TYPES], advance[PIECE_TYPES];
	int32_t mobility[PIECE_TYPES]; /* a square that it attacks, or a pawn's step */
	int32_t passed[8];             /* a passed pawn, by ranks advanced */
	int32_t pair;                  /* two bishops */
	int32_t shelter;               /* an own pawn beside the king */
	int32_t siege;                 /* a square beside the enemy's king that is attacked */
	int32_t blast;                 /* an attacked enemy man beside the enemy's king */
	int32_t attacked;              /* an enemy man that is attacked */
	int32_t hanging;               /* and not guarded */
	int32_t bait;                  /* an own man, for each square nearer to the enemy's king */
	int32_t lonely;                /* an own man that has fewer than two neighbours */
	int32_t hand[PIECE_TYPES];     /* a man in the pocket */
	int32_t own[4];                /* struct pos .own of the side, by value */
	int32_t tempo;                 /* to move */
	uint32_t options;              /* only with one of these; 0: always */
	uint32_t friendly;             /* option with which only own men are neighbours */
	uint8_t phase[PIECE_TYPES];    /* each man's part of the early phase … */
	uint8_t full;                  /* … which lasts as long as they are so many */
	int16_t draw;                  /* a draw, for the side that thinks: it rather plays on */
	int16_t lazy;                  /* all but men and squares never make up for more */
	int16_t margin;                /* a ply that is left never makes up for more; 0: it may */
	uint8_t evasions; /* plies of quiescence in which a side in check tries all turns */
	/* One node in so many goes to a proof of the position, where captures are forced, and a
	 * quarter of that to the other side's win after the turn: this many at least, if that is no
	 * more than a quarter of all. */
	uint8_t proofs;
	uint16_t answers;
	uint8_t width; /* turns of a position of quiescence; 0: any number */
	bool uphill;   /* both sides advance toward the last rank */
	bool null;     /* a side that is allowed to do nothing shows how good it stands */
};

/* First the games that capture by force, then the others; each part ends with a row
 * without game. */
extern const struct eval_row eval_rows[];
