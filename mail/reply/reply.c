/* First each line is classified alone (mail/reply/reply_class.c); then the classes of
 * all lines decide which are the sender's.  A line in doubt is kept, because a lost
 * move is worse than a comment that is too long. */
#include "mail/reply/reply.h"

#include <ctype.h>
#include <string.h>

#include "mail/banner.h"
#include "mail/reply/reply_attribution.h"
#include "mail/reply/reply_class.h"
#include "mail/reply/reply_frame.h"
#include "mail/reply/reply_header.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"

#define MAX_GREETING 40 /* bytes of "Dear alice," */
#define MIN_QUOTE 3     /* lines of a quotation of the whole answered mail */
#define MAX_TAIL 6      /* lines of a name and a footer below that quotation */
#define MAX_CARD 8      /* lines of contact details below dashes */
#define MIN_DASHES 3
#define MIN_WRAPPED 50 /* bytes of the first part of a line that was wrapped */

static void split(struct arena *a, const char *text, struct reply_lines *out)
{
	size_t n = 1;

	for (const char *p = text; *p; p++)
		n += *p == '\n';
	out->v = arena_alloc(a, n * sizeof *out->v);
	for (const char *p = text; *p;) {
		size_t len = strcspn(p, "\n");

		out->v[out->n++] = (struct reply_line){ p, len, reply_classify(p, len) };
		p += len + (p[len] == '\n');
	}
}

static bool marker_follows(const struct reply_lines *l, size_t i)
{
	for (; i < l->n; i++) {
		if (l->v[i].class == LINE_MARKER)
			return true;
	}
	return false;
}

/* Somebody else's mail begins at line i.  Returns the line from which the sender's
 * text may go on, or l->n.  has_text: the sender has written something above it.  A
 * forwarded mail with nothing above it counts as the sender's text, unless it is one
 * of ours. */
static size_t skip_embedded(const struct reply_lines *l, size_t i, bool has_text)
{
	if (has_text || l->v[i].class != LINE_FORWARDED || marker_follows(l, i))
		return l->n;
	return reply_header_end(l, reply_skip_empty(l, i + 1), true);
}

/* Does a quotation with marks follow line i, perhaps below an attribution? */
static bool quotation_follows(const struct reply_lines *l, size_t i)
{
	size_t next = reply_skip_empty(l, i + 1);

	while (next < l->n && l->v[next].class == LINE_DROPPED)
		next++;
	if (next < l->n && l->v[next].class == LINE_ATTRIBUTION)
		i = next;
	return reply_quote_follows(l, i);
}

/* Does somebody else's mail begin at line i, copied without quote marks? */
static bool embedded_begins(const struct reply_lines *l, size_t i)
{
	size_t next;

	switch (l->v[i].class) {
	case LINE_ORIGINAL:
	case LINE_FORWARDED: return !quotation_follows(l, i);
	case LINE_HEADING:
		next = reply_skip_empty(l, i + 1);
		return next < l->n && (l->v[next].class == LINE_ATTRIBUTION ||
		                       reply_header_end(l, next, true) > next);
	case LINE_ATTRIBUTION: return !reply_quote_follows(l, i);
	case LINE_HEADER:
	case LINE_TEXT: return reply_header_end(l, i, i && l->v[i - 1].class == LINE_RULE) > i;
	default: return false;
	}
}

/* Does the line hold a phone number, a mail address or a web address? */
static bool has_contact(const struct reply_line *l)
{
	size_t digits = 0;

	for (size_t i = 0; i < l->n; i++) {
		digits += isdigit((unsigned char)l->s[i]) != 0;
		if (l->s[i] == '@')
			return true;
	}
	return digits >= 7 || memmem(l->s, l->n, "://", 3) || memmem(l->s, l->n, "www.", 4);
}

/* Is line i a row of dashes with only contact details between it and the quotation or
 * the end? */
static bool card_begins(const struct reply_lines *l, size_t i)
{
	size_t lines = 0;
	bool card = false;

	if (l->v[i].class != LINE_RULE || l->v[i].n < MIN_DASHES || strchr("*#~+= ", *l->v[i].s))
		return false;
	for (i++; i < l->n && lines <= MAX_CARD &&
	          !(l->v[i].class == LINE_QUOTE || embedded_begins(l, i));
	     i++) {
		lines += l->v[i].class != LINE_EMPTY;
		card = card || has_contact(&l->v[i]);
	}
	return card && lines <= MAX_CARD;
}

