/* "On Tue, 1 Dec 2026 at 17:00, pbm <pbm@example.org> wrote:".  Nearly all attributions
 * end with a colon and contain two of three things: a date, an address, a word for
 * writing. */
#include "mail/reply/reply_attribution.h"

#include <ctype.h>
#include <string.h>

#include "mail/reply/reply_words.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"

#define MAX_LINES 4
#define MAX_BYTES 500
#define NEAR_START 24 /* a date within so many characters begins the line */
#define MIN_FOLDED 50 /* bytes of a line that was folded for its length */
#define MAX_VERB 24   /* bytes of a line that holds little more than the verb */
#define MAX_COLONS 12 /* of one line that are looked at */
#define MAX_BEHIND 10 /* bytes after a verb at the end of the line: "(a)", " je" */

/* Is it an attribution?  IF_QUOTED: only if a quoted line follows. */
enum { NO, IF_QUOTED, SURE };

/* Cuts the colon from the end, or the dashes around a text that needs no colon.
 * false: neither is there, so that the text does not end like an attribution. */
static bool cut_colon(char *s)
{
	size_t trimmed = str_trim(s, strlen(s), " *_"), n = str_trim(s, trimmed, "-");
	bool framed = trimmed - n >= 3 && s[0] == '-';

	n = framed ? str_trim(s, n, " ") : n;
	bool colon = n && s[n - 1] == ':';
	s[str_trim(s, n - colon, " ")] = '\0';
	return colon || framed;
}

/* "<x@y", "(x@y", "[mailto:x@y", or a bare address at the end of the text. */
static bool has_address(const char *s)
{
	for (const char *at = strchr(s, '@'); at; at = strchr(at + 1, '@')) {
		const char *p = at;

		while (p > s && !strchr(" <([\"", p[-1]))
			p--;
		if (p > s && p < at && strchr("<([", p[-1]))
			return true;
		if (p > s + 1 && p < at && p[-1] == ' ' && p[-2] == '<') /* "< x@y >" */
			return true;
		if (p < at && !at[strcspn(at, " ")])
			return true;
	}
	return false;
}

/* "… <x@y>": for years Gmail wrote only the date and this. */
static bool ends_with_address(const char *s)
{
	const char *open = strrchr(s, '<');

	return open && strchr(open, '@') && s[strlen(s) - 1] == '>';
}

/* Is there a number near the beginning that may be a date's, and not a square's ("e4")? */
static bool begins_with_number(const char *s)
{
	size_t words = strcspn(s, "<@"), chars = 0;

	for (size_t i = 0; i < words && chars < NEAR_START; i++) {
		if (isdigit((unsigned char)s[i]))
			return i == 0 || !isalpha((unsigned char)s[i - 1]);
		chars += ((unsigned char)s[i] & 0xc0) != 0x80;
	}
	return false;
}

/* The text begins with a date, or with a word and a number as dates do. */
static bool begins(const char *s)
{
	s += strspn(s, "-* ");
	return begins_with_number(s) && (reply_has_date(s, false) || reply_says_intro(s));
}

/* "Am 1.12.2026 schrieb pbm", "pbm schrieb am 1.12.2026"; not "he wrote in 2026". */
static bool date_surrounds(const char *s, const char *verb, const char *behind)
{
	behind += strspn(behind, " ");
	if (reply_says_intro(behind))
		return reply_has_date(behind, false);
	return begins(s) && s + strcspn(s, "0123456789") < verb;
}

/* "On Monday I wrote:" is the sender's own text. */
static bool verb_says_i(const char *s, const char *verb)
{
	return verb - s >= 2 && memcmp(verb - 2, "I ", 2) == 0 &&
	       (verb - s == 2 || verb[-3] == ' ');
}

/* Without a colon: "2026/12/1 pbm <pbm@example.org>", if a quotation follows; with the
 * words and the verb of an attribution, "Am 1.12.26 um 17:00 schrieb pbm <…>", always. */
static int judge_without_colon(const char *s)
{
	const char *behind;

	if (!ends_with_address(s) || !begins_with_number(s + strspn(s, "-* ")))
		return NO;
	if (reply_says_intro(s) && reply_has_date(s, true) && reply_verb(s, &behind))
		return SURE;
	return begins_with_number(s) && reply_has_date(s, false) ? IF_QUOTED : NO;
}

/* Does nothing but a date follow the verb: "pbm писал 2026-12-01 17:00"? */
static bool is_only_date(const char *behind)
{
	behind += strspn(behind, "() ");
	if (str_prefix(behind, "а) ")) /* "писал(а)" */
		behind += strlen("а) ");
	return isdigit((unsigned char)*behind) && reply_has_date(behind, false) &&
	       strchr(behind, ':');
}

/* Without a verb that we know, it needs an address and a date.  alone: it is one line,
 * or begins a paragraph. */
