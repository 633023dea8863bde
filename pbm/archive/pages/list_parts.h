/* Files with some hundred games of a list each, for PGN and the search.  Parts are numbered from
 * the oldest games, from 1, and all but the last one are full.  Only for the files of this
 * folder. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "pbm/archive/pages/list_name.h"
#include "pbm/site/site.h"
#include "store/store_questions.h"

/* The games of one list that are published in this run, by board number. */
struct list_due {
	const char *name;
	int64_t *v; /* rising */
	size_t n, cap;
	bool past; /* some stand before games that are there: all parts and pages change */
};

/* Is this game one of them?  due may be NULL: it is not. */
bool list_parts_due(const struct list_due *due, int64_t board);

struct list_part {
	int64_t number, parts; /* of all the parts that there are */
	/* The oldest game first, as in the search index: [board, white, black, result, day,
	 * turns, opening, game, ending]; result: 0 Black won, 1 White won, 2 a draw; day: "2026-12-01". */
	json_t *rows;
};
typedef int list_part_fn(struct site *site, const struct list_name *l, const struct list_part *p,
                         struct err *e);

/* The words for endings: ["resigned", "checkmate"]. */
json_t *list_endings(void);

/* Calls fn with each part that can have changed because these games are new in the list or have
 * changed; due NULL: with each part.  failed: see list_pages_write(). */
int list_parts_write(struct site *site, const struct list_name *l, size_t size,
                     const struct list_due *due, size_t failed, list_part_fn *fn, struct err *e);