/* The sender's words so far; GREETING: only "Dear alice,". */
enum reply_said { NOTHING, GREETING, WORDS };

/* Is line i ("Sent from my iPhone") a signature, and no part of a paragraph?  It is one
 * in two cases.  No prose stands directly above or below it.  Or prose stands directly
 * above but not below it, and it does not begin with a small letter. */
static bool is_signature(const struct reply_lines *l, size_t i)
{
	bool above = i && reply_is_prose(&l->v[i - 1]);
	bool below = i + 1 < l->n && reply_is_prose(&l->v[i + 1]);

	return !below && (!above || !islower((unsigned char)*l->v[i].s));
}

/* Does a quoted line follow anywhere below line i?  Then an answer may stand below it. */
static bool quotation_below(const struct reply_lines *l, size_t i)
{
	while (++i < l->n)
		if (l->v[i].class == LINE_QUOTE)
			return true;
	return false;
}

/* Does line i end the sender's text? */
static bool is_end(const struct reply_lines *l, size_t i, enum reply_said said)
{
	const struct reply_line *line = &l->v[i];

	if (line->class == LINE_MARKER || line->class == LINE_ARMOR)
		return true;
	if (!said)
		return false;
	switch (line->class) {
	case LINE_DELIMITER: return true;
	case LINE_DEVICE: return said == WORDS && is_signature(l, i) && !quotation_below(l, i);
	case LINE_QUOTE: return reply_has_marker(line->s, line->n);
	case LINE_RULE: return reply_is_footer_rule(line->s, line->n) || card_begins(l, i);
	case LINE_DISCLAIMER:
		return i && (l->v[i - 1].class == LINE_EMPTY || l->v[i - 1].class == LINE_RULE);
	default: return false;
	}
}

/* The signature at line i stands above all text: the sender wrote below the quotation.
 * Returns where the quotation begins. */
static size_t skip_signature(const struct reply_lines *l, size_t i)
{
	while (i < l->n && l->v[i].class != LINE_QUOTE && !embedded_begins(l, i))
		i++;
	return i;
}

static bool is_dropped(const struct reply_lines *l, size_t i)
{
	enum reply_class c = l->v[i].class;

	return c == LINE_QUOTE || c == LINE_ATTRIBUTION || c == LINE_DROPPED ||
	       c == LINE_ORIGINAL || c == LINE_FORWARDED ||
	       (c == LINE_DEVICE && is_signature(l, i));
}

static bool says_nothing(enum reply_class c)
{
	return c == LINE_EMPTY || c == LINE_RULE || c == LINE_DEVICE;
}

/* "Hi,", "Dear alice!": a short line that ends with a comma or an exclamation mark. */
static bool is_greeting(const struct reply_line *l)
{
	size_t n = str_trim(l->s, l->n, " ");

	return n && n <= MAX_GREETING && strchr(",!", l->s[n - 1]) && !memchr(l->s, '.', n);
}

/* Line i is an attribution below the sender's text.  Is everything after it the
 * quoted mail and a name or a footer?  The quotation must be long, the rest short and
 * without digits: a digit may belong to a move or a board. */
static bool only_quotation_follows(const struct reply_lines *l, size_t i)
{
	size_t quotes = 0, lines = 0;

	for (i++; i < l->n && (l->v[i].class == LINE_EMPTY || l->v[i].class == LINE_QUOTE); i++)
		quotes += l->v[i].class == LINE_QUOTE;
	for (; i < l->n && lines <= MAX_TAIL; i++) {
		if (l->v[i].class == LINE_QUOTE || l->v[i].class == LINE_ATTRIBUTION)
			return false;
		for (size_t k = 0; k < l->v[i].n; k++) {
			if (isdigit((unsigned char)l->v[i].s[k]))
				return false;
		}
		lines += l->v[i].class != LINE_EMPTY;
	}
	return quotes >= MIN_QUOTE && lines <= MAX_TAIL;
}

/* Is the line only a mail address, as Foxmail writes the sender's own below his text? */
static bool is_address(const struct reply_line *l)
{
	const char *at = memchr(l->s, '@', l->n);
	size_t n = str_trim(l->s, l->n, " ");

	return at && at > l->s && !memchr(l->s, ' ', n) && !memchr(l->s, ':', n) &&
	       memchr(at, '.', (size_t)(l->s + n - at));
}

