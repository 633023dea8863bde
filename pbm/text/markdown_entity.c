#include "pbm/text/markdown_entity.h"

#include <stdlib.h>
#include <string.h>

#include "pbm/base/utf8.h"

/* The entities that a page about games may need. */
static const struct {
	const char *name, *text;
} entities[] = {
	{ "&amp;", "&" },
	{ "&lt;", "<" },
	{ "&gt;", ">" },
	{ "&quot;", "\"" },
	{ "&apos;", "'" },
	{ "&nbsp;", "\xc2\xa0" },
	{ "&ndash;", "\xe2\x80\x93" },
	{ "&mdash;", "\xe2\x80\x94" },
	{ "&hellip;", "\xe2\x80\xa6" },
	{ "&times;", "\xc3\x97" },
	{ "&frac12;", "\xc2\xbd" },
	{ "&copy;", "\xc2\xa9" },
};

static void write_number(struct str *out, const char *digits)
{
	int base = digits[0] == 'x' || digits[0] == 'X' ? 16 : 10;
	unsigned long c = strtoul(digits + (base == 16), NULL, base);
	char bytes[4];

	if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		c = 0xfffd;
	str_add_n(out, bytes, utf8_encode((uint32_t)c, bytes));
}

void entity_write(struct str *out, const char *entity, size_t n)
{
	char digits[16];

	if (n > 3 && n < sizeof digits && entity[1] == '#') {
		memcpy(digits, entity + 2, n - 3);
		digits[n - 3] = '\0';
		write_number(out, digits);
		return;
	}
	for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
		if (strlen(entities[i].name) == n && memcmp(entities[i].name, entity, n) == 0) {
			str_add(out, entities[i].text);
			return;
		}
	str_add_n(out, entity, n);
}
