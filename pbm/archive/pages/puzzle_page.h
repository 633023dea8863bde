/* The pages of puzzles: puzzles/2026-12-01.html has the puzzle of that day, and puzzles/index.html
 * lists the newest.  The page belongs to its game and is written with the game's pages, from the
 * puzzle's day on. */
#pragma once

#include <jansson.h>

#include "pbm/base/mem.h"
#include "pbm/site/site.h"
#include "store/document/document.h"

/* Writes the page of the game's puzzle.  Nothing is written if there is none, or if its day has not
 * come. */
int puzzle_page_write(struct site *site, struct arena *a, const struct game_doc *d, struct err *e);

/* Removes it. */
int puzzle_page_remove(struct site *site, struct arena *a, const struct game_doc *d, struct err *e);

/* Adds the newest puzzle's page to the front page ("puzzle", or null), and writes the list. */
int puzzle_page_list(struct site *site, json_t *front, struct err *e);

/* Marks the games whose puzzles' days have come since the last call. */
int puzzle_pages_mark(struct site *site, struct err *e);