/* The number of the first n lines without those at their end that say nothing.  foxmail:
 * a copied mail without quote marks followed, so that an address there does not either. */
static size_t cut_end(const struct reply_lines *l, size_t n, bool foxmail)
{
	while (n &&
	       (says_nothing(l->v[n - 1].class) || (foxmail && n > 1 && is_address(&l->v[n - 1]))))
		n--;
	return n;
}

/* A mail of ours that is copied without quote marks begins above the line of it that marks it. */
static void mark_copy(struct reply_lines *l)
{
	size_t end = l->n, i = 0;

	while (end && l->v[end - 1].class != LINE_MARKER)
		end--;
	while (i < end && !reply_begins_copy(&l->v[i]))
		i++;
	if (i < end)
		l->v[i].class = LINE_MARKER;
}

/* Is line i in the copy of a refusal?  Then its reasons are the paragraph above that of the line:
 * the number of the first n lines without both; n, if nothing would be left. */
static size_t cut_reasons(const struct reply_lines *l, size_t n, size_t i)
{
	size_t kept = n;

	if (i == l->n || !reply_is_tried(&l->v[i]))
		return n;
	for (int paragraph = 0; paragraph < 2; paragraph++) {
		while (kept && l->v[kept - 1].class != LINE_EMPTY)
			kept--;
		while (kept && l->v[kept - 1].class == LINE_EMPTY)
			kept--;
	}
	return kept ? kept : n;
}

/* Moves the sender's lines to the front; returns their number.  *end: the line that ended them. */
static size_t keep_own(struct reply_lines *l, size_t *end)
{
	size_t kept = 0;
	enum reply_said said = NOTHING;
	bool foxmail = false;
	size_t i = 0;

	while (i < l->n && !is_end(l, i, said)) {
		if (embedded_begins(l, i)) {
			foxmail = l->v[i].class == LINE_HEADER;
			*end = i;
			i = skip_embedded(l, i, said);
			continue;
		}
		if (l->v[i].class == LINE_DELIMITER) {
			i = skip_signature(l, i);
			continue;
		}
		if (said == WORDS && l->v[i].class == LINE_ATTRIBUTION &&
		    only_quotation_follows(l, i))
			break;
		if (!is_dropped(l, i)) {
			if (!says_nothing(l->v[i].class))
				said = said == WORDS || !is_greeting(&l->v[i]) ? WORDS : GREETING;
			l->v[kept++] = l->v[i];
		}
		i++;
	}
	*end = i < l->n ? i : *end;
	return cut_end(l, cut_reasons(l, kept, i), foxmail);
}

/* The text below the warnings of a gateway; all of it when nothing is below them. */
static const char *skip_banner(const char *text)
{
	const char *below = text + banner_end(text);

	return below[strspn(below, " \t\n")] ? below : text;
}

/* Finds the sender's lines, which stand at the front of *l then; returns their number, and *end as
 * above: l->n if nothing ended them. */
static size_t find_own(struct arena *a, const char *text, const struct reply_knower *k,
                       struct reply_lines *l, size_t *end)
{
	split(a, skip_banner(text), l);
	reply_mark_copies(a, l, k);
	reply_mark_attributions(l);
	reply_mark_frames(l);
	mark_copy(l);
	*end = l->n;
	return keep_own(l, end);
}

/* A person may type between the lines of a copy, or below it.  Lines of drawings, lists and examples
 * are indented or in columns, and those of players have a mark. */
static bool is_ours(const struct reply_line *l)
{
	return l->class == LINE_MARKER || (l->class == LINE_QUOTE && reply_has_marker(l->s, l->n));
}

/* Does the copy of a mail begin with the line, below a signature perhaps? */
static bool begins_copy(const struct reply_line *l)
{
	return l->class == LINE_MARKER || l->class == LINE_QUOTE || l->class == LINE_ORIGINAL ||
	       l->class == LINE_FORWARDED || l->class == LINE_HEADING || l->class == LINE_HEADER ||
	       l->class == LINE_ATTRIBUTION;
}

/* Does a signature or a footer begin with the line?  Ours has a line below it that marks it. */
static bool begins_footer(const struct reply_line *l)
{
	return l->class == LINE_DELIMITER || l->class == LINE_DISCLAIMER ||
	       l->class == LINE_ARMOR ||
	       (l->class == LINE_RULE && reply_is_footer_rule(l->s, l->n));
}

