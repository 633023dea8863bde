#include "mail/flowed.h"

#include <string.h>

#include "pbm/base/str.h"

/* The number of > at the beginning of the line.  *rest: after them and the space
 * that RFC 3676 §4.4 stuffs in. */
static size_t quote_depth(const char *line, const char **rest)
{
	size_t depth = strspn(line, ">");

	*rest = line + depth + (line[depth] == ' ');
	return depth;
}

static void begin_line(struct str *out, size_t depth)
{
	for (size_t i = 0; i < depth; i++)
		str_add_char(out, '>');
	if (depth)
		str_add_char(out, ' ');
}

char *flowed_join(struct arena *a, const char *text, bool delsp)
{
	size_t open = 0;       /* quote depth of the previous line */
	bool going_on = false; /* the previous line was folded */
	AUTO(str_release) struct str out = str_heap(strlen(text) * 2 + 2);

	for (const char *p = text; *p;) {
		const char *rest, *end = strchrnul(p, '\n');
		size_t depth = quote_depth(p, &rest), n = (size_t)(end - rest);
		bool signature = n == 3 && memcmp(rest, "-- ", 3) == 0;

		if (going_on && (depth != open || signature)) {
			str_add_char(&out, '\n');
			going_on = false;
		}
		if (!going_on)
			begin_line(&out, depth);
		going_on = n && rest[n - 1] == ' ' && !signature;
		str_add_n(&out, rest, going_on && delsp ? n - 1 : n);
		open = depth;
		if (!going_on && *end)
			str_add_char(&out, '\n');
		p = *end ? end + 1 : end;
	}
	return arena_strndup(a, out.data, out.len);
}
