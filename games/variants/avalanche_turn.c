#include "games/variants/avalanche_turn.h"

#include <ctype.h>

#include "games/fast/avalanche_fast.h"
#include "games/game.h"
#include "games/notation/notation_refuse.h"
#include "games/notation/notation_san.h"

/* Each way to write a turn wrong has its own sentence, with what could be
 * written instead. */

/* One turn being read, part by part. */
struct turn_reader {
	const struct game *g;
	const struct pos *p;       /* before the turn */
	struct pos named;          /* after the naming */
	const struct moves *legal; /* whole turns */
	const struct typed_turn *typed;
	unsigned at;  /* the next part */
	uint8_t type; /* the piece named, or PAWN: none */
	struct str *text;
};

static bool is_waiting(const struct pos *p)
{
	return avalanche_waiting(p, p->to_move) != 0;
}

/* The square of the pawn that waits; there is one. */
static unsigned waiting_square(const struct pos *p)
{
	return bit_first(avalanche_waiting(p, p->to_move));
}

/* The position after the naming of this piece, PAWN for none. */
static struct pos after_naming(const struct pos *p, unsigned type)
{
	struct pos named = *p;

	if (type != PAWN)
		avalanche_name(&named, type);
	return named;
}

/* The moves that may be a turn's first part, after the naming. */
static void first_parts(const struct game *g, const struct pos *named, struct moves *out)
{
	struct gen_list l;

	orthodox_list(named, avalanche_switches(g->options), true, PROMOTE_QRBN, &l);
	orthodox_to_moves(&l, out);
}

/* The square to which a pawn goes that the mover pushes from this square. */
static unsigned push_target(enum color mover, unsigned from)
{
	return mover == WHITE ? from - 8 : from + 8;
}

static bool is_naming(const struct typed *t, unsigned sq)
{
	const struct reading *r = &t->r[0];

	return r->kind == READING_MOVE && r->to == sq && r->promo != NO_PIECE &&
	       r->types & 1u << PAWN && r->file == ANY_LINE;
}

/* A promotion that no pawn of the mover is near to. */
static bool looks_like_naming(const struct turn_reader *rd)
{
	const struct reading *r = &rd->typed->part[0].typed.r[0];
	enum color c = rd->p->to_move;
	struct man man;

	if (r->kind != READING_MOVE || r->promo == NO_PIECE || r->file != ANY_LINE)
		return false;
	if (square_rank(r->to) != board_last_rank(c))
		return square_rank(r->to) == board_last_rank(!c);
	man = board_man(rd->p, c == WHITE ? r->to - 8u : r->to + 8u);
	return man.type != PAWN || man.color != c;
}

void avalanche_remark(const struct game *, const struct pos *p, struct str *out)
{
	if (!is_waiting(p))
		return;
	const char *at = SQUARE(waiting_square(p));
	str_addf(out,
	         "Your pawn on %s waits for its piece. Begin with %s=Q, %s=R, %s=B or "
	         "%s=N, then a comma and your move.",
	         at, at, at, at, at);
}

/* True when naming this piece ends the turn, and the game. */
static const struct move *winning_naming(const struct turn_reader *rd)
{
	for (size_t i = 0; i < rd->legal->n; i++)
		if (rd->legal->v[i].own[AVALANCHE_NAMED] == rd->type &&
		    rd->legal->v[i].from == NO_SQUARE)
			return &rd->legal->v[i];
	return NULL;
}

static enum read_refusal read_naming(struct turn_reader *rd)
{
	const struct typed *t = &rd->typed->part[0].typed;

	rd->named = *rd->p;
	rd->type = PAWN;
	if (!is_waiting(rd->p)) {
		if (!looks_like_naming(rd))
			return READ_OK;
		str_add(rd->text, "No promotion is owed: begin with your move.");
		return READ_ILLEGAL;
	}
	if (!is_naming(t, waiting_square(rd->p)) || t->r[0].promo == KING) {
		avalanche_remark(rd->g, rd->p, rd->text);
		return READ_NEEDS_PIECE;
	}
	rd->type = t->r[0].promo;
	rd->named = after_naming(rd->p, rd->type);
	rd->at = 1;
	return READ_OK;
}

static enum read_refusal read_first(struct turn_reader *rd, struct move *out)
{
	struct moves firsts;
	struct question q = { .g = rd->g, .p = &rd->named, .legal = &firsts };
	struct resolved a;

