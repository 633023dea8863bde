/* The lists of finished games, by their names: which games are in one, how many, and the
 * folder of its pages.
 *   all                          index.html (the front page alone)
 *   month:2026-12                month/2026-12/
 *   game:suicide                 game/suicide/
 *   player:alice                 player/alice/
 *   result:suicide 0-1           game/suicide/black-won/
 *   opening:suicide e3 b5        game/suicide/opening/e3_b5/       one to four plies
 *   months:suicide 2026-12       no pages; a part of the search index
 * Only for the files of this folder. */
#pragma once

#include "pbm/base/mem.h"
#include "pbm/site/site.h"
#include "store/store_questions.h"

struct game_doc;

#define LISTS_OF_GAME 10 /* besides "all" */

struct list_name {
	const char *name;    /* "opening:suicide e3 b5" */
	const char *kind;    /* "opening" */
	const char *key;     /* "suicide e3 b5" */
	const char *game;    /* the kind of game, "suicide", if all games have it; or NULL */
	const char *rest;    /* the part after the game in the key, "e3 b5", or "" */
	const char *folder;  /* "game/suicide/opening/e3_b5" */
	const char *up;      /* from there to the archive's folder: "../../../../" */
	const char *heading; /* "Suicide: 1. e3 b5" */
};

/* Reads a name, which names_of_game() or the store made. */
void list_read(struct arena *a, const char *name, struct list_name *out);

/* The names of a game's lists, besides "all"; returns how many they are. */
size_t lists_of_game(struct arena *a, const struct game_doc *d, const char *names[LISTS_OF_GAME]);

/* The games of a list before a place, newest first; {INT64_MAX, INT64_MAX} starts with the
 * newest. */
int list_games(struct site *site, const struct list_name *l, struct finished_place below,
               size_t limit, game_row_fn *fn, void *arg, struct err *e);

int list_count(struct site *site, const struct list_name *l, int64_t *n, struct err *e);

/* The turns of an opening with their numbers: "1. e3 b5 2. Bxb5" for "e3 b5 Bxb5". */
const char *list_turns(struct arena *a, const char *opening);

/* The folder of an opening's games. */
const char *list_opening_folder(struct arena *a, const char *game, const char *opening);
