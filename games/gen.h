/* Generation of orthodox moves, shared by all families: a set of always-inline
 * functions whose colour, switches, flavour of attacks and consumer are meant
 * to be constants, so that each game gets its own straight code from one text.
 * A consumer is told of whole sets of destinations; it counts or lists them.
 * Nothing here allocates, and nothing here knows a game. */
#pragma once

#include "games/board.h"

enum gen_switch {
	GEN_CASTLE = 1 << 0,      /* castling, never out of, through or into attack … */
	GEN_CASTLE_FREE = 1 << 1, /* … unless this is set too */
	GEN_REVERSED = 1 << 2,    /* Black's king starts on d8 */
	GEN_NO_EP = 1 << 3,
	GEN_MUST_CAPTURE = 1 << 4
};

/* struct move .flags */
enum gen_flag {
	MOVE_TYPE = 7, /* mask: enum piece_type of the moving man */
	MOVE_CAPTURE = 1 << 3,
	MOVE_EP = 1 << 4,
	MOVE_DOUBLE = 1 << 5,
	MOVE_CASTLE = 1 << 6,
	MOVE_LONG = 1 << 7 /* castling toward the a-file of chess: O-O-O */
};

struct castle {
	uint8_t right, king_from, king_to, rook_from, rook_to;
	uint64_t path; /* MUST be empty */
	uint64_t safe; /* MUST not be attacked */
};

/* Short and long by colour; rows 4 and 5 are Black's with GEN_REVERSED. */
extern const struct castle gen_castles[6];

GAMES_INLINE const struct castle *gen_castle(enum color c, unsigned switches, bool wing_long)
{
	unsigned row = c == WHITE ? 0 : switches & GEN_REVERSED ? 4 : 2;

	return &gen_castles[row + wing_long];
}

/* A set of moves of one kind. */
struct gen_set {
	unsigned flags; /* enum gen_flag; a capture by a piece has no flag */
	unsigned from;  /* NO_SQUARE: each move comes from the square destination - delta */
	int delta;
	uint64_t to;
};
typedef void gen_consumer(void *ctx, struct gen_set set);

/* The men of a position, and the limits that a check and pins put on moves. */
struct gen_view {
	uint64_t own, opp, occ;
	uint64_t allowed; /* destinations that answer a check, or all */
	uint64_t pinned;
	unsigned king; /* of a royal side */
};

/* The squares strictly between two on a line. */
GAMES_INLINE uint64_t gen_between(uint64_t line, unsigned a, unsigned b)
{
	unsigned low = a < b ? a : b, high = a < b ? b : a;

	return line & (BIT(high) - 1) & ~(2 * BIT(low) - 1);
}

/* Checks and pins, for a side with a royal king. */
GAMES_INLINE void gen_restrict(const struct pos *p, enum color c, struct gen_view *v)
{
	uint64_t opp = v->opp, checkers = 0, block = 0;
	unsigned k = v->king;

	checkers = (attacks_pawns(BIT(k), c) & p->type[PAWN] & opp) |
	           (attacks_knight[k] & p->type[KNIGHT] & opp) |
	           (attacks_king[k] & p->type[KING] & opp);
	for (enum attacks_line i = 0; i < LINES; i++) {
		uint64_t line = attacks_lines[k][i];
		uint64_t far = i < LINE_DIAGONAL ? p->type[ROOK] : p->type[BISHOP];

		for (far = (far | p->type[QUEEN]) & opp & line; far; far &= far - 1) {
			unsigned s = bit_first(far);
			uint64_t between = gen_between(line, k, s), men = between & v->occ;

			if (!men) {
				checkers |= BIT(s);
				block = between;
			} else if (!(men & (men - 1))) {
				v->pinned |= men & v->own;
			}
		}
	}
	if (checkers)
		v->allowed = checkers & (checkers - 1) ? 0 : checkers | block;
}

GAMES_INLINE struct gen_view gen_look(const struct pos *p, enum color c, bool royal)
{
	struct gen_view v = {
		.own = p->color[c],
		.opp = p->color[!c],
		.occ = p->color[c] | p->color[!c],
		.allowed = ~UINT64_C(0),
	};

	if (royal) {
		v.king = bit_first(p->type[KING] & v.own);
		gen_restrict(p, c, &v);
	}
	return v;
}

/* Pawns that may move along this line through the king, or are free. */
GAMES_INLINE uint64_t gen_unpinned(const struct gen_view *v, uint64_t pawns, enum attacks_line line,
                                   bool royal)
{
	return royal ? pawns & (~v->pinned | attacks_lines[v->king][line]) : pawns;
}

