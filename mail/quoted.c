#include "mail/quoted.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

int quoted_hex(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, tolower((unsigned char)c)) : NULL;

	return at ? (int)(at - digits) : -1;
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
		} else if (end - p > 2 && quoted_hex(p[1]) >= 0 && quoted_hex(p[2]) >= 0) {
			str_add_char(out, (char)(quoted_hex(p[1]) * 16 + quoted_hex(p[2])));
			p += 2;
		} else if (!word && (next = soft_break(p + 1, end))) {
			p = next - 1;
		} else {
			str_add_char(out, '=');
		}
	}
}
