/* Orthodox chess.  No draw by insufficient material. */
#include "games/families.h"
#include "games/orthodox.h"

#define SWITCHES GEN_CASTLE

static const char *pgn_variant(const struct game *g)
{
	(void)g;
	return NULL;
}

static const char *start_fen(const struct game *g)
{
	(void)g;
	return "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
}

static int check_position(const struct game *g, struct pos *p, struct err *e)
{
	int rc;

	(void)g;
	if ((rc = orthodox_check(p, SWITCHES, 0, e)) || (rc = orthodox_check_kings(p, e)))
		return rc;
	return orthodox_check_quiet(p, e);
}

static void legal(const struct game *g, const struct pos *p, struct moves *out)
{
	struct gen_list l;

	(void)g;
	orthodox_list(p, SWITCHES, true, PROMOTE_QRBN, &l);
	orthodox_to_moves(&l, out);
}

static void apply(const struct game *g, struct pos *p, const struct move *m, struct effects *fx)
{
	(void)g;
	orthodox_apply(p, m, SWITCHES, fx);
}

static bool in_check(const struct game *g, const struct pos *p)
{
	(void)g;
	return board_king_attacked(p, p->to_move);
}

static void outcome(const struct game *g, const struct pos *p, struct outcome *out)
{
	struct gen_list l;

	*out = (struct outcome){ RESULT_RUNNING, NULL };
	orthodox_list(p, SWITCHES, true, PROMOTE_QRBN, &l);
	if (l.n)
		return;
	if (in_check(g, p))
		*out = (struct outcome){ p->to_move == WHITE ? RESULT_BLACK : RESULT_WHITE,
			                 "checkmate" };
	else
		*out = (struct outcome){ RESULT_DRAW, "stalemate" };
}

typedef uint64_t perft_node(const struct pos *p, int depth);

GAMES_INLINE uint64_t node(const struct pos *p, int depth, enum color c, enum attacks_path path,
                           perft_node *next)
{
	struct gen_list l;
	uint64_t sum = 0;

	if (depth == 1)
		return gen_count_moves(p, c, SWITCHES, true, 4, path);
	gen_list_moves(p, c, SWITCHES, true, PROMOTE_QRBN, path, &l);
	for (unsigned i = 0; i < l.n; i++) {
		struct pos child = *p;

		gen_apply(&child, l.v[l.first + i], c, SWITCHES, NULL);
		sum += next(&child, depth - 1);
	}
	return sum;
}

#define NODE(name, color, path, next)                                                              \
	static uint64_t name(const struct pos *p, int depth)                                       \
	{                                                                                          \
		return node(p, depth, color, path, next);                                          \
	}

ATTACKS_PEXT_TARGET static perft_node white_pext, black_pext;
ATTACKS_PEXT_TARGET NODE(white_pext, WHITE, ATTACKS_PEXT, black_pext)
ATTACKS_PEXT_TARGET NODE(black_pext, BLACK, ATTACKS_PEXT,
                         white_pext) static perft_node white_portable,
	black_portable;
NODE(white_portable, WHITE, ATTACKS_PORTABLE, black_portable)
NODE(black_portable, BLACK, ATTACKS_PORTABLE, white_portable)

static uint64_t perft(const struct game *g, const struct pos *p, int depth)
{
	static perft_node *const nodes[2][2] = {
		{ white_portable, black_portable },
		{ white_pext, black_pext },
	};

	(void)g;
	return nodes[attacks_have_pext()][p->to_move](p, depth);
}

static const struct rules_option no_options[] = { { NULL, 0, NULL } };
static const char *const no_aliases[] = { NULL };

const struct rules rules_chess = {
	.name = "chess",
	.title = "Chess",
	.list_name = "Chess games",
	.aliases = no_aliases,
	.options = no_options,
	.summary = "orthodox chess",
	.version = 1,
	.flags = RULES_CHECK,
	.pgn_variant = pgn_variant,
	.start_fen = start_fen,
	.check_position = check_position,
	.legal = legal,
	.apply = apply,
	.outcome = outcome,
	.in_check = in_check,
	.perft = perft,
};
