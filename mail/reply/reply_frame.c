#include "mail/reply/reply_frame.h"

#include <ctype.h>
#include <string.h>

#include "pbm/base/str.h"

#define MAX_INITIALS 12
#define MAX_ARMOR_HEADER 5 /* lines */

/* The length of the mark at the beginning of a line below an attribution: "| ", or the
 * quoted person's initials, "pbm> "; 0 when there is none. */
static size_t mark_length(const struct reply_line *l)
{
	size_t space = 0, n;

	while (space < l->n && l->s[space] == ' ')
		space++;
	if (space < l->n && l->s[space] == '|')
		return space + 1;
	for (n = space; n < l->n && n - space < MAX_INITIALS; n++) {
		if (!isalpha((unsigned char)l->s[n]))
			break;
	}
	return n > space && n < l->n && l->s[n] == '>' ? n + 1 : 0;
}

/* Has the sender written anything above line i? */
static bool is_text_above(const struct reply_lines *l, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (l->v[k].class != LINE_EMPTY && l->v[k].class != LINE_DROPPED)
			return true;
	return false;
}

/* The sender wrote nothing above the attribution i.  The lines below it that begin with
 * one mark, and the empty ones between them, are its quotation; his text follows. */
static void mark_quotation(struct reply_lines *l, size_t i)
{
	size_t first = reply_skip_empty(l, i + 1);
	size_t n = first < l->n ? mark_length(&l->v[first]) : 0;

	if (n == 0 || is_text_above(l, i))
		return;
	for (size_t k = first; k < l->n; k++) {
		if (l->v[k].class == LINE_EMPTY)
			continue;
		if (l->v[k].n < n || memcmp(l->v[k].s, l->v[first].s, n) != 0)
			break;
		l->v[k].class = LINE_QUOTE;
	}
}

/* Is the line only the address of a web page, "https://…", "<https://…>" or "<#…>"? */
static bool is_link(const struct reply_line *l)
{
	static const char *const begin[] = { "http://", "https://", "www.", "<http", "<#" };
	char s[16];
	size_t n = str_trim(l->s, l->n, " "), from = 0;

	while (from < n && l->s[from] == ' ')
		from++;
	if (memchr(l->s + from, ' ', n - from))
		return false;
	size_t k = n - from < sizeof s - 1 ? n - from : sizeof s - 1;
	memcpy(s, l->s + from, k);
	s[k] = '\0';
	for (size_t i = 0; i < sizeof begin / sizeof *begin; i++) {
		if (str_prefix(s, begin[i]))
			return true;
	}
	return false;
}

static void drop_links(struct reply_lines *l, size_t i)
{
	for (size_t k = i; k > 0 && l->v[k - 1].class == LINE_TEXT && is_link(&l->v[k - 1]); k--)
		l->v[k - 1].class = LINE_DROPPED;
	for (size_t k = i + 1; k < l->n && l->v[k].class == LINE_TEXT && is_link(&l->v[k]); k++)
		l->v[k].class = LINE_DROPPED;
}

/* Line i begins a signed message of PGP: drops its header ("Hash: SHA512"), which ends
 * with an empty line. */
static void drop_armor_header(struct reply_lines *l, size_t i)
{
	size_t end = i + 1;

	while (end < l->n && end <= i + MAX_ARMOR_HEADER && l->v[end].class != LINE_EMPTY)
		end++;
	if (end == l->n || l->v[end].class != LINE_EMPTY)
		return;
	while (++i < end)
		l->v[i].class = LINE_DROPPED;
}

static bool begins_armor(const struct reply_line *l)
{
	static const char begin[] = "-----BEGIN PGP SIGNED MESSAGE-----";

	return l->n >= sizeof begin - 1 && memcmp(l->s, begin, sizeof begin - 1) == 0;
}

void reply_mark_frames(struct reply_lines *l)
{
	for (size_t i = 0; i < l->n; i++) {
		if (begins_armor(&l->v[i]))
			drop_armor_header(l, i);
		else if (l->v[i].class == LINE_ATTRIBUTION)
			mark_quotation(l, i);
		else if (l->v[i].class == LINE_DEVICE)
			drop_links(l, i);
	}
}
