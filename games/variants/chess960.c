/* Chess960: orthodox chess from one of 960 starting positions, with castling to the squares of
 * chess from wherever king and rook stand. */
#include <ctype.h>
#include <string.h>

#include "games/fast/chess960_fast.h"
#include "games/game.h"

#define RIGHTS 4
static const char letters[] = "KQkq";

static enum color color_of(unsigned right)
{
	return right < 2 ? WHITE : BLACK;
}

/* The rooks on the first rank of the right's side that stand where its rook can. */
static uint64_t rooks_of(const struct pos *p, unsigned right)
{
	enum color c = color_of(right);
	uint64_t rank = c == WHITE ? RANK_1 : RANK_8, king = p->type[KING] & p->color[c] & rank;
	uint64_t beyond = king ? ~(2 * king - 1) : 0, before = king ? king - 1 : 0;

	return p->type[ROOK] & p->color[c] & rank & (right % 2 ? before : beyond);
}

/* The rook farthest from the king, whose right is written by K, Q, k or q. */
static unsigned outermost(const struct pos *p, unsigned right)
{
	uint64_t rooks = rooks_of(p, right);
	unsigned sq = bit_first(rooks);

	for (; right % 2 == 0 && rooks & (rooks - 1); rooks &= rooks - 1)
		sq = bit_first(rooks & (rooks - 1));
	return sq;
}

/* "KQkq" as in X-FEN, or the files of the rooks, "HAha", as in Shredder-FEN. */
static int read_castling(struct pos *p, char letter, struct err *e)
{
	const char *place = strchr(letters, letter);
	unsigned right = place ? (unsigned)(place - letters) : 0, sq = NO_SQUARE;

	if (place && rooks_of(p, right))
		sq = outermost(p, right);
	for (unsigned r = isupper((unsigned char)letter) ? 0 : 2, i = 0; !place && i < 2;
	     i++, r++) {
		unsigned file = (unsigned)(tolower((unsigned char)letter) - 'a');
		uint64_t rook = rooks_of(p, r) & FILE_A << (file & 7);

		if (file < 8 && rook) {
			sq = bit_first(rook);
			right = r;
		}
	}
	if (sq == NO_SQUARE || p->castling & 1u << right)
		return err_set(
			e, ERR_BAD,
			"The castling field of the FEN must be - or letters of KQkq or files of "
			"rooks beside the king on its first rank, each once; %c is not.",
			letter);
	p->castling |= (uint8_t)(1u << right);
	p->own[right] = (uint8_t)square_file(sq);
	return 0;
}

static void write_castling(const struct pos *p, struct str *out)
{
	for (unsigned right = 0; right < RIGHTS; right++) {
		char file = (char)((right < 2 ? 'A' : 'a') + p->own[right]);

		if (p->castling >> right & 1)
			str_add_char(out, square_file(outermost(p, right)) == p->own[right]
			                          ? letters[right]
			                          : file);
	}
}

static int check_position(const struct game *, struct pos *p, struct err *e)
{
	uint8_t castling = p->castling;

	p->castling = 0;
	int rc = orthodox_check_chess(p, 0, e);
	p->castling = castling;
	return rc;
}

static void apply(const struct game *, struct pos *p, const struct move *m, struct effects *fx)
{
	if (fx)
		effects_clear(fx);
	chess960_make(p, *m, p->to_move, fx ? &fx->captured : NULL);
}

static const char *refuse_castling(const struct pos *p, bool wing_long)
{
	enum color c = p->to_move;
	struct castle k = chess960_castle(p, c, wing_long);

	if (!(p->castling >> chess960_right(c, wing_long) & 1))
		return "the king or that rook has moved";
	if (chess960_blockers(p, &k))
		return "there is a man where king or rook go";
	return board_king_attacked(p, c) ? "your king is in check"
	                                 : "the king would pass or reach an attacked square";
}

static struct castle castle(const struct pos *p, const struct move *m)
{
	return chess960_castle(p, p->to_move, m->flags & MOVE_LONG);
}

static const char *const aliases[] = { "frc",       "fischerandom", "fischerrandom",
	                               "freestyle", "chess-960",    "schach960",
	                               NULL };

const struct rules rules_chess960 = {
	RULES_NAMED("chess960", "Chess960", "orthodox chess from one of 960 starting positions"),
	.aliases = aliases,
	.start = ORTHODOX_START,
	.numbered = "w KQkq - 0 1",
	.pgn = "Chess960",
	.flags = RULES_CHECK | RULES_LOTS,
	.fast = chess960_fast,
	.check_position = check_position,
	.read_castling = read_castling,
	.write_castling = write_castling,
	.refuse_castling = refuse_castling,
	.castle = castle,
	.apply = apply,
};
