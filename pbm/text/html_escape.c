#include "pbm/text/html_escape.h"

#include <string.h>

void html_escape(struct str *out, const char *text, size_t n)
{
	static const char special[] = "&\"<>'";
	static const char *const entities[] = { "&amp;", "&quot;", "&lt;", "&gt;", "&#39;" };

	for (size_t i = 0; i < n; i++) {
		const char *c = text[i] ? strchr(special, text[i]) : NULL;

		if (c)
			str_add(out, entities[c - special]);
		else
			str_add_char(out, text[i]);
	}
}
