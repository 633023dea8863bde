/* The options of a new tournament: its kind, its players, and the terms of its games. */
#pragma once

#include "pbm/commands/words/command.h"
#include "store/document/tournament.h"

/* Reads the words of the call from `from` on: a game's name and options, or the season that this
 * one follows.  *t has a name and a director, and gets the players who are to be asked as its
 * entries.  1: refused, and the sender is told. */
int tournament_options_read(struct request *q, const struct call *c, size_t from,
                            struct tournament_doc *t, struct err *e);

/* Can a Swiss tournament with so many players or teams have its rounds?  If not, says how many
 * it can have. */
bool tournament_options_fit(struct request *q, const struct tournament_doc *t, int units);
