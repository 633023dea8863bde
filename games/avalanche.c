#include "games/avalanche.h"

#include "games/families.h"

#define MEN_MAX 16
#define PAWNS_MAX 8

static const char *pgn_variant(const struct game *g)
{
	(void)g;
	return "Avalanche";
}

static const char *start_fen(const struct game *g)
{
	return avalanche_switches(g->options) & GEN_REVERSED
	               ? "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	               : "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
}

/* More men than the array has could make more turns than struct moves holds. */
static int check_numbers(const struct pos *p, struct err *e)
{
	for (unsigned c = WHITE; c <= BLACK; c++) {
		const char *name = c == WHITE ? "White" : "Black";

		if (bit_count(p->color[c], ATTACKS_PORTABLE) > MEN_MAX)
			return err_set(e, ERR_BAD, "%s has more than %d men.", name, MEN_MAX);
		if (bit_count(p->color[c] & p->type[PAWN], ATTACKS_PORTABLE) > PAWNS_MAX)
			return err_set(e, ERR_BAD, "%s has more than %d pawns.", name, PAWNS_MAX);
	}
	return 0;
}

static int check_position(const struct game *g, struct pos *p, struct err *e)
{
	uint64_t pawns = p->type[PAWN];
	uint64_t waiting = pawns & p->color[p->to_move] & (p->to_move == WHITE ? RANK_8 : RANK_1);
	uint64_t other = pawns & p->color[!p->to_move] & (p->to_move == WHITE ? RANK_1 : RANK_8);
	int rc;

	if (other)
		return err_set(e, ERR_BAD,
		               "A pawn waits for its promotion, but its owner is not "
		               "to move.");
	if (waiting & (waiting - 1))
		return err_set(e, ERR_BAD, "Only one pawn can wait for its promotion.");
	if ((rc = orthodox_check(p, avalanche_switches(g->options), waiting, e)) ||
	    (rc = orthodox_check_kings(p, e)) || (rc = check_numbers(p, e)))
		return rc;
	if (waiting)
		p->waiting = (uint8_t)bit_first(waiting);
	return 0;
}

static void add(struct moves *out, struct move m)
{
	if (out->n < MOVES_MAX)
		out->v[out->n++] = m;
}

static void first_parts(const struct game *g, const struct pos *p, struct gen_list *l)
{
	orthodox_list(p, avalanche_switches(g->options), true, PROMOTE_QRBN, l);
}

/* The turns of a position in which no promotion is owed (any more). */
static void add_turns(const struct game *g, const struct pos *p, unsigned named, struct moves *out)
{
	unsigned switches = avalanche_switches(g->options);
	struct gen_list l;

	first_parts(g, p, &l);
	for (unsigned i = 0; i < l.n; i++) {
		struct move m = l.v[l.first + i];
		uint64_t pushable = 0;

		if (avalanche_pushes_now(g->options, p))
			pushable = avalanche_pushable(p, m, p->to_move, switches);
		m.named = (uint8_t)named;
		if (!pushable)
			add(out, m);
		for (; pushable; pushable &= pushable - 1) {
			m.push = (uint8_t)bit_first(pushable);
			add(out, m);
		}
	}
}

static bool won(const struct pos *p)
{
	return avalanche_won(p, p->to_move, ATTACKS_PORTABLE);
}

static void legal(const struct game *g, const struct pos *p, struct moves *out)
{
	out->n = 0;
	if (won(p))
		return;
	if (p->waiting == NO_SQUARE) {
		add_turns(g, p, NO_PIECE, out);
		return;
	}
	for (unsigned type = QUEEN; type >= KNIGHT; type--) {
		struct pos named = *p;
		struct move alone = move_none;

		avalanche_name(&named, type);
		alone.named = (uint8_t)type;
		if (won(&named))
			add(out, alone);
		else
			add_turns(g, &named, type, out);
	}
}

static void apply(const struct game *g, struct pos *p, const struct move *m, struct effects *fx)
{
	if (fx)
		effects_clear(fx);
	if (m->named != NO_PIECE)
		avalanche_name(p, m->named);
	if (m->from == NO_SQUARE)
		return;
	orthodox_apply(p, m, avalanche_switches(g->options), fx);
	if (m->push != NO_SQUARE)
		avalanche_push(p, m->push);
}

static bool in_check(const struct game *g, const struct pos *p)
{
	(void)g;
	return board_king_attacked(p, p->to_move);
}

static bool can_move(const struct game *g, const struct pos *p)
{
	struct gen_list l;

	if (p->waiting == NO_SQUARE) {
		first_parts(g, p, &l);
		return l.n > 0;
	}
	for (unsigned type = KNIGHT; type <= QUEEN; type++) {
		struct pos named = *p;

		avalanche_name(&named, type);
		if (won(&named) || can_move(g, &named))
			return true;
	}
	return false;
}

static void outcome(const struct game *g, const struct pos *p, struct outcome *out)
{
	enum result mine = p->to_move == WHITE ? RESULT_WHITE : RESULT_BLACK;
	enum result theirs = p->to_move == WHITE ? RESULT_BLACK : RESULT_WHITE;

	*out = (struct outcome){ RESULT_RUNNING, NULL };
	if (won(p))
		*out = (struct outcome){ mine, "a push left the pusher's own king attacked" };
	else if (!can_move(g, p))
		*out = in_check(g, p) ? (struct outcome){ theirs, "checkmate" }
		                      : (struct outcome){ RESULT_DRAW, "stalemate" };
}

static bool blunder(const struct game *g, const struct pos *p, const struct move *m,
                    struct str *why)
{
	struct pos next = *p;

	apply(g, &next, m, NULL);
	if (next.to_move == p->to_move || !won(&next))
		return false;
	str_add(why, "The push leaves your own king attacked: you would lose at once.");
	return true;
}

static const struct rules_option options[] = {
	{ "-balanced", AVALANCHE_STANDARD, "White's first turn has no push" },
	{ "-reversed", AVALANCHE_STANDARD, "Black's king and queen change places (the default)" },
	{ "-standard", AVALANCHE_BALANCED | AVALANCHE_REVERSED, "the orthodox array" },
	{ NULL, 0, NULL },
};
static const char *const aliases[] = { "avalanche", NULL };

const struct rules rules_avalanche = {
	.name = "avalanchechess",
	.title = "Avalanche",
	.list_name = "Avalanche Chess games",
	.aliases = aliases,
	.options = options,
	.summary = "after your move, push an enemy pawn one square toward you",
	.version = 1,
	.flags = RULES_CHECK | RULES_TWO_PART,
	.pgn_variant = pgn_variant,
	.pgn_options_tag = "AvalancheMode",
	.pgn_plain = "reversed",
	.start_fen = start_fen,
	.check_position = check_position,
	.legal = legal,
	.apply = apply,
	.outcome = outcome,
	.in_check = in_check,
	.perft = avalanche_perft,
	.blunder = blunder,
};
