/* Encoded words: =?charset?B?...?= and =?charset?Q?...?= (RFC 2047). */
#include <string.h>
#include <strings.h>

#include "mail/charset.h"
#include "mail/header.h"
#include "mail/quoted.h"
#include "pbm/base/str.h"

struct encoded_word {
	char charset[40];
	char how;            /* 'b' or 'q' */
	const char *s, *end; /* the encoded text */
	const char *after;   /* the byte after ?= */
};

/* Reads an encoded word at p; false when there is none. */
static bool read_word(const char *p, struct encoded_word *w)
{
	if (p[0] != '=' || p[1] != '?')
		return false;
	size_t n = strcspn(p += 2, "?* \t");
	if (n == 0 || n >= sizeof w->charset)
		return false;
	memcpy(w->charset, p, n);
	w->charset[n] = '\0';
	p += n;
	if (*p == '*') /* a language tag (RFC 2231 §5) */
		p += strcspn(p, "? \t");
	if (p[0] != '?' || !p[1] || !strchr("bBqQ", p[1]) || p[2] != '?')
		return false;
	w->how = (char)(p[1] | 0x20);
	w->s = p + 3;
	w->end = strstr(w->s, "?=");
	/* Some mailers leave question marks unencoded in Q words.  The first "?="
	 * ends the word then, and the rest stays encoded. */
	if (!w->end)
		return false;
	w->after = w->end + 2;
	return true;
}

static void decode_b(const char *p, const char *end, struct str *out)
{
	static const char set[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned bits = 0, have = 0;

	for (; p < end && *p != '='; p++) {
		const char *at = strchr(set, *p);

		if (!at)
			continue;
		bits = (bits << 6 | (unsigned)(at - set)) & 0xffff;
		have += 6;
		if (have >= 8) {
			have -= 8;
			str_add_char(out, (char)(bits >> have & 0xff));
		}
	}
}

static const char *skip_blank(const char *p)
{
	return p + strspn(p, " \t");
}

/* Decodes w and the words of the same charset that follow it; returns the byte
 * after the last. */
static const char *decode_run(struct arena *a, struct encoded_word w, struct str *out)
{
	struct encoded_word next = w;
	AUTO(str_release) struct str bytes = str_heap(strlen(w.s) + 1);
	const char *after;

	do {
		after = next.after;
		if (next.how == 'b')
			decode_b(next.s, next.end, &bytes);
		else
			quoted_decode(next.s, next.end, true, &bytes);
	} while (read_word(skip_blank(after), &next) && strcasecmp(next.charset, w.charset) == 0);
	str_add(out, charset_to_utf8(a, w.charset, bytes.data, bytes.len));
	return after;
}

char *header_decode(struct arena *a, const char *value)
{
	struct encoded_word w;
	AUTO(str_release) struct str out = str_heap(strlen(value) * 4 + 1);
	bool joined = false; /* the last thing added was an encoded word */

	for (const char *p = value; *p;) {
		const char *q = skip_blank(p);

		if (read_word(q, &w)) {
			if (!joined) /* RFC 2047 §6.2: space between words is no text */
				str_add_n(&out, p, (size_t)(q - p));
			p = decode_run(a, w, &out);
			joined = true;
			continue;
		}
		if (q == p)
			q = p + 1;
		str_add_n(&out, p, (size_t)(q - p));
		p = q;
		joined = false;
	}
	for (char *p = out.data; *p; p++) {
		if (*p == '\n' || *p == '\t')
			*p = ' ';
	}
	return arena_strndup(a, out.data, out.len);
}