/* Can the line be one of a paragraph that the sender wrote? */
static bool may_be_own(const struct reply_line *l)
{
	return l->class == LINE_TEXT && *l->s != ' ' && !memmem(l->s, l->n, "   ", 3);
}

/* Is line i the end of a player's line above it, which a mail program has wrapped within a sentence? */
static bool is_wrapped(const struct reply_lines *l, size_t i)
{
	const struct reply_line *above = i ? &l->v[i - 1] : NULL;

	return above && *above->s == '|' && above->n >= MIN_WRAPPED &&
	       !strchr(".!?", above->s[above->n - 1]) && may_be_own(&l->v[i]);
}

/* Does the line belong to a paragraph? */
static bool is_within(const struct reply_line *l)
{
	return (l->class == LINE_TEXT && *l->s != '|') ||
	       (begins_copy(l) && l->class != LINE_QUOTE);
}

/* Is line i a row below a title, and just as long? */
static bool underlines(const struct reply_lines *l, size_t i)
{
	if (i == 0 || i == l->n || !strchr("=-", *l->v[i].s))
		return false;
	size_t columns = utf8_count(l->v[i - 1].s, l->v[i - 1].n);
	return strspn(l->v[i].s, "=-") == columns && l->v[i].n == columns;
}

static void add_paragraph(struct str *out, const struct reply_lines *l, size_t from, size_t to)
{
	const size_t start = out->len;

	for (size_t i = from; i < to; i++) {
		for (size_t k = 0; k < l->v[i].n; k++)
			if (l->v[i].s[k] != ' ' ||
			    (out->len > start && out->data[out->len - 1] != ' '))
				str_add_char(out, l->v[i].s[k]);
		str_add_char(out, i + 1 < to ? ' ' : '\n');
	}
}

/* The first line below the paragraph at line i. */
static size_t paragraph_end(const struct reply_lines *l, size_t i)
{
	while (i < l->n && is_within(&l->v[i]))
		i++;
	return i;
}

/* Can the sender have written the paragraph? */
static bool is_own_paragraph(const struct reply_lines *l, size_t from, size_t to)
{
	if (to == from + 1 && underlines(l, to))
		return false;
	for (size_t i = from; i < to; i++)
		if (!may_be_own(&l->v[i]))
			return false;
	return to > from;
}

/* The paragraphs of prose in a copy of our mail below line i. */
static const char *copy_prose(struct arena *a, const struct reply_lines *l, size_t i)
{
	size_t last = l->n, size = 1;

	while (i < l->n && !begins_copy(&l->v[i]))
		i++;
	while (last > i && !is_ours(&l->v[last - 1]))
		last--;
	if (last == i)
		return "";
	for (size_t k = i; k < l->n; k++)
		size += l->v[k].n + 1;
	struct str out = str_in(a, size + 1);
	for (size_t next; i < l->n && (i < last || !begins_footer(&l->v[i])); i = next) {
		i += is_wrapped(l, i);
		next = paragraph_end(l, i);
		if (is_own_paragraph(l, i, next))
			add_paragraph(&out, l, i, next);
		next += next == i;
	}
	return out.data;
}

/* Is line i, or the first one below it that says something, our own marker? */
static bool marks_copy(const struct reply_lines *l, size_t i)
{
	while (i < l->n && (l->v[i].class == LINE_DELIMITER || says_nothing(l->v[i].class)))
		i++;
	return i < l->n && l->v[i].class == LINE_MARKER;
}

/* The first n lines. */
static const char *join_own(struct arena *a, const struct reply_lines *l, size_t n)
{
	size_t first = 0, size = 1;

	while (first < n && l->v[first].class == LINE_EMPTY)
		first++;
	for (size_t i = first; i < n; i++)
		size += l->v[i].n + 1;
	struct str out = str_in(a, size);
	for (size_t i = first; i < n; i++) {
		bool double_gap = i && l->v[i].class == LINE_EMPTY &&
		                  l->v[i - 1].class == LINE_EMPTY;

		if (double_gap)
			continue;
		str_add_n(&out, l->v[i].s, l->v[i].n);
		if (i + 1 < n)
			str_add_char(&out, '\n');
	}
	return out.data;
}

struct reply reply_read(struct arena *a, const char *text, const struct reply_knower *k)
{
	struct reply_lines l = { 0 };
	size_t end, n = find_own(a, text, k, &l, &end);

	return (struct reply){ join_own(a, &l, n), copy_prose(a, &l, end), marks_copy(&l, end) };
}
