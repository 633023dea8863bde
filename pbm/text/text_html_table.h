/* Tables of text, whose columns are two blanks apart, as HTML. */
#pragma once

#include "pbm/text/text_html_lines.h"

/* Writes the table that begins at line i, and returns its lines; 0: there is none. */
size_t text_html_table(const struct html_lines *p, size_t i);

/* Can line i be a row of a table? */
bool html_is_row(const struct html_lines *p, size_t i);
