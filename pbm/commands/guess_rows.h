/* The table of guess.h, from guess_rows.words. */
#pragma once

/* Rows of words that a line must have, each with the command; in order, ending with NULL.
 *
 * Words are separated by blanks; "a/b" is one of them, "a*" a word that begins so, "!a" a word that
 * the line must not have, "^a" its first word, and the next "^b" its second; "please", "I want to" and the like in front are no words.  <player>, <number>, <game> and <address> stand
 * for those that the line names, <last> for its last word, and for them in the command. */
extern const char *const guess_rows_all[][2];

/* Rows of words of lines that take a draw offer back. */
extern const char *const guess_rows_draw_back[];
