#include "games/orthodox.h"

#include <string.h>

const struct move move_none = {
	.from = NO_SQUARE,
	.to = NO_SQUARE,
	.promo = NO_PIECE,
};

void effects_clear(struct effects *fx)
{
	*fx = (struct effects){ .captured = { .square = NO_SQUARE, .type = NO_PIECE } };
}

void orthodox_list(const struct pos *p, unsigned switches, bool royal, unsigned promotions,
                   struct gen_list *out)
{
	if (p->to_move == WHITE)
		gen_list_moves(p, WHITE, switches, royal, promotions, ATTACKS_PORTABLE, out);
	else
		gen_list_moves(p, BLACK, switches, royal, promotions, ATTACKS_PORTABLE, out);
}

void orthodox_apply(struct pos *p, const struct move *m, unsigned switches, struct effects *fx)
{
	if (fx)
		effects_clear(fx);
	gen_apply(p, *m, p->to_move, switches, fx ? &fx->captured : NULL);
}

void orthodox_to_moves(const struct gen_list *l, struct moves *out)
{
	out->n = l->n;
	memcpy(out->v, l->v + l->first, l->n * sizeof l->v[0]);
}

int orthodox_check(struct pos *p, unsigned switches, uint64_t pardoned, struct err *e)
{
	if (p->type[PAWN] & (RANK_1 | RANK_8) & ~pardoned)
		return err_set(e, ERR_BAD, "A pawn cannot stand on the first or the last rank.");
	if (p->castling && !(switches & GEN_CASTLE))
		return err_set(e, ERR_BAD,
		               "There is no castling in this game: the castling field "
		               "of the FEN must be -.");
	for (unsigned i = 0; i < 4; i++) {
		enum color c = i / 2 ? BLACK : WHITE;
		const struct castle *k = gen_castle(c, switches, i % 2);
		uint64_t king = p->type[KING] & p->color[c], rook = p->type[ROOK] & p->color[c];

		if (p->castling & k->right &&
		    !(king & BIT(k->king_from) && rook & BIT(k->rook_from)))
			return err_set(e, ERR_BAD,
			               "The castling right %c needs the king on %c%c and a "
			               "rook on %c%c.",
			               "KQkq"[i], 'a' + k->king_from % 8, '1' + k->king_from / 8,
			               'a' + k->rook_from % 8, '1' + k->rook_from / 8);
	}
	if (switches & GEN_NO_EP)
		p->ep = NO_SQUARE;
	return 0;
}

int orthodox_check_kings(const struct pos *p, struct err *e)
{
	for (unsigned c = WHITE; c <= BLACK; c++) {
		uint64_t kings = p->type[KING] & p->color[c];

		if (!kings || kings & (kings - 1))
			return err_set(e, ERR_BAD, "%s must have exactly one king.",
			               c == WHITE ? "White" : "Black");
	}
	return 0;
}

int orthodox_check_kings_left(const struct pos *p, struct err *e)
{
	uint64_t other = p->type[KING] & p->color[!p->to_move];

	if (p->type[KING] & p->color[p->to_move])
		return orthodox_check_kings(p, e);
	if (!other || other & (other - 1))
		return err_set(e, ERR_BAD, "%s must have exactly one king.",
		               p->to_move == WHITE ? "Black" : "White");
	return 0;
}

int orthodox_refuse_check(const struct pos *p, struct err *e)
{
	return err_set(e, ERR_BAD, "%s stands in check, but it is %s's move.",
	               p->to_move == WHITE ? "Black" : "White",
	               p->to_move == WHITE ? "White" : "Black");
}

int orthodox_check_quiet(const struct pos *p, struct err *e)
{
	return board_king_attacked(p, !p->to_move) ? orthodox_refuse_check(p, e) : 0;
}

int orthodox_check_chess(struct pos *p, unsigned switches, struct err *e)
{
	int rc = orthodox_check(p, switches, 0, e);

	if (rc == 0)
		rc = orthodox_check_kings(p, e);
	return rc == 0 ? orthodox_check_quiet(p, e) : rc;
}