	if (rd->at == rd->typed->n) {
		str_addf(rd->text, "%s names the piece; a comma and your move must follow.",
		         rd->typed->part[0].text);
		return READ_ILLEGAL;
	}
	first_parts(rd->g, &rd->named, &firsts);
	notation_resolve(&q, &rd->typed->part[rd->at].typed, &a);
	if (a.n != 1 || a.needs_piece)
		return notation_refuse(&q, &rd->typed->part[rd->at].typed,
		                       rd->typed->part[rd->at].text, &a, rd->text);
	*out = a.hit[0];
	rd->at++;
	return READ_OK;
}

/* Squares the pawns that may be pushed after this first part stand on. */
static uint64_t pushable_after(const struct turn_reader *rd, const struct move *m)
{
	uint64_t set = 0;

	for (size_t i = 0; i < rd->legal->n; i++) {
		const struct move *o = &rd->legal->v[i];

		if (o->own[AVALANCHE_NAMED] == rd->type && o->from == m->from && o->to == m->to &&
		    o->promo == m->promo && o->own[AVALANCHE_PUSH])
			set |= BIT(o->own[AVALANCHE_PUSH]);
	}
	return set;
}

static void add_pushes(const struct turn_reader *rd, uint64_t pushable)
{
	for (const char *before = ""; pushable; pushable &= pushable - 1, before = ", ")
		str_addf(rd->text, "%s%s", before,
		         SQUARE(push_target(rd->p->to_move, bit_first(pushable))));
	str_add_char(rd->text, '.');
}

static enum read_refusal say_no_push(const struct turn_reader *rd)
{
	const char *first = rd->typed->part[rd->at - 1].text;

	if (avalanche_pushes_now(rd->g->options, rd->p))
		str_addf(rd->text, "No enemy pawn can be pushed after %s: write %s alone.", first,
		         first);
	else
		str_addf(rd->text,
		         "Nothing is pushed in the first turn of this game: write %s "
		         "alone.",
		         first);
	return READ_ILLEGAL;
}

/* Why no enemy pawn arrives on this square. */
static const char *push_reason(const struct turn_reader *rd, const struct move *m, unsigned to)
{
	enum color c = rd->p->to_move;
	uint64_t from = bits_forward(BIT(to), c), two = bits_forward(from, c);
	uint64_t own = rd->named.type[PAWN] & rd->named.color[c];
	uint64_t enemy = rd->named.type[PAWN] & rd->named.color[!c] & ~BIT(m->to);
	uint64_t occ = (rd->named.color[WHITE] | rd->named.color[BLACK] | BIT(m->to)) &
	               ~BIT(m->from);

	if (from & enemy && occ & BIT(to))
		return "is occupied: a push goes to an empty square";
	if (two & enemy)
		return "is two squares away: a push is a single step, also from the pawn's home";
	if (bits_forward(BIT(to), !c) & (own | enemy) || (from & own))
		return "cannot be reached: the push moves an enemy pawn, and toward you";
	return "cannot be reached by an enemy pawn in one step";
}

static enum read_refusal read_push(struct turn_reader *rd, struct move *m)
{
	const struct typed_turn *t = rd->typed;
	uint64_t pushable = pushable_after(rd, m);

	if (rd->at == t->n) {
		if (!pushable)
			return READ_OK;
		str_addf(rd->text,
		         "A push is missing after %s: add a comma and the square an "
		         "enemy pawn is pushed to, one of ",
		         t->part[t->n - 1].text);
		add_pushes(rd, pushable);
		return READ_ILLEGAL;
	}
	if (!pushable)
		return say_no_push(rd);

	const struct reading *r = &t->part[rd->at].typed.r[0];
	bool is_push = r->kind == READING_MOVE && r->promo == NO_PIECE && !r->takes &&
	               r->types & 1u << PAWN;

	for (uint64_t left = pushable; is_push && left; left &= left - 1) {
		unsigned from = bit_first(left);

		if (push_target(rd->p->to_move, from) != r->to)
			continue;
		if ((r->file == ANY_LINE || r->file == square_file(from)) &&
		    (r->rank == ANY_LINE || r->rank == square_rank(from))) {
			m->own[AVALANCHE_PUSH] = (uint8_t)from;
			rd->at++;
			return READ_OK;
		}
	}
	if (is_push)
		str_addf(rd->text, "%s %s.", SQUARE(r->to), push_reason(rd, m, r->to));
	else
		str_addf(rd->text, "%s is not a push.", t->part[rd->at].text);
	str_add(rd->text, " Possible pushes: ");
	add_pushes(rd, pushable);
	return READ_ILLEGAL;
}

