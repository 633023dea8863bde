/* Lines of moves ahead in a mail: finds them, keeps them out of what is passed on, and puts
 * them into a game. */
#pragma once

#include "pbm/request/request.h"

/* Takes the lines of moves ahead from the beginning of *text, which moves on, and returns line
 * followed by them, "; " between two.  Only after a turn or another such line. */
const char *ahead_mail_take(struct request *q, const char *line, const char **text);

/* The text without lines of moves ahead; *cut says whether there were any. */
const char *ahead_mail_strip(struct request *q, const char *text, bool *cut);

/* Adds lines ("if e5 then Nf3; if d5 then exd5") to the seat's moves ahead.  Returns sentences
 * about what could not be added or was replaced, each with two blanks before it, or "".
 * *added (may be NULL) is the number of lines that were added. */
const char *ahead_mail_enter(struct request *q, struct match *m, uint8_t seat, const char *lines,
                             size_t *added);

/* The refusal of ahead_mail_enter() if nothing could be added; NULL: something could.  Changes
 * nothing. */
const char *ahead_mail_try(struct request *q, struct match *m, uint8_t seat, const char *lines);

/* Is it "wenn Sc6 dann Lb5" or "IF: 2...Nc6 3.Bb5": moves ahead in a form that is not read? */
bool ahead_mail_is_plan(struct request *q, const char *line);
