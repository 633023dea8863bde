#include "games/connected.h"

#include <string.h>

#include "games/families.h"
#include "games/notation.h"

const struct connected_board connected_boards[2] = {
	{ .size = { 8, 8 },
	  .beyond = 0,
	  .switches = GEN_CASTLE | GEN_CASTLE_FREE,
	  .start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" },
	{ .size = { 4, 8 },
	  .beyond = UINT64_C(0xf0f0f0f0f0f0f0f0),
	  .switches = 0,
	  .start = "rkqr/nbbn/4/4/4/4/NBBN/RKQR w - - 0 1" },
};

static struct board_size board(const struct game *g)
{
	return connected_board(g->options)->size;
}

static const char *pgn_variant(const struct game *g)
{
	static const char *const names[] = {
		"Connected",
		"Connected-Friendly",
		"Connected-Half",
		"Connected-Friendly-Half",
	};

	return names[g->options];
}

static const char *start_fen(const struct game *g)
{
	return connected_board(g->options)->start;
}

static void list(const struct pos *p, unsigned options, struct gen_list *l)
{
	connected_list(p, p->to_move, options, ATTACKS_PORTABLE, l);
}

bool connected_wins_king(const struct pos *p, unsigned options, struct move *threat)
{
	enum color c = p->to_move;
	uint64_t kings = p->type[KING];
	struct gen_list l;

	list(p, options, &l);
	for (unsigned i = 0; i < l.n; i++) {
		struct move m = l.v[l.first + i];
		struct connected_men stay = connected_staying(connected_moved(p, m, c), options);
		uint64_t king = (m.flags & MOVE_TYPE) == KING ? BIT(m.to) : kings & p->color[c];

		if (stay.own & king && !(stay.opp & kings & p->color[!c])) {
			if (threat)
				*threat = m;
			return true;
		}
	}
	return false;
}

/* The same position with the other side to move. */
static struct pos handed_over(const struct pos *p)
{
	struct pos q = *p;

	q.to_move = !q.to_move;
	q.ep = NO_SQUARE;
	return q;
}

bool connected_in_check(const struct pos *p, unsigned options)
{
	enum color c = p->to_move;
	struct connected_men men = { p->color[c], p->color[!c] };
	enum connected_verdict verdict = connected_judge(p, men, bit_first(p->type[KING] & men.own),
	                                                 c, 0, options, ATTACKS_PORTABLE);
	struct pos q;

	if (verdict != KING_UNSURE)
		return verdict == KING_THREATENED;
	q = handed_over(p);
	return connected_wins_king(&q, options, NULL);
}

static int check_position(const struct game *g, struct pos *p, struct err *e)
{
	int rc;

	if ((rc = orthodox_check(p, connected_board(g->options)->switches, 0, e)) ||
	    (rc = orthodox_check_kings(p, e)))
		return rc;
	if (!connected_wins_king(p, g->options, NULL))
		return 0;
	return err_set(e, ERR_BAD, "%s stands in check, but it is %s's move.",
	               p->to_move == WHITE ? "Black" : "White",
	               p->to_move == WHITE ? "White" : "Black");
}

static bool is_legal(const struct game *g, const struct pos *p, const struct move *m)
{
	return connected_is_legal(p, *m, p->to_move, g->options, ATTACKS_PORTABLE);
}

static void legal(const struct game *g, const struct pos *p, struct moves *out)
{
	struct gen_list l;

	out->n = 0;
	if (connected_is_diad(p))
		return;
	list(p, g->options, &l);
	for (unsigned i = 0; i < l.n; i++)
		if (is_legal(g, p, &l.v[l.first + i]))
			out->v[out->n++] = l.v[l.first + i];
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

static bool can_move(const struct game *g, const struct pos *p)
{
	struct gen_list l;

	list(p, g->options, &l);
	for (unsigned i = 0; i < l.n; i++)
		if (is_legal(g, p, &l.v[l.first + i]))
			return true;
	return false;
}

static void outcome(const struct game *g, const struct pos *p, struct outcome *out)
{
	*out = (struct outcome){ RESULT_RUNNING, NULL };
	if (connected_is_diad(p))
		*out = (struct outcome){ RESULT_DRAW, "diad: two bare kings" };
	else if (can_move(g, p))
		return;
	else if (in_check(g, p))
		*out = (struct outcome){ p->to_move == WHITE ? RESULT_BLACK : RESULT_WHITE,
			                 "checkmate" };
	else
		*out = (struct outcome){ RESULT_DRAW, "stalemate" };
}

/* The king is neither taken nor left alone by the turn itself: by what then? */
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
		str_add(text, threat.to > threat.from ? "O-O" : "O-O-O");
	else
		san_write_long(&threat, text);
	str_add(text,
	        threat.to == king ? " could take it." : " could leave it without a neighbour.");
}

static void explain_move(const struct game *g, const struct pos *p, const struct move *m,
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
}

static bool explain(const struct game *g, const struct pos *p, const char *typed, struct str *text)
{
	struct typed_turn t;
	struct gen_list l;

	if (!notation_parse(typed, strlen(typed), &t))
		return false;
	list(p, g->options, &l);
	for (unsigned i = 0; i < l.n * t.part[0].typed.n; i++) {
		const struct move *m = &l.v[l.first + i % l.n];

		if (!reading_matches(&t.part[0].typed.r[i / l.n], m, &(bool){ false }))
			continue;
		explain_move(g, p, m, typed, text);
		return true;
	}
	return false;
}

static const struct rules_option options[] = {
	{ "-friendly", 0, "a man's neighbour must be of its own colour" },
	{ "-half", 0, "the board of four files, without pawns" },
	{ NULL, 0, NULL },
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
	.board = board,
	.pgn_variant = pgn_variant,
	.start_fen = start_fen,
	.check_position = check_position,
	.legal = legal,
	.apply = apply,
	.outcome = outcome,
	.in_check = in_check,
	.perft = connected_perft,
	.explain = explain,
};
