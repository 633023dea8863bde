/* Orthodox chess.  No draw by insufficient material. */
#include "games/fast/chess_fast.h"
#include "games/game.h"
#include "games/orthodox.h"
#include "games/outcome.h"

#define SWITCHES GEN_CASTLE

static int check_position(const struct game *, struct pos *p, struct err *e)
{
	return orthodox_check_chess(p, SWITCHES, e);
}

static void legal(const struct game *, const struct pos *p, struct moves *out)
{
	struct gen_list l;

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

	orthodox_list(p, SWITCHES, true, PROMOTE_QRBN, &l);
	*out = l.n ? outcome_running : outcome_no_move(p->to_move, game_in_check(g, p));
}

static const char *const aliases[] = { "schach",  "ajedrez", "échecs", "echecs",
	                               "scacchi", "schaken", "xadrez", NULL };

const struct rules rules_chess = {
	.name = "chess",
	.title = "Chess",
	.list_name = "Chess games",
	.aliases = aliases,
	.summary = "orthodox chess",
	.version = 1,
	.flags = RULES_CHECK,
	.start = ORTHODOX_START,
	.fast = chess_fast,
	.check_position = check_position,
	.legal = legal,
	.apply = apply,
	.outcome = outcome,
};
