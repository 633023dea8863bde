/* What a reader sees of a note: the JSON context for the mail templates. */
#ifndef PBM_ANSWER_VIEW_H
#define PBM_ANSWER_VIEW_H

#include <jansson.h>

#include "pbm/request/request.h"

/* Somebody's words with "| " before each line, so that nobody can write as the
 * server; NULL for none. */
const char *view_quoted(struct request *q, const char *text);

/* The context of one section of a mail ("new" reference).  echo: repeat the
 * command line above it (a mail with several). */
json_t *view_section(struct request *q, const struct note *n, const char *reader, bool echo);

/* The Subject for a mail about one note. */
void view_subject(struct request *q, const struct note *n, const char *reader, struct str *out);

/* view_html.c: the board after ply, and the links of the legal turns. */
void view_html_board(const struct match *m, size_t ply, uint8_t seat, json_t *o);
void view_html_links(struct request *q, const struct match *m, uint8_t seat,
                     const struct moves *legal, json_t *o);

#endif
