/* Atomic chess: a capture explodes.  The capturing man, the captured man and all
 * men but pawns on the squares around leave the board; a side that loses its
 * king by that has lost. */
#include "games/game.h"
#include "games/orthodox.h"
#include "games/outcome.h"

#define SWITCHES GEN_CASTLE
/* Castling is listed by right and empty path, and judged by is_legal(). */
#define SHAPES (GEN_CASTLE | GEN_CASTLE_FREE)

static uint64_t king_of(const struct pos *p, enum color c)
{
	return p->type[KING] & p->color[c];
}

/* Would a king of c on sq stand in check?  Kings take nothing and so attack
 * nothing.  Beside the enemy king nothing can take it: its king would explode,
 * too. */
static bool is_threatened(const struct pos *p, enum color c, unsigned sq)
{
	if (attacks_king[sq] & king_of(p, !c))
		return false;
	return board_attacked(p, sq, !c, p->color[WHITE] | p->color[BLACK], ~p->type[KING],
	                      ATTACKS_PORTABLE);
}

static bool king_in_check(const struct pos *p, enum color c)
{
	return king_of(p, c) && is_threatened(p, c, bit_first(king_of(p, c)));
}

static bool in_check(const struct game *g, const struct pos *p)
{
	(void)g;
	return king_in_check(p, p->to_move);
}

/* The side to move may have lost its king: a finished game. */
static int check_position(const struct game *g, struct pos *p, struct err *e)
{
	int rc;

	(void)g;
	if ((rc = orthodox_check(p, SWITCHES, 0, e)) || (rc = orthodox_check_kings_left(p, e)))
		return rc;
	if (king_of(p, p->to_move) && king_in_check(p, !p->to_move))
		return orthodox_refuse_check(p, e);
	return 0;
}

/* The men that a capture on this square takes with it. */
static uint64_t blast(const struct pos *p, unsigned sq)
{
	uint64_t men = p->color[WHITE] | p->color[BLACK];

	return (BIT(sq) | (attacks_king[sq] & ~p->type[PAWN])) & men;
}

static void apply(const struct game *g, struct pos *p, const struct move *m, struct effects *fx)
{
	uint64_t gone;

	(void)g;
	orthodox_apply(p, m, SWITCHES, fx);
	if (!(m->flags & MOVE_CAPTURE))
		return;
	gone = blast(p, m->to);
	orthodox_remove(p, gone, fx);
	p->castling &= (uint8_t)~gen_rights_lost(gone, SWITCHES);
}

/* The king stands, passes and arrives unattacked. */
static bool may_castle(const struct pos *p, const struct move *m)
{
	const struct castle *k = gen_castle(p->to_move, SWITCHES, m->to < m->from);

	for (uint64_t left = k->safe; left; left &= left - 1)
		if (is_threatened(p, p->to_move, bit_first(left)))
			return false;
	return true;
}

static bool is_legal(const struct game *g, const struct pos *p, const struct move *m)
{
	enum color c = p->to_move;
	struct pos next = *p;

	if (m->flags & MOVE_CASTLE && !may_castle(p, m))
		return false;
	apply(g, &next, m, NULL);
	if (!king_of(&next, c))
		return false;
	return !king_of(&next, !c) || !king_in_check(&next, c);
}

static void legal(const struct game *g, const struct pos *p, struct moves *out)
{
	struct gen_list l;

	out->n = 0;
	if (!king_of(p, p->to_move))
		return;
	orthodox_list(p, SHAPES, false, PROMOTE_QRBN, &l);
	for (unsigned i = 0; i < l.n; i++)
		if (is_legal(g, p, &l.v[l.first + i]))
			out->v[out->n++] = l.v[l.first + i];
}

static void outcome(const struct game *g, const struct pos *p, struct outcome *out)
{
	struct moves moves;

	if (!king_of(p, p->to_move)) {
		*out = outcome_win(!p->to_move, "the king has exploded");
		out->mate = true;
		return;
	}
	legal(g, p, &moves);
	*out = moves.n ? outcome_running : outcome_no_move(p->to_move, in_check(g, p));
}

static bool explain(const struct game *g, const struct pos *p, const struct move *m,
                    const char *typed, struct str *out)
{
	struct pos next = *p;

	apply(g, &next, m, NULL);
	if (king_of(&next, p->to_move))
		return false;
	if ((m->flags & MOVE_TYPE) == KING)
		str_add(out, "A king takes nothing in this game: it would explode, too.");
	else
		str_addf(out, "%s would explode your own king.", typed);
	return true;
}

static void describe(const struct game *g, const struct pos *before, const struct move *m,
                     bool reader_is_mover, struct str *out)
{
	struct pos next = *before;
	struct effects fx;

	(void)reader_is_mover;
	apply(g, &next, m, &fx);
	game_describe_move(m, &fx, out);
	if (fx.removed_count)
		str_add(out, " and explodes");
	game_describe_removed(&fx, out);
}

const struct rules rules_atomic = {
	.name = "atomic",
	.title = "Atomic",
	.list_name = "Atomic games",
	.summary = "a capture explodes; explode the enemy king",
	.version = 1,
	.start = ORTHODOX_START,
	.pgn = "Atomic",
	.flags = RULES_CHECK,
	.check_position = check_position,
	.legal = legal,
	.apply = apply,
	.outcome = outcome,
	.in_check = in_check,
	.explain = explain,
	.describe = describe,
};
