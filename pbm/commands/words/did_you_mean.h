/* Guesses the command that a line with slips of the pen means: "sucide challenge alice bob",
 * "suicide chalenge alice bob", "help!".  The guess is only offered, never run. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pbm/base/mem.h"

/* The line with its first words corrected; NULL when no command is near, when the line is right
 * already, and when it is too long or asks a question. */
const char *did_you_mean_line(struct arena *a, const char *line);

#define DID_YOU_MEAN_SENTENCE 4 /* a line of more words that is no command is a sentence */

/* The line as a guess below a refusal, with the words around it. */
const char *did_you_mean_offer(struct arena *a, const char *line);

/* The guess (MAY be NULL) with what the line says put into its gap: "I have a new address:
 * bob@example.net". */
const char *did_you_mean_fill(struct arena *a, const char *said, const char *line);

/* The board that the line names, "on board 1", "#1"; 0: none. */
int64_t did_you_mean_named(struct arena *a, const char *line);

/* The guess (MAY be NULL) with the board that the line names after its first word, if it is a word that acts: "resign 1" for
 * "I resign game 1". */
const char *did_you_mean_board(struct arena *a, const char *said, const char *line);

/* "how do I resign?": the page that answers, "help resign".  NULL: none. */
const char *did_you_mean_help(struct arena *a, const char *line);

/* The command for which players say this, "resign" for "I give up"; NULL: none. */
const char *did_you_mean_said(const char *line);

/* The same for a later sentence of the line, or its last words for a page of help or for leaving:
 * "Sorry, I am on vacation."; also a word that acts: "Sorry, wrong game. abort please" */
const char *did_you_mean_later(struct arena *a, const char *line);

/* The line without "please", "I want to" and the like in front. */
const char *did_you_mean_core(const char *line);

/* Does the command end mails or the account? */
bool did_you_mean_is_leave(const char *said);

/* "stop" or "delete", if the text's writer wants to leave: "please, no more mails".  NULL: neither. */
const char *did_you_mean_leave(struct arena *a, const char *text);

/* Does a line of the text say what the command does ("Do you want a draw?"), and nothing else? */
bool near_says(const char *text, const char *command);

/* Does a sentence of the text wish for a draw, "By the way, I offer a draw here.", "Shall we call it
 * a draw?", or for a move to be taken back? */
bool near_wishes_draw(const char *text);
bool near_wishes_undo(const char *text);
