/* Guesses what a line means that is no command: a turn, or the command that a sentence wishes for by
 * single words of it, wherever they stand ("can you tell me how strong bob is?" is about "rank bob").
 * A guess is only offered: nothing is played or run.  guess_rows.words has the words. */
#pragma once

#include "pbm/commands/dispatch_pair.h"

/* The turn that the line at start, or else the mail, may mean, as a hint; NULL: there is none, as
 * for m NULL.  A question whether a move can be taken back names moves, too. */
const char *guess_turn(struct parse *p, const struct match *m, const char *start);

/* Of lines that are the castlings, those that the player may play now; all of them when none is
 * legal, as the answer to one says why. */
const char *guess_castling(struct request *q, const struct match *m, uint8_t seat,
                           const char *lines);

/* The command of the first row that fits the line; NULL: none.  A line that begins with the word of a
 * command is only about another one by a row for its first word. */
const char *guess_wish(struct request *q, const char *line);

/* The same for a line about a board, where "bob, draw?" wishes for a draw. */
const char *guess_on_board(struct request *q, const char *line);

/* The hint how to answer an offer, with the command or the page that the line may ask for besides. */
const char *guess_beside(struct parse *p, const struct match *m, const char *start,
                         const char *hint);

/* "sought chess" for "I want to play chess" outside of a board's mail: lists may be shown by a guess.
 * Another line as it is. */
const char *guess_list(struct request *q, const char *line);

/* Refuses a line that can only be a wish, outside of a board's mail or by its first word, and offers
 * the command: "I don't want to play with bob", "stop sending html", "bob suicide", "best of 3".
 * Makes no offer to a player by a guess.  false: the line is another. */
bool guess_refuse(struct parse *p);
