#include "games/fast/losing_fast.h"
#include "games/game.h"

#define ARRAY "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR "

static const struct losing *row_of(const struct game *g)
{
	return g->rules->variant;
}

static bool is_bare(uint64_t men)
{
	return !(men & (men - 1));
}

/* The side not to move may stand in check in one case: no legal move takes its king,
 * for example because the side to move is in check too.  A king that is always royal
 * is never taken. */
static int check_taking(const struct losing *row, const struct pos *p, struct err *e)
{
	uint64_t king = p->type[KING] & p->color[!p->to_move];
	struct gen_list l;

	losing_list(row, p, &l);
	for (unsigned i = 0; i < l.n; i++)
		if (BIT(l.v[l.first + i].to) & king)
			return orthodox_check_quiet(p, e);
	return 0;
}

static int check_position(const struct game *g, struct pos *p, struct err *e)
{
	const struct losing *row = row_of(g);
	int rc = orthodox_check(p, row->switches, 0, e);

	if (rc)
		return rc;
	if (!(p->color[WHITE] | p->color[BLACK]))
		return err_set(e, ERR_BAD, "The board is empty.");
	if (row->royal == ROYAL_ALWAYS) {
		if ((rc = orthodox_check_kings(p, e)))
			return rc;
		if (is_bare(p->color[WHITE]) && is_bare(p->color[BLACK]))
			return err_set(e, ERR_BAD, "Two bare kings: both sides would have won.");
		return check_taking(row, p, e);
	}
	/* A bare king may stand beside a royal one, and take it. */
	if (losing_is_royal(row, p, !p->to_move) && !is_bare(p->color[p->to_move]))
		return orthodox_check_quiet(p, e);
	return 0;
}

static bool can_move(const struct losing *row, const struct pos *p)
{
	struct gen_list l;

	losing_list(row, p, &l);
	return l.n > 0;
}

static void legal(const struct game *g, const struct pos *p, struct moves *out)
{
	const struct losing *row = row_of(g);
	struct gen_list l;

	losing_list(row, p, &l);
	orthodox_to_moves(&l, out);
	if (!l.n && losing_may_pass(row, p))
		out->v[out->n++] = move_none;
}

static void apply(const struct game *g, struct pos *p, const struct move *m, struct effects *fx)
{
	if (m->from != NO_SQUARE) {
		orthodox_apply(p, m, row_of(g)->switches, fx);
		return;
	}
	if (fx)
		effects_clear(fx);
	losing_pass(p);
}

static bool in_check(const struct game *g, const struct pos *p)
{
	return losing_is_royal(row_of(g), p, p->to_move) && board_king_attacked(p, p->to_move);
}

static struct outcome stalemate(const struct losing *row, const struct pos *p)
{
	enum color mover = p->to_move;
	unsigned own = bit_count(p->color[mover], ATTACKS_PORTABLE);
	unsigned opp = bit_count(p->color[!mover], ATTACKS_PORTABLE);

	if (losing_is_lone_pawn(row, p))
		return outcome_draw("neither side can move");
	if (row->stalemate == STALEMATE_DRAWS)
		return outcome_draw("stalemate");
	if (row->stalemate == STALEMATED_WINS)
		return outcome_win(mover, "stalemate");
	if (own == opp)
		return outcome_draw("stalemate, equal men");
	return outcome_win(own < opp ? mover : !mover, "stalemate, fewer men");
}

/* The side that has fewest men has won: the other one is neither bare nor empty. */
static struct outcome men_ended(const struct losing *row, const struct pos *p)
{
	bool white = row->bare_wins ? is_bare(p->color[WHITE]) : !p->color[WHITE];

	return outcome_win(white ? WHITE : BLACK, row->bare_wins ? "bare king" : "no men left");
}

static void outcome(const struct game *g, const struct pos *p, struct outcome *out)
{
	const struct losing *row = row_of(g);

	*out = outcome_running;
	if (losing_men_ended(row, p)) {
		*out = men_ended(row, p);
	} else if (can_move(row, p)) {
		if (losing_is_dead(row, p))
			*out = outcome_draw("dead position: the bishops never meet");
	} else if (in_check(g, p)) {
		bool mated_wins = row->mate == MATED_SIDE_WINS;

		*out = outcome_win(mated_wins ? p->to_move : !p->to_move, "checkmate");
		out->mate = true;
	} else if (!losing_may_pass(row, p)) {
		*out = stalemate(row, p);
	}
}

#define CAPTURE GEN_MUST_CAPTURE
#define CASTLE_FREE (GEN_CASTLE | GEN_CASTLE_FREE)
#define QRBN PROMOTE_QRBN
#define QRBNK (PROMOTE_QRBN | 1u << KING)
#define Q_ONLY (1u << QUEEN)

