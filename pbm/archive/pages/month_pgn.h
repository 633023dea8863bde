/* All games of a month as PGN: "month/2026-12.pgn", and, after each 250 games, a further file,
 * "month/2026-12.2.pgn".  So a game that ends changes the last file alone.  Only for the files
 * of this folder. */
#pragma once

#include <jansson.h>

#include "pbm/archive/pages/list_parts.h"

/* Writes those files that have one of these games; due NULL: all.  The games' own PGN files
 * are written already. */
int month_pgn_write(struct site *site, const struct list_name *l, const struct list_due *due,
                    size_t failed, struct err *e);

/* The files of a month with so many games, as seen from its page: [{"url", "number"}]. */
json_t *month_pgn_files(const struct list_name *l, int64_t games);
