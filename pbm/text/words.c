#include "pbm/text/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *one_word(struct arena *a, const char **p)
{
	char *out = arena_alloc(a, strlen(*p) + 1);
	size_t n = 0;
	bool quoted = false;

	for (; **p && (quoted || !isspace((unsigned char)**p)); (*p)++) {
		if (**p == '"')
			quoted = !quoted;
		else
			out[n++] = **p;
	}
	return out;
}

void words_split(struct arena *a, const char *line, struct words *out)
{
	out->n = 0;
	while (out->n < WORDS_MAX) {
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