/* switches, promotions, royal, mate, stalemate */
/* clang-format off */
static const struct losing
	antichess = { CAPTURE, QRBNK, ROYAL_NEVER, 0, STALEMATED_WINS, .dead_bishops = true },
	losing2 = { CAPTURE, Q_ONLY, ROYAL_NEVER, 0, STALEMATE_DRAWS, .dead_bishops = true },
	losing3 = { CAPTURE | GEN_CASTLE, QRBN, ROYAL_ALWAYS, MATING_SIDE_WINS, STALEMATE_DRAWS, .bare_wins = true },
	losing4 = { CAPTURE | GEN_CASTLE, QRBN, ROYAL_ALWAYS, MATED_SIDE_WINS, STALEMATE_DRAWS, .bare_wins = true },
	suicide = { CAPTURE, QRBNK, ROYAL_NEVER, 0, FEWER_MEN_WIN, .dead_bishops = true },
	losers = { CAPTURE | GEN_CASTLE, QRBN, ROYAL_ALWAYS, MATED_SIDE_WINS, STALEMATED_WINS, .bare_wins = true },
	giveaway = { CAPTURE | CASTLE_FREE, QRBNK, ROYAL_NEVER, 0, STALEMATED_WINS, .dead_bishops = true },
	kamikaze = { CAPTURE, Q_ONLY, ROYAL_UNTIL_BARE, MATING_SIDE_WINS, STALEMATED_WINS, .bare_wins = false },
	kamikaze2 = { CAPTURE | CASTLE_FREE, QRBNK, ROYAL_NEVER, 0, STALEMATED_WINS, .dead_bishops = true, .passes = true };
/* clang-format on */

/* Only games in which nobody castles have numbered starts. */
#define LOSING_RULES(id, row, title_, pgn_, start_, aliases_, check, fast_, summary_)              \
	const struct rules rules_##id = {                                                          \
		RULES_NAMED(#id, title_, summary_),                                                \
		.aliases = (aliases_),                                                             \
		.flags = RULES_MUST_CAPTURE | (check),                                             \
		.variant = &(row),                                                                 \
		.fast = losing_fast_##fast_,                                                       \
		.start = ARRAY start_, /* Only games where nobody castles have them. */            \
		.numbered = sizeof(start_) == sizeof("w - - 0 1") ? start_ : NULL,                 \
		.pgn = (pgn_),                                                                     \
		.check_position = check_position,                                                  \
		.legal = legal,                                                                    \
		.apply = apply,                                                                    \
		.outcome = outcome,                                                                \
		.in_check = in_check,                                                              \
	}

static const char *const antichess_aliases[] = { "losing",       "anti",         "takemeall",
	                                         "räuberschach", "schlagschach", NULL };
static const char *const antichess960_aliases[] = { "anti960", "losing960", NULL };
static const char *const losers_aliases[] = { "w17", NULL };
static const char *const kamikaze2_aliases[] = { "losing6", NULL };

LOSING_RULES(suicide, suicide, "Suicide", "Suicide", "w - - 0 1", NULL, 0, plain,
             "lose all your men; stalemate is won by the side with fewer men");
LOSING_RULES(antichess, antichess, "Antichess", "Antichess", "w - - 0 1", antichess_aliases, 0,
             plain, "lose all your men or be stalemated; the king is a man like others");
LOSING_RULES(antichess960, antichess, "Antichess960", "Antichess960", "w - - 0 1",
             antichess960_aliases, RULES_LOTS, plain,
             "as Antichess, from one of 960 starting positions");
LOSING_RULES(giveaway, giveaway, "Giveaway", "Giveaway", "w KQkq - 0 1", NULL, 0, any,
             "as Antichess, and one may castle");
LOSING_RULES(losing2, losing2, "Losing 2", "Losing-2", "w - - 0 1", NULL, 0, plain,
             "as Antichess, pawns become queens only, stalemate is a draw");
LOSING_RULES(losing3, losing3, "Losing 3", "Losing-3", "w KQkq - 0 1", NULL, RULES_CHECK, royal,
             "be left with a bare king, or give checkmate");
LOSING_RULES(losing4, losing4, "Losing 4", "Losing-4", "w KQkq - 0 1", NULL, RULES_CHECK, royal,
             "be left with a bare king, or be checkmated");
LOSING_RULES(losing5, suicide, "Losing 5", "Losing-5", "w - - 0 1", NULL, 0, plain,
             "the same rules as Suicide");
LOSING_RULES(losers, losers, "Losers", "Losers", "w KQkq - 0 1", losers_aliases, RULES_CHECK, royal,
             "be left with a bare king, be checkmated or stalemated");
LOSING_RULES(kamikaze, kamikaze, "Kamikaze", "Kamikaze", "w - - 0 1", NULL, RULES_CHECK, any,
             "lose all your men; the king may be taken only when it is the last");
LOSING_RULES(kamikaze2, kamikaze2, "Kamikaze 2", "Kamikaze2", "b KQkq - 0 1", kamikaze2_aliases, 0,
             any, "as Giveaway, Black moves first, a lone blocked pawn passes");
