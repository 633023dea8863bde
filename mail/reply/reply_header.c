/* The header of the answered mail, as Outlook and others copy it above that. */
#include "mail/reply/reply_header.h"

#include <string.h>

#include "mail/reply/reply_class.h"
#include "mail/reply/reply_date.h"
#include "mail/reply/reply_words.h"

#define MIN_HEADERS 3
#define MAX_LINES 12 /* of a header in words unknown */
#define MAX_FOLDED 1 /* lines that continue a field */
#define MAX_LABEL 40
#define MAX_WORDS 3
#define MAX_BYTES 400

/* The length of "some label: value"'s label, or 0. */
static size_t label(const char *s)
{
	size_t n = strcspn(s, ":"), words = 1;

	for (size_t i = 0; i < n; i++) {
		if (strchr("0123456789<>@\"/.!?,", s[i]))
			return 0;
		words += s[i] == ' ' && s[i + 1] != ':';
	}
	return n && n <= MAX_LABEL && words <= MAX_WORDS && s[n] == ':' &&
	                       (s[n + 1] == ' ' || !s[n + 1])
	               ? n
	               : 0;
}

/* Names and dates of a mail beside labels of any language. */
struct foreign_header {
	size_t fields;
	bool address, date, leads;
};

static bool read_unknown(const struct reply_line *l, struct foreign_header *u)
{
	char flat[MAX_BYTES];

	if (reply_flatten(l->s, l->n, flat, sizeof flat) == 0)
		return false;
	const char *s = flat + strspn(flat, " *");
	size_t n = label(s);
	if (n == 0)
		return false;
	bool address = strchr(s + n, '@') != NULL, date = reply_has_date_or_time(s + n);

	if (u->fields++ == 0)
		u->leads = address || date;
	u->address = u->address || address;
	u->date = u->date || date;
	return true;
}

/* A header whose words nobody has told us: three fields at least, one holding
 * an address and one a date, and it begins with one of these. */
static size_t unknown_end(const struct reply_lines *l, size_t i)
{
	struct foreign_header u = { 0 };
	size_t j = i, folded = 0;

	for (; j < l->n && j < i + MAX_LINES && reply_is_prose(&l->v[j]); j++) {
		folded = read_unknown(&l->v[j], &u) ? 0 : folded + 1;
		if (folded > MAX_FOLDED || !u.leads)
			break;
	}
	return u.fields >= MIN_HEADERS && u.address && u.date ? j : i;
}

/* More recipients, on a line of their own. */
static bool is_recipients(const struct reply_line *l)
{
	return memchr(l->s, '@', l->n) || (l->n && strchr(";,", l->s[l->n - 1]));
}

/* Line i is empty, and a header's next field comes below: a paragraph each. */
static bool is_gap(const struct reply_lines *l, size_t i)
{
	return l->v[i].class == LINE_EMPTY && i + 1 < l->n && l->v[i + 1].class == LINE_HEADER;
}

size_t reply_header_end(const struct reply_lines *l, size_t i, bool after_rule)
{
	size_t headers = 0, j = i, folded = 0;

	if (i == l->n || !reply_is_prose(&l->v[i]))
		return i;
	if (l->v[i].class != LINE_HEADER)
		return unknown_end(l, i);
	for (; j < l->n && (reply_is_prose(&l->v[j]) || is_gap(l, j)); j++) {
		bool header = l->v[j].class == LINE_HEADER;

		headers += header;
		folded = header || l->v[j].class == LINE_EMPTY ? 0
		                                               : folded + !is_recipients(&l->v[j]);
		if (folded > MAX_FOLDED)
			break;
	}
	if (headers >= MIN_HEADERS || (after_rule && headers + 1 >= MIN_HEADERS))
		return j;
	return unknown_end(l, i);
}