GAMES_INLINE void gen_ep(const struct pos *p, enum color c, const struct gen_view *v, bool royal,
                         gen_consumer *consume, void *ctx)
{
	uint64_t takers = attacks_pawns(BIT(p->ep), !c) & p->type[PAWN] & v->own;
	unsigned taken = (unsigned)p->ep ^ 8;

	for (; takers; takers &= takers - 1) {
		unsigned from = bit_first(takers);

		if (royal &&
		    board_attacks(p, v->king, !c, (v->occ | BIT(p->ep)) & ~BIT(from) & ~BIT(taken),
		                  ~BIT(taken)))
			continue;
		consume(ctx,
		        (struct gen_set){ PAWN | MOVE_CAPTURE | MOVE_EP, from, 0, BIT(p->ep) });
	}
}

GAMES_INLINE void gen_pawns(const struct pos *p, enum color c, unsigned switches,
                            const struct gen_view *v, bool royal, gen_consumer *consume, void *ctx)
{
	uint64_t pawns = p->type[PAWN] & v->own;
	uint64_t third = c == WHITE ? RANK_1 << 16 : RANK_1 << 40;
	uint64_t step = bits_forward(gen_unpinned(v, pawns, LINE_FILE, royal), c) & ~v->occ;
	uint64_t twice = bits_forward(step & third, c) & ~v->occ & v->allowed;
	/* Captures toward the a-file and toward the h-file. */
	uint64_t a = gen_unpinned(v, pawns, c == WHITE ? LINE_ANTI : LINE_DIAGONAL, royal) &
	             ~FILE_A;
	uint64_t h = gen_unpinned(v, pawns, c == WHITE ? LINE_DIAGONAL : LINE_ANTI, royal) &
	             ~FILE_H;

	a = (c == WHITE ? a << 7 : a >> 9) & v->opp & v->allowed;
	h = (c == WHITE ? h << 9 : h >> 7) & v->opp & v->allowed;
	consume(ctx, (struct gen_set){ PAWN | MOVE_CAPTURE, NO_SQUARE, c == WHITE ? 7 : -9, a });
	consume(ctx, (struct gen_set){ PAWN | MOVE_CAPTURE, NO_SQUARE, c == WHITE ? 9 : -7, h });
	if (!(switches & GEN_NO_EP) && p->ep != NO_SQUARE)
		gen_ep(p, c, v, royal, consume, ctx);
	step &= v->allowed;
	consume(ctx, (struct gen_set){ PAWN, NO_SQUARE, c == WHITE ? 8 : -8, step });
	consume(ctx,
	        (struct gen_set){ PAWN | MOVE_DOUBLE, NO_SQUARE, c == WHITE ? 16 : -16, twice });
}

/* The squares to which a pinned man may still go: the line it shares with the king. */
GAMES_INLINE uint64_t gen_pin_line(unsigned king, unsigned sq)
{
	for (enum attacks_line i = 0; i < LINES; i++)
		if (attacks_lines[king][i] & BIT(sq))
			return attacks_lines[king][i];
	return 0;
}

GAMES_INLINE void gen_pieces(const struct pos *p, enum color c, unsigned type,
                             const struct gen_view *v, bool royal, enum attacks_path path,
                             gen_consumer *consume, void *ctx)
{
	for (uint64_t men = p->type[type] & v->own; men; men &= men - 1) {
		unsigned from = bit_first(men);
		uint64_t to = attacks_of(type, c, from, v->occ, path) & ~v->own;

		if (royal) {
			to &= v->allowed;
			if (v->pinned & BIT(from))
				to &= gen_pin_line(v->king, from);
		}
		consume(ctx, (struct gen_set){ type, from, 0, to });
	}
}

/* A royal king's steps to squares that are not attacked once it has left. */
GAMES_INLINE void gen_king(const struct pos *p, enum color c, const struct gen_view *v,
                           enum attacks_path path, gen_consumer *consume, void *ctx)
{
	uint64_t to = attacks_king[v->king] & ~v->own;
	uint64_t occ = v->occ & ~BIT(v->king);

	if (!to)
		return;
	to &= ~attacks_pawns(p->type[PAWN] & v->opp, !c);
	for (uint64_t left = to; left; left &= left - 1)
		if (board_attacked(p, bit_first(left), !c, occ, ~UINT64_C(0), path))
			to &= ~(left & (~left + 1));
	consume(ctx, (struct gen_set){ KING, v->king, 0, to });
}

