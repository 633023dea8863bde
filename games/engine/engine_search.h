/* The search itself, and the state that it shares with the order of turns. */
#pragma once

#include "games/engine/engine.h"

#include "games/attacks.h"
#include "games/engine/engine_eval.h"
#include "games/solve/solve_table.h"
#include <stddef.h>

/* ---- the table of positions that a search has seen ---- */

enum bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT };

#define NO_INDEX UINT16_MAX

struct table_entry {
	uint64_t key;
	uint16_t index; /* of the best turn in its list, or NO_INDEX */
	int16_t score;
	int16_t eval;
	uint8_t depth;
	uint8_t bound; /* enum bound; BOUND_NONE: empty */
};

/* An entry that is replaced by depth, and one that is always replaced, side by side. */
struct position_table {
	struct table_entry *v;
	size_t pairs; /* a power of two in use now */
	size_t room;
};

GAMES_INLINE struct table_entry *table_pair(const struct position_table *t, uint64_t key)
{
	return t->v + 2 * (key >> 16 & (t->pairs - 1));
}

/* Empties the table, and uses no more of it than this many bytes. */
void table_reset(struct position_table *t, uint64_t bytes);
/* The entry of this key, or NULL. */
const struct table_entry *table_get(const struct position_table *t, uint64_t key);
void table_put(struct position_table *t, const struct table_entry *entry);

/* ---- the search ---- */

#define KEYS_BEFORE 160 /* positions of the game that can come again: halfmove is at most 150 */
#define SCORE_MAX 32000
/* Scores beyond it are of positions won or lost. */
#define SCORE_KNOWN (ENGINE_WIN - 1000)

/* One ply of the line being searched. */
struct frame {
	struct gen_list list;
	int64_t worth[GEN_MAX]; /* of the turns that are left, for their order */
	struct move killer[2];
	unsigned line_n;
	struct move line[ENGINE_DEPTH]; /* the best one from here */
};

struct engine_search {
	const struct game *game;
	const struct rules_fast *fast;
	struct eval_table eval;
	struct position_table table;
	enum color own; /* the side that thinks */
	bool forced;    /* a game in which captures are compulsory */
	uint64_t nodes, stop_at, report_at;
	bool may_stop;           /* there is a turn to play */
	bool stopped, cancelled; /* by the nodes or the report; by the report */
	const struct engine_limits *limits;
	struct engine_result *now; /* for reports */
	unsigned left_n;           /* turns of the first position that are left out */
	struct move left[GEN_MAX];
	uint32_t seed;
	int16_t history[2][64][64];
	int16_t push[2][64]; /* of the second byte of struct move .own */
	unsigned keys_n;     /* of the game, before the first position */
	uint64_t keys[KEYS_BEFORE + ENGINE_DEPTH + 1];
	struct frame frame[ENGINE_DEPTH + 1];
};

GAMES_INLINE bool turn_same(const struct move *a, const struct move *b)
{
	return a->from == b->from && a->to == b->to && a->promo == b->promo &&
	       a->own[0] == b->own[0] && a->own[1] == b->own[1];
}

uint64_t search_key(const struct pos *p);

/* Searches p, the first position, for so many plies.  The best line stands in
 * frame[0].line, unless line_n is 0; the score counts only if the search was not stopped. */
int search_first(struct engine_search *s, const struct pos *p, int depth, int alpha, int beta);
