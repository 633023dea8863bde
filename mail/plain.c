#include "mail/plain.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "pbm/base/str.h"
#include "pbm/base/utf8.h"

/* Ranges of characters in ascending order, first and last included. */
/* clang-format off */
static const struct { uint32_t first, last; const char *ascii; } plain[] = {
	{ 0x0009, 0x000a, " " }, { 0x00a0, 0x00a0, " " }, { 0x00ab, 0x00ab, "\"" },
	{ 0x00ad, 0x00ad, "" }, { 0x00b4, 0x00b4, "'" }, { 0x00bb, 0x00bb, "\"" },
	{ 0x00bd, 0x00bd, "1/2" }, { 0x00d7, 0x00d7, "x" }, { 0x02b9, 0x02bc, "'" },
	{ 0x034f, 0x034f, "" }, { 0x061c, 0x061c, "" }, { 0x115f, 0x1160, "" },
	{ 0x1680, 0x1680, " " }, { 0x17b4, 0x17b5, "" }, { 0x180b, 0x180f, "" },
	{ 0x2000, 0x200a, " " },       /* spaces of all widths */
	{ 0x200b, 0x200f, "" },        /* zero width, direction marks */
	{ 0x2010, 0x2015, "-" },       /* hyphens and dashes */
	{ 0x2018, 0x201b, "'" }, { 0x201c, 0x201f, "\"" },
	{ 0x2024, 0x2024, "." }, { 0x2026, 0x2026, "..." }, { 0x2028, 0x2029, " " },
	{ 0x202a, 0x202e, "" }, { 0x202f, 0x202f, " " }, { 0x2032, 0x2032, "'" },
	{ 0x2033, 0x2033, "\"" }, { 0x2039, 0x203a, "'" }, { 0x2044, 0x2044, "/" },
	{ 0x205f, 0x205f, " " }, { 0x2060, 0x206f, "" }, { 0x2212, 0x2212, "-" },
	/* Figurines; notation has no letter for the pawn. */
	{ 0x2654, 0x2654, "K" }, { 0x2655, 0x2655, "Q" }, { 0x2656, 0x2656, "R" },
	{ 0x2657, 0x2657, "B" }, { 0x2658, 0x2658, "N" }, { 0x2659, 0x2659, "" },
	{ 0x265a, 0x265a, "K" }, { 0x265b, 0x265b, "Q" }, { 0x265c, 0x265c, "R" },
	{ 0x265d, 0x265d, "B" }, { 0x265e, 0x265e, "N" }, { 0x265f, 0x265f, "" },
	{ 0x2800, 0x2800, " " },       /* an empty cell of Braille */
	{ 0x3000, 0x3000, " " }, { 0x3001, 0x3001, "," }, { 0x3002, 0x3002, "." },
	{ 0x3164, 0x3164, "" },        /* Hangul fillers, as 0x115f and 0xffa0 */
	{ 0xfe00, 0xfe0f, "" },        /* variation selectors */
	{ 0xfe58, 0xfe58, "-" }, { 0xfe63, 0xfe63, "-" }, { 0xfeff, 0xfeff, "" },
	{ 0xff61, 0xff61, "." }, { 0xff64, 0xff64, "," },
	{ 0xffa0, 0xffa0, "" }, { 0xfff9, 0xfffc, "" }, { 0x1d173, 0x1d17a, "" },
	{ 0xe0000, 0xe0fff, "" },      /* tags, more variation selectors */
};
/* clang-format on */

const char *plain_of(uint32_t c, char wide[2])
{
	if (c >= 0xff01 && c <= 0xff5e) { /* full width */
		wide[0] = (char)(c - 0xfee0);
		wide[1] = '\0';
		return wide;
	}
	for (size_t i = 0; i < sizeof plain / sizeof *plain && plain[i].first <= c; i++) {
		if (c <= plain[i].last)
			return plain[i].ascii;
	}
	return NULL;
}

/* The Latin letter that a Cyrillic one looks like, of those with which squares and captures
 * are written; 0: none. */
static char latin_of(uint32_t c)
{
	return c == 0x430 ? 'a' : c == 0x441 ? 'c' : c == 0x435 ? 'e' : c == 0x445 ? 'x' : '\0';
}

/* The Latin letter of the character at s, ASCII or Cyrillic; 0: none.  *s moves on. */
static char next_letter(const char **s)
{
	uint32_t c = 0;

	*s += utf8_decode(*s, strlen(*s), &c);
	return c < 0x80 ? (char)c : latin_of(c);
}

static bool is_square(const char *s)
{
	char file = next_letter(&s);

	return file >= 'a' && file <= 'h' && *s >= '1' && *s <= '8';
}

/* People who write Russian type squares with letters that only look right.  The ASCII
 * letter, if c before rest is one of a square or a capture; else 0. */
static char mend_letter(uint32_t c, const char *rest)
{
	char latin = latin_of(c);

	if (!latin || (latin != 'x' && *rest >= '1' && *rest <= '8'))
		return latin;
	if (latin != 'x' && next_letter(&rest) != 'x')
		return '\0';
	return is_square(rest) ? latin : '\0';
}

/* Removes one pair of marks around the whole text: "Nf3", `Nf3`, *Nf3*, and **Nf3**,
 * which is how bold looks in plain text. */
static void unwrap(const char **s, size_t *n)
{
	const char *p = *s;
	size_t run = *n && strchr("\"'`*_", *p) ? strspn(p, (char[]){ *p, '\0' }) : 0;

	if (run == 0 || run > 2 || *n <= 2 * run)
		return;
	for (size_t i = run; i < *n; i++) {
		if ((p[i] == *p) != (i >= *n - run))
			return;
	}
	*s = p + run;
	*n -= 2 * run;
}

const char *plain_line(struct arena *a, const char *line)
{
	size_t n = strlen(line);
	AUTO(str_release) struct str out = str_heap(n * 2 + 1);

	for (size_t i = 0; i < n;) {
		uint32_t c;
		char wide[2];
		size_t len = utf8_decode(line + i, n - i, &c);
		const char *ascii = plain_of(c, wide);
		char letter = mend_letter(c, line + i + len);

		if (ascii)
			str_add(&out, ascii);
		else if (letter)
			str_add_char(&out, letter);
		else
			str_add_n(&out, line + i, len);
		i += len;
	}
	size_t from = strspn(out.data, " "), to = out.len;
	while (to > from && out.data[to - 1] == ' ')
		to--;
	const char *own = out.data + from;
	size_t len = to - from;
	unwrap(&own, &len);
	return arena_strndup(a, own, len);
}
