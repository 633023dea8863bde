#include "mail/transport/imap/imap_guard.h"

#include <stdio.h>
#include <strings.h>

/* "{12}" (RFC 3501 §4.3) or "{12+}" (RFC 7888) at the end of a line announces a literal.
 * COUNTING: in the number; COUNTED: after the closing brace. */
enum { NO_COUNT, COUNTING, COUNTED };

static void watch_count(struct imap_guard *g, char c)
{
	if (c == '{') {
		g->count = COUNTING;
		g->number = 0;
	} else if (g->count == COUNTING && c >= '0' && c <= '9') {
		/* A number that is too large stays so and can't overflow. */
		if (g->number < (size_t)1 << 40)
			g->number = g->number * 10 + (size_t)(c - '0');
	} else if (g->count == COUNTING && c == '}') {
		g->count = COUNTED;
	} else if (!(g->count == COUNTING && c == '+') && c != '\r') {
		g->count = NO_COUNT;
	}
}

static void new_line(struct imap_guard *g)
{
	g->line = g->head_len = 0;
	g->lists = 0;
}

static const char *end_line(struct imap_guard *g, size_t left)
{
	bool announced = g->count == COUNTED;

	g->count = NO_COUNT;
	if (announced && g->number > left)
		return "announces more bytes than were asked for";
	g->head[g->head_len] = '\0';
	if (!announced && strncasecmp(g->head, "* BYE", 5) == 0) {
		snprintf(g->text, sizeof g->text, "says good-bye:%s", g->head + 5);
		return g->text;
	}
	if (announced)
		g->literal = g->number;
	else
		new_line(g);
	return NULL;
}

/* One byte outside literals; left bytes may follow it. */
static const char *check_byte(struct imap_guard *g, char c, size_t left)
{
	if (c == '\n')
		return end_line(g, left);
	if (c == '\0')
		return "sends NUL bytes";
	if (++g->line > IMAP_LINE_MAX)
		return "sends a line without end";
	if (c == '(' && ++g->lists > IMAP_LISTS_MAX)
		return "sends too many lists in a line";
	if (g->head_len + 1 < sizeof g->head && c != '\r')
		g->head[g->head_len++] = c;
	watch_count(g, c);
	return NULL;
}

const char *imap_guard_check(struct imap_guard *g, const char *bytes, size_t n, size_t budget)
{
	const char *why = NULL;

	for (size_t i = 0; i < n && !why; i++) {
		if (g->literal) {
			size_t skip = g->literal < n - i ? g->literal : n - i;

			g->literal -= skip;
			i += skip - 1;
		} else {
			why = check_byte(g, bytes[i], budget > i ? budget - i - 1 : 0);
		}
	}
	return why;
}
