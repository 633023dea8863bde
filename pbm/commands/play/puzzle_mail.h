/* The mail of a puzzle.  The players' settings say who gets it; the answer is read in
 * cmd_puzzle.c. */
#pragma once

#include "pbm/record/puzzle.h"
#include "pbm/request/request.h"

/* The newest puzzle of a day before t.  game NULL: of every kind of game.  games: of one of these,
 * "suicide,antichess"; NULL or "": of all.  1: *day and *out are filled; 0: there is none. */
int puzzle_find(struct request *q, const char *game, const char *games, int64_t t, int64_t *day,
                struct puzzle *out, struct err *e);

/* Notes the puzzle's position for the reader after so many turns of the solution, and that the
 * mail asks for the next one.  p lives as long as the request. */
struct note *puzzle_show(struct request *q, const char *reader, int64_t day, const struct puzzle *p,
                         size_t ply);

/* Notes the puzzle that a player's setting wants at the time due; *out is NULL if there is no new
 * one. */
int puzzle_due(struct request *q, const struct player_doc *p, int64_t due, struct note **out,
               struct err *e);

/* "https://…/puzzles/2026-12-01.html"; "" on a site without an archive on the web. */
const char *puzzle_url(struct request *q, int64_t day);
