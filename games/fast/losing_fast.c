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

GAMES_INLINE void apply_move(struct pos *p, struct move m, enum color c, unsigned switches)
{
	if (m.from == NO_SQUARE)
		losing_pass(p);
	else
		gen_apply(p, m, c, switches, NULL);
}

typedef unsigned fast_count(const struct game *g, const struct pos *p);

GAMES_INLINE uint64_t perft(const struct game *g, const struct pos *p, int depth, enum color c,
                            unsigned switches, fast_count *count, struct fast_calls call)
{
	const struct losing *row = row_of(g);
	struct gen_list l;
	uint64_t sum = 0;

	if (losing_men_ended(row, p))
		return 0;
	if (depth == 1)
		return count(g, p);
	call.list(g, p, &l);
	for (unsigned i = 0; i < l.n; i++) {
		struct pos child = *p;

		apply_move(&child, l.v[l.first + i], c, switches);
		sum += call.next(g, &child, depth - 1);
	}
	return sum;
}

/* The side with fewest men has won: the other one is neither bare nor empty. */
GAMES_INLINE enum result result_of_men(const struct losing *row, const struct pos *p)
{
	uint64_t white = p->color[WHITE];

	if (losing_men_ended(row, p))
		return (row->bare_wins ? white & (white - 1) : white) ? RESULT_BLACK : RESULT_WHITE;
	return losing_is_dead(row, p) ? RESULT_DRAW : RESULT_RUNNING;
}

/* The switches and the royal king of each kind of variant, as constants where
 * the kind has them. */
#define PLAIN_SWITCHES(row) GEN_MUST_CAPTURE
#define PLAIN_ROYAL(row, p, c) false
#define ROYAL_SWITCHES(row) (GEN_MUST_CAPTURE | GEN_CASTLE)
#define ROYAL_ROYAL(row, p, c) true
#define ANY_SWITCHES(row) (row)->switches
#define ANY_ROYAL(row, p, c) losing_is_royal(row, p, c)

/* The moves of a position whose men have not ended the game: a function of their own for perft and
 * for the slot count, because it is the longest. */
#define MOVES(name, SWITCHES, ROYAL, color, path)                                                  \
	static unsigned name(const struct game *g, const struct pos *p)                            \
	{                                                                                          \
		const struct losing *row = row_of(g);                                              \
                                                                                                   \
		return count_moves(row, p, color, SWITCHES(row), ROYAL(row, p, color), path);      \
	}
#define BOTH_MOVES(name, SWITCHES, ROYAL, path, target)                                            \
	target MOVES(name##_white_moves, SWITCHES, ROYAL, WHITE, path)                             \
	target MOVES(name##_black_moves, SWITCHES, ROYAL, BLACK, path)

#define TEXTS(kind, SWITCHES, ROYAL)                                                               \
	BOTH_MOVES(kind##_portable, SWITCHES, ROYAL, ATTACKS_PORTABLE, )                           \
	BOTH_MOVES(kind##_pext, SWITCHES, ROYAL, ATTACKS_PEXT, ATTACKS_PEXT_TARGET)                \
	GAMES_INLINE uint64_t kind##_node(const struct game *g, const struct pos *p, int depth,    \
	                                  enum color c, enum attacks_path path,                    \
	                                  struct fast_calls call)                                  \
	{                                                                                          \
		fast_count *const of[2][2] = {                                                     \
			{ kind##_portable_white_moves, kind##_portable_black_moves },              \
			{ kind##_pext_white_moves, kind##_pext_black_moves }                       \
		};                                                                                 \
                                                                                                   \
		return perft(g, p, depth, c, SWITCHES(row_of(g)), of[path][c], call);              \
	}                                                                                          \
	GAMES_INLINE void kind##_list(const struct game *g, const struct pos *p, enum color c,     \
	                              enum attacks_path path, struct gen_list *l)                  \
	{                                                                                          \
		const struct losing *row = row_of(g);                                              \
                                                                                                   \
		list_moves(row, p, c, SWITCHES(row), ROYAL(row, p, c), path, l);                   \
	}                                                                                          \
	GAMES_INLINE bool kind##_apply(const struct game *g, struct pos *p, struct move m,         \
	                               enum color c, enum attacks_path path)                       \
	{                                                                                          \
		(void)g;                                                                           \
		(void)path;                                                                        \
		apply_move(p, m, c, SWITCHES(row_of(g)));                                          \
		return true;                                                                       \
	}                                                                                          \
	GAMES_INLINE enum result kind##_leaf(const struct game *g, const struct pos *p,            \
	                                     enum color c, enum attacks_path path)                 \
	{                                                                                          \
		(void)c;                                                                           \
		(void)path;                                                                        \
		return result_of_men(row_of(g), p);                                                \
	}                                                                                          \
	GAMES_INLINE bool kind##_in_check(const struct game *g, const struct pos *p, enum color c, \
	                                  enum attacks_path path)                                  \
	{                                                                                          \
		(void)g;                                                                           \
		return ROYAL(row_of(g), p, c) && board_checked(p, c, path);                        \
	}
TEXTS(plain, PLAIN_SWITCHES, PLAIN_ROYAL)
TEXTS(royal, ROYAL_SWITCHES, ROYAL_ROYAL)
TEXTS(any, ANY_SWITCHES, ANY_ROYAL)

#define COUNT(name)                                                                                \
	static unsigned name##_count(const struct game *g, const struct pos *p)                    \
	{                                                                                          \
		return result_of_men(row_of(g), p) == RESULT_RUNNING ? name##_moves(g, p) : 0;     \
	}
#define FLAVOUR(name, kind, path, target)                                                          \
	FAST_FLAVOUR(name, kind, path, target)                                                     \
	COUNT(name##_white)                                                                        \
	COUNT(name##_black)
#define ROW(name)                                                                                  \
	{                                                                                          \
		FAST_ROW(name), .count = { name##_white_count, name##_black_count }                \
	}
#define KIND(kind)                                                                                 \
	FLAVOUR(kind##_portable, kind, ATTACKS_PORTABLE, )                                         \
	FLAVOUR(kind##_pext, kind, ATTACKS_PEXT, ATTACKS_PEXT_TARGET)                              \
	const struct rules_fast losing_fast_##kind[2] = { ROW(kind##_portable), ROW(kind##_pext) }

KIND(plain);
KIND(royal);
KIND(any);
