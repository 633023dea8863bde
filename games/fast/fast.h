/* The texts of a game's hot loops, compiled four times: for each side to move
 * and each flavour of attacks.  The texts of a kind of game are GAMES_INLINE functions
 *
 *   uint64_t kind_node(g, p, depth, color, path, call)
 *   void kind_list(g, p, color, path, out)
 *   void kind_captures(g, p, color, path, out)   where FAST_RULES_CAPTURES makes the table
 *   bool kind_apply(g, p, m, color, path)
 *   enum result kind_leaf(g, p, color, path)
 *   bool kind_in_check(g, p, color, path)
 *
 * whose colour and path are constants in each copy.  They become the slots of struct
 * rules_fast.  A node calls the copies of list and apply, because compiling these texts into
 * it once more takes twice the time and wins nothing. */
#pragma once

#include "games/gen.h"

typedef uint64_t fast_perft(const struct game *g, const struct pos *p, int depth);

/* The copies that a node may call: of its own side, and of node for the other one. */
struct fast_calls {
	void (*list)(const struct game *g, const struct pos *p, struct gen_list *out);
	bool (*apply)(const struct game *g, struct pos *p, const struct move *m);
	fast_perft *next;
};

/* A text of node made of the others, for games whose perft need not be the fastest. */
#define FAST_NODE(kind)                                                                            \
	GAMES_INLINE uint64_t kind##_node(const struct game *g, const struct pos *p, int depth,    \
	                                  enum color c, enum attacks_path path,                    \
	                                  struct fast_calls call)                                  \
	{                                                                                          \
		struct gen_list l;                                                                 \
		uint64_t sum = 0;                                                                  \
                                                                                                   \
		if (kind##_leaf(g, p, c, path) != RESULT_RUNNING)                                  \
			return 0;                                                                  \
		call.list(g, p, &l);                                                               \
		for (unsigned i = 0; i < l.n; i++) {                                               \
			struct pos child = *p;                                                     \
                                                                                                   \
			if (call.apply(g, &child, &l.v[l.first + i]))                              \
				sum += depth == 1 ? 1 : call.next(g, &child, depth - 1);           \
		}                                                                                  \
		return sum;                                                                        \
	}

/* The text of in_check where each side has one royal king. */
GAMES_INLINE bool fast_in_check(const struct game *, const struct pos *p, enum color c,
                                enum attacks_path path)
{
	return board_checked(p, c, path);
}

/* The same where nobody ever is in check. */
GAMES_INLINE bool fast_unchecked(const struct game *, const struct pos *, enum color,
                                 enum attacks_path)
{
	return false;
}

/* A text of leaf: the side to move, c, has lost the position p if this is true. */
#define FAST_LEAF(kind, lost)                                                                      \
	GAMES_INLINE enum result kind##_leaf(const struct game *, const struct pos *p,             \
	                                     enum color c, enum attacks_path)                      \
	{                                                                                          \
		return !(lost) ? RESULT_RUNNING : c == WHITE ? RESULT_BLACK : RESULT_WHITE;        \
	}

/* The text of leaf where a position alone ends no game. */
GAMES_INLINE enum result fast_running(const struct game *, const struct pos *, enum color,
                                      enum attacks_path)
{
	return RESULT_RUNNING;
}

/* The copies of list and in_check for one side; target is ATTACKS_PEXT_TARGET for ATTACKS_PEXT, else
 * empty. */
#define FAST_LISTS(name, kind, color, path, target)                                                \
	target static void name##_list(const struct game *g, const struct pos *p,                  \
	                               struct gen_list *out)                                       \
	{                                                                                          \
		kind##_list(g, p, color, path, out);                                               \
	}                                                                                          \
	target static bool name##_in_check(const struct game *g, const struct pos *p)              \
	{                                                                                          \
		return kind##_in_check(g, p, color, path);                                         \
	}

