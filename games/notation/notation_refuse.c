#include "games/notation/notation_refuse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "games/game.h"
#include "games/notation/notation_san.h"
#include "games/orthodox.h"
#include "games/pocket.h"

#define DIGEST_BOARDS_MAX 24

static void list_join(struct str *out, size_t i, size_t n, const char *last)
{
	if (i)
		str_add(out, i + 1 == n ? last : ", ");
}

/* "Bf1c4 or b3c4", the moves of an answer written so that they differ. */
static void add_long_hits(const struct resolved *a, struct str *out)
{
	for (unsigned i = 0; i < a->n; i++) {
		list_join(out, i, a->n, " or ");
		notation_write_long(&a->hit[i], out);
	}
}

/* The pieces before the pawns, then by square. */
static int by_type(const void *x, const void *y)
{
	const struct move *a = x, *b = y;
	int types = (b->flags & MOVE_TYPE) - (a->flags & MOVE_TYPE);

	return types ? types : a->from - b->from;
}

static enum read_refusal say_ambiguous(const struct question *q, const char *text,
                                       struct resolved *a, struct str *out)
{
	bool same_type = true;

	qsort(a->hit, a->n, sizeof a->hit[0], by_type);
	for (unsigned i = 1; i < a->n; i++)
		same_type &= !((a->hit[i].flags ^ a->hit[0].flags) & MOVE_TYPE);
	str_add_char(out, (char)toupper((unsigned char)*text));
	str_addf(out, "%s can mean the ", text + 1);
	if (same_type)
		str_addf(out, "%s on ", piece_names[a->hit[0].flags & MOVE_TYPE]);
	for (unsigned i = 0; i < a->n; i++) {
		unsigned type = a->hit[i].flags & MOVE_TYPE;

		list_join(out, i, a->n, same_type ? " or on " : " or the ");
		if (same_type)
			square_write(a->hit[i].from, out);
		else if (type == PAWN)
			str_addf(out, "%c-pawn", 'a' + square_file(a->hit[i].from));
		else
			str_add(out, piece_names[type]);
	}
	str_add(out, ": write ");
	for (unsigned i = 0; same_type && i < a->n; i++) {
		list_join(out, i, a->n, " or ");
		notation_write_move(q, &a->hit[i], out);
	}
	if (!same_type)
		add_long_hits(a, out);
	str_add_char(out, '.');
	return READ_AMBIGUOUS;
}

/* "e8 needs a piece: e8=Q, e8=R, e8=B, e8=N or e8=K." */
static enum read_refusal say_needs_piece(const struct question *q, const char *text,
                                         const struct resolved *a, struct str *out)
{
	static const uint8_t order[] = { QUEEN, ROOK, BISHOP, KNIGHT, KING };
	unsigned n = 0;

	str_addf(out, "%s needs a piece: ", text);
	for (size_t i = 0; i < sizeof order; i++) {
		for (unsigned k = 0; k < a->n; k++) {
			if (a->hit[k].promo != order[i])
				continue;
			list_join(out, n++, a->n, " or ");
			notation_write_move(q, &a->hit[k], out);
		}
	}
	str_add_char(out, '.');
	return READ_NEEDS_PIECE;
}

/* The question's moves: "bxc3, Qxd7".  False (and nothing written) when there
 * are none or too many to list. */
static bool add_moves(const struct question *q, struct str *out)
{
	if (!q->legal->n || q->legal->n > DIGEST_BOARDS_MAX)
		return false;
	for (size_t i = 0; i < q->legal->n; i++) {
		list_join(out, i, q->legal->n, ", ");
		notation_write_move(q, &q->legal->v[i], out);
	}
	return true;
}

