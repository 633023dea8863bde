/* Writes the site's games as PGN, a file for each kind of game. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pbm/site/site.h"

/* Called for each game that can't be written: its board, and why. */
typedef void export_broken_fn(long long board, const char *why);

struct export_report {
	size_t games, files, broken;
};

/* Writes suicide.pgn and so on into the folder, which is made: the finished games, by board number;
 * all: also those that are being played.  Files of an earlier export are replaced. */
int export_games(struct site *site, const char *folder, bool all, export_broken_fn *broken,
                 struct export_report *r, struct err *e);
