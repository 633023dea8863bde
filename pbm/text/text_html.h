/* The program's pages and lists as HTML.  They are plain text of a regular layout: headings
 * are underlined, lists have a dash or number, drawings and examples stand four columns to
 * the right, a term stands above its explanation, and columns are two blanks apart.  All of
 * it is escaped; nothing is lost. */
#pragma once

#include <stdbool.h>

#include "pbm/base/str.h"

/* Draws lines that keep their columns, n bytes; false, and nothing appended: they are no
 * drawing that it knows. */
typedef bool text_draw(const char *lines, size_t n, void *arg, struct str *out);

/* Appends the text as headings, paragraphs, lists, tables and, for what has to keep its
 * columns, <pre>, unless draw() (NULL: nobody) knows better. */
void text_html(const char *text, text_draw *draw, void *arg, struct str *out);