/* The squares to which the legal moves of these men lead. */
static uint64_t destinations(const struct question *q, unsigned types, uint64_t from)
{
	uint64_t to = 0;

	for (size_t i = 0; i < q->legal->n; i++) {
		const struct move *m = &q->legal->v[i];

		if (m->from != NO_SQUARE && BIT(m->from) & from && !(m->flags & MOVE_CASTLE) &&
		    types >> (m->flags & MOVE_TYPE) & 1)
			to |= BIT(m->to);
	}
	return to;
}

static void add_squares(uint64_t squares, struct str *out)
{
	for (const char *before = ""; squares; squares &= squares - 1, before = ", ")
		str_addf(out, "%s%s", before, SQUARE(bit_first(squares)));
	str_add_char(out, '.');
}

static uint64_t own_men(const struct question *q)
{
	return q->p->color[q->p->to_move];
}

static bool takes_something(const struct question *q, const struct reading *r)
{
	return r->kind == READING_MOVE &&
	       (q->p->color[!q->p->to_move] & BIT(r->to) || r->to == q->p->ep);
}

static bool say_must_capture(const struct question *q, const struct reading *r, struct str *out)
{
	struct str captures = STR_LOCAL(320);

	if (!(q->g->rules->flags & RULES_MUST_CAPTURE) || !q->legal->n ||
	    !(q->legal->v[0].flags & MOVE_CAPTURE) || takes_something(q, r))
		return false;
	str_add(out, "You must capture.");
	if (add_moves(q, &captures))
		str_addf(out, " Your captures: %s.", captures.data);
	return true;
}

static bool any_match(const struct question *q, const struct reading *r, struct resolved *a)
{
	struct typed t = { .n = 1, .r = { *r } };

	t.r[0].exact = true;
	notation_resolve(q, &t, a);
	return a->n > 0;
}

/* The move would be legal but for a detail of how it was written. */
static bool say_detail(const struct question *q, const struct reading *r, struct str *out)
{
	struct reading other = *r;
	struct resolved a;

	if (r->kind != READING_MOVE)
		return false;
	other.takes = false;
	if (r->takes && any_match(q, &other, &a)) {
		str_addf(out, "There is nothing to take on %s: without the x it is ",
		         SQUARE(r->to));
		notation_write_move(q, &a.hit[0], out);
		str_add_char(out, '.');
		return true;
	}
	other = *r;
	other.promo = NO_PIECE;
	if (r->promo == NO_PIECE || !any_match(q, &other, &a))
		return false;
	if (!a.needs_piece) {
		notation_write_move(q, &a.hit[0], out);
		str_add(out, " is no promotion: write it without a piece.");
		return true;
	}
	str_addf(out, "A pawn cannot become a %s here. ", piece_names[r->promo]);
	say_needs_piece(q, SQUARE(r->to), &a, out);
	return true;
}

static bool in_check(const struct question *q)
{
	return game_in_check(q->g, q->p);
}

static const char *castling_reason(const struct question *q, const struct castle *k)
{
	const struct pos *p = q->p;

	if (!(p->castling & k->right))
		return "the king or that rook has moved, or this game has no castling";
	if ((p->color[WHITE] | p->color[BLACK]) & k->path)
		return "the squares between king and rook are not empty";
	if (in_check(q))
		return "your king is in check";
	return "the king would pass or reach an attacked square";
}

/* The array in which the king castles: a black king on d8 castles from there. */
static unsigned castling_array(const struct question *q)
{
	return q->p->type[KING] & q->p->color[BLACK] & BIT(59) ? GEN_REVERSED : 0;
}

static bool say_castling(const struct question *q, const struct reading *r, struct str *out)
{
	bool wing_long = r->kind == READING_LONG;

	if (r->kind != READING_SHORT && r->kind != READING_LONG)
		return false;
	const struct castle *k = gen_castle(q->p->to_move, castling_array(q), wing_long);

	str_addf(out, "You cannot castle %s: %s.", wing_long ? "long" : "short",
	         q->g->rules->refuse_castling ? q->g->rules->refuse_castling(q->p, wing_long)
	                                      : castling_reason(q, k));
	return true;
}

