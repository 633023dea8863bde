#include "games/fast/allmate_fast.h"
#include "games/game.h"

/* The side to move may have lost its king: a finished game. */
static int check_position(const struct game *, struct pos *p, struct err *e)
{
	int rc = orthodox_check(p, ALLMATE_SWITCHES, 0, e);

	return rc ? rc : orthodox_check_kings_left(p, e);
}

static void apply(const struct game *g, struct pos *p, const struct move *m, struct effects *fx)
{
	if (fx)
		effects_clear(fx);
	allmate_apply(p, *m, p->to_move, g->options & ALLMATE_CASCADE_BOTH, fx, ATTACKS_PORTABLE);
}

static bool ended(const struct game *, const struct pos *p, struct outcome *out)
{
	*out = outcome_win(!p->to_move, "the king is mated and removed");
	return allmate_is_over(p, p->to_move);
}

/* An attacked king has nothing to answer here, so this game knows no check. */
static bool explain(const struct game *, const struct pos *, const struct move *m,
                    const char *typed, struct str *out)
{
	if (m->flags & MOVE_CAPTURE) {
		str_addf(out, "%s is occupied: in this game nothing is taken by moving onto it.",
		         SQUARE(m->to));
	} else {
		str_addf(out, "After %s your own king would stand mated.", typed);
	}
	return true;
}

static const struct rules_option options[] = {
	{ "-cascade-both", 0, "your own men that a round of removals mates go, too",
	  .pgn = "-Cascade-Both" },
	{ .word = NULL },
};

const struct rules rules_allmate = {
	RULES_NAMED("allmate", "Allmate",
	            "mate any man to remove it; nothing is taken by moving onto it"),
	.options = options,
	.flags = RULES_MARK_REMOVALS,
	.start = ORTHODOX_START,
	.pgn = "Allmate",
	.fast = allmate_fast,
	.check_position = check_position,
	.apply = apply,
	.ended = ended,
	.stalemate = "no legal move",
	.explain = explain,
};
