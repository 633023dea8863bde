#include "mail/reply/reply_class.h"

#include <fnmatch.h>
#include <string.h>
#include <strings.h>

#include "mail/reply/reply_phrases.h"
#include "mail/reply/reply_words.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"

#define MAX_LOOKED_AT 300 /* longer lines are prose */
#define MIN_FOOTER_RULE 20
#define MIN_HEADING 4 /* dashes on either side of "---- words ----" */
#define MAX_HEADING 80
#define MAX_DEVICE 200
#define MAX_MARK 8      /* "pbm> ", before a quoted line */
#define MAX_WORDS 7     /* of "Sent from my …" with a device we don't know */
#define NAMED_WITHIN 40 /* bytes in which a longer line names its device */

/* Ranges of characters that look like one ASCII character.  '\0': invisible. */
static const struct {
	uint32_t first, last;
	char ascii;
} looks[] = {
	{ 0x0009, 0x0009, ' ' },  { 0x00a0, 0x00a0, ' ' },  { 0x00ad, 0x00ad, '\0' },
	{ 0x034f, 0x034f, '\0' }, { 0x061c, 0x061c, '\0' }, { 0x115f, 0x1160, '\0' },
	{ 0x1680, 0x1680, ' ' },  { 0x180b, 0x180f, '\0' }, { 0x2000, 0x200a, ' ' },
	{ 0x200b, 0x200f, '\0' }, { 0x2010, 0x2011, '-' },  { 0x2018, 0x2019, '\'' },
	{ 0x202a, 0x202e, '\0' }, { 0x202f, 0x202f, ' ' },  { 0x205f, 0x205f, ' ' },
	{ 0x2060, 0x206f, '\0' }, { 0x2800, 0x2800, ' ' },  { 0x3000, 0x3000, ' ' },
	{ 0x3164, 0x3164, '\0' }, { 0xfeff, 0xfeff, '\0' }, { 0xff1a, 0xff1a, ':' },
	{ 0xff1c, 0xff1c, '<' },  { 0xff1e, 0xff1e, '>' },  { 0xffa0, 0xffa0, '\0' },
	{ 0xfff9, 0xfffc, '\0' },
};

/* Each begins a row of ten digits. */
static const uint32_t zeros[] = { 0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10 };

/* false: c looks like no ASCII character, and *out is unchanged. */
static bool looks_like(uint32_t c, char *out)
{
	for (size_t i = 0; i < sizeof looks / sizeof *looks && looks[i].first <= c; i++) {
		if (c <= looks[i].last) {
			*out = looks[i].ascii;
			return true;
		}
	}
	for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) {
		if (c >= zeros[i] && c < zeros[i] + 10) {
			*out = (char)('0' + (c - zeros[i]));
			return true;
		}
	}
	return false;
}

size_t reply_flatten(const char *s, size_t n, char *out, size_t size)
{
	size_t k = 0;

	for (size_t i = 0; i < n;) {
		uint32_t c;
		size_t len = utf8_decode(s + i, n - i, &c);
		char ascii;

		if (k + len >= size) {
			k = 0;
			break;
		}
		if (!looks_like(c, &ascii)) {
			memcpy(out + k, s + i, len);
			k += len;
		} else if (ascii && !(ascii == ' ' && k && out[k - 1] == ' ')) {
			out[k++] = ascii;
		}
		i += len;
	}
	out[k] = '\0';
	return k;
}

bool reply_has_marker(const char *s, size_t n)
{
	static const char marker[] = "reply above this line";
	const size_t len = sizeof marker - 1;

	for (size_t i = 0; i + len <= n; i++) {
		if (strncasecmp(s + i, marker, len) == 0)
			return true;
	}
	return false;
}

bool reply_is_footer_rule(const char *s, size_t n)
{
	size_t k = 0;

	while (k < n && s[k] == '_')
		k++;
	return k >= MIN_FOOTER_RULE;
}

