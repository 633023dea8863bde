/* Refusals of lines that are no command, with what was probably meant, for dispatch.c. */
#pragma once

#include "pbm/commands/dispatch_pair.h"

/* Both return 1, or a negative error.  A line that may hold the sender's password is not repeated. */

/* The word should be a command. */
int dispatch_refuse_unknown(struct parse *p, const char *word, struct err *e);

/* The first line of an answer, from start, is neither a move nor a command. */
int dispatch_refuse_line(struct parse *p, const char *start, const char *word, struct err *e);

/* Offers in the note what the whole line may mean: "stop watching game 1". */
void dispatch_offer_said(struct parse *p, struct note *n);

/* The name of the game is missing: "challenge bob suicide" looks like FICS's match. */
void dispatch_refuse_no_game(struct parse *p);
