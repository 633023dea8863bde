/* Cutting bytes into lines, whatever ends them: CRLF, LF or a lone CR. */
#ifndef MAIL_LINES_H
#define MAIL_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct line {
	const char *s;
	size_t n;
};

/* The next line at *p (before end) without its line end; moves *p behind it.
 * false when nothing is left. */
bool line_next(const char **p, const char *end, struct line *out);

/* Only spaces and tabs, or nothing at all. */
bool line_is_blank(struct line l);

/* How many bytes of l are a header field's name, 0 when it is no field line.
 * *value is the offset behind the colon. */
size_t line_field_name(struct line l, size_t *value);

/* The lines of p that belong to the field whose first line was just read:
 * moves *p behind the last folded line. */
void line_skip_folded(const char **p, const char *end);

/* An mbox "From " line or its quoted kin; not a "From:" field. */
bool line_is_mbox(struct line l);

#endif