/* "From: ", "*Von:* ", "Objet : ". */
static bool is_header(const char *s)
{
	return reply_header_name(s + strspn(s, " *")) != 0;
}

/* Only characters with which people draw lines. */
static bool is_rule(const char *s)
{
	static const char *const dashes[] = { "—", "–", "―", "─", "━", "═", "ᐧ", "•", "·" };

	while (*s) {
		size_t n = strspn(s, "-_=*~#+ ");

		for (size_t i = 0; n == 0 && i < sizeof dashes / sizeof *dashes; i++)
			n = str_prefix(s, dashes[i]);
		if (n == 0)
			return false;
		s += n;
	}
	return true;
}

static bool is_delimiter(const char *s)
{
	static const char *const table[] = { "--", "__", "—", "– –", "- --", "| |" };

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		size_t n = str_prefix(s, table[i]);

		if (n && !s[n + strspn(s + n, " ")])
			return true;
	}
	return false;
}

/* The text after at least two dashes; NULL without them. */
static const char *after_dashes(const char *s)
{
	size_t n = strspn(s, "-_=* "), run = n;

	if (run && s[run - 1] == ' ')
		run--;
	return run < 2 || s[run - 1] == ' ' ? NULL : s + n;
}

static bool is_original(const char *s)
{
	const char *words = after_dashes(s);

	return words && reply_says_original(words);
}

static bool is_forwarded(const char *s)
{
	const char *words = after_dashes(s);

	return reply_says_forwarded(words ? words : s, words != NULL);
}

/* GroupWise writes ">>> alice <alice@example.org> 12/1/2026 5:00 PM >>>" above a mail
 * without quote marks. */
static bool is_group_wise(const char *s)
{
	size_t n = str_trim(s, strlen(s), " ");

	return n > 6 && memcmp(s, ">>> ", 4) == 0 && memcmp(s + n - 3, ">>>", 3) == 0 &&
	       reply_has_date(s, true);
}

/* "---- words ----", or "Original Message" without dashes. */
static bool is_heading(const char *s)
{
	size_t n = str_trim(s, strlen(s), " "), before = strspn(s, "-");
	size_t words = reply_says_original(s + strspn(s, " *"));

	if (words)
		return !s[strspn(s, " *") + words + strspn(s + words, " :*")];
	return n <= MAX_HEADING && before >= MIN_HEADING && n - str_trim(s, n, "-") >= MIN_HEADING;
}

static bool is_armor(const char *s)
{
	return str_prefix(s, "-----BEGIN PGP SIGNATURE-----");
}

static bool is_armor_head(const char *s)
{
	return str_prefix(s, "-----BEGIN PGP SIGNED MESSAGE-----") || str_prefix(s, "Hash: SHA");
}

/* "Virus-free.www.avast.com", in any language: a line of advertising that names the
 * program and the viruses. */
static bool is_scanner(const char *s)
{
	return str_holds_any(s, reply_phrases_scanners) && str_holds_any(s, reply_phrases_viruses);
}

/* "Sent from my desk, is much easier than my phone": a long line that names no device
 * at its beginning is prose. */
static bool is_long_prose(const char *s)
{
	char start[NAMED_WITHIN + 1] = "";
	size_t words = 1;

	for (const char *p = strchr(s, ' '); p; p = strchr(p + 1, ' '))
		words++;
	strncat(start, s, NAMED_WITHIN);
	return words > MAX_WORDS && str_prefix(s, "sent from my ") &&
	       !str_holds_any(start, reply_phrases_devices) && !strcasestr(s, "excuse") &&
	       !strcasestr(s, "typo");
}

/* Is it "Sent from my iPhone", or a line of advertising that a mail program adds? */
static bool says_device(const char *s)
{
	s += strspn(s, " <([*_-");
	size_t n = str_trim(s, strlen(s), " .>)]*_");

	if (strlen(s) > MAX_DEVICE)
		return false;
	if ((!is_long_prose(s) && str_prefix_any(s, reply_phrases_sent_from)) || is_scanner(s))
		return true;
	/* Something stands before the end. */
	return n && str_holds_any(s, reply_phrases_devices) &&
	       (str_prefix(s, "from my ") ||
	        str_ends_any(s + 1, n - 1, reply_phrases_sent_from_ends));
}

