#include "games/board.h"

#include <ctype.h>
#include <string.h>

const char *const piece_names[PIECE_TYPES] = {
	"pawn", "knight", "bishop", "rook", "queen", "king"
};
const char piece_letters[] = "PNBRQK";

char piece_letter(enum color c, unsigned type)
{
	return c == WHITE ? piece_letters[type] : (char)tolower(piece_letters[type]);
}

unsigned piece_by_letter(char c)
{
	const char *at = c ? strchr(piece_letters, toupper((unsigned char)c)) : NULL;

	return at ? (unsigned)(at - piece_letters) : NO_PIECE;
}

struct man board_man(const struct pos *p, unsigned sq)
{
	struct man man = { .square = (uint8_t)sq, .color = WHITE, .type = NO_PIECE };

	if (p->color[BLACK] & BIT(sq))
		man.color = BLACK;
	for (unsigned t = 0; t < PIECE_TYPES; t++)
		if (p->type[t] & BIT(sq))
			man.type = (uint8_t)t;
	return man;
}

void board_put(struct pos *p, unsigned sq, enum color c, unsigned type)
{
	p->color[c] |= BIT(sq);
	p->type[type] |= BIT(sq);
}

bool board_attacks(const struct pos *p, unsigned sq, enum color by, uint64_t occ, uint64_t men)
{
	return board_attacked(p, sq, by, occ, men, ATTACKS_PORTABLE);
}

bool board_king_attacked(const struct pos *p, enum color c)
{
	return p->type[KING] & p->color[c] && board_checked(p, c, ATTACKS_PORTABLE);
}

void square_write(unsigned sq, struct str *out)
{
	str_add_char(out, (char)('a' + square_file(sq)));
	str_add_char(out, (char)('1' + square_rank(sq)));
}
