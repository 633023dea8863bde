/* The lines of a mail are classified one by one (mail/reply_class.c); then the
 * classes decide together.  A mail is short: a line in doubt is kept, since a
 * lost move is worse than a comment too long. */
#include <string.h>

#include "mail/mail.h"
#include "mail/reply_class.h"
#include "pbm/base/str.h"

#define MAX_ATTRIBUTION_LINES 4
#define MAX_ATTRIBUTION 500
#define MIN_HEADERS 3

struct rline { const char *s; size_t n; enum reply_class class; };
struct lines { struct rline *v; size_t n; };

static void split(struct arena *a, const char *text, struct lines *out)
{
	size_t n = 1;

	for (const char *p = text; *p; p++)
		n += *p == '\n';
	out->v = arena_alloc(a, n * sizeof *out->v);
	for (const char *p = text; *p; ) {
		size_t len = strcspn(p, "\n");

		out->v[out->n++] = (struct rline){ p, len, reply_classify(p, len) };
		p += len + (p[len] == '\n');
	}
}

static bool is_prose(const struct rline *l)
{
	return l->class == LINE_TEXT || l->class == LINE_HEADER;
}

/* The k lines that end with line i as one; false when they are too much. */
static bool join(const struct lines *l, size_t i, size_t k, char *buf, size_t size)
{
	size_t n = 0;

	for (size_t j = i + 1 - k; j <= i; j++) {
		if (n + l->v[j].n + 2 > size)
			return false;
		memcpy(buf + n, l->v[j].s, l->v[j].n);
		n += l->v[j].n;
		buf[n++] = ' ';
	}
	buf[n] = '\0';
	return true;
}

static bool quote_follows(const struct lines *l, size_t i)
{
	do {
		i++;
	} while (i < l->n && l->v[i].class == LINE_EMPTY);
	return i < l->n && l->v[i].class == LINE_QUOTE;
}

/* The line begins with the words of an attribution that goes on below. */
static bool begins_attribution(const struct rline *l)
{
	char buf[MAX_ATTRIBUTION];
	const struct lines one = { &(struct rline){ l->s, l->n, l->class }, 1 };

	return join(&one, 0, 1, buf, sizeof buf) && reply_attribution_begins(buf);
}

/* Of how many lines up to line i an attribution consists that is sure of itself,
 * else of how many it may; 0: none. */
static size_t attribution_core(const struct lines *l, size_t i)
{
	char buf[MAX_ATTRIBUTION];
	size_t found = 0;

	for (size_t k = 1; k <= MAX_ATTRIBUTION_LINES && k <= i + 1; k++) {
		if (!is_prose(&l->v[i + 1 - k]) || !join(l, i, k, buf, sizeof buf))
			break;
		int sure = reply_attribution(buf);
		if (sure == 3)
			return k;
		if (sure == 1 && (k > 1 || !quote_follows(l, i)))
			sure = 0;
		if (found == 0 && sure)
			found = k;
	}
	return found;
}

/* The same, with the lines above that begin it. */
static size_t attribution_size(const struct lines *l, size_t i)
{
	size_t k = attribution_core(l, i);

	while (k && k < MAX_ATTRIBUTION_LINES && k <= i && l->v[i - k].class == LINE_TEXT &&
	       begins_attribution(&l->v[i - k]))
		k++;
	return k;
}

static void mark_attributions(struct lines *l)
{
	for (size_t i = 0; i < l->n; i++) {
		size_t k = is_prose(&l->v[i]) ? attribution_size(l, i) : 0;

		if (k == 0)
			continue;
		for (size_t j = i + 1 - k; j < i; j++)
			l->v[j].class = LINE_DROPPED;
		l->v[i].class = LINE_ATTRIBUTION;
	}
}

/* The lines behind the header block that begins at line i, or i if none does.
 * after_rule: a line above it says that one comes. */
