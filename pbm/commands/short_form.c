#include "pbm/commands/short_form.h"

#include <string.h>
#include <strings.h>

#include "pbm/base/str.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/first_words.h"
#include "pbm/record/match.h"
#include "pbm/text/words.h"

/* Is it the name of the opponent on the board whose mail is answered? */
static bool is_opponent(struct request *q, const char *name)
{
	const struct match *m = request_board(q) ? request_match(q, request_board(q), NULL) : NULL;
	uint8_t seat = m && q->who.known ? match_seat_of(m, q->who.player.userid) : SEAT_NONE;

	return seat != SEAT_NONE && strcasecmp(m->doc.players[!seat], name) == 0;
}

/* "tell bob hi".  A name that is nobody's is never passed on as a part of the text. */
static const char *tell_line(struct request *q, const char *rest)
{
	size_t n = strcspn(rest, " \t,:");
	const char *text = rest + n + strspn(rest + n, " \t,:");

	if (strspn(rest, "#0123456789") == n)
		return arena_printf(q->arena, "chat %s", rest);
	if (is_opponent(q, arena_strndup(q->arena, rest, n)))
		return arena_printf(q->arena, "chat %s", text);
	return arena_printf(q->arena, "message %s", rest);
}

/* "board 17", with nothing after it, and "board" in an answer to a board; NULL: another line. */
static const char *board_line(struct request *q, const char *line)
{
	size_t n = first_words_phrase(line, first_words_board);
	const char *number = line + n + strspn(line + n, " \t");

	if (n && words_board(number, &(struct board_ref){ 0 }))
		return arena_printf(q->arena, "show %s", number);
	return strcasecmp(line, "board") == 0 && request_board(q) ? "show" : NULL;
}

/* "take 5", "I take number 5" to the list of seeks; NULL: another line. */
static const char *take_line(struct request *q, const char *line)
{
	size_t n = request_board(q) ? 0 : first_words_phrase(line, first_words_take);
	const char *number = line + n + strspn(line + n, " \t");

	number += first_words_phrase(number, first_words_number);
	number += strspn(number, " \t");
	return n && words_board(number, &(struct board_ref){ 0 })
	               ? arena_printf(q->arena, "play %s", number)
	               : NULL;
}

/* "accept the draw", "draw?": the same without the words that change nothing. */
static const char *plain_words(const char *line)
{
	size_t n = strlen(line);

	while (n && strchr(".! ", line[n - 1]))
		n--;
	for (size_t i = 0; first_words_plain[i][0]; i++)
		if (strlen(first_words_plain[i][0]) == n &&
		    strncasecmp(line, first_words_plain[i][0], n) == 0)
			return first_words_plain[i][1];
	return NULL;
}

const char *short_form_line(struct request *q, const char *line)
{
	size_t n = str_prefix(line, "tell");
	const char *meant = plain_words(line);

	if (!meant)
		meant = board_line(q, line);
	if (!meant)
		meant = take_line(q, line);
	if (meant)
		return meant;
	if (n && (line[n] == ' ' || line[n] == '\t'))
		return tell_line(q, line + n + strspn(line + n, " \t"));
	return command_in_full(q->arena, line);
}
