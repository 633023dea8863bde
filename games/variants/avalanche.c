#include "games/fast/avalanche_fast.h"
#include "games/game.h"
#include "games/variants/avalanche_turn.h"

#define MEN_MAX 16
#define PAWNS_MAX 8
#define REVERSED_START "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

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
	uint64_t waiting = avalanche_waiting(p, p->to_move);
	int rc;

	if (avalanche_waiting(p, !p->to_move))
		return err_set(e, ERR_BAD,
		               "A pawn waits for its promotion, but its owner is not "
		               "to move.");
	if (waiting & (waiting - 1))
		return err_set(e, ERR_BAD, "Only one pawn can wait for its promotion.");
	if ((rc = orthodox_check(p, avalanche_switches(g->options), waiting, e)) ||
	    (rc = orthodox_check_kings(p, e)))
		return rc;
	return check_numbers(p, e);
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

/* The turns of a position in which no pawn waits any more; named is the piece it
 * has become, or PAWN if none waited. */
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
		m.own[AVALANCHE_NAMED] = (uint8_t)named;
		if (!pushable)
			add(out, m);
		for (; pushable; pushable &= pushable - 1) {
			m.own[AVALANCHE_PUSH] = (uint8_t)bit_first(pushable);
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
	if (!avalanche_waiting(p, p->to_move)) {
		add_turns(g, p, PAWN, out);
		return;
	}
	for (unsigned type = QUEEN; type >= KNIGHT; type--) {
		struct pos named = *p;
		struct move alone = move_none;

		avalanche_name(&named, type);
		alone.own[AVALANCHE_NAMED] = (uint8_t)type;
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
	if (m->own[AVALANCHE_NAMED] != PAWN)
		avalanche_name(p, m->own[AVALANCHE_NAMED]);
	if (m->from == NO_SQUARE)
		return;
	orthodox_apply(p, m, avalanche_switches(g->options), fx);
	if (m->own[AVALANCHE_PUSH])
		avalanche_push(p, m->own[AVALANCHE_PUSH]);
}

static bool can_move(const struct game *g, const struct pos *p)
{
	struct gen_list l;

	if (!avalanche_waiting(p, p->to_move)) {
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
	*out = outcome_running;
	if (won(p))
		*out = outcome_win(p->to_move, "a push left the pusher's own king attacked");
	else if (!can_move(g, p))
		*out = outcome_no_move(p->to_move, board_king_attacked(p, p->to_move));
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

static const char *how_to_answer(const struct moves *legal)
{
	size_t pushes = 0;

	for (size_t i = 0; i < legal->n; i++)
		pushes += legal->v[i].own[AVALANCHE_PUSH] != 0;
	if (pushes == 0)
		return NULL;
	return pushes == legal->n
	               ? "Answer this mail with your turn on the first line: a move, a comma, and "
	                 "the enemy pawn you push one square toward you."
	               : "Answer this mail with your turn on the first line: a move, a comma, and "
	                 "the enemy pawn you push one square toward you.  After some moves none "
	                 "can be pushed: then write the move alone.";
}

static const struct rules_option options[] = {
	{ "-balanced", AVALANCHE_STANDARD, "White's first turn has no push",
	  .start = ORTHODOX_START },
	{ "-reversed", AVALANCHE_STANDARD, "Black's king and queen change places (the default)",
	  .start = REVERSED_START },
	{ "-standard", AVALANCHE_BALANCED | AVALANCHE_REVERSED, "the starting position of chess",
	  .start = ORTHODOX_START },
	{ .word = NULL },
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
	.flags = RULES_CHECK,
	.start = REVERSED_START,
	.pgn = "Avalanche",
	.fast = avalanche_fast,
	.pgn_options_tag = "AvalancheMode",
	.pgn_plain = "reversed",
	.check_position = check_position,
	.legal = legal,
	.apply = apply,
	.outcome = outcome,
	.blunder = blunder,
	.read_turn = avalanche_read_turn,
	.write_san = avalanche_write_san,
	.write_uci = avalanche_write_uci,
	.describe = avalanche_describe,
	.marks = avalanche_marks,
	.remark = avalanche_remark,
	.how_to_answer = how_to_answer,
};
