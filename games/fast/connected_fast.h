/* Connected Chess: after each turn every man without a neighbour is removed.
 * The functions that its rules and its perft share. */
#pragma once

#include "games/orthodox.h"

/* Bits of struct game .options, in the order of the option words. */
enum connected_option {
	CONNECTED_FRIENDLY = 1 << 0, /* only men of the same colour are neighbours */
	CONNECTED_HALF = 1 << 1
};

struct connected_board {
	struct board_size size;
	uint64_t beyond;   /* the squares that do not belong to it */
	unsigned switches; /* enum gen_switch */
};

/* By options; castling is generated as a threat and judged afterwards. */
extern const struct connected_board connected_boards[2];

GAMES_INLINE const struct connected_board *connected_board(unsigned options)
{
	return &connected_boards[(options & CONNECTED_HALF) != 0];
}

/* The men of the side that makes the turn, and those of its opponent. */
struct connected_men {
	uint64_t own, opp;
};

/* Squares beside any of these. */
GAMES_INLINE uint64_t connected_beside(uint64_t b)
{
	uint64_t sides = (b & ~FILE_A) >> 1 | (b & ~FILE_H) << 1;
	uint64_t rows = b | sides;

	return sides | rows << 8 | rows >> 8;
}

/* The men that have a neighbour.  Removing the others leaves no further man
 * without one. */
GAMES_INLINE struct connected_men connected_staying(struct connected_men m, unsigned options)
{
	if (options & CONNECTED_FRIENDLY)
		return (struct connected_men){ m.own & connected_beside(m.own),
			                       m.opp & connected_beside(m.opp) };

	uint64_t beside = connected_beside(m.own | m.opp);

	return (struct connected_men){ m.own & beside, m.opp & beside };
}

/* c's men and the others after c's move m, before removals. */
GAMES_INLINE struct connected_men connected_moved(const struct pos *p, struct move m, enum color c)
{
	struct connected_men men = {
		.own = (p->color[c] ^ BIT(m.from)) | BIT(m.to),
		.opp = p->color[!c] & ~BIT(m.to),
	};

	if (m.flags & MOVE_EP)
		men.opp &= ~BIT(m.to ^ 8);
	if (m.flags & MOVE_CASTLE) {
		const struct castle *k = gen_castle(c, 0, m.flags & MOVE_LONG);

		men.own ^= BIT(k->rook_from) | BIT(k->rook_to);
	}
	return men;
}

/* Everything c's men can do in shape. */
GAMES_INLINE void connected_list(const struct pos *p, enum color c, unsigned options,
                                 enum attacks_path path, struct gen_list *l)
{
	const struct connected_board *b = connected_board(options);
	struct gen_view v = gen_look(p, c, false);

	v.own |= b->beyond;
	v.occ |= b->beyond;
	gen_list_open(l, p, c, PROMOTE_QRBN);
	gen_moves_seen(p, c, b->switches, false, &v, path, gen_list_set, l);
	gen_list_close(l, 0);
}

/* Makes c's move m and its removals. */
GAMES_INLINE void connected_apply(struct pos *p, struct move m, enum color c, unsigned options,
                                  struct effects *fx)
{
	struct connected_men men, stay;
	uint64_t gone;

	gen_apply(p, m, c, GEN_CASTLE, fx ? &fx->captured : NULL);
	men = (struct connected_men){ p->color[c], p->color[!c] };
	stay = connected_staying(men, options);
	gone = (men.own | men.opp) & ~(stay.own | stay.opp);
	if (!gone)
		return;
	for (uint64_t left = fx ? gone : 0; left; left &= left - 1)
		fx->removed[fx->removed_count++] = board_man(p, bit_first(left));
	p->color[c] = stay.own;
	p->color[!c] = stay.opp;
	for (unsigned t = 0; t < PIECE_TYPES; t++)
		p->type[t] &= ~gone;
	p->halfmove = 0;
	p->castling &= (uint8_t)~gen_rights_lost(gone, GEN_CASTLE);
	/* The right to take in passing needs that pawn and an enemy pawn beside it. */
	if (p->ep != NO_SQUARE &&
	    (gone & BIT(m.to) || !(attacks_pawns(BIT(p->ep), c) & p->type[PAWN] & p->color[!c])))
		p->ep = NO_SQUARE;
}

/* Two bare kings draw at once. */
GAMES_INLINE bool connected_is_diad(const struct pos *p)
{
	return p->type[KING] == (p->color[WHITE] | p->color[BLACK]);
}

