#include "games/fast/losing_fast.h"

#include "games/fast/fast.h"

void losing_list(const struct losing *row, const struct pos *p, struct gen_list *l)
{
	l->first = l->n = 0;
	if (!losing_men_ended(row, p))
		orthodox_list(p, row->switches, losing_is_royal(row, p, p->to_move),
		              row->promotions, l);
}

bool losing_is_lone_pawn(const struct losing *row, const struct pos *p)
{
	uint64_t men = p->color[p->to_move];

	return row->passes && men && !(men & (men - 1)) && men & p->type[PAWN];
}

void losing_pass(struct pos *p)
{
	p->ep = NO_SQUARE;
	p->halfmove++;
	p->fullmove += p->to_move == BLACK;
	p->to_move = !p->to_move;
}

bool losing_may_pass(const struct losing *row, const struct pos *p)
{
	struct pos next = *p;
	struct gen_list l;

	if (!losing_is_lone_pawn(row, p) || losing_men_ended(row, p))
		return false;
	losing_pass(&next);
	losing_list(row, &next, &l);
	return l.n > 0;
}

static const struct losing *row_of(const struct game *g)
{
	return g->rules->variant;
}

GAMES_INLINE unsigned count_moves(const struct losing *row, const struct pos *p, enum color c,
                                  unsigned switches, bool royal, enum attacks_path path)
{
	unsigned n = gen_count_moves(p, c, switches, royal, bit_count(row->promotions, path), path);

	return n || !row->passes ? n : losing_may_pass(row, p);
}

GAMES_INLINE void list_moves(const struct losing *row, const struct pos *p, enum color c,
                             unsigned switches, bool royal, enum attacks_path path,
                             struct gen_list *l)
{
	gen_list_moves(p, c, switches, royal, row->promotions, path, l);
	if (!l->n && losing_may_pass(row, p)) {
		l->first = 0;
		l->v[l->n++] = move_none;
	}
}

GAMES_INLINE uint64_t perft(const struct game *g, const struct pos *p, int depth, enum color c,
                            unsigned switches, bool royal, enum attacks_path path, fast_perft *next)
{
	const struct losing *row = row_of(g);
	struct gen_list l;
	uint64_t sum = 0;

	if (losing_men_ended(row, p))
		return 0;
	if (depth == 1)
		return count_moves(row, p, c, switches, royal, path);
	gen_list_moves(p, c, switches, royal, row->promotions, path, &l);
	for (unsigned i = 0; i < l.n; i++) {
		struct pos child = *p;

		gen_apply(&child, l.v[l.first + i], c, switches, NULL);
		sum += next(g, &child, depth - 1);
	}
	if (!l.n && losing_may_pass(row, p)) {
		struct pos child = *p;

		losing_pass(&child);
		sum = next(g, &child, depth - 1);
	}
	return sum;
}

/* The switches and the royal king of each kind of variant, as constants where
 * the kind has them. */
#define PLAIN_SWITCHES(row) GEN_MUST_CAPTURE
#define PLAIN_ROYAL(row, p, c) false
#define ROYAL_SWITCHES(row) (GEN_MUST_CAPTURE | GEN_CASTLE)
#define ROYAL_ROYAL(row, p, c) true
#define ANY_SWITCHES(row) (row)->switches
#define ANY_ROYAL(row, p, c) losing_is_royal(row, p, c)

#define NODE(name, SWITCHES, ROYAL)                                                                \
	GAMES_INLINE uint64_t name##_node(const struct game *g, const struct pos *p, int depth,    \
	                                  enum color c, enum attacks_path path, fast_perft *next)  \
	{                                                                                          \
		return perft(g, p, depth, c, SWITCHES(row_of(g)), ROYAL(row_of(g), p, c), path,    \
		             next);                                                                \
	}
NODE(plain, PLAIN_SWITCHES, PLAIN_ROYAL)
NODE(royal, ROYAL_SWITCHES, ROYAL_ROYAL)
NODE(any, ANY_SWITCHES, ANY_ROYAL)

#define COUNT(name, SWITCHES, ROYAL, color, path)                                                  \
	static unsigned name(const struct game *g, const struct pos *p)                            \
	{                                                                                          \
		const struct losing *row = row_of(g);                                              \
                                                                                                   \
		if (losing_men_ended(row, p) || losing_is_dead(row, p))                            \
			return 0;                                                                  \
		return count_moves(row, p, color, SWITCHES(row), ROYAL(row, p, color), path);      \
	}
#define LIST(name, SWITCHES, ROYAL, color, path)                                                   \
	static void name(const struct game *g, const struct pos *p, struct gen_list *l)            \
	{                                                                                          \
		const struct losing *row = row_of(g);                                              \
                                                                                                   \
		list_moves(row, p, color, SWITCHES(row), ROYAL(row, p, color), path, l);           \
	}
#define FLAVOUR(name, kind, SWITCHES, ROYAL, path, target)                                         \
	FAST_PAIR(name, kind##_node, path, target)                                                 \
	target COUNT(name##_count_white, SWITCHES, ROYAL, WHITE, path)                             \
	target COUNT(name##_count_black, SWITCHES, ROYAL, BLACK, path)                             \
	target LIST(name##_list_white, SWITCHES, ROYAL, WHITE, path)                               \
	target LIST(name##_list_black, SWITCHES, ROYAL, BLACK, path)
#define ROW(name)                                                                                  \
	{                                                                                          \
		.perft = { name##_white, name##_black },                                           \
		.count = { name##_count_white, name##_count_black },                               \
		.list = { name##_list_white, name##_list_black },                                  \
	}
#define KIND(name, SWITCHES, ROYAL)                                                                \
	FLAVOUR(name##_portable, name, SWITCHES, ROYAL, ATTACKS_PORTABLE, )                        \
	FLAVOUR(name##_pext, name, SWITCHES, ROYAL, ATTACKS_PEXT, ATTACKS_PEXT_TARGET)             \
	const struct rules_fast losing_fast_##name[2] = { ROW(name##_portable), ROW(name##_pext) }

KIND(plain, PLAIN_SWITCHES, PLAIN_ROYAL);
KIND(royal, ROYAL_SWITCHES, ROYAL_ROYAL);
KIND(any, ANY_SWITCHES, ANY_ROYAL);
