#include "pbm/commands/lobby/board_notes.h"

#include <string.h>

#include "pbm/base/utf8.h"
#include "pbm/commands/lobby/censor.h"
#include "pbm/record/match.h"
#include "pbm/text/text.h"

#define CUT " [...]"
#define SHOWN 60 /* bytes of the end of a text that is cut */

struct note *board_note(struct request *q, const struct call *c, uint8_t seat, unsigned flags)
{
	struct note *n = request_note(q, c->match->doc.players[seat], c->board, flags);

	n->seat = seat;
	return n;
}

const char *board_comment(struct request *q, const char *text)
{
	if (!text || strlen(text) <= BOARD_COMMENT_MAX)
		return text;
	int n = (int)text_cut(text, BOARD_COMMENT_MAX - strlen(CUT));
	const char *from = text + n - SHOWN, *words = from;

	for (const char *s = from; s < text + n; s++)
		if (*s == '\n' || (words == from && *s == ' '))
			words = s + 1;
	char *shown = arena_strndup(q->arena, words, (size_t)(text + n - words));
	utf8_scrub(shown); /* a long word may be cut within a character */
	q->cut = shown;
	return arena_printf(q->arena, "%.*s" CUT, n, text);
}

const char *board_words(struct request *q, const char *words)
{
	if (*words && q->comment)
		words = arena_printf(q->arena, "%s\n%s", words, q->comment);
	return *words ? words : q->comment;
}

void board_pass_comment(struct request *q, struct call *c, struct note *to, const char *text)
{
	text = board_comment(q, text);
	if (!text || !*text || match_is_solo(c->match))
		return;
	text = censor_comment(q, c->match->doc.players[!c->seat], c->match->doc.players[c->seat],
	                      text);
	if (!text)
		return;
	if (c->match->doc.state != GAME_OFFERED && match_has_room(c->match, c->seat, strlen(text)))
		match_add_text(c->match, EVENT_CHAT, c->seat, text, q->now);
	to->comment = text;
	to->comment_by = c->match->doc.players[c->seat];
}

int board_tell_both(struct request *q, struct call *c, const char *mine, const char *theirs,
                    unsigned flags, struct err *e)
{
	unsigned end = c->match->doc.state == GAME_RUNNING ? 0 : NOTE_FINAL;

	board_note(q, c, c->seat, flags | end)->headline = mine;
	if (!match_is_solo(c->match)) {
		struct note *n = board_note(q, c, !c->seat, flags | end);

		n->headline = theirs;
		board_pass_comment(
			q, c, n,
			censor_words(q, n->userid, c->match->doc.players[c->seat], q->comment));
	}
	return request_save(q, c->match, e);
}