/* By the definition: has the side to move a move in shape after which the
 * other's king is gone and its own is not?  Says which in *threat if not NULL. */
bool connected_wins_king(const struct pos *p, unsigned options, struct move *threat);
/* Is the side to move in check? */
bool connected_in_check(const struct pos *p, unsigned options);

/* A man of !c moves from one square to another, taking what is there: is c's
 * king gone then and its own not? */
GAMES_INLINE bool connected_kills(struct connected_men m, unsigned king, unsigned opp_king,
                                  unsigned from, unsigned to, unsigned options)
{
	m.opp = (m.opp ^ BIT(from)) | BIT(to);
	m.own &= ~BIT(to);
	if (from == opp_king)
		opp_king = to;
	m = connected_staying(m, options);
	return m.opp & BIT(opp_king) && !(m.own & BIT(king));
}

/* The men among these, of colour by, that attack sq. */
GAMES_INLINE uint64_t connected_attackers(const struct pos *p, unsigned sq, enum color by,
                                          uint64_t men, uint64_t occ, enum attacks_path path)
{
	uint64_t set = (attacks_knight[sq] & p->type[KNIGHT]) | (attacks_king[sq] & p->type[KING]) |
	               (attacks_pawns(BIT(sq), !by) & p->type[PAWN]) |
	               (attacks_bishop(sq, occ, path) & (p->type[BISHOP] | p->type[QUEEN])) |
	               (attacks_rook(sq, occ, path) & (p->type[ROOK] | p->type[QUEEN]));

	return set & men;
}

/* Could !c take the man on sq, so that c's king is gone after the removals? */
GAMES_INLINE bool connected_taking_kills(const struct pos *p, struct connected_men m, unsigned king,
                                         unsigned sq, enum color c, unsigned options,
                                         enum attacks_path path)
{
	uint64_t by = connected_attackers(p, sq, !c, m.opp, m.own | m.opp, path);

	for (; by; by &= by - 1)
		if (connected_kills(m, king, bit_first(p->type[KING] & m.opp), bit_first(by), sq,
		                    options))
			return true;
	return false;
}

enum connected_verdict { KING_SAFE, KING_THREATENED, KING_UNSURE };

/* Is c's king on that square safe among the men that are left after c's move?
 * p is the position before, in which the other side's men stand as they still
 * do.  fragile is a pawn that may be taken in passing. */
GAMES_INLINE enum connected_verdict connected_judge(const struct pos *p, struct connected_men m,
                                                    unsigned king, enum color c, uint64_t fragile,
                                                    unsigned options, enum attacks_path path)
{
	uint64_t ring = attacks_king[king], friends = ring & m.own;

	if (connected_taking_kills(p, m, king, king, c, options, path))
		return KING_THREATENED;
	if (!(options & CONNECTED_FRIENDLY))
		/* Only the enemy's own neighbours can walk away. */
		return friends & ~fragile ? KING_SAFE : KING_UNSURE;
	if (friends & (friends - 1))
		return KING_SAFE;
	if (!friends || friends & fragile)
		return KING_UNSURE;
	return connected_taking_kills(p, m, king, bit_first(friends), c, options, path)
	               ? KING_THREATENED
	               : KING_SAFE;
}

/* Is c's move m, one of connected_list(), legal? */
GAMES_INLINE bool connected_is_legal(const struct pos *p, struct move m, enum color c,
                                     unsigned options, enum attacks_path path)
{
	unsigned king = (m.flags & MOVE_TYPE) == KING ? m.to
	                                              : bit_first(p->type[KING] & p->color[c]);
	struct connected_men stay = connected_staying(connected_moved(p, m, c), options);
	enum connected_verdict verdict;
	struct pos next;

	if (!(stay.own & BIT(king)))
		return false;
	if (m.flags & MOVE_CASTLE &&
	    (board_attacked(p, (m.from + m.to) / 2u, !c, p->color[WHITE] | p->color[BLACK],
	                    ~UINT64_C(0), path) ||
	     connected_in_check(p, options)))
		return false;
	verdict = connected_judge(p, stay, king, c, m.flags & MOVE_DOUBLE ? BIT(m.to) : 0, options,
	                          path);
	if (verdict != KING_UNSURE)
		return verdict == KING_SAFE;
	next = *p;
	connected_apply(&next, m, c, options, NULL);
	return !connected_wins_king(&next, options, NULL);
}

extern const struct rules_fast connected_fast[2];
