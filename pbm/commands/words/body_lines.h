/* The lines of a mail's text, one by one. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pbm/base/mem.h"

struct request;

#define BODY_LINES_PROSE_MAX 5 /* lines without a command, then the rest is not read */

/* The next line that is not empty. */
const char *body_lines_next_filled(struct request *q, const char **text);

/* The text without blanks around it, in the arena; NULL when nothing is left. */
const char *body_lines_trim(struct arena *a, const char *text);

/* "17: Nf3", an answer to one line of a mail with several boards. */
bool body_lines_has_board(const char *line);

/* "2: Ba6" of "And on board 2: Ba6"; else the line itself. */
const char *body_lines_from_board(const char *line);

/* The line after the board that it begins with: "17: note x", "#17 note x", "board 17 note x".  NULL: it
 * begins with none. */
const char *body_lines_behind_board(const char *line);

/* The text after a number that begins a line, and after a sign between them, "1. d4", "1 - d4", "1 d4";
 * *sign: its first byte, or a blank.  NULL: the line begins otherwise. */
const char *body_lines_behind_number(const char *line, char *sign);

/* Does a turn follow a number at the beginning of the line: "2 e5", "2 - e5"? */
bool body_lines_is_numbered(const char *line);

/* The line as "17: e4" if a word for a board stands before that: "Board 17: e4"; else the line itself. */
const char *body_lines_without_word(const char *line);

/* In an answer to a mail of several boards: the lines of the text from the one with the board's number
 * down to that of another board.  Any other text as it is. */
const char *body_lines_about(struct request *q, const char *text, int64_t board);

/* Is the line, below commands, a sentence: long, and no command, nor nearly one, nor a
 * move? */
bool body_lines_is_prose(struct request *q, const char *line);

/* Words that end the commands of a mail, each alone on its line; NULL at the end. */
extern const char *const body_lines_ends[];

/* The line with one blank for each run of white space, and none at its end. */
const char *body_lines_single_blanks(struct arena *a, const char *line);

/* The first paragraph of a text, as one line; NULL: text is NULL. */
const char *body_lines_paragraph(struct arena *a, const char *text);
