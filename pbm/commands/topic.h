/* Guesses the command that a sentence wishes for by single words of it, wherever they stand:
 * "can you tell me how strong bob is?" is about "rank bob".  The guess is only offered, never
 * run.  topic.words has the words. */
#pragma once

#include "pbm/commands/dispatch_pair.h"

/* Rows of words that a line must have, each with the command; in order, ending with NULL.
 *
 * Words are separated by blanks; "a/b" is one of them, "a*" a word that begins so, "!a" a word that
 * the line must not have, "^a" its first word.  <player>, <number>, <game> and <address> stand
 * for those that the line names, <last> for its last word, and for them in the command. */
extern const char *const topic_rows[][2];

/* The command; NULL: no row fits.  A line that begins with the word of a command is only about
 * another one by a row for its first word. */
const char *topic_find(struct request *q, const char *line);

/* "sought chess" for "I want to play chess" outside of a board's mail: lists may be shown by a guess.
 * Another line as it is. */
const char *topic_wish(struct request *q, const char *line);

/* Refuses a line that can only be a wish, outside of a board's mail or by its first word, and offers
 * the command: "I don't want to play with bob", "stop sending html", "bob suicide", "best of 3".
 * Makes no offer to a player by a guess.  false: the line is another. */
bool topic_refuse(struct parse *p);
