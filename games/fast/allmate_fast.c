#include "games/fast/allmate_fast.h"

#include "games/fast/fast.h"

/* At the last ply most moves are known to be legal without removing anything.
 * Removing enemy men can only open lines.  So look at the board as if enemy men
 * were transparent.  If the king, or a square it can go to, is not attacked then,
 * the king is not mated. */

/* Is c's king attacked if all enemy men were transparent? */
GAMES_INLINE bool seen_through(const struct pos *p, enum color c, unsigned king, uint64_t own,
                               enum attacks_path path)
{
	return board_attacked(p, king, !c, own, ~UINT64_C(0), path);
}

/* The own men whose moves must be tried: the king and those that alone stand
 * between it and a far enemy; all, when it is attacked already. */
GAMES_INLINE uint64_t suspects(const struct pos *p, enum color c, enum attacks_path path)
{
	uint64_t own = p->color[c], opp = p->color[!c], set;
	unsigned king = bit_first(p->type[KING] & own);

	if (seen_through(p, c, king, own, path))
		return own;
	set = BIT(king);
	for (enum attacks_line i = 0; i < LINES; i++) {
		uint64_t line = attacks_lines[king][i];
		uint64_t far = i < LINE_DIAGONAL ? p->type[ROOK] : p->type[BISHOP];

		for (far = (far | p->type[QUEEN]) & opp & line; far; far &= far - 1) {
			uint64_t between = gen_between(line, king, bit_first(far)) & own;

			if (!(between & (between - 1)))
				set |= between;
		}
	}
	return set;
}

/* The consumer of the last ply: counts the moves of innocent men, lists others'. */
struct leaf {
	struct gen_list list;
	uint64_t suspects;
	enum attacks_path path;
	uint64_t count;
};

GAMES_INLINE void leaf_set(void *ctx, struct gen_set set)
{
	struct leaf *f = ctx;
	struct gen_set tried = set;

	if (set.flags & MOVE_CAPTURE)
		return;
	set.to &= ~f->list.opp;
	if (set.from != NO_SQUARE)
		tried.to = f->suspects & BIT(set.from) ? set.to : 0;
	else
		tried.to = set.to &
		           (set.delta > 0 ? f->suspects << set.delta : f->suspects >> -set.delta);
	set.to &= ~tried.to;
	f->count += bit_count(set.to, f->path);
	if ((set.flags & MOVE_TYPE) == PAWN && set.to & (RANK_1 | RANK_8))
		f->count += 3 * bit_count(set.to & (RANK_1 | RANK_8), f->path);
	if (tried.to)
		gen_list_set(&f->list, tried);
}

/* Has c's king a square to go to that is not attacked through enemy men? */
GAMES_INLINE bool can_flee(const struct pos *p, enum color c, unsigned king, uint64_t own,
                           enum attacks_path path)
{
	uint64_t to = attacks_king[king] & ~own;

	for (own &= ~BIT(king); to; to &= to - 1)
		if (!seen_through(p, c, bit_first(to), own, path))
			return true;
	return false;
}

/* Is c's listed move m legal? */
GAMES_INLINE bool try_move(const struct game *g, const struct pos *p, struct move m, enum color c,
                           enum attacks_path path, struct fast_calls call)
{
	uint64_t own = (p->color[c] & ~BIT(m.from)) | BIT(m.to);
	unsigned king = bit_first(p->type[KING] & p->color[c]);
	struct pos next = *p;

	if (king == m.from)
		king = m.to;
	if (!(g->options & ALLMATE_CASCADE_BOTH) && !(m.flags & MOVE_CASTLE) &&
	    (!seen_through(p, c, king, own, path) || can_flee(p, c, king, own, path)))
		return true;
	return call.apply(g, &next, &m);
}

GAMES_INLINE uint64_t count_leaf(const struct game *g, const struct pos *p, enum color c,
                                 enum attacks_path path, struct fast_calls call)
{
	struct leaf f;

	f.suspects = g->options & ALLMATE_CASCADE_BOTH ? p->color[c] : suspects(p, c, path);
	f.path = path;
	f.count = 0;
	gen_list_open(&f.list, p, c, PROMOTE_QRBN);
	gen_moves(p, c, ALLMATE_SWITCHES, false, path, leaf_set, &f);
	gen_list_close(&f.list, 0);
	for (unsigned i = 0; i < f.list.n; i++)
		f.count += try_move(g, p, f.list.v[f.list.first + i], c, path, call);
	return f.count;
}

/* The consumer that lists the moves onto empty squares. */
GAMES_INLINE void list_set(void *ctx, struct gen_set set)
{
	struct gen_list *l = ctx;

	if (set.flags & MOVE_CAPTURE)
		return;
	set.to &= ~l->opp;
	gen_list_set(l, set);
}

/* Everything c's men can do in shape: legal unless the own king ends mated. */
GAMES_INLINE void allmate_fast_list(const struct game *, const struct pos *p, enum color c,
                                    enum attacks_path path, struct gen_list *l)
{
	gen_list_open(l, p, c, PROMOTE_QRBN);
	gen_moves(p, c, ALLMATE_SWITCHES, false, path, list_set, l);
	gen_list_close(l, 0);
}

/* Men are removed by mating them. */
GAMES_INLINE void allmate_fast_captures(const struct game *, const struct pos *, enum color,
                                        enum attacks_path, struct gen_list *l)
{
	l->first = l->n = l->captures = 0;
}

GAMES_INLINE bool allmate_fast_apply(const struct game *g, struct pos *p, struct move m,
                                     enum color c, enum attacks_path path)
{
	allmate_apply(p, m, c, g->options & ALLMATE_CASCADE_BOTH, NULL, path);
	unsigned king = bit_first(p->type[KING] & p->color[c]);

	/* The own king may not be mated then. */
	return !board_attacked(p, king, !c, p->color[WHITE] | p->color[BLACK], ~UINT64_C(0),
	                       path) ||
	       allmate_flees(p, c, KING, king, allmate_attacks(p, !c, path), path) ||
	       allmate_rescued(p, c, king, path);
}

FAST_LEAF(allmate_fast, allmate_is_over(p, c))

#define allmate_fast_in_check fast_unchecked

GAMES_INLINE uint64_t allmate_fast_node(const struct game *g, const struct pos *p, int depth,
                                        enum color c, enum attacks_path path,
                                        struct fast_calls call)
{
	struct gen_list l;
	uint64_t sum = 0;

	if (allmate_is_over(p, c))
		return 0;
	if (depth == 1)
		return count_leaf(g, p, c, path, call);
	call.list(g, p, &l);
	for (unsigned i = 0; i < l.n; i++) {
		struct pos child = *p;

		if (call.apply(g, &child, &l.v[l.first + i]))
			sum += call.next(g, &child, depth - 1);
	}
	return sum;
}

FAST_RULES_CAPTURES(allmate_fast);