/* The squares of the board, which may be smaller than eight by eight. */
static uint64_t board_squares(const struct game *g)
{
	struct board_size size = game_board(g);
	uint64_t set = 0;

	for (unsigned rank = 0; rank < size.ranks; rank++)
		set |= (RANK_1 >> (8 - size.files)) << 8 * rank;
	return set;
}

/* A move that men of this shape have and that one of the readings can mean,
 * legal in this game or not.  False: there is none. */
static bool find_shape(const struct question *q, const struct typed *t, struct move *out)
{
	uint64_t squares = board_squares(q->g);
	struct gen_list l;

	unsigned castling = GEN_CASTLE | GEN_CASTLE_FREE | castling_array(q);

	orthodox_list(q->p, q->g->rules->read_castling ? 0 : castling, false, PROMOTE_QRBN, &l);
	for (unsigned i = 0; i < l.n * t->n; i++) {
		*out = l.v[l.first + i % l.n];
		if (squares & BIT(out->to) &&
		    notation_matches(&t->r[i / l.n], out, &(bool){ false }))
			return true;
	}
	return false;
}

/* The men could make this move, if their own king did not forbid it. */
static bool say_check(const struct question *q, const struct move *m, const char *text,
                      struct str *out)
{
	struct str moves = STR_LOCAL(256);

	if (!(q->g->rules->flags & RULES_CHECK) || m->flags & MOVE_CASTLE)
		return false;
	if (!in_check(q)) {
		str_addf(out, "%s would leave your king in check.", text);
		return true;
	}
	str_addf(out, "You are in check, and %s does not answer it.", text);
	if (add_moves(q, &moves))
		str_addf(out, " Your moves: %s.", moves.data);
	return true;
}

static bool say_square(const struct question *q, const struct reading *r, struct str *out)
{
	if (r->kind != READING_MOVE || r->file == ANY_LINE || r->rank == ANY_LINE)
		return false;

	unsigned from = 8u * r->rank + r->file;
	struct man man = board_man(q->p, from);
	uint64_t to = destinations(q, ANY_TYPE, BIT(from));

	if (man.type == NO_PIECE) {
		str_addf(out, "There is nothing on %s.", SQUARE(from));
		return true;
	}
	str_addf(out, "The %s on %s", piece_names[man.type], SQUARE(from));
	if (man.color != q->p->to_move) {
		str_add(out, " is not yours.");
	} else if (!(r->types >> man.type & 1)) {
		str_addf(out, " is not a %s.", piece_names[bit_first(r->types)]);
	} else if (!to) {
		str_add(out, " cannot move now.");
	} else {
		str_addf(out, " cannot go to %s.", SQUARE(r->to));
		str_add(out, " It can go to: ");
		add_squares(to, out);
	}
	return true;
}

/* Would castling bring the king to that square?  In Chess960 the turn names the rook's. */
static bool castles_to(const struct question *q, unsigned to)
{
	for (size_t i = 0; i < q->legal->n; i++) {
		const struct move *m = &q->legal->v[i];
		unsigned file = q->g->rules->read_castling ? m->flags & MOVE_LONG ? 2 : 6
		                                           : square_file(m->to);

		if (m->flags & MOVE_CASTLE && square_rank(m->from) == square_rank(to) &&
		    square_file(to) == file)
			return true;
	}
	return false;
}

