#include "mail/quoted.h"

#include <stddef.h>
#include <string.h>

static int hex(char c)
{
	static const char digits[] = "0123456789ABCDEFabcdef";
	const char *p = c ? strchr(digits, c) : NULL;

	return !p ? -1 : p - digits < 16 ? (int)(p - digits) : (int)(p - digits) - 6;
}

/* p: after a "=".  If only blanks and a line end follow, it is a soft line break:
 * returns the beginning of the next line.  Else NULL. */
static const char *soft_break(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (p < end && *p == '\r')
		p++;
	return p == end ? p : *p == '\n' ? p + 1 : NULL;
}

void quoted_decode(const char *p, const char *end, bool word, struct str *out)
{
	const char *next;

	for (; p < end; p++) {
		if (*p != '=') {
			str_add_char(out, word && *p == '_' ? ' ' : *p);
		} else if (end - p > 2 && hex(p[1]) >= 0 && hex(p[2]) >= 0) {
			str_add_char(out, (char)((unsigned)hex(p[1]) << 4 | (unsigned)hex(p[2])));
			p += 2;
		} else if (!word && (next = soft_break(p + 1, end))) {
			p = next - 1;
		} else {
			str_add_char(out, '=');
		}
	}
}
