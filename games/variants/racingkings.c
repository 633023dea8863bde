/* Racing kings: the king that is first on the last rank wins, and nobody may give check.  White
 * has the first move; so if White's king arrives, Black's may arrive by its next move, too. */
#include "games/fast/racing_fast.h"
#include "games/game.h"

static int check_position(const struct game *, struct pos *p, struct err *e)
{
	int rc = orthodox_check(p, 0, 0, e);

	if (rc || (rc = orthodox_check_kings(p, e)))
		return rc;
	if (p->type[PAWN])
		return err_set(e, ERR_BAD, "Racing Kings is played without pawns.");
	if (board_king_attacked(p, WHITE) || board_king_attacked(p, BLACK))
		return err_set(e, ERR_BAD, "A king stands in check: in this game nobody may.");
	if (racing_has_arrived(p, BLACK) && p->to_move == BLACK)
		return err_set(e, ERR_BAD,
		               "Black's king stands on the last rank, but it is Black's move.");
	return 0;
}

static void apply(const struct game *, struct pos *p, const struct move *m, struct effects *fx)
{
	orthodox_apply(p, m, 0, fx);
}

static bool ended(const struct game *, const struct pos *p, struct outcome *out)
{
	enum result result = racing_result(p, p->to_move, ATTACKS_PORTABLE);

	*out = outcome_draw("both kings are on the last rank");
	if (result != RESULT_DRAW)
		*out = (struct outcome){ result, "the king is on the last rank", true };
	return result != RESULT_RUNNING;
}

static bool explain(const struct game *, const struct pos *p, const struct move *m,
                    const char *typed, struct str *out)
{
	struct pos next = *p;

	if (racing_try(&next, *m, p->to_move, ATTACKS_PORTABLE))
		return false;
	str_addf(out, "%s would give check, and in this game nobody may.", typed);
	return true;
}

static const char *const aliases[] = { "racing", "race", "racing-kings", NULL };

const struct rules rules_racingkings = {
	RULES_NAMED("racingkings", "Racing Kings",
	            "the first king on the last rank wins; nobody may give check"),
	.aliases = aliases,
	.start = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
	.pgn = "Racing Kings",
	.flags = RULES_CHECK,
	.fast = racing_fast,
	.check_position = check_position,
	.apply = apply,
	.ended = ended,
	.explain = explain,
};