static void say_type(const struct question *q, const struct reading *r, struct str *out)
{
	unsigned type = bit_first(r->types);
	char line[16] = ""; /* the file or rank that was written: "Ncd4", "cd4" */
	uint64_t from = ~UINT64_C(0);

	if (r->file != ANY_LINE) {
		snprintf(line, sizeof line, " on the %c-file", 'a' + r->file);
		from = FILE_A << r->file;
	} else if (r->rank != ANY_LINE) {
		snprintf(line, sizeof line, " on rank %c", '1' + r->rank);
		from = RANK_1 << 8 * r->rank;
	}
	uint64_t men = own_men(q) & q->p->type[type] & from;
	uint64_t to = destinations(q, r->types, from);
	const char *plural = men & (men - 1) ? "s" : "";

	if (!men) {
		str_addf(out, "You have no %s%s.", piece_names[type], line);
		return;
	}
	if (type == KING && castles_to(q, r->to)) {
		str_add(out, "Castling is written O-O or O-O-O.");
		return;
	}
	str_addf(out, "There is no %s%s that can %s ", piece_names[type], line,
	         r->takes ? "take on" : "go to");
	str_addf(out, "%s.", SQUARE(r->to));
	if (!to) {
		str_addf(out, " Your %s%s cannot move now.", piece_names[type], plural);
		return;
	}
	str_addf(out, " Your %s%s can go to: ", piece_names[type], plural);
	add_squares(to, out);
}

/* A legal drop that differs from the move in its kind alone. */
static bool find_drop(const struct question *q, const struct reading *r, struct resolved *a)
{
	struct reading drop = { .kind = READING_DROP, .types = r->types, .to = r->to };

	return r->kind == READING_MOVE && !r->takes && any_match(q, &drop, a);
}

/* "N@f3", or Nf3 where a knight of the pocket alone can go. */
static bool say_drop(const struct question *q, const struct reading *r, const char *text,
                     struct str *out)
{
	unsigned type = bit_first(r->types);
	struct resolved a;

	if (find_drop(q, r, &a)) {
		str_addf(out, "No %s on the board can go to %s. With the one of your pocket it is ",
		         piece_names[a.hit[0].flags & MOVE_TYPE], SQUARE(r->to));
		notation_write_move(q, &a.hit[0], out);
		str_add_char(out, '.');
	} else if (r->kind != READING_DROP) {
		return false;
	} else if (!(q->g->rules->flags & RULES_DROPS)) {
		str_add(out, "This game has no pocket with men to put on the board.");
	} else if (!pocket_count(q->g, q->p, q->p->to_move, type)) {
		str_addf(out, "You have no %s in your pocket.", piece_names[type]);
	} else if ((q->p->color[WHITE] | q->p->color[BLACK]) & BIT(r->to)) {
		str_addf(out, "%s is not empty: a man of the pocket goes to an empty square.",
		         SQUARE(r->to));
	} else if (type == PAWN && BIT(r->to) & (RANK_1 | RANK_8)) {
		str_add(out, "A pawn cannot be put on the first or the last rank.");
	} else {
		say_check(q, &(struct move){ 0 }, text, out);
	}
	return true;
}

static bool say_pass(const struct question *q, const struct reading *r, struct str *out)
{
	if (q->legal->n == 1 && game_is_pass(&q->legal->v[0]))
		str_add(out, "You have no move: your only turn is a pass, --.");
	else if (r->kind == READING_PASS)
		str_add(out, "You cannot pass.");
	else
		return false;
	return true;
}

enum read_refusal notation_refuse(const struct question *q, const struct typed *t, const char *text,
                                  struct resolved *a, struct str *out)
{
	const struct rules *rules = q->g->rules;
	const struct reading *r = &t->r[0];
	struct move m;
	bool has_shape;

	if (a->needs_piece)
		return say_needs_piece(q, text, a, out);
	if (a->n > 1)
		return say_ambiguous(q, text, a, out);
	if (say_pass(q, r, out) || say_drop(q, r, text, out))
		return READ_ILLEGAL;
	if (say_must_capture(q, r, out))
		return READ_MUST_CAPTURE;
	has_shape = find_shape(q, t, &m);
	if (has_shape && rules->explain && rules->explain(q->g, q->p, &m, text, out))
		return READ_ILLEGAL;
	if (!say_castling(q, r, out) && !say_detail(q, r, out) &&
	    !(has_shape && say_check(q, &m, text, out)) && !say_square(q, r, out))
		say_type(q, r, out);
	return READ_ILLEGAL;
}