static int judge_without_verb(const char *s, bool alone)
{
	return has_address(s) && reply_has_date(s, true) && (alone || begins(s)) ? SURE : NO;
}

/* Is text, made of one or more lines, an attribution?  Cuts text.  paragraph: no prose
 * stands directly above it.  Text of several lines must also begin like an
 * attribution. */
static int judge(char *text, bool one_line, bool paragraph)
{
	const char *behind, *verb;

	if (!cut_colon(text))
		return judge_without_colon(text);
	verb = reply_verb(text, &behind);
	if (!verb)
		return judge_without_verb(text, one_line || paragraph);
	if (verb_says_i(text, verb) || !(reply_has_date(text, true) || strchr(text, '@')))
		return IF_QUOTED;
	if (strchr(text, '@') || reply_says_quoting(text) || date_surrounds(text, verb, behind))
		return SURE;
	if (is_only_date(behind))
		return SURE;
	return one_line && strlen(behind) <= MAX_BEHIND ? SURE : IF_QUOTED;
}

/* Joins the k lines that end with line i into one flat line.  false: they are too
 * long. */
static bool join(const struct reply_lines *l, size_t i, size_t k, char *buf, size_t size)
{
	size_t n = 0;

	for (size_t j = i + 1 - k; j <= i; j++) {
		size_t len = reply_flatten(l->v[j].s, l->v[j].n, buf + n, size - n);

		if (len == 0 || n + len + 2 > size)
			return false;
		n += len;
		buf[n++] = ' ';
	}
	buf[n] = '\0';
	size_t space = strspn(buf, " ");
	memmove(buf, buf + space, n - space + 1);
	return true;
}

/* The number of lines, ending with line i, that make the shortest attribution; 0 when
 * there is none. */
static size_t shortest(const struct reply_lines *l, size_t i)
{
	char buf[MAX_BYTES];

	for (size_t k = 1; k <= MAX_LINES && k <= i + 1; k++) {
		if (!reply_is_prose(&l->v[i + 1 - k]) || !join(l, i, k, buf, sizeof buf))
			break;
		if (k == 1 && !strpbrk(buf, ":->"))
			break;
		int sure = judge(buf, k == 1, k == i + 1 || !reply_is_prose(&l->v[i - k]));
		if (sure == SURE || (sure == IF_QUOTED && k == 1 && reply_quote_follows(l, i)))
			return k;
	}
	return 0;
}

/* Does the attribution of k lines that ends with line i begin one line further up?  So
 * it does if that line holds the beginning of its date, the word before the date, or
 * the address that the k lines lack. */
static bool begins_above(const struct reply_lines *l, size_t i, size_t k)
{
	char above[MAX_BYTES], below[MAX_BYTES];

	if (l->v[i - k].class != LINE_TEXT || !join(l, i - k, 1, above, sizeof above) ||
	    !join(l, i, k, below, sizeof below))
		return false;
	if (reply_says_intro(above) && (isdigit((unsigned char)*below) || *below == '<'))
		return true;
	if (strcmp(above, "< ") == 0 || begins(above) || reply_says_quoting(above) ||
	    below[strcspn(below, "<>")] == '>')
		return true;
	return !strchr(below, '@') &&
	       (has_address(above) || (strchr(above, '@') && strlen(below) <= MAX_VERB));
}

/* Line i begins with a date and is as long as a folded line; line i + 1 holds only a
 * long name, folded in its turn. */
static bool has_long_name(const struct reply_lines *l, size_t i)
{
	char above[MAX_BYTES];

	return l->v[i].class == LINE_TEXT && l->v[i + 1].class == LINE_TEXT &&
	       l->v[i].n >= MIN_FOLDED && join(l, i, 1, above, sizeof above) &&
	       reply_says_intro(above) && begins(above) && reply_has_date(above, false);
}

/* Does line i end inside "<alice@example.org", or with "<" alone? */
static bool leaves_bracket_open(const struct reply_line *l)
{
	const char *open = memrchr(l->s, '<', l->n), *end = l->s + l->n;

	return open && !memchr(open, '>', (size_t)(end - open)) &&
	       !memchr(open, ' ', (size_t)(end - open)) && l->s[0] != '>';
}

static bool is_bare_address(const struct reply_line *l)
{
	return memchr(l->s, '@', l->n) && !memchr(l->s, ' ', l->n) && !memchr(l->s, '<', l->n) &&
	       !memchr(l->s, '>', l->n);
}

/* Gmail folds a long address inside its brackets, so that the last line of the
 * attribution begins with ">" like a quotation: "… schrieb pbm <pbm+x@example.org\n>:". */
static void reclass_closing_brackets(struct reply_lines *l)
{
	for (size_t i = 1; i < l->n; i++) {
		struct reply_line *line = &l->v[i];
		const struct reply_line *above = line - 1;

		if (line->class != LINE_QUOTE || line->n < 2 || !memchr(line->s, ':', line->n))
			continue;
		bool alone = i > 1 && above[-1].n <= 2 && leaves_bracket_open(above - 1);
		if (i > 1 && (is_bare_address(above) || alone) && leaves_bracket_open(above - 1))
			line->class = LINE_TEXT;
		else if (memchr(above->s, '@', above->n) && leaves_bracket_open(above))
			line->class = LINE_TEXT;
	}
}

