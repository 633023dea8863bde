#include "pbm/text/markdown_marker.h"

#include <string.h>

#define DIGITS_MAX 9
#define MARKERS_MAX 12

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool ends_marker(char c)
{
	return is_blank(c) || c == '\n' || c == '\r' || c == '\0';
}

static const char *line_start(const char *source, const char *at)
{
	while (at > source && at[-1] != '\n')
		at--;
	return at;
}

/* The length of "12." or "12)" at p, 0 when p is no such marker. */
static size_t number_length(const char *p)
{
	size_t n = strspn(p, "0123456789");

	if (n == 0 || n > DIGITS_MAX || (p[n] != '.' && p[n] != ')') || !ends_marker(p[n + 1]))
		return 0;
	return n + 1;
}

/* The ordered markers between a line's start and end; they stand among blanks,
 * quote marks and bullets, before any text. */
static size_t find_markers(const char *p, const char *end, const char *found[MARKERS_MAX])
{
	size_t count = 0;

	while (p < end && count < MARKERS_MAX) {
		size_t n = number_length(p);

		if (n)
			found[count++] = p;
		else if (is_blank(*p) || *p == '>' || (strchr("-+*", *p) && ends_marker(p[1])))
			n = 1;
		else
			break;
		p += n;
	}
	return count;
}

bool marker_typed(const char *source, const char *at, size_t back, char out[MARKER_SIZE])
{
	const char *found[MARKERS_MAX], *end = at, *start = line_start(source, at);
	size_t count = find_markers(start, end, found);

	/* The text may begin on a line below its marker: code in a fence does. */
	while (count == 0 && start > source) {
		end = start - 1;
		start = line_start(source, end);
		count = find_markers(start, end, found);
	}
	if (back >= count)
		return false;
	const char *marker = found[count - 1 - back];
	size_t n = number_length(marker);
	memcpy(out, marker, n);
	memcpy(out + n, " ", 2);
	return true;
}

bool marker_follows_text(const char *source, const char *at)
{
	const char *start = line_start(source, at);

	if (start == source)
		return false;
	for (const char *p = line_start(source, start - 1); p < start - 1; p++)
		if (!is_blank(*p) && *p != '\r' && *p != '>')
			return true;
	return false;
}
