/* Three-check: orthodox chess, and giving check for the third time wins. */
#include "games/fast/chess_fast.h"
#include "games/game.h"
#include "games/orthodox.h"
#include "games/outcome.h"

#define SWITCHES GEN_CASTLE

/* "+1+0" counts the checks that White and Black have given; "2+3" counts the
 * checks that each of them still has to give. */
static int fen_read(const struct game *, const char *field, size_t len, struct pos *p,
                    struct err *e)
{
	bool given = len == 4 && field[0] == '+';
	unsigned white, black;

	field += given;
	white = (unsigned char)field[0] - '0';
	if ((len != 3 && !given) || white > THREECHECK_CHECKS || field[1] != '+' ||
	    (black = (unsigned char)field[2] - '0') > THREECHECK_CHECKS)
		return err_set(e, ERR_BAD,
		               "The checks in the FEN must be those given, +0+0 to +3+3, or those "
		               "left to give, 3+3 to 0+0.");
	p->own[WHITE] = (uint8_t)(given ? white : THREECHECK_CHECKS - white);
	p->own[BLACK] = (uint8_t)(given ? black : THREECHECK_CHECKS - black);
	return 0;
}

static void fen_write(const struct game *, const struct pos *p, struct str *out)
{
	str_addf(out, "+%u+%u", p->own[WHITE], p->own[BLACK]);
}

static int check_position(const struct game *, struct pos *p, struct err *e)
{
	int rc = orthodox_check_chess(p, SWITCHES, e);

	if (rc == 0 && threecheck_has_won(p, p->to_move))
		return err_set(e, ERR_BAD, "%s has given three checks, but it is %s's move.",
		               p->to_move == WHITE ? "White" : "Black",
		               p->to_move == WHITE ? "White" : "Black");
	return rc;
}

static void legal(const struct game *, const struct pos *p, struct moves *out)
{
	struct gen_list l;

	out->n = 0;
	if (threecheck_has_won(p, !p->to_move))
		return;
	orthodox_list(p, SWITCHES, true, PROMOTE_QRBN, &l);
	orthodox_to_moves(&l, out);
}

static void apply(const struct game *g, struct pos *p, const struct move *m, struct effects *fx)
{
	enum color mover = p->to_move;

	orthodox_apply(p, m, SWITCHES, fx);
	if (game_in_check(g, p))
		p->own[mover]++;
}

static void outcome(const struct game *g, const struct pos *p, struct outcome *out)
{
	struct gen_list l;

	if (threecheck_has_won(p, !p->to_move)) {
		*out = outcome_win(!p->to_move, "the third check");
		out->mate = true;
		return;
	}
	orthodox_list(p, SWITCHES, true, PROMOTE_QRBN, &l);
	*out = l.n ? outcome_running : outcome_no_move(p->to_move, game_in_check(g, p));
}

static void describe(const struct game *g, const struct pos *before, const struct move *m, bool,
                     struct str *out)
{
	struct pos next = *before;
	struct effects fx;

	apply(g, &next, m, &fx);
	game_describe_move(m, &fx, out);
	if (game_in_check(g, &next))
		str_addf(out, ", check %u of %u", next.own[before->to_move], THREECHECK_CHECKS);
}

static void remark(const struct game *, const struct pos *p, struct str *out)
{
	if (p->own[WHITE] || p->own[BLACK])
		str_addf(out, "Checks given so far: White %u, Black %u. The third one wins.",
		         p->own[WHITE], p->own[BLACK]);
}

static const char *const aliases[] = { "3check", "three-check", NULL };

const struct rules rules_threecheck = {
	.name = "threecheck",
	.title = "Three-check",
	.list_name = "Three-check games",
	.aliases = aliases,
	.summary = "orthodox chess; the third check wins",
	.version = 1,
	.start = ORTHODOX_START " +0+0",
	.pgn = "Three-check",
	.flags = RULES_CHECK,
	.fast = threecheck_fast,
	.fen_read = fen_read,
	.fen_write = fen_write,
	.check_position = check_position,
	.legal = legal,
	.apply = apply,
	.outcome = outcome,
	.describe = describe,
	.remark = remark,
};
