#include "mail/reply/reply_header.h"

#include <string.h>

#include "mail/reply/reply_words.h"

#define MIN_HEADERS 3
#define MAX_LINES 12 /* of a header in a language we don't know */
#define MAX_FOLDED 1 /* lines in a row that continue a field */
#define MAX_LABEL 40
#define MAX_WORDS 3
#define MAX_BYTES 400

/* The length of the label in "some label: value", or 0. */
static size_t label_length(const char *s)
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

/* Fields with labels of any language.  leads: the first field holds an address or a
 * date. */
struct foreign_header {
	size_t fields;
	bool address, date, leads;
};

/* false: the line is no field. */
static bool read_foreign(const struct reply_line *l, struct foreign_header *u)
{
	char flat[MAX_BYTES];

	if (reply_flatten(l->s, l->n, flat, sizeof flat) == 0)
		return false;
	const char *s = flat + strspn(flat, " *");
	size_t n = label_length(s);
	if (n == 0)
		return false;
	bool address = strchr(s + n, '@') != NULL, date = reply_has_date(s + n, true);

	if (u->fields++ == 0)
		u->leads = address || date;
	u->address = u->address || address;
	u->date = u->date || date;
	return true;
}

/* The line after a header whose labels are in no table: at least three fields, among
 * them an address and a date, one of these two in the first field.  i when there is
 * none. */
static size_t foreign_end(const struct reply_lines *l, size_t i)
{
	struct foreign_header u = { 0 };
	size_t j = i, folded = 0;

	for (; j < l->n && j < i + MAX_LINES && reply_is_prose(&l->v[j]); j++) {
		folded = read_foreign(&l->v[j], &u) ? 0 : folded + 1;
		if (folded > MAX_FOLDED || !u.leads)
			break;
	}
	return u.fields >= MIN_HEADERS && u.address && u.date ? j : i;
}

/* Does the line only continue a list of recipients? */
static bool is_recipients(const struct reply_line *l)
{
	return memchr(l->s, '@', l->n) || (l->n && strchr(";,", l->s[l->n - 1]));
}

/* An empty line between two fields: some programs write a paragraph for each. */
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
		return foreign_end(l, i);
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
	return foreign_end(l, i);
}
