/* The source of an imported game: the tags that its PGN had, a line "Name: value" for each, and
 * the name of the file.  It says who played where, as the file does; a game's document keeps it,
 * and pgn_write() writes the same tags again. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pbm/base/mem.h"
#include "pbm/base/str.h"

/* The tags that are kept, in the order of a PGN; the last one has no name. */
struct pgn_source_tag {
	const char *name;
	bool always; /* a PGN has it in any case, with "?" where it is unknown */
};
extern const struct pgn_source_tag pgn_source_tags[];

#define PGN_SOURCE_FILE "File"
#define PGN_SOURCE_OLD 1 /* the time of games before 1970: their Date says when they were played */

/* Appends a line; control characters become blanks, and long values are cut. */
void pgn_source_add(struct str *out, const char *name, const char *value);

/* The value of a line, in the arena; NULL: there is none, or source is NULL. */
const char *pgn_source_get(struct arena *a, const char *source, const char *name);

/* Reads a date as PGN writes it, "1999.12.01".  An unknown month or day is the first one.
 * A day before 1970, which the store's times don't reach, is PGN_SOURCE_OLD.  False: the year is
 * unknown, or there is no such day. */
bool pgn_source_date(const char *date, int64_t *out);
