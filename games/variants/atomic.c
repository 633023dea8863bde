/* Atomic chess: a capture explodes.  The capturing man, the captured man and all
 * men but pawns on the squares around leave the board; a side that loses its
 * king by that has lost. */
#include "games/fast/atomic_fast.h"
#include "games/game.h"

static bool in_check(const struct game *, const struct pos *p)
{
	return atomic_king_in_check(p, p->to_move, ATTACKS_PORTABLE);
}

/* The side to move may have lost its king: a finished game. */
static int check_position(const struct game *, struct pos *p, struct err *e)
{
	int rc;

	if ((rc = orthodox_check(p, ATOMIC_SWITCHES, 0, e)) ||
	    (rc = orthodox_check_kings_left(p, e)))
		return rc;
	if (atomic_king(p, p->to_move) && atomic_king_in_check(p, !p->to_move, ATTACKS_PORTABLE))
		return orthodox_refuse_check(p, e);
	return 0;
}

static void apply(const struct game *, struct pos *p, const struct move *m, struct effects *fx)
{
	if (fx)
		effects_clear(fx);
	atomic_make(p, *m, p->to_move, fx);
}

static bool ended(const struct game *, const struct pos *p, struct outcome *out)
{
	*out = outcome_win(!p->to_move, "the king has exploded");
	out->mate = true;
	return !atomic_king(p, p->to_move);
}

static bool explain(const struct game *g, const struct pos *p, const struct move *m,
                    const char *typed, struct str *out)
{
	struct pos next = *p;

	apply(g, &next, m, NULL);
	if (atomic_king(&next, p->to_move))
		return false;
	if ((m->flags & MOVE_TYPE) == KING)
		str_add(out, "A king takes nothing in this game: it would explode, too.");
	else
		str_addf(out, "%s would explode your own king.", typed);
	return true;
}

static void describe(const struct game *g, const struct pos *before, const struct move *m, bool,
                     struct str *out)
{
	struct pos next = *before;
	struct effects fx;

	apply(g, &next, m, &fx);
	game_describe_move(g, before, m, &fx, out);
	if (fx.removed_count)
		str_add(out, " and explodes");
	game_describe_removed(&fx, out);
}

static const char *const aliases[] = { "atómico", "atomico", "atomschach", NULL };

const struct rules rules_atomic = {
	RULES_NAMED("atomic", "Atomic", "a capture explodes; explode the enemy king"),
	.aliases = aliases,
	.start = ORTHODOX_START,
	.pgn = "Atomic",
	.flags = RULES_CHECK,
	.fast = atomic_fast,
	.check_position = check_position,
	.apply = apply,
	.ended = ended,
	.in_check = in_check,
	.explain = explain,
	.describe = describe,
};
