/* Covering the secrets of reply addresses and live pages in a text that others may read. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "mail/plain.h"
#include "pbm/base/mem.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"
#include "pbm/site/token.h"

#define CODES_DEEP 4 /* "%25252F" */
#define MARKS_MAX 8  /* in a secret; fewer than the stars that cover one */
#define BLANKS_MAX 2 /* in the secret of a live page; a sentence of so many letters has more */

/* A text as a reader sees it, a byte for each character, and the bytes of the text that mean it. */
struct seen {
	char *c;
	struct {
		size_t at, end;
	} * from;
	size_t n;
};

static void add(struct seen *s, char c, size_t at, size_t end)
{
	s->c[s->n] = c;
	s->from[s->n].at = at;
	s->from[s->n++].end = end;
}

/* The bytes of a tag of HTML at s that breaks a line or marks a word: "<br />", "</b>".  0: none. */
static size_t tag_at(const char *s)
{
	static const char *const names[] = { "wbr", "br", "p",      "div",  "span", "b",
		                             "i",   "em", "strong", "code", "pre",  NULL };

	if (*s != '<')
		return 0;
	size_t begin = 1 + (s[1] == '/');
	for (const char *const *name = names; *name; name++) {
		size_t n = begin + str_prefix(s + begin, *name);

		n += strspn(s + n, " ");
		n += s[n] == '/';
		if (n > begin && s[n] == '>' && str_prefix(s + begin, *name))
			return n + 1;
	}
	return 0;
}

/* The bytes at s of a break that a program puts into a long line: a soft one of quoted-printable, with
 * the marks of a quotation in the next line, or one of HTML. */
static size_t soft_break(const char *s)
{
	size_t n = str_prefix(s, "=20\n") ? 4 : str_prefix(s, "=\n");

	return n ? n + strspn(s + n, " \t>|") : tag_at(s);
}

/* Leaves out what nobody sees; full-width forms and the like become ASCII. */
static void see(const char *text, struct seen *s)
{
	size_t n = strlen(text), len;

	s->c = mem_alloc(n + 1);
	s->from = mem_alloc((n + 1) * sizeof *s->from);
	s->n = 0;
	for (size_t i = 0; i < n; i += len) {
		uint32_t c;
		char wide[2];

		if ((len = soft_break(text + i)) > 0)
			continue;
		len = utf8_decode(text + i, n - i, &c);
		const char *ascii = c < 0x80 ? NULL : plain_of(c, wide);
		if (!ascii)
			add(s, text[i], i, i + len);
		for (size_t k = 0; ascii && ascii[k] && k < len; k++)
			add(s, ascii[k], i, i + len);
	}
	s->c[s->n] = '\0';
}

/* The bytes of the entity of HTML at s, and in *c the character, '\0': nobody sees it.  0: none. */
static size_t entity_at(const char *s, char *c)
{
	static const struct {
		const char *name;
		char c;
	} names[] = {
		{ "&amp;", '&' },    { "&sol;", '/' },   { "&period;", '.' },
		{ "&lowbar;", '_' }, { "&shy;", '\0' },  { "&ZeroWidthSpace;", '\0' },
		{ "&zwj;", '\0' },   { "&zwnj;", '\0' }, { "&nbsp;", ' ' },
	};
	bool hex = s[1] == '#' && (s[2] == 'x' || s[2] == 'X');
	char *end, wide[2];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (str_prefix(s, names[i].name)) {
			*c = names[i].c;
			return strlen(names[i].name);
		}
	if (s[1] != '#' || !isxdigit((unsigned char)s[2 + hex]))
		return 0;
	unsigned long number = strtoul(s + 2 + hex, &end, hex ? 16 : 10);
	if (*end != ';' || number > 0x10ffff)
		return 0;
	const char *ascii = number < 0x80 ? NULL : plain_of((uint32_t)number, wide);
	*c = ascii ? *ascii : number < 0x80 ? (char)number : '\x80';
	return (size_t)(end - s) + 1;
}

/* The bytes of the code of a character at s, after the character before, and what it means in *c, as
 * above.  Beside those of URLs ("%2F"), mails
 * ("=2F") and HTML, those of gateways: "-2F" and "*2F" of Proofpoint, "+2E" of Exchange. */
static size_t code_at(char before, const char *s, char *c)
{
	if (*s == '&')
		return entity_at(s, c);
	if (!*s || !strchr("%=-+*", *s) || !isxdigit((unsigned char)s[1]) ||
	    !isxdigit((unsigned char)s[2]))
		return 0;
	/* A star that covers the end of a secret begins no code. */
	if (*s == '*' && !isalnum((unsigned char)before))
		return 0;
	*c = (char)strtoul((char[]){ s[1], s[2], '\0' }, NULL, 16);
	return (*c && strchr("./%=", *c)) ||
	                       (*s == '%' && (isalnum((unsigned char)*c) || strchr("_&#;", *c)))
	               ? 3
	               : 0;
}