GAMES_INLINE void gen_castling(const struct pos *p, enum color c, unsigned switches,
                               const struct gen_view *v, enum attacks_path path,
                               gen_consumer *consume, void *ctx)
{
	for (unsigned wing = 0; wing < 2; wing++) {
		const struct castle *k = gen_castle(c, switches, wing);
		bool ok = p->castling & k->right && !(v->occ & k->path);

		if (!(switches & GEN_CASTLE_FREE))
			for (uint64_t s = k->safe; ok && s; s &= s - 1)
				ok = !board_attacked(p, bit_first(s), !c, v->occ, ~UINT64_C(0),
				                     path);
		if (ok)
			consume(ctx, (struct gen_set){ KING | MOVE_CASTLE | (wing ? MOVE_LONG : 0),
			                               k->king_from, 0, BIT(k->king_to) });
	}
}

/* As gen_moves(), with a view the caller may have changed: squares that are
 * put into .own and .occ are off the board. */
GAMES_INLINE void gen_moves_seen(const struct pos *p, enum color c, unsigned switches, bool royal,
                                 const struct gen_view *v, enum attacks_path path,
                                 gen_consumer *consume, void *ctx)
{
	if (!royal || v->allowed) {
		gen_pawns(p, c, switches, v, royal, consume, ctx);
		gen_pieces(p, c, KNIGHT, v, royal, path, consume, ctx);
		gen_pieces(p, c, BISHOP, v, royal, path, consume, ctx);
		gen_pieces(p, c, ROOK, v, royal, path, consume, ctx);
		gen_pieces(p, c, QUEEN, v, royal, path, consume, ctx);
	}
	if (royal)
		gen_king(p, c, v, path, consume, ctx);
	else
		gen_pieces(p, c, KING, v, false, path, consume, ctx);
	if (switches & GEN_CASTLE && p->castling)
		gen_castling(p, c, switches, v, path, consume, ctx);
}

/* Every move that leaves a royal king unattacked (royal false: every move).
 * A royal side has exactly one king.  GEN_MUST_CAPTURE is the consumer's. */
GAMES_INLINE void gen_moves(const struct pos *p, enum color c, unsigned switches, bool royal,
                            enum attacks_path path, gen_consumer *consume, void *ctx)
{
	struct gen_view v = gen_look(p, c, royal);

	gen_moves_seen(p, c, switches, royal, &v, path, consume, ctx);
}

/* The consumer that counts. */
struct gen_count {
	uint64_t opp;
	unsigned promotions; /* how many pieces a pawn may become */
	enum attacks_path path;
	unsigned captures, quiet;
};

GAMES_INLINE void gen_count_set(void *ctx, struct gen_set set)
{
	struct gen_count *n = ctx;
	unsigned *sum = set.flags & MOVE_CAPTURE ? &n->captures : &n->quiet;

	if ((set.flags & MOVE_TYPE) == PAWN) {
		*sum += bit_count(set.to, n->path);
		if (set.to & (RANK_1 | RANK_8))
			*sum += (n->promotions - 1) *
			        bit_count(set.to & (RANK_1 | RANK_8), n->path);
	} else {
		n->captures += bit_count(set.to & n->opp, n->path);
		n->quiet += bit_count(set.to & ~n->opp, n->path);
	}
}

/* The number of moves that gen_moves() lists; captures alone where they are compulsory. */
GAMES_INLINE unsigned gen_count_moves(const struct pos *p, enum color c, unsigned switches,
                                      bool royal, unsigned promotions, enum attacks_path path)
{
	struct gen_count n = { .opp = p->color[!c], .promotions = promotions, .path = path };

	gen_moves(p, c, switches, royal, path, gen_count_set, &n);
	if (switches & GEN_MUST_CAPTURE && n.captures)
		return n.captures;
	return n.captures + n.quiet;
}

/* No position has more: a square is reached from at most eight directions and
 * eight knights' squares, and eight pawns' promotions come on top. */
#define GEN_MAX 1280

/* The consumer that lists: captures grow from the front, the others from the
 * back, and gen_list_close() closes the gap. */
struct gen_list {
	uint64_t opp;
	unsigned promotions; /* bit set of enum piece_type */
	unsigned captures, quiet;
	unsigned first, n; /* the result: v[first] … v[first + n - 1] */
	struct move v[GEN_MAX];
};

GAMES_INLINE void gen_list_one(struct gen_list *l, struct gen_set set, unsigned to, bool capture)
{
	unsigned from = set.from == NO_SQUARE ? (unsigned)((int)to - set.delta) : set.from;
	unsigned flags = set.flags | (capture ? MOVE_CAPTURE : 0);
	unsigned promotions = l->promotions;

	if ((set.flags & MOVE_TYPE) != PAWN || !(BIT(to) & (RANK_1 | RANK_8)))
		promotions = BIT(NO_PIECE);
	for (; promotions; promotions &= promotions - 1)
		l->v[capture ? l->captures++ : GEN_MAX - ++l->quiet] = (struct move){
			.from = (uint8_t)from,
			.to = (uint8_t)to,
			.promo = (uint8_t)bit_first(promotions),
			.flags = (uint8_t)flags,
		};
}

