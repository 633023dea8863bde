/* Imports finished games from PGN: each is replayed by the rules and stored as an unrated game
 * with its source.  A game that the site has already is left alone, so an import that was cut off
 * is simply run again. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pbm/site/site.h"

/* Called for each game that is left out: the line of the file, and why. */
typedef void import_refused_fn(size_t line, const char *why);

struct import_options {
	const char *file; /* its name, for the source */
	const char **
		names; /* pairs, the last one NULL: a name of the file, and the userid of its owner */
	int64_t date; /* of games whose date is not known; 0: they are left out */
	bool dry;     /* nothing is stored */
	import_refused_fn *refused;
};

struct import_report {
	size_t added, known, refused;
};

/* The store must be open for writing, without a transaction: there is one for some games at a
 * time, and between two of them other processes may have the store, which is opened again then.  <0: the
 * import stopped, and what the report counts as added is stored. */
int import_games(struct site *site, FILE *in, const struct import_options *o,
                 struct import_report *r, struct err *e);
