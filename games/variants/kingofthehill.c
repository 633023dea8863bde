/* King of the hill: orthodox chess, and a king that reaches d4, e4, d5 or e5 wins. */
#include "games/fast/chess_fast.h"
#include "games/game.h"
#include "games/orthodox.h"
#include "games/outcome.h"

#define SWITCHES GEN_CASTLE

static int check_position(const struct game *, struct pos *p, struct err *e)
{
	int rc = orthodox_check_chess(p, SWITCHES, e);

	if (rc == 0 && hill_has_won(p, p->to_move))
		return err_set(e, ERR_BAD, "%s's king stands on the hill, but it is %s's move.",
		               p->to_move == WHITE ? "White" : "Black",
		               p->to_move == WHITE ? "White" : "Black");
	return rc;
}

static void legal(const struct game *, const struct pos *p, struct moves *out)
{
	struct gen_list l;

	out->n = 0;
	if (hill_has_won(p, !p->to_move))
		return;
	orthodox_list(p, SWITCHES, true, PROMOTE_QRBN, &l);
	orthodox_to_moves(&l, out);
}

static void apply(const struct game *, struct pos *p, const struct move *m, struct effects *fx)
{
	orthodox_apply(p, m, SWITCHES, fx);
}

static void outcome(const struct game *g, const struct pos *p, struct outcome *out)
{
	struct gen_list l;

	if (hill_has_won(p, !p->to_move)) {
		*out = outcome_win(!p->to_move, "the king is on the hill");
		out->mate = true;
		return;
	}
	orthodox_list(p, SWITCHES, true, PROMOTE_QRBN, &l);
	*out = l.n ? outcome_running : outcome_no_move(p->to_move, game_in_check(g, p));
}

static const char *const aliases[] = { "koth", "king-of-the-hill", "hill", NULL };

const struct rules rules_kingofthehill = {
	.name = "kingofthehill",
	.title = "King of the Hill",
	.list_name = "King of the Hill games",
	.aliases = aliases,
	.summary = "orthodox chess; a king that reaches the middle wins",
	.version = 1,
	.start = ORTHODOX_START,
	.pgn = "King of the Hill",
	.flags = RULES_CHECK,
	.fast = hill_fast,
	.check_position = check_position,
	.legal = legal,
	.apply = apply,
	.outcome = outcome,
};
