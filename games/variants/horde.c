/* Horde: White has thirty-six pawns and no king, Black the men of chess.  White wins by checkmate,
 * Black by taking everything. */
#include "games/fast/horde_fast.h"
#include "games/game.h"

static int check_position(const struct game *, struct pos *p, struct err *e)
{
	uint64_t king = p->type[KING] & p->color[BLACK];
	int rc = orthodox_check(p, HORDE_SWITCHES, RANK_1 & p->color[WHITE], e);

	if (rc)
		return rc;
	if (p->type[KING] & p->color[WHITE])
		return err_set(e, ERR_BAD, "White has no king in this game.");
	if (!king || king & (king - 1))
		return err_set(e, ERR_BAD, "%s must have exactly one king.", "Black");
	return orthodox_check_quiet(p, e);
}

static void apply(const struct game *, struct pos *p, const struct move *m, struct effects *fx)
{
	orthodox_apply(p, m, HORDE_SWITCHES, fx);
}

static bool ended(const struct game *, const struct pos *p, struct outcome *out)
{
	*out = outcome_win(BLACK, "the horde is gone");
	out->mate = true;
	return !p->color[WHITE];
}

const struct rules rules_horde = {
	RULES_NAMED("horde", "Horde", "White has thirty-six pawns and no king"),
	.start = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
	.pgn = "Horde",
	.flags = RULES_CHECK,
	.fast = horde_fast,
	.check_position = check_position,
	.apply = apply,
	.ended = ended,
};