/* Puts characters in the place of their codes.  false: there were none. */
static bool decode(struct seen *s)
{
	size_t n = s->n;

	s->n = 0;
	for (size_t i = 0, len; i < n; i += len) {
		char c;

		len = code_at(i ? s->c[i - 1] : '\0', s->c + i, &c);
		if (!len)
			add(s, s->c[i], s->from[i].at, s->from[i].end);
		else if (c)
			add(s, c, s->from[i].at, s->from[i + len - 1].end);
		len += !len;
	}
	s->c[s->n] = '\0';
	return s->n < n;
}

static bool is_base32(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '2' && c <= '7');
}

/* Do a day and a key's number with points stand before s, as before each MAC? */
static bool follows_fields(const char *text, const char *s)
{
	for (int i = 0; i < 2; i++) {
		const char *end = s -= s > text && s[-1] == '.';

		while (s > text && s[-1] >= '0' && s[-1] <= '9')
			s--;
		if (end == s || (i == 1 && end - s < 5)) /* a day has five digits */
			return false;
	}
	return true;
}

/* The end of a word of n base32 letters that begins at s and has nothing else in it; NULL: it is none. */
static const char *word_end(const char *s, size_t n)
{
	for (; n; n--)
		if (!is_base32(*s++))
			return NULL;
	return is_base32(*s) || isdigit((unsigned char)*s) || *s == '-' || *s == '_' ? NULL : s;
}

/* The bytes at s of the end of a line, with blanks before it and the marks of a quotation after it. */
static size_t line_break(const char *s)
{
	size_t n = strspn(s, " \t");

	return s[n] == '\n' ? n + 1 + strspn(s + n + 1, " \t>|") : 0;
}

/* The same of a word in which there are ends of lines with the marks of quotations, marks of Markdown,
 * and so many blanks.  It may go on. */
static const char *broken_end(const char *s, size_t n, size_t blanks)
{
	size_t marks = 0, skip;

	for (size_t i = 0; i < n; s += skip) {
		skip = line_break(s);
		if (skip)
			continue;
		skip = 1;
		if (is_base32(*s))
			i++;
		else if (*s && strchr("*_`~", *s) && marks < MARKS_MAX)
			marks++;
		else if (*s == ' ' && i && blanks)
			blanks--;
		else
			return NULL;
	}
	return s;
}

/* Does "live/" stand before s, perhaps broken into lines? */
static bool follows_live(const char *text, const char *s)
{
	static const char live[] = "live";

	if (s[-1] != '/' && s[-1] != '_')
		return false;
	s--;
	for (size_t i = strlen(live); i-- > 0; s--) {
		while (s > text && strchr(" \t\n>|", s[-1]))
			s--;
		if (s == text || tolower((unsigned char)s[-1]) != live[i])
			return false;
	}
	return true;
}

/* The end of the secret of a live page.  Blanks in it are those of broken lines that were joined: a
 * sentence after "live/" has more of them, and no digits. */
static const char *live_end(const char *s)
{
	const char *end = broken_end(s, TOKEN_LIVE_CHARS, 0);

	if (end)
		return end;
	end = broken_end(s, TOKEN_LIVE_CHARS, BLANKS_MAX);
	return end && strcspn(s, "234567") < (size_t)(end - s) ? end : NULL;
}

/* The end of the secret that begins at s; NULL: none does. */
static const char *secret_at(const char *text, const char *s)
{
	if (s == text)
		return NULL;
	/* Only "live/…" may be broken: lines of one word may follow "and/or". */
	if (follows_live(text, s))
		return live_end(s);
	if (s[-1] == '/')
		return word_end(s, TOKEN_LIVE_CHARS);
	if (s[-1] != '.')
		return NULL;
	if (follows_fields(text, s))
		return broken_end(s, TOKEN_MAC_CHARS, TOKEN_MAC_CHARS);
	const char *end = word_end(s, TOKEN_MAC_CHARS);
	/* A word after a full stop has no digits. */
	return end && strcspn(s, "234567") < (size_t)(end - s) ? end : NULL;
}

void token_cover(char *text)
{
	struct seen seen;

	see(text, &seen);
	for (int i = 0; i < CODES_DEEP && decode(&seen); i++)
		;
	for (const char *s = seen.c, *end; *s; s = end ? end : s + 1) {
		end = secret_at(seen.c, s);
		for (const char *c = s; end && c < end; c++) {
			size_t i = (size_t)(c - seen.c);

			if (is_base32(*c))
				memset(text + seen.from[i].at, '*',
				       seen.from[i].end - seen.from[i].at);
		}
	}
	free(seen.c);
	free(seen.from);
}

void token_blank(char *text)
{
	for (char *s = strchr(text, '*'); s; s = strchr(s, '*')) {
		size_t n = strspn(s, "*");

		if (n >= TOKEN_MAC_CHARS) {
			memset(s, ' ', n);
			for (char *c = s; c > text && (isalnum((unsigned char)c[-1]) ||
			                               strchr("._-+=%", c[-1]));)
				*--c = ' ';
		}
		s += n;
	}
}