enum read_refusal avalanche_read_turn(const struct game *g, const struct pos *p,
                                      const struct moves *legal, const struct typed_turn *t,
                                      struct move *out, struct str *text)
{
	struct turn_reader rd = { .g = g, .p = p, .legal = legal, .typed = t, .text = text };
	struct move m = move_none;
	enum read_refusal why = read_naming(&rd);
	const struct move *alone;

	if (why != READ_OK)
		return why;
	alone = rd.type == PAWN ? NULL : winning_naming(&rd);
	if (alone && t->n == 1) {
		*out = *alone;
		return READ_OK;
	}
	if (alone) {
		str_addf(text,
		         "%s attacks the king that exposed itself and wins at once: write "
		         "it alone.",
		         t->part[0].text);
		return READ_ILLEGAL;
	}
	if ((why = read_first(&rd, &m)) != READ_OK || (why = read_push(&rd, &m)) != READ_OK)
		return why;
	if (rd.at < t->n) {
		str_addf(text, "There is a part too much: %s.", t->part[rd.at].text);
		return READ_ILLEGAL;
	}
	m.own[AVALANCHE_NAMED] = rd.type;
	*out = m;
	return READ_OK;
}

/* "a1=Q", with the piece's letter in this case. */
static void write_naming(const struct pos *p, char letter, struct str *out)
{
	str_addf(out, "%s=%c", SQUARE(waiting_square(p)), letter);
}

void avalanche_write_san(const struct game *g, const struct pos *p, const struct moves *legal,
                         const struct move *m, struct str *out)
{
	unsigned type = m->own[AVALANCHE_NAMED], push = m->own[AVALANCHE_PUSH];
	struct pos named = after_naming(p, type);
	struct moves firsts;
	struct question q = { .g = g, .p = &named, .legal = &firsts };

	(void)legal;
	if (type != PAWN) {
		write_naming(p, piece_letters[type], out);
		if (m->from == NO_SQUARE)
			return;
		str_add_char(out, ',');
	}
	first_parts(g, &named, &firsts);
	notation_write_move(&q, m, out);
	if (push)
		str_addf(out, ",%s", SQUARE(push_target(p->to_move, push)));
}

void avalanche_write_uci(const struct game *, const struct pos *p, const struct move *m,
                         struct str *out)
{
	unsigned type = m->own[AVALANCHE_NAMED], push = m->own[AVALANCHE_PUSH];

	if (type != PAWN) {
		write_naming(p, (char)tolower(piece_letters[type]), out);
		if (m->from == NO_SQUARE)
			return;
		str_add_char(out, ',');
	}
	notation_write_plain(m, out);
	if (push)
		str_addf(out, ",%s%s", SQUARE(push), SQUARE(push_target(p->to_move, push)));
}

static void describe_push(enum color mover, unsigned from, bool reader_is_mover, struct str *out)
{
	unsigned to = push_target(mover, from);
	bool waits = BIT(to) & (RANK_1 | RANK_8);

	str_addf(out, ", and pushed %s %c-pawn to ", reader_is_mover ? "the enemy's" : "your",
	         'a' + square_file(from));
	str_add(out, SQUARE(to));
	if (waits)
		str_addf(out, ", where it waits for %s to name the piece it becomes",
		         reader_is_mover ? "its owner" : "you");
}

void avalanche_describe(const struct game *g, const struct pos *before, const struct move *m,
                        bool reader_is_mover, struct str *out)
{
	struct pos next = *before;
	struct effects fx;

	if (m->own[AVALANCHE_NAMED] != PAWN) {
		str_addf(out, "pawn %s becomes a %s", SQUARE(waiting_square(before)),
		         piece_names[m->own[AVALANCHE_NAMED]]);
		if (m->from == NO_SQUARE)
			return;
		str_add(out, ", ");
	}
	g->rules->apply(g, &next, m, &fx);
	game_describe_move(g, before, m, &fx, out);
	if (m->own[AVALANCHE_PUSH])
		describe_push(before->to_move, m->own[AVALANCHE_PUSH], reader_is_mover, out);
}

uint64_t avalanche_marks(const struct game *, const struct pos *p, const struct move *m)
{
	unsigned push = m->own[AVALANCHE_PUSH];
	uint64_t set = 0;

	if (m->from != NO_SQUARE)
		set |= BIT(m->from) | BIT(m->to);
	if (push)
		set |= BIT(push) | BIT(push_target(!p->to_move, push));
	return set;
}
