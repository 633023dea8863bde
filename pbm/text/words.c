#include "pbm/text/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Without quotation marks; between two of them are blanks of the word.  The room follows the word, not the
 * line: thousands of these are made of one long line. */
static const char *one_word(struct arena *a, const char **p)
{
	const char *start = *p;
	bool quoted = false;
	size_t n = 0;

	for (; **p && (quoted || !isspace((unsigned char)**p)); (*p)++)
		quoted = **p == '"' ? !quoted && strchr(*p + 1, '"') : quoted;
	char *out = arena_alloc(a, (size_t)(*p - start) + 1);
	for (; start < *p; start++)
		if (*start != '"')
			out[n++] = *start;
	return out;
}

void words_split(struct arena *a, const char *line, struct words *out)
{
	words_split_some(a, line, WORDS_MAX, out);
}

void words_split_some(struct arena *a, const char *line, size_t most, struct words *out)
{
	out->n = 0;
	while (out->n < most) {
		while (isspace((unsigned char)*line))
			line++;
		if (!*line)
			return;
		out->v[out->n].start = line;
		out->v[out->n].text = one_word(a, &line);
		out->n++;
	}
}

bool words_board(const char *word, struct board_ref *out)
{
	struct board_ref r = { 0 };

	r.marked = *word == '#';
	word += *word == '#';
	size_t n = strspn(word, "0123456789");
	if (n == 0 || n > 12)
		return false;
	r.board = strtoll(word, NULL, 10);
	if (r.board == 0)
		return false;
	word += n;
	if (*word == '#') {
		char *end;

		r.has_ply = true;
		r.ply = strtol(word + 1, &end, 10);
		if (end == word + 1)
			return false;
		word = end;
	}
	if (*word == ':') {
		r.marked = true;
		word++;
	}
	if (*word)
		return false;
	*out = r;
	return true;
}
