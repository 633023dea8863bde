/* The files of a finished game: page, PGN and JSON. */
#pragma once

#include "pbm/base/mem.h"
#include "pbm/base/str.h"
#include "pbm/site/site.h"

struct game_doc;

/* Writes the page, PGN and JSON of one game.  alone: not the pages that lead to it as the next
 * or the previous game of a player. */
int game_files_write(struct site *site, struct arena *a, const struct game_doc *doc, bool alone,
                     struct err *e);

/* Appends the PGN that the game's file has, made again. */
int game_files_pgn(struct site *site, struct arena *a, int64_t board, struct str *out,
                   struct err *e);