GAMES_INLINE void gen_list_set(void *ctx, struct gen_set set)
{
	struct gen_list *l = ctx;
	uint64_t take = set.flags & MOVE_CAPTURE ? set.to : set.to & l->opp;
	uint64_t quiet = set.to & ~take;

	for (; take; take &= take - 1)
		gen_list_one(l, set, bit_first(take), true);
	for (; quiet; quiet &= quiet - 1)
		gen_list_one(l, set, bit_first(quiet), false);
}

GAMES_INLINE void gen_list_open(struct gen_list *l, const struct pos *p, enum color c,
                                unsigned promotions)
{
	l->opp = p->color[!c];
	l->promotions = promotions;
	l->captures = l->quiet = 0;
}

/* The list becomes v[first] … v[first + n - 1]. */
GAMES_INLINE void gen_list_close(struct gen_list *l, unsigned switches)
{
	l->first = GEN_MAX - l->quiet;
	l->n = l->quiet;
	if (!l->captures)
		return;
	l->first = 0;
	l->n = l->captures;
	if (switches & GEN_MUST_CAPTURE)
		return;
	for (unsigned i = 0; i < l->quiet; i++)
		l->v[l->n++] = l->v[GEN_MAX - l->quiet + i];
}

/* Adds a move that is no capture to a closed list. */
GAMES_INLINE void gen_list_add(struct gen_list *l, struct move m)
{
	/* Without captures the list ends where its array ends. */
	unsigned place = l->first ? --l->first : l->n;

	l->n++;
	l->v[place] = m;
}

/* Lists gen_moves().  promotions: bits of enum piece_type, 0 where there are no pawns. */
GAMES_INLINE void gen_list_moves(const struct pos *p, enum color c, unsigned switches, bool royal,
                                 unsigned promotions, enum attacks_path path, struct gen_list *l)
{
	gen_list_open(l, p, c, promotions);
	gen_moves(p, c, switches, royal, path, gen_list_set, l);
	gen_list_close(l, switches);
}

/* Castling rights that a move from or to this square ends. */
GAMES_INLINE unsigned gen_rights_lost(uint64_t touched, unsigned switches)
{
	unsigned lost = 0;

	if (!(touched & (BIT(0) | BIT(4) | BIT(7) | BIT(56) | BIT(59) | BIT(60) | BIT(63))))
		return 0;
	for (unsigned i = 0; i < 4; i++) {
		const struct castle *k = gen_castle(i / 2 ? BLACK : WHITE, switches, i % 2);

		if (touched & (BIT(k->king_from) | BIT(k->rook_from)))
			lost |= k->right;
	}
	return lost;
}

/* Makes an orthodox move.  *captured (may be NULL) is the man it took. */
GAMES_INLINE void gen_apply(struct pos *p, struct move m, enum color c, unsigned switches,
                            struct man *captured)
{
	uint64_t from = BIT(m.from), to = BIT(m.to);
	unsigned type = m.flags & MOVE_TYPE;

	p->ep = NO_SQUARE;
	p->halfmove = type == PAWN ? 0 : p->halfmove + 1;
	p->fullmove += c == BLACK;
	p->to_move = (uint8_t)!c;
	if (m.flags & MOVE_CAPTURE) {
		unsigned taken = m.flags & MOVE_EP ? m.to ^ 8u : m.to;

		if (captured)
			*captured = board_man(p, taken);
		p->color[!c] &= ~BIT(taken);
		for (unsigned t = 0; t < PIECE_TYPES; t++)
			p->type[t] &= ~BIT(taken);
		p->halfmove = 0;
	}
	p->color[c] ^= from | to;
	if (m.promo == NO_PIECE) {
		p->type[type] ^= from | to;
	} else {
		p->type[PAWN] ^= from;
		p->type[m.promo] |= to;
	}
	if (m.flags & MOVE_DOUBLE && !(switches & GEN_NO_EP)) {
		unsigned over = (m.from + m.to) / 2u;

		if (attacks_pawns(BIT(over), c) & p->type[PAWN] & p->color[!c])
			p->ep = (uint8_t)over;
	}
	if (switches & GEN_CASTLE && p->castling) {
		if (m.flags & MOVE_CASTLE) {
			const struct castle *k = gen_castle(c, switches, m.flags & MOVE_LONG);

			p->color[c] ^= BIT(k->rook_from) | BIT(k->rook_to);
			p->type[ROOK] ^= BIT(k->rook_from) | BIT(k->rook_to);
		}
		p->castling &= (uint8_t)~gen_rights_lost(from | to, switches);
	}
}
