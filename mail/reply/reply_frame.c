#include "mail/reply/reply_frame.h"

#include <ctype.h>
#include <string.h>

#include "mail/reply/reply_header.h"
#include "pbm/base/str.h"
#include "pbm/base/utf8.h"

#define MAX_INITIALS 12
#define MAX_ARMOR_HEADER 5 /* lines */
#define MAX_MARKS 8        /* of a mail that are looked at */
#define MIN_MARKED 2       /* lines of a copy */
#define WIDTH_USUAL 70     /* columns: few programs break shorter lines */
#define WIDTH_LEAST 48     /* ... and none does these */
#define WIDTH_NEAR 8       /* columns: as long as a usual word and its blank */
#define NEAR_LEAST 3       /* lines */
#define INDENT_COMMAND 4   /* blanks before a command in our mails */
#define RESTS_MAX 2        /* lines of a mail program that a broken line goes on in */

/* The length of the sign that quotes line l from byte i on.  A blank or another sign follows those
 * of ASCII with which a word may begin: "#17", ":)". */
static size_t sign_length(const struct reply_line *l, size_t i)
{
	static const char *const bars[] = { "|", "¦", "│", "┃", "║", "»", "›", NULL };

	if (i == l->n)
		return 0;
	if (strchr(":}#%", l->s[i]))
		return i + 1 == l->n || strchr(" :}#%|>", l->s[i + 1]) ? 1 : 0;
	return str_prefix_any(l->s + i, bars);
}

/* The length of the mark at the beginning of a quoted line: "| ", or the quoted person's
 * initials, "pbm> "; 0 when there is none. */
static size_t mark_length(const struct reply_line *l)
{
	size_t space = 0, n;

	while (space < l->n && l->s[space] == ' ')
		space++;
	if ((n = sign_length(l, space)))
		return space + n;
	for (n = space; n < l->n && n - space < MAX_INITIALS; n++) {
		if (!isalpha((unsigned char)l->s[n]))
			break;
	}
	return n > space && n < l->n && l->s[n] == '>' ? n + 1 : 0;
}

static bool has_mark(const struct reply_line *l, const char *mark, size_t n)
{
	return mark_length(l) == n && memcmp(l->s, mark, n) == 0;
}

/* The lines that begin with the mark of n bytes, without it, and *text: the same as a text. */
static struct reply_lines marked_lines(struct arena *a, const struct reply_lines *l,
                                       const char *mark, size_t n, const char **text)
{
	struct reply_lines out = { arena_alloc(a, l->n * sizeof *out.v), 0 };
	size_t size = 1;

	for (size_t i = 0; i < l->n; i++)
		size += has_mark(&l->v[i], mark, n) ? l->v[i].n + 1 : 0;
	struct str s = str_in(a, size);
	for (size_t i = 0; i < l->n; i++) {
		if (!has_mark(&l->v[i], mark, n))
			continue;
		size_t from = n + (n < l->v[i].n && l->v[i].s[n] == ' ');
		const char *line = l->v[i].s + from;
		out.v[out.n++] = (struct reply_line){ line, l->v[i].n - from,
			                              reply_classify(line, l->v[i].n - from) };
		str_add_n(&s, line, l->v[i].n - from);
		str_add_char(&s, '\n');
	}
	*text = s.data;
	return out;
}

/* Are the lines, without their marks, those of a mail? */
static bool is_copy(const struct reply_lines *l, const char *text, const struct reply_knower *k)
{
	size_t filled = 0;

	for (size_t i = 0; i < l->n; i++)
		filled += l->v[i].class != LINE_EMPTY;
	if (filled < MIN_MARKED)
		return false;
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].class == LINE_MARKER || reply_header_end(l, i, false) > i)
			return true;
	return k && k->knows(k->arg, text);
}