/* Does the line fit a pattern, whatever its blanks? */
static bool is_like_any(const char *s, const char *const *patterns)
{
	char single[MAX_LOOKED_AT + 1];
	size_t n = 0;

	for (s += strspn(s, " "); *s; s++)
		if (*s != ' ' || s[1] != ' ')
			single[n++] = *s;
	single[n] = '\0';
	while (*patterns && fnmatch(*patterns, single, FNM_CASEFOLD) != 0)
		patterns++;
	return *patterns;
}

/* A heading of ours that a mail program quotes with initials, blanks or nothing before it. */
static bool is_ours(const char *s)
{
	if (is_like_any(s, reply_phrases_ours_status))
		return true;
	for (size_t i = 0; i <= MAX_MARK && s[i]; i++)
		if (str_prefix_any(s + i, reply_phrases_ours))
			return true;
	return false;
}

/* The first row that matches decides. */
static const struct {
	bool (*is)(const char *s);
	enum reply_class class;
} classes[] = {
	{ is_delimiter, LINE_DELIMITER }, { is_rule, LINE_RULE },
	{ is_original, LINE_ORIGINAL },   { is_forwarded, LINE_FORWARDED },
	{ is_armor, LINE_ARMOR },         { is_armor_head, LINE_DROPPED },
	{ is_heading, LINE_HEADING },     { is_header, LINE_HEADER },
	{ says_device, LINE_DEVICE },     { reply_says_disclaimer, LINE_DISCLAIMER },
};

enum reply_class reply_classify(const char *s, size_t n)
{
	/* Only the beginning of a long line is looked at. */
	char flat[MAX_LOOKED_AT + 1];
	size_t start = n < MAX_LOOKED_AT ? n : utf8_cut(s, n, MAX_LOOKED_AT);

	reply_flatten(s, start, flat, sizeof flat);
	const char *p = flat + strspn(flat, " ");
	if (!*p && start == n)
		return LINE_EMPTY;
	if (*p == '>')
		return start == n && is_group_wise(p) ? LINE_ORIGINAL : LINE_QUOTE;
	if (reply_has_marker(s, n) || is_ours(p))
		return LINE_MARKER;
	if (reply_says_disclaimer(p))
		return LINE_DISCLAIMER;
	for (size_t i = 0; start == n && i < sizeof classes / sizeof *classes; i++) {
		if (classes[i].is(p))
			return classes[i].class;
	}
	return LINE_TEXT;
}

bool reply_begins_copy(const struct reply_line *l)
{
	char flat[MAX_LOOKED_AT + 1];

	if (!reply_is_prose(l) && l->class != LINE_RULE)
		return false;
	reply_flatten(l->s, l->n, flat, sizeof flat);
	return is_like_any(flat, reply_phrases_ours_first) || reply_is_tried(l);
}

bool reply_is_tried(const struct reply_line *l)
{
	size_t blanks = 0;

	while (blanks < l->n && l->s[blanks] == ' ')
		blanks++;
	return str_prefix_any(l->s + blanks, reply_phrases_ours_tried);
}

bool reply_is_prose(const struct reply_line *l)
{
	return l->class == LINE_TEXT || l->class == LINE_HEADER || l->class == LINE_HEADING;
}

size_t reply_skip_empty(const struct reply_lines *l, size_t i)
{
	while (i < l->n && l->v[i].class == LINE_EMPTY)
		i++;
	return i;
}

bool reply_quote_follows(const struct reply_lines *l, size_t i)
{
	i = reply_skip_empty(l, i + 1);
	return i < l->n && l->v[i].class == LINE_QUOTE;
}
