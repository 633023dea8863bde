/* Horde: White has thirty-six pawns and no king, Black the men of chess.  White wins by checkmate,
 * Black by taking everything. */
#include "games/game.h"
#include "games/orthodox.h"
#include "games/outcome.h"

#define SWITCHES GEN_CASTLE

static int check_position(const struct game *g, struct pos *p, struct err *e)
{
	uint64_t king = p->type[KING] & p->color[BLACK];
	int rc = orthodox_check(p, SWITCHES, RANK_1 & p->color[WHITE], e);

	(void)g;
	if (rc)
		return rc;
	if (p->type[KING] & p->color[WHITE])
		return err_set(e, ERR_BAD, "White has no king in this game.");
	if (!king || king & (king - 1))
		return err_set(e, ERR_BAD, "%s must have exactly one king.", "Black");
	return orthodox_check_quiet(p, e);
}

/* A white pawn on the first rank may go two squares, too; nobody takes it in passing. */
static void add_double_steps(const struct pos *p, struct moves *out)
{
	uint64_t occupied = p->color[WHITE] | p->color[BLACK];
	uint64_t step = (p->type[PAWN] & p->color[WHITE] & RANK_1) << 8 & ~occupied;

	for (uint64_t to = step << 8 & ~occupied; to; to &= to - 1)
		out->v[out->n++] = (struct move){ .from = (uint8_t)(bit_first(to) - 16),
			                          .to = (uint8_t)bit_first(to),
			                          .promo = NO_PIECE,
			                          .flags = PAWN };
}

static void legal(const struct game *g, const struct pos *p, struct moves *out)
{
	struct gen_list l;

	(void)g;
	orthodox_list(p, SWITCHES, p->to_move == BLACK, PROMOTE_QRBN, &l);
	orthodox_to_moves(&l, out);
	if (p->to_move == WHITE)
		add_double_steps(p, out);
	else if (!p->color[WHITE])
		out->n = 0;
}

static void apply(const struct game *g, struct pos *p, const struct move *m, struct effects *fx)
{
	(void)g;
	orthodox_apply(p, m, SWITCHES, fx);
}

static void outcome(const struct game *g, const struct pos *p, struct outcome *out)
{
	struct moves moves;

	if (!p->color[WHITE]) {
		*out = outcome_win(BLACK, "the horde is gone");
		out->mate = true;
		return;
	}
	legal(g, p, &moves);
	*out = moves.n ? outcome_running : outcome_no_move(p->to_move, game_in_check(g, p));
}

const struct rules rules_horde = {
	.name = "horde",
	.title = "Horde",
	.list_name = "Horde games",
	.summary = "White has thirty-six pawns and no king",
	.version = 1,
	.start = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
	.pgn = "Horde",
	.flags = RULES_CHECK,
	.check_position = check_position,
	.legal = legal,
	.apply = apply,
	.outcome = outcome,
};
