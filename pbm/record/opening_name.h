/* Names of openings, found by the position that a game has reached, so that another order of the
 * turns has the same name.  The tables stand in templates/openings; tests/house/openings.py makes
 * them.  A site may have tables of its own. */
#pragma once

#include "pbm/record/match.h"

struct opening_name {
	char eco[4]; /* "C50"; "" in games without such codes */
	char text[104];
};

/* Turns that are played from the start of a game. */
struct opening_line {
	struct game game; /* without rules: a turn could not be played, or the game has no table */
	struct pos pos;
};
struct opening_line opening_line_start(const char *game);
/* Plays a turn in SAN, and names the position.  False: it has no name. */
bool opening_line_play(struct opening_line *l, const char *san, size_t len,
                       struct opening_name *out);
/* Plays turns with blanks between them, and names the last position. */
bool opening_line_play_all(struct opening_line *l, const char *sans, struct opening_name *out);

/* The name of the last position with a name that the match has reached. */
bool opening_name_of(const struct match *m, struct opening_name *out);
