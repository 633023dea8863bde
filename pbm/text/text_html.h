/* The program's pages and lists as HTML.  They are plain text of a regular layout: headings
 * are underlined, lists have a dash or number, drawings and examples stand four columns to
 * the right, a term stands above its explanation, and columns are two blanks apart.  All of
 * it is escaped; nothing is lost. */
#ifndef PBM_TEXT_TEXT_HTML_H
#define PBM_TEXT_TEXT_HTML_H

#include "pbm/base/str.h"

/* Appends the text as headings, paragraphs, lists, tables and, for what has to keep its
 * columns, <pre>. */
void text_html(const char *text, struct str *out);

#endif
