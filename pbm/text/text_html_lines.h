/* The lines of a text that text_html() turns into HTML; for its files alone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pbm/text/text_html.h"

#define INDENT_CODE 4 /* columns */

struct text_line {
	const char *s; /* after its indent */
	size_t n, indent;
};

struct html_lines {
	struct str *out;
	const struct text_line *v;
	size_t n;
	text_draw *draw;
	void *arg;
};

/* Has the line nothing, or is it after the last one? */
bool html_is_blank(const struct html_lines *p, size_t i);
/* Appends the line, escaped. */
void html_add_line(const struct html_lines *p, const struct text_line *l);
/* Is there a gap between two columns? */
bool html_has_gap(const struct text_line *l);
/* Is it a line of a drawn board? */
bool html_is_drawing(const struct text_line *l);
