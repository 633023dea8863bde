#include "pbm/text/markdown_fill.h"

#include <string.h>

#include "pbm/base/utf8.h"

#define MOVE_DIGITS 3
#define COMMAND_COLUMNS 40 /* of a command that stays on one line */

size_t fill_columns(const char *s, size_t n)
{
	size_t columns = 0;

	for (size_t i = 0; i < n; columns++) {
		uint32_t c;

		i += utf8_decode(s + i, n - i, &c);
	}
	return columns;
}

static size_t plain_length(const char *s)
{
	size_t n = 0;

	while (s[n] && s[n] != ' ' && s[n] != '\n')
		n++;
	return n;
}

/* A move's number stays on the line of its move: "1. d4" is one word. */
static size_t word_length(const char *s)
{
	size_t n = plain_length(s), digits = strspn(s, "0123456789");
	bool number = digits > 0 && digits <= MOVE_DIGITS && n > digits &&
	              strspn(s + digits, ".") == n - digits;

	return number && s[n] == ' ' && s[n + 1] != ' ' ? n + 1 + plain_length(s + n + 1) : n;
}

/* Does the word, of n bytes, announce a command to copy? */
static bool announces(const char *s, size_t n)
{
	static const char *const words[] = { "write:",    "answer:",   "with:", "schreib:",
		                             "schreibe:", "antworte:", "mit:",  "escribe:",
		                             "responde:", "con:",      NULL };

	return str_is_any_n(s, n, words);
}

/* The bytes of the command at s, with a mark after it; 0: it is too long for one word. */
static size_t command_length(const char *s, size_t width)
{
	size_t n = 0, most = width < COMMAND_COLUMNS ? width : COMMAND_COLUMNS;

	for (;;) {
		n += plain_length(s + n);
		if (fill_columns(s, n) > most)
			return 0;
		if (s[n] != ' ' || s[n + 1] == ' ' || (n && strchr(".,;:)", s[n - 1])))
			return n;
		n++;
	}
}

bool fill_next(struct filler *f)
{
	const char *at = f->at;
	size_t used = 0;

	while (*at == ' ')
		at++;
	f->line = at;
	f->n = 0;
	if (*at == '\0')
		return false;
	while (*at && *at != '\n') {
		size_t n = f->after_colon ? command_length(at, f->width) : 0, columns;

		n = n ? n : word_length(at);
		columns = fill_columns(at, n);
		if (used && used + 1 + columns > f->width)
			break;
		f->after_colon = announces(at, n);
		used += columns + (used != 0);
		at += n;
		f->n = (size_t)(at - f->line);
		while (*at == ' ')
			at++;
	}
	f->at = *at == '\n' ? at + 1 : at;
	return true;
}

void fill_write(struct str *out, const char *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		str_add_char(out, line[i] == FILL_HARD_BLANK ? ' ' : line[i]);
}
