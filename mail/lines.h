/* Cuts bytes into lines, which end with CRLF, LF or a lone CR, and finds header
 * fields in them.  Copies nothing: a line points into the bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct line {
	const char *s;
	size_t n;
};

/* The line at *p, without its line end; moves *p to the next line.  false when *p
 * is end. */
bool line_next(const char **p, const char *end, struct line *out);

/* Is the line empty, or only spaces and tabs? */
bool line_is_blank(struct line l);

/* The length of the field name that begins the line; 0 when it begins no header
 * field.  *value: the offset after the colon. */
size_t line_field_name(struct line l, size_t *value);

/* After the first line of a field: moves *p past the field's folded lines, which
 * begin with a space or a tab. */
void line_skip_folded(const char **p, const char *end);

/* Is it an mbox "From " line, or one quoted as ">From "? */
bool line_is_mbox(struct line l);