static size_t header_block_end(const struct lines *l, size_t i, bool after_rule)
{
	size_t headers = 0, j = i, folded = 0;

	if (i == l->n || l->v[i].class != LINE_HEADER)
		return i;
	for (; j < l->n && is_prose(&l->v[j]) && folded < 2; j++) {
		headers += l->v[j].class == LINE_HEADER;
		folded = l->v[j].class == LINE_HEADER ? 0 : folded + 1;
	}
	return headers >= MIN_HEADERS || (after_rule && headers >= 2) ? j : i;
}

static size_t skip_empty(const struct lines *l, size_t i)
{
	while (i < l->n && l->v[i].class == LINE_EMPTY)
		i++;
	return i;
}

static bool alone(const struct lines *l, size_t i)
{
	bool above = i == 0 || !is_prose(&l->v[i - 1]);

	return above && (i + 1 == l->n || !is_prose(&l->v[i + 1]));
}

static bool marker_follows(const struct lines *l, size_t i)
{
	for (; i < l->n; i++) {
		if (l->v[i].class == LINE_MARKER)
			return true;
	}
	return false;
}

/* Where to go on when line i begins somebody else's mail, with or without text
 * of the sender above it; l->n when nothing more is his.  A forwarded mail with
 * nothing above it speaks for the sender, unless it is one of ours. */
static size_t skip_embedded(const struct lines *l, size_t i, bool has_text)
{
	if (has_text || l->v[i].class != LINE_FORWARDED || marker_follows(l, i))
		return l->n;
	size_t start = skip_empty(l, i + 1);
	return header_block_end(l, start, true);
}

/* Does somebody else's mail begin at line i, without quote marks? */
static bool embedded_begins(const struct lines *l, size_t i)
{
	switch (l->v[i].class) {
	case LINE_ORIGINAL:
	case LINE_FORWARDED:
		return true;
	case LINE_ATTRIBUTION:
		return !quote_follows(l, i);
	case LINE_HEADER:
		return header_block_end(l, i, i && l->v[i - 1].class == LINE_RULE) > i;
	default:
		return false;
	}
}

static bool is_end(const struct rline *l, bool has_text)
{
	if (l->class == LINE_MARKER || l->class == LINE_DELIMITER || l->class == LINE_ARMOR)
		return true;
	if (!has_text)
		return false;
	return l->class == LINE_QUOTE ? reply_has_marker(l->s, l->n) :
	       l->class == LINE_RULE && reply_is_footer_rule(l->s, l->n);
}

static bool is_dropped(const struct lines *l, size_t i)
{
	enum reply_class c = l->v[i].class;

	return c == LINE_QUOTE || c == LINE_ATTRIBUTION || c == LINE_DROPPED ||
	       (c == LINE_DEVICE && alone(l, i));
}

static bool says_nothing(enum reply_class c)
{
	return c == LINE_EMPTY || c == LINE_RULE || c == LINE_DEVICE;
}

/* Moves the lines that the sender wrote to the front; returns how many. */
static size_t keep_own(struct lines *l)
{
	size_t kept = 0;
	bool has_text = false;

	for (size_t i = 0; i < l->n && !is_end(&l->v[i], has_text); ) {
		if (embedded_begins(l, i)) {
			i = skip_embedded(l, i, has_text);
			continue;
		}
		if (!is_dropped(l, i)) {
			has_text = has_text || !says_nothing(l->v[i].class);
			l->v[kept++] = l->v[i];
		}
		i++;
	}
	while (kept && says_nothing(l->v[kept - 1].class))
		kept--;
	return kept;
}

const char *mail_reply_text(struct arena *a, const char *text)
{
	struct lines l = {0};
	struct str out;

	split(a, text, &l);
	mark_attributions(&l);
	size_t n = keep_own(&l), first = 0;
	while (first < n && l.v[first].class == LINE_EMPTY)
		first++;
	str_init(&out, strlen(text) + 2);
	for (size_t i = first; i < n; i++) {
		bool double_gap = i && l.v[i].class == LINE_EMPTY && l.v[i - 1].class == LINE_EMPTY;

		if (double_gap)
			continue;
		str_add_n(&out, l.v[i].s, l.v[i].n);
		if (i + 1 < n)
			str_add_char(&out, '\n');
	}
	char *reply = arena_strndup(a, out.data, out.len);
	str_release(&out);
	return reply;
}
