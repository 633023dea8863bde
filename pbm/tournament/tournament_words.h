/* Writes points, results and pairings of a tournament, in mails and on pages: figures and
 * letters that need no translation. */
#pragma once

#include "pbm/base/str.h"
#include "pbm/tournament/tournament_state.h"
#include "pbm/tournament/tournament_teams.h"

#define TOURNAMENT_CONDITIONS_MAX 20
struct tournament_condition {
	const char *key;
	bool is_flag;
	int n;
};

/* Writes, with the keys of templates, what both mails and pages say of a tournament: its kind, which
 * is true under its name, "swiss" or "round_robin", and its conditions.  Returns how many there are. */
size_t tournament_conditions(const struct tournament_doc *t,
                             struct tournament_condition out[TOURNAMENT_CONDITIONS_MAX]);

/* "3.5" for 7 half points. */
void tournament_write_points(int halves, struct str *out);
/* "10.25" for 41 quarters. */
void tournament_write_quarters(int quarters, struct str *out);

/* A player's mark for a game, or '.' while it goes on: "1", "0", "=", "+" and "-" (not played),
 * "*" (annulled). */
char tournament_mark(const struct tournament_game *g, int number);

/* "1-0", "1/2-1/2", "+:-" (not played), "*", or "" while it goes on. */
const char *tournament_result(const struct tournament_game *g);

/* The points of a unit as in the table: "3.5"; match points of teams are whole numbers, "7". */
void tournament_write_score(const struct tournament_doc *t, int points, struct str *out);

/* Writes a unit's result of a pairing: a mark for each game, the first one first ("1="); of
 * teams, the points on the boards ("2.5"), with '.' after them while games go on. */
void tournament_write_pairing(const struct tournament_doc *t, const struct tournament_pairing *p,
                              int unit, struct str *out);

/* The points of both teams on the boards, so far: "2.5:1.5". */
void tournament_write_match(const struct tournament_pairing *p, struct str *out);

/* Writes a unit's result of a round, as in "12w1" for a win with White against number 12; "bye+"
 * for a bye, "--" for a round without a game.  Several pairings of a match follow each other. */
void tournament_write_cell(const struct tournament_doc *t, const struct pairing_row *rows, int unit,
                           int round, struct str *out);

/* The line of a unit in the table, from 1. */
int tournament_line_of(const struct tournament_doc *t, const struct pairing_row *rows, int unit);

/* The place of a line: players who are equal in all but the lot share the first of theirs. */
int tournament_place(const struct pairing_row *rows, size_t line);
