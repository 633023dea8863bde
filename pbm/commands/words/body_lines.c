#include "pbm/commands/words/body_lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "mail/plain.h"
#include "pbm/base/str.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_line.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/commands/words/piece_letters.h"
#include "pbm/request/request.h"

const char *const body_lines_ends[] = { "--", "quit", "stop", "thanks", "end", NULL };

#define SENTENCE_WORDS_MIN 5 /* of prose below commands */

/* "- 17: e4" and "* e4", items of a list, as "17: e4" and "e4". */
static const char *without_bullet(const char *line)
{
	static const char *const bullets[] = { "- ", "* ", "+ ", "\u2022 ", "\u00b7 ", NULL };
	const char *item = line + str_prefix_any(line, bullets);

	item += strspn(item, " \t");
	return body_lines_has_board(item) || (first_line_is_move(item) && !strpbrk(item, " \t"))
	               ? item
	               : line;
}

/* The next line of *text, trimmed and made plain, in the arena; NULL at the end.  *text moves
 * on. */
static const char *body_lines_next(struct request *q, const char **text)
{
	if (!*text || !**text)
		return NULL;
	size_t n = strcspn(*text, "\n");
	const char *line = arena_strndup(q->arena, *text, n);

	*text += n + ((*text)[n] == '\n');
	line = plain_line(q->arena, line);
	while (isspace((unsigned char)*line))
		line++;
	n = strlen(line);
	while (n && isspace((unsigned char)line[n - 1]))
		n--;
	return piece_letters_line(q, without_bullet(arena_strndup(q->arena, line, n)));
}

const char *body_lines_next_filled(struct request *q, const char **text)
{
	const char *line;

	while ((line = body_lines_next(q, text)) && !*line)
		;
	return line;
}

const char *body_lines_trim(struct arena *a, const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	size_t n = strlen(text);
	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	return n ? arena_strndup(a, text, n) : NULL;
}

bool body_lines_has_board(const char *line)
{
	size_t n = strspn(line, "0123456789");

	return n > 0 && n < 12 && line[n + strspn(line + n, " \t")] == ':';
}

const char *body_lines_from_board(const char *line)
{
	for (const char *p = line; (p = strchr(p, ' '));) {
		size_t n = first_words_phrase(++p, first_words_board);
		const char *number = p + n + strspn(p + n, " ");

		if (n && body_lines_has_board(number))
			return number;
	}
	return line;
}

const char *body_lines_behind_board(const char *line)
{
	size_t word = first_words_phrase(line, first_words_board);
	const char *number = line + word + strspn(line + word, " \t");

	number += *number == '#';
	size_t digits = strspn(number, "0123456789");
	const char *behind = number + digits + strspn(number + digits, " \t");
	bool colon = *behind == ':';

	/* "10:30 is fine", and the number of a move: "12. Nf3" */
	if (digits == 0 || digits > 11 || (colon && isdigit((unsigned char)behind[1])) ||
	    (!colon && behind == number + digits))
		return NULL;
	return behind + colon + strspn(behind + colon, " \t");
}

const char *body_lines_behind_number(const char *line, char *sign)
{
	static const char *const signs[] = { ".", ")", "-", "–", "—", ",", ":", NULL };
	size_t digits = strspn(line, "0123456789");
	const char *at = line + digits + strspn(line + digits, " \t");
	size_t n = str_prefix_any(at, signs);

	*sign = n ? *at : ' ';
	if (digits == 0 || digits > 9 || (!n && at == line + digits) || at[n] == '.')
		return NULL;
	return at + n + strspn(at + n, " \t");
}

bool body_lines_is_numbered(const char *line)
{
	char sign;
	const char *turn = body_lines_behind_number(line, &sign);

	return turn && first_line_is_move(turn);
}

const char *body_lines_without_word(const char *line)
{
	size_t n = first_words_phrase(line, first_words_board);
	const char *number = line + n + strspn(line + n, " \t#");

	return n && body_lines_has_board(number) ? number : line;
}

const char *body_lines_about(struct request *q, const char *text, int64_t board)
{
	const struct digest_boards *listed = &q->who.listed;
	struct str s = str_in(q->arena, strlen(text) + 1);
	int64_t at = 0;

	if (listed->n < 2)
		return text;
	for (size_t n; *text; text += n) {
		const char *line = text + first_words_phrase(text, first_words_board);
		int64_t number = strtoll(line, NULL, 10);

		n = strcspn(text, "\n");
		n += text[n] == '\n';
		if (digest_boards_find(listed, number))
			at = number;
		if (at == board)
			str_add_n(&s, text, n);
	}
	return s.data;
}

bool body_lines_is_prose(struct request *q, const char *line)
{
	return str_count_words(line) >= SENTENCE_WORDS_MIN && !command_is_one(line) &&
	       !first_line_is_move(line) && !did_you_mean_line(q->arena, line);
}

const char *body_lines_single_blanks(struct arena *a, const char *line)
{
	char *out = arena_strdup(a, line), *end = out;

	for (const char *p = line; *p; p++)
		if (!isspace((unsigned char)*p))
			*end++ = *p;
		else if (p[1] && !isspace((unsigned char)p[1]))
			*end++ = ' ';
	*end = '\0';
	return out;
}

const char *body_lines_paragraph(struct arena *a, const char *text)
{
	const char *end = text ? strstr(text, "\n\n") : NULL;

	if (!text)
		return NULL;
	char *line = arena_strndup(a, text, end ? (size_t)(end - text) : strlen(text));
	for (char *p = line; *p; p++)
		*p = isspace((unsigned char)*p) ? ' ' : *p;
	return line;
}
