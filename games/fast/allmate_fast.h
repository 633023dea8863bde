/* Allmate: every man can be mated, and the enemy's mated men are removed after
 * each turn.  The functions that its rules and its perft share. */
#pragma once

#include "games/orthodox.h"

/* Bits of struct game .options. */
enum allmate_option { ALLMATE_CASCADE_BOTH = 1 << 0 };

#define ALLMATE_SWITCHES (GEN_CASTLE | GEN_CASTLE_FREE | GEN_NO_EP)

/* The squares that c's men attack, its own men's included. */
GAMES_INLINE uint64_t allmate_attacks(const struct pos *p, enum color c, enum attacks_path path)
{
	uint64_t occ = p->color[WHITE] | p->color[BLACK];
	uint64_t set = attacks_pawns(p->type[PAWN] & p->color[c], c);

	for (unsigned type = KNIGHT; type <= KING; type++)
		for (uint64_t men = p->type[type] & p->color[c]; men; men &= men - 1)
			set |= attacks_of(type, c, bit_first(men), occ, path);
	return set;
}

/* Single and double steps of these pawns of c. */
GAMES_INLINE uint64_t allmate_steps(uint64_t pawns, enum color c, uint64_t occ)
{
	uint64_t third = c == WHITE ? RANK_1 << 16 : RANK_1 << 40;
	uint64_t step = bits_forward(pawns, c) & ~occ;

	return step | (bits_forward(step & third, c) & ~occ);
}

/* Can c's man on sq go, or take something, where the enemy does not attack it
 * then?  A square the enemy attacks now (map) stays attacked; any other may be
 * seen along the line the man leaves. */
GAMES_INLINE bool allmate_flees(const struct pos *p, enum color c, unsigned type, unsigned sq,
                                uint64_t map, enum attacks_path path)
{
	uint64_t occ = p->color[WHITE] | p->color[BLACK];
	uint64_t to;

	if (type == PAWN)
		to = allmate_steps(BIT(sq), c, occ) | (attacks_pawns(BIT(sq), c) & p->color[!c]);
	else
		to = attacks_of(type, c, sq, occ, path) & ~p->color[c];
	for (to &= ~map; to; to &= to - 1)
		if (!board_attacked(p, bit_first(to), !c, occ & ~BIT(sq), ~UINT64_C(0), path))
			return true;
	return false;
}

/* Can another man of c end the attack on the one on sq?  Exactly as a check is
 * answered: a double attack never, else by taking the attacker or stepping
 * between, with any man that would not open a second line to sq. */
GAMES_INLINE bool allmate_rescued(const struct pos *p, enum color c, unsigned sq,
                                  enum attacks_path path)
{
	struct gen_view v = {
		.own = p->color[c],
		.opp = p->color[!c],
		.occ = p->color[c] | p->color[!c],
		.allowed = ~UINT64_C(0),
		.king = sq,
	};
	uint64_t helpers, between;

	gen_restrict(p, c, &v);
	if (!v.allowed)
		return false;
	helpers = v.own & ~v.pinned & ~BIT(sq);
	between = v.allowed & ~v.opp;
	if (board_attacked(p, bit_first(v.allowed & v.opp), c, v.occ, helpers, path) ||
	    allmate_steps(p->type[PAWN] & helpers, c, v.occ) & between)
		return true;
	for (helpers &= ~p->type[PAWN]; between; between &= between - 1)
		if (board_attacked(p, bit_first(between), c, v.occ, helpers, path))
			return true;
	return false;
}

/* The mated men of c: attacked, and no single orthodox move ends that.  Each is
 * judged alone; pins and the king's safety don't count. */
GAMES_INLINE uint64_t allmate_mated(const struct pos *p, enum color c, enum attacks_path path)
{
	uint64_t map = allmate_attacks(p, !c, path), set = 0;

	for (unsigned type = PAWN; type <= KING; type++)
		for (uint64_t men = p->type[type] & p->color[c] & map; men; men &= men - 1) {
			unsigned sq = bit_first(men);

			if (!allmate_flees(p, c, type, sq, map, path) &&
			    !allmate_rescued(p, c, sq, path))
				set |= BIT(sq);
		}
	return set;
}

/* Takes men off; tells of them in fx unless that is NULL. */
GAMES_INLINE void allmate_take_off(struct pos *p, uint64_t men, struct effects *fx)
{
	for (uint64_t left = fx ? men : 0; left; left &= left - 1)
		fx->removed[fx->removed_count++] = board_man(p, bit_first(left));
	p->color[WHITE] &= ~men;
	p->color[BLACK] &= ~men;
	for (unsigned type = PAWN; type <= KING; type++)
		p->type[type] &= ~men;
}

/* After c's move, round by round: the other side's mated men are removed, with
 * both also those men of c's that the round has mated, its king excepted. */
GAMES_INLINE void allmate_cascade(struct pos *p, enum color c, bool both, struct effects *fx,
                                  enum attacks_path path)
{
	uint64_t removed = 0, gone;

	while ((gone = allmate_mated(p, !c, path))) {
		uint64_t before = both ? allmate_mated(p, c, path) : 0;

		allmate_take_off(p, gone, fx);
		removed |= gone;
		if (both) {
			gone = allmate_mated(p, c, path) & ~before & ~p->type[KING];
			allmate_take_off(p, gone, fx);
			removed |= gone;
		}
	}
	if (removed) {
		p->halfmove = 0;
		p->castling &= (uint8_t)~gen_rights_lost(removed, ALLMATE_SWITCHES);
	}
}

/* Makes c's move m and its removals. */
GAMES_INLINE void allmate_apply(struct pos *p, struct move m, enum color c, bool both,
                                struct effects *fx, enum attacks_path path)
{
	gen_apply(p, m, c, ALLMATE_SWITCHES, NULL);
	allmate_cascade(p, c, both, fx, path);
}

/* A side without its king has lost. */
GAMES_INLINE bool allmate_is_over(const struct pos *p, enum color c)
{
	return !(p->type[KING] & p->color[c]);
}

extern const struct rules_fast allmate_fast[2];
