#include "mail/charset_jis.h"

#include <stdbool.h>
#include <string.h>

#define ESC 0x1b
#define SHIFT_OUT 0x0e
#define SHIFT_IN 0x0f

enum jis_set { ASCII, KANA, KANJI, OTHER };

/* The escape sequences that choose a character set, RFC 1468 and CP50221. */
static const struct {
	const char *text;
	enum jis_set set;
} escapes[] = {
	{ "$@", KANJI },  { "$B", KANJI },  { "(B", ASCII },  { "(J", ASCII },
	{ "(I", KANA },   { "(H", ASCII },  { "$(D", OTHER }, { "$(O", OTHER },
	{ "$(P", OTHER }, { "$(Q", OTHER }, { "$(C", OTHER }, { "$A", OTHER },
};

/* The length of the escape sequence at p, ESC included; 0: it is none that we know. */
static size_t read_escape(const unsigned char *p, size_t n, enum jis_set *set)
{
	for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
		size_t k = strlen(escapes[i].text);

		if (n > k && memcmp(p + 1, escapes[i].text, k) == 0) {
			*set = escapes[i].set;
			return k + 1;
		}
	}
	return 0;
}

/* One character of two bytes, each 0x21 to 0x7e. */
static void add_kanji(unsigned char row, unsigned char cell, struct str *out)
{
	unsigned lead = (row - 0x21U) / 2 + 0x81, trail;

	if (lead > 0x9f)
		lead += 0x40;
	if (row % 2)
		trail = cell + 0x1fU + (cell >= 0x60);
	else
		trail = cell + 0x7eU;
	str_add_char(out, (char)lead);
	str_add_char(out, (char)trail);
}

static bool is_graphic(unsigned char c)
{
	return c > 0x20 && c < 0x7f;
}

void charset_jis(const char *bytes, size_t n, struct str *out)
{
	const unsigned char *p = (const unsigned char *)bytes, *end = p + n;
	enum jis_set set = ASCII;
	bool shifted = false;

	while (p < end) {
		size_t left = (size_t)(end - p), k = *p == ESC ? read_escape(p, left, &set) : 0;

		if (k) {
			p += k;
		} else if (*p == SHIFT_OUT || *p == SHIFT_IN) {
			shifted = *p++ == SHIFT_OUT;
		} else if (*p == '\n' || !is_graphic(*p)) {
			if (*p == '\n')
				set = ASCII;
			str_add_char(out, (char)*p++);
		} else if (shifted || set == KANA) {
			str_add_char(out, (char)(*p++ | 0x80));
		} else if (set == ASCII) {
			str_add_char(out, (char)*p++);
		} else if (left < 2 || !is_graphic(p[1])) {
			str_add_char(out, '?');
			p++;
		} else if (set == KANJI) {
			add_kanji(p[0], p[1], out);
			p += 2;
		} else {
			str_add_char(out, '?');
			p += 2;
		}
	}
}