void reply_mark_copies(struct arena *a, struct reply_lines *l, const struct reply_knower *k)
{
	struct reply_line marks[MAX_MARKS];
	size_t n = 0;

	for (size_t i = 0; i < l->n && n < MAX_MARKS; i++) {
		const char *text, *mark = l->v[i].s;
		size_t seen = 0, len = mark_length(&l->v[i]);

		while (seen < n && !has_mark(&l->v[i], marks[seen].s, marks[seen].n))
			seen++;
		if (len == 0 || seen < n)
			continue;
		marks[n] = (struct reply_line){ .s = mark, .n = len };
		n++;
		const struct reply_lines block = marked_lines(a, l, mark, len, &text);
		bool copy = is_copy(&block, text, k);
		for (size_t j = i; copy && j < l->n; j++)
			if (has_mark(&l->v[j], mark, len))
				l->v[j].class = LINE_QUOTE;
	}
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
		if (!has_mark(&l->v[k], l->v[first].s, n))
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

/* Does the quoted line hold what a player wrote, "> | hello", or a command, which is indented?  Those
 * may be of any words. */
static bool quotes_player(const struct reply_line *l)
{
	size_t i = mark_length(l), marks = i > 0, blanks = 0;

	for (; i < l->n && strchr("> |", l->s[i]); i++) {
		marks += l->s[i] != ' ';
		blanks = l->s[i] == ' ' ? blanks + 1 : 0;
	}
	return (marks > 1 && memchr(l->s, '|', i)) || blanks >= INDENT_COMMAND;
}

static size_t blanks_before(const struct reply_line *l)
{
	size_t i = 0;

	while (i < l->n && l->s[i] == ' ')
		i++;
	return i;
}

/* Is the line the rest of the one above, for which that one had no room within the width?  Then the mail
 * program has broken a quoted line. */
static bool is_rest(const struct reply_line *above, const struct reply_line *l, size_t width)
{
	size_t n = str_trim(above->s, above->n, " "), from = blanks_before(l);
	const char *word = l->s + from, *blank = memchr(word, ' ', l->n - from);
	size_t columns = utf8_columns(above->s, n);

	n = blank ? (size_t)(blank - word) : l->n - from;
	return columns + 1 + utf8_columns(word, n) > width;
}

/* Is the quoted line one long word, such as a link?  We write it on a line of its own. */
static bool is_one_word(const struct reply_line *l)
{
	size_t n = str_trim(l->s, l->n, " "), i = 0;

	while (i < n && strchr("> |", l->s[i]))
		i++;
	return !memchr(l->s + i, ' ', n - i);
}

/* Is line i, below a quoted one, its rest?  Where the sentence of that one may have ended, the sender
 * may have answered there. */
static bool is_broken(const struct reply_lines *l, size_t i, size_t width)
{
	const struct reply_line *above = &l->v[i - 1];
	size_t n = str_trim(above->s, above->n, " ");

	if (above->class != LINE_QUOTE || !n || l->v[i].class == LINE_EMPTY ||
	    l->v[i].class == LINE_QUOTE || !is_rest(above, &l->v[i], width) || is_one_word(above))
		return false;
	unsigned char first = (unsigned char)l->v[i].s[blanks_before(&l->v[i])];
	return quotes_player(above) || (islower(first) && !strchr(".!?:;)\"", above->s[n - 1]) &&
	                                (unsigned char)above->s[n - 1] < 0x80);
}

static size_t columns_of(const struct reply_line *l)
{
	return l->class == LINE_QUOTE && !is_one_word(l)
	               ? utf8_columns(l->s, str_trim(l->s, l->n, " "))
	               : 0;
}

/* The width at which the sender's mail program may break lines: no quoted line that could be broken is
 * wider.  Few quoted lines near that width are no sign of it: people keep one and answer below it. */
static size_t width_of(const struct reply_lines *l)
{
	size_t widest = WIDTH_LEAST, near = 0;

	for (size_t i = 0; i < l->n; i++)
		if (columns_of(&l->v[i]) > widest)
			widest = columns_of(&l->v[i]);
	for (size_t i = 0; i < l->n; i++)
		near += columns_of(&l->v[i]) + WIDTH_NEAR > widest;
	return widest < WIDTH_USUAL && near >= NEAR_LEAST ? widest : WIDTH_USUAL;
}

/* The ends of quoted lines that the sender's mail program has broken are no words of his. */
static void mark_broken(struct reply_lines *l)
{
	size_t width = width_of(l);

	for (size_t i = 1; i < l->n; i++) {
		size_t rests = 0;

		for (bool broken = is_broken(l, i, width); broken; i++) {
			l->v[i].class = LINE_QUOTE;
			broken = ++rests < RESTS_MAX && i + 1 < l->n &&
			         l->v[i + 1].class == LINE_TEXT &&
			         is_rest(&l->v[i], &l->v[i + 1], width);
		}
	}
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
	mark_broken(l);
}
