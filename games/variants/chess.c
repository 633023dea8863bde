/* Orthodox chess, and games of its moves that a feat ends before checkmate: the third check in
 * Three-check, a king in the middle in King of the Hill.  No draw by insufficient material. */
#include "games/fast/chess_fast.h"
#include "games/game.h"
#include "games/orthodox.h"

#define SWITCHES GEN_CASTLE

/* The feat of a game, its .variant; orthodox chess has none. */
struct feat {
	bool (*has_won)(const struct pos *p, enum color c);
	const char *why;
	/* Refuses a position where side is to move and has won. */
	int (*refuse)(const char *side, struct err *e);
};

/* The feat by which c has won, or NULL. */
static const struct feat *won(const struct game *g, const struct pos *p, enum color c)
{
	const struct feat *feat = g->rules->variant;

	return feat && feat->has_won(p, c) ? feat : NULL;
}

static int check_position(const struct game *g, struct pos *p, struct err *e)
{
	const struct feat *feat = won(g, p, p->to_move);
	int rc = orthodox_check_chess(p, SWITCHES, e);

	return rc == 0 && feat ? feat->refuse(p->to_move == WHITE ? "White" : "Black", e) : rc;
}

static void apply(const struct game *, struct pos *p, const struct move *m, struct effects *fx)
{
	orthodox_apply(p, m, SWITCHES, fx);
}

static bool ended(const struct game *g, const struct pos *p, struct outcome *out)
{
	const struct feat *feat = won(g, p, !p->to_move);

	if (!feat)
		return false;
	*out = outcome_win(!p->to_move, feat->why);
	return out->mate = true;
}

#define SLOTS .flags = RULES_CHECK, .check_position = check_position, .ended = ended

static const char *const aliases[] = { "schach",  "ajedrez", "échecs", "echecs",
	                               "scacchi", "schaken", "xadrez", NULL };

const struct rules rules_chess = {
	RULES_NAMED("chess", "Chess", "orthodox chess"),
	.aliases = aliases,
	.start = ORTHODOX_START,
	.fast = chess_fast,
	.apply = apply,
	SLOTS,
};

static int hill_refuse(const char *side, struct err *e)
{
	return err_set(e, ERR_BAD, "%s's king stands on the hill, but it is %s's move.", side,
	               side);
}

static const struct feat hill = { hill_has_won, "the king is on the hill", hill_refuse };

static const char *const hill_aliases[] = { "koth", "king-of-the-hill", "hill", NULL };

const struct rules rules_kingofthehill = {
	RULES_NAMED("kingofthehill", "King of the Hill",
	            "orthodox chess; a king that reaches the middle wins"),
	.aliases = hill_aliases,
	.start = ORTHODOX_START,
	.pgn = "King of the Hill",
	.variant = &hill,
	.fast = hill_fast,
	.apply = apply,
	SLOTS,
};

static int threecheck_refuse(const char *side, struct err *e)
{
	return err_set(e, ERR_BAD, "%s has given three checks, but it is %s's move.", side, side);
}

static const struct feat threecheck = { threecheck_has_won, "the third check", threecheck_refuse };

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

static void threecheck_apply(const struct game *g, struct pos *p, const struct move *m,
                             struct effects *fx)
{
	enum color mover = p->to_move;

	orthodox_apply(p, m, SWITCHES, fx);
	if (game_in_check(g, p))
		p->own[mover]++;
}

static void describe(const struct game *g, const struct pos *before, const struct move *m, bool,
                     struct str *out)
{
	struct pos next = *before;
	struct effects fx;

	threecheck_apply(g, &next, m, &fx);
	game_describe_move(g, before, m, &fx, out);
	if (game_in_check(g, &next))
		str_addf(out, ", check %u of %u", next.own[before->to_move], THREECHECK_CHECKS);
}

static void remark(const struct game *, const struct pos *p, struct str *out)
{
	if (p->own[WHITE] || p->own[BLACK])
		str_addf(out, "Checks given so far: White %u, Black %u. The third one wins.",
		         p->own[WHITE], p->own[BLACK]);
}

static const char *const threecheck_aliases[] = { "3check", "three-check", NULL };

const struct rules rules_threecheck = {
	RULES_NAMED("threecheck", "Three-check", "orthodox chess; the third check wins"),
	.aliases = threecheck_aliases,
	.start = ORTHODOX_START " +0+0",
	.pgn = "Three-check",
	.variant = &threecheck,
	.fast = threecheck_fast,
	.fen_read = fen_read,
	.fen_write = fen_write,
	.apply = threecheck_apply,
	.describe = describe,
	.remark = remark,
	SLOTS,
};
