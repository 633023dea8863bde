/* Makes the JSON context that the mail templates show for a note. */
#ifndef PBM_ANSWER_VIEW_H
#define PBM_ANSWER_VIEW_H

#include <jansson.h>

#include "pbm/request/request.h"
#include "pbm/text/language.h"

/* A player's text with "| " before each line, so that it can't pass as the server's
 * words; NULL for an empty text. */
const char *view_quoted(struct request *q, const char *text);

/* The context of one section of a mail; the caller owns it.  echo: show the command
 * line above the section, in an answer to a mail with several commands. */
json_t *view_section(struct request *q, const struct note *n, const char *reader, bool echo);

/* In view_secret.c: adds what only the player of the note's seat may read.  Nothing for
 * other readers, and nothing in an answer to a mail that was not proved to be his. */
void view_secret(struct request *q, const struct note *n, struct match *m, json_t *o);

/* Forgets the notices that the mails about these boards have told. */
int view_secret_told(struct request *q, struct err *e);

/* In view_language.c: says the texts of a context, and of the objects and lists of objects
 * in it, in the reader's language, but not what players wrote and their names; and then fills
 * the paragraphs whose keys are in its list VIEW_FILLED. */
#define VIEW_FILLED "filled"
void view_translate(const struct language *l, json_t *o);
void view_fill(json_t *o);

/* Appends the Subject of a mail about one note. */
void view_subject(struct request *q, const struct note *n, const char *reader, struct str *out);

/* In view_html.c: add the board after ply, seen from one side, and a link for each legal
 * turn. */
void view_html_board(const struct match *m, size_t ply, enum color below, enum draw_size size,
                     json_t *o);
void view_html_links(struct request *q, const struct match *m, uint8_t seat,
                     const struct moves *legal, json_t *o);

/* The Subject of the question whether the held lines are to be run. */
void view_question_subject(struct request *q, struct str *out);

#endif
