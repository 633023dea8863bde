#include "games/fast/atomic_fast.h"

#include "games/fast/fast.h"

/* Everything c's men can do in shape; castling is listed by right and empty path. */
GAMES_INLINE void atomic_fast_list(const struct game *, const struct pos *p, enum color c,
                                   enum attacks_path path, struct gen_list *l)
{
	gen_list_moves(p, c, ATOMIC_SWITCHES | GEN_CASTLE_FREE, false, PROMOTE_QRBN, path, l);
}

/* The king stands, passes and arrives unattacked. */
GAMES_INLINE bool atomic_may_castle(const struct pos *p, struct move m, enum color c,
                                    enum attacks_path path)
{
	const struct castle *k = gen_castle(c, ATOMIC_SWITCHES, m.flags & MOVE_LONG);

	for (uint64_t left = k->safe; left; left &= left - 1)
		if (atomic_threatened(p, c, bit_first(left), path))
			return false;
	return true;
}

GAMES_INLINE bool atomic_fast_apply(const struct game *, struct pos *p, struct move m, enum color c,
                                    enum attacks_path path)
{
	if (m.flags & MOVE_CASTLE && !atomic_may_castle(p, m, c, path))
		return false;
	atomic_make(p, m, c, NULL);
	if (!atomic_king(p, c))
		return false;
	return !atomic_king(p, !c) || !atomic_king_in_check(p, c, path);
}

FAST_LEAF(atomic_fast, !atomic_king(p, c))

GAMES_INLINE bool atomic_fast_in_check(const struct game *, const struct pos *p, enum color c,
                                       enum attacks_path path)
{
	return atomic_king_in_check(p, c, path);
}

FAST_NODE(atomic_fast)
FAST_RULES(atomic_fast);
