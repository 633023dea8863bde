#include "games/fast/connected_fast.h"
#include "games/game.h"
#include "games/notation/notation_san.h"

static struct board_size board(const struct game *g)
{
	return connected_board(g->options)->size;
}

static int check_position(const struct game *g, struct pos *p, struct err *e)
{
	int rc;

	if ((rc = orthodox_check(p, connected_board(g->options)->switches, 0, e)) ||
	    (rc = orthodox_check_kings(p, e)))
		return rc;
	if (!connected_wins_king(p, g->options, NULL))
		return 0;
	return orthodox_refuse_check(p, e);
}

static void apply(const struct game *g, struct pos *p, const struct move *m, struct effects *fx)
{
	if (fx)
		effects_clear(fx);
	connected_apply(p, *m, p->to_move, g->options, fx);
}

static bool in_check(const struct game *g, const struct pos *p)
{
	return connected_in_check(p, g->options);
}

static bool ended(const struct game *, const struct pos *p, struct outcome *out)
{
	*out = outcome_draw("two bare kings");
	return connected_is_diad(p);
}

/* Names the enemy's answer that would cost the king, for a turn that by itself
 * neither exposes nor isolates the king. */
static void explain_threat(const struct game *g, const struct pos *p, const struct move *m,
                           const char *typed, struct str *text)
{
	struct pos next = *p;
	struct move threat = move_none;
	unsigned king;

	if (in_check(g, p))
		str_addf(text, "You are in check, and %s does not answer it: ", typed);
	else
		str_addf(text, "%s would leave your king in check: ", typed);
	connected_apply(&next, *m, p->to_move, g->options, NULL);
	king = bit_first(next.type[KING] & next.color[p->to_move]);
	connected_wins_king(&next, g->options, &threat);
	if (threat.flags & MOVE_CASTLE)
		str_add(text, threat.flags & MOVE_LONG ? "O-O-O" : "O-O");
	else
		notation_write_long(&threat, text);
	str_add(text,
	        threat.to == king ? " could take it." : " could leave it without a neighbour.");
}

static bool explain(const struct game *g, const struct pos *p, const struct move *m,
                    const char *typed, struct str *text)
{
	enum color c = p->to_move;
	struct connected_men stay = connected_staying(connected_moved(p, *m, c), g->options);
	uint64_t king = (m->flags & MOVE_TYPE) == KING ? BIT(m->to) : p->type[KING] & p->color[c];

	if (m->flags & MOVE_CASTLE && in_check(g, p)) {
		str_add(text, "You cannot castle: your king is in check.");
	} else if (!(stay.own & king)) {
		str_addf(text, "After %s your own king would have no %sneighbour and be removed.",
		         typed, g->options & CONNECTED_FRIENDLY ? "friendly " : "");
	} else if (m->flags & MOVE_CASTLE &&
	           board_attacked(p, (m->from + m->to) / 2u, !c, p->color[WHITE] | p->color[BLACK],
	                          ~UINT64_C(0), ATTACKS_PORTABLE)) {
		str_add(text, "You cannot castle: the king would pass an attacked square.");
	} else {
		explain_threat(g, p, m, typed, text);
	}
	return true;
}

static const struct rules_option options[] = {
	{ "-friendly", 0, "a man's neighbour must be of its own colour", .pgn = "-Friendly" },
	{ "-half", 0, "the half board", .start = "rkqr/nbbn/4/4/4/4/NBBN/RKQR w - - 0 1",
	  .pgn = "-Half" },
	{ .word = NULL },
};
static const char *const aliases[] = { "connected", NULL };

const struct rules rules_connected = {
	.name = "connectedchess",
	.title = "Connected",
	.list_name = "Connected Chess games",
	.aliases = aliases,
	.options = options,
	.summary = "after each turn all men without a neighbour are removed",
	.version = 1,
	.flags = RULES_CHECK,
	.start = ORTHODOX_START,
	.pgn = "Connected",
	.fast = connected_fast,
	.board = board,
	.check_position = check_position,
	.apply = apply,
	.ended = ended,
	.in_check = in_check,
	.explain = explain,
};