/* The others, with the copies of list from lists. */
#define FAST_SIDE(name, lists, kind, color, path, target, next)                                    \
	target static bool name##_apply(const struct game *g, struct pos *p, const struct move *m) \
	{                                                                                          \
		return kind##_apply(g, p, *m, color, path);                                        \
	}                                                                                          \
	target static uint64_t name##_perft(const struct game *g, const struct pos *p, int depth)  \
	{                                                                                          \
		return kind##_node(                                                                \
			g, p, depth, color, path,                                                  \
			(struct fast_calls){ lists##_list, name##_apply, next##_perft });          \
	}                                                                                          \
	target static enum result name##_leaf(const struct game *g, const struct pos *p)           \
	{                                                                                          \
		return kind##_leaf(g, p, color, path);                                             \
	}

/* Both sides' copies of one flavour: name_white_perft and so on. */
#define FAST_SIDES(name, lists, kind, path, target)                                                \
	target static fast_perft name##_black_perft;                                               \
	FAST_SIDE(name##_white, lists##_white, kind, WHITE, path, target, name##_black)            \
	FAST_SIDE(name##_black, lists##_black, kind, BLACK, path, target, name##_white)
#define FAST_FLAVOUR(name, kind, path, target)                                                     \
	FAST_LISTS(name##_white, kind, WHITE, path, target)                                        \
	FAST_LISTS(name##_black, kind, BLACK, path, target)                                        \
	FAST_SIDES(name, name, kind, path, target)

/* The row of a flavour; other slots may follow. */
#define FAST_ROW_OF(name, lists)                                                                   \
	.perft = { name##_white_perft, name##_black_perft },                                       \
	.list = { lists##_white_list, lists##_black_list },                                        \
	.apply = { name##_white_apply, name##_black_apply },                                       \
	.leaf = { name##_white_leaf, name##_black_leaf },                                          \
	.in_check = { lists##_white_in_check, lists##_black_in_check }
#define FAST_ROW(name) FAST_ROW_OF(name, name)

/* As FAST_LISTS, for kind_captures. */
#define FAST_CAPTURES(name, kind, color, path, target)                                             \
	target static void name##_captures(const struct game *g, const struct pos *p,              \
	                                   struct gen_list *out)                                   \
	{                                                                                          \
		kind##_captures(g, p, color, path, out);                                           \
	}
#define FAST_ROW_CAPTURES(name)                                                                    \
	FAST_ROW(name), .captures = { name##_white_captures, name##_black_captures }

/* All four copies, and the table of this name for a game's slot `fast`. */
#define FAST_RULES(kind)                                                                           \
	FAST_FLAVOUR(kind##_portable, kind, ATTACKS_PORTABLE, )                                    \
	FAST_FLAVOUR(kind##_pext, kind, ATTACKS_PEXT, ATTACKS_PEXT_TARGET)                         \
	const struct rules_fast kind[2] = { { FAST_ROW(kind##_portable) },                         \
		                            { FAST_ROW(kind##_pext) } }

/* The same for a game of another table's file that lists as that one does. */
#define FAST_RULES_LISTING(kind, lists)                                                            \
	FAST_SIDES(kind##_portable, lists##_portable, kind, ATTACKS_PORTABLE, )                    \
	FAST_SIDES(kind##_pext, lists##_pext, kind, ATTACKS_PEXT, ATTACKS_PEXT_TARGET)             \
	const struct rules_fast kind[2] = { { FAST_ROW_OF(kind##_portable, lists##_portable) },    \
		                            { FAST_ROW_OF(kind##_pext, lists##_pext) } }

#define FAST_RULES_CAPTURES(kind)                                                                  \
	FAST_FLAVOUR(kind##_portable, kind, ATTACKS_PORTABLE, )                                    \
	FAST_CAPTURES(kind##_portable_white, kind, WHITE, ATTACKS_PORTABLE, )                      \
	FAST_CAPTURES(kind##_portable_black, kind, BLACK, ATTACKS_PORTABLE, )                      \
	FAST_FLAVOUR(kind##_pext, kind, ATTACKS_PEXT, ATTACKS_PEXT_TARGET)                         \
	FAST_CAPTURES(kind##_pext_white, kind, WHITE, ATTACKS_PEXT, ATTACKS_PEXT_TARGET)           \
	FAST_CAPTURES(kind##_pext_black, kind, BLACK, ATTACKS_PEXT, ATTACKS_PEXT_TARGET)           \
	const struct rules_fast kind[2] = { { FAST_ROW_CAPTURES(kind##_portable) },                \
		                            { FAST_ROW_CAPTURES(kind##_pext) } }