/* Do the k lines that end with line i lack the date, and does line i + 1 hold it:
 * "pbm <pbm@example.org> ezt írta (időpont:\n2026. dec. 1., K, 17:00):"? */
static bool date_follows(const struct reply_lines *l, size_t i, size_t k)
{
	char buf[MAX_BYTES];

	if (i + 1 == l->n || l->v[i + 1].class != LINE_TEXT || !join(l, i, k, buf, sizeof buf) ||
	    reply_has_date(buf, false) || !strchr(buf, '('))
		return false;
	return join(l, i + 1, 1, buf, sizeof buf) && isdigit((unsigned char)*buf) &&
	       join(l, i + 1, k + 1, buf, sizeof buf) && judge(buf, false, true) == SURE;
}

/* The k lines that end with line i lack the date.  Polymail writes it into a paragraph of
 * its own above them. */
static void drop_date_above(struct reply_lines *l, size_t i, size_t k)
{
	char buf[MAX_BYTES];

	if (i < k + 1 || l->v[i - k].class != LINE_EMPTY || l->v[i - k - 1].class != LINE_TEXT ||
	    !join(l, i, k, buf, sizeof buf) || reply_has_date(buf, false) ||
	    !join(l, i - k - 1, 1, buf, sizeof buf))
		return;
	if (reply_says_intro(buf) && begins(buf) && reply_has_date(buf, false) && strchr(buf, ':'))
		l->v[i - k - 1].class = LINE_DROPPED;
}

/* Has s, which stood before a colon, a verb at its end, an address and a date? parted: a blank
 * or a quote mark followed the colon. */
static bool is_whole_attribution(const char *s, bool parted)
{
	const char *behind, *verb = reply_verb(s, &behind);

	if (!verb || verb_says_i(s, verb) || !has_address(s) || !reply_has_date(s, false))
		return false;
	return !*behind || (parted && (strlen(behind) <= MAX_BEHIND || ends_with_address(behind)));
}

/* Does line i hold a whole attribution and, after it, the quoted text: "On Tue, Dec 1,
 * 2026 at 5:00 PM, pbm<pbm@example.org> wrote:   Your move."?  So writes Yahoo's
 * program for telephones.  The attribution must have a date, an address and a verb. */
static bool has_text_behind(const struct reply_lines *l, size_t i)
{
	char buf[MAX_BYTES];
	struct reply_line start = l->v[i];

	if (start.n >= MAX_BYTES / 2)
		start.n = utf8_cut(start.s, start.n, MAX_BYTES / 2);
	if (!memchr(start.s, '@', start.n) ||
	    !join(&(struct reply_lines){ &start, 1 }, 0, 1, buf, sizeof buf) || !has_address(buf) ||
	    !reply_has_date(buf, false))
		return false;
	int colons = 0;
	for (char *p = strchr(buf, ':'); p && colons++ < MAX_COLONS; p = strchr(p + 1, ':')) {
		bool parted = strchr(" >", p[1]) != NULL;

		if (isdigit((unsigned char)p[1]) || !p[1 + strspn(p + 1, " ")])
			continue;
		*p = '\0';
		if (is_whole_attribution(buf, parted))
			return true;
		*p = ':';
	}
	return false;
}

/* Marks the k lines that end with line i. */
static void mark(struct reply_lines *l, size_t i, size_t k)
{
	for (size_t j = i + 1 - k; j < i; j++)
		l->v[j].class = LINE_DROPPED;
	l->v[i].class = LINE_ATTRIBUTION;
}

/* The number of lines that belong to the attribution whose shortest form has k lines and
 * ends with line i. */
static size_t whole(const struct reply_lines *l, size_t i, size_t k)
{
	while (k < MAX_LINES && k <= i && begins_above(l, i, k))
		k++;
	if (k + 1 < MAX_LINES && k < i && has_long_name(l, i - k - 1))
		k += 2;
	return k;
}

void reply_mark_attributions(struct reply_lines *l)
{
	reclass_closing_brackets(l);
	for (size_t i = 0; i < l->n; i++) {
		if (l->v[i].class == LINE_TEXT && has_text_behind(l, i))
			l->v[i].class = LINE_ATTRIBUTION;
	}
	for (size_t i = 0; i < l->n; i++) {
		size_t k = reply_is_prose(&l->v[i]) ? shortest(l, i) : 0;

		if (k == 0)
			continue;
		if (k < MAX_LINES && date_follows(l, i, k)) {
			i++;
			k++;
		}
		k = whole(l, i, k);
		drop_date_above(l, i, k);
		mark(l, i, k);
	}
}
