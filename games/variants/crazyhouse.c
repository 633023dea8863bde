/* Crazyhouse: orthodox chess, and a captured man may be put on the board again by its captor. */
#include "games/fast/crazyhouse_fast.h"
#include "games/game.h"

/* A rook that may castle was no pawn; and castling does not move the mark of one. */
static uint64_t never_promoted(const struct pos *p)
{
	uint64_t set = p->type[PAWN] | p->type[KING] | ~(p->color[WHITE] | p->color[BLACK]);

	for (unsigned i = 0; i < 4; i++) {
		const struct castle *k = gen_castle(i / 2 ? BLACK : WHITE, 0, i % 2);

		set |= p->castling & k->right ? BIT(k->rook_from) : 0;
	}
	return set;
}

static int check_position(const struct game *, struct pos *p, struct err *e)
{
	if (pocket_promoted(p) & never_promoted(p))
		return err_set(e, ERR_BAD,
		               "In the FEN, ~ follows a knight, bishop, rook or queen that was a "
		               "pawn.");
	return orthodox_check_chess(p, GEN_CASTLE, e);
}

static void apply(const struct game *, struct pos *p, const struct move *m, struct effects *fx)
{
	if (fx)
		effects_clear(fx);
	crazyhouse_make(p, *m, p->to_move, fx ? &fx->captured : NULL);
}

static void remark(const struct game *g, const struct pos *p, struct str *out)
{
	if (!pocket_is_empty(g, p, p->to_move))
		str_add(out, "You can put a man of your pocket on an empty square: N@f3 puts a "
		             "knight on f3.");
}

static const char *const aliases[] = { "zh", "house", "crazy-house", NULL };

const struct rules rules_crazyhouse = {
	RULES_NAMED("crazyhouse", "Crazyhouse",
	            "orthodox chess; captured men come back on their captor's side"),
	.aliases = aliases,
	.flags = RULES_CHECK | RULES_DROPS,
	.start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
	.pgn = "Crazyhouse",
	.fast = crazyhouse_fast,
	.check_position = check_position,
	.apply = apply,
	.remark = remark,
};
