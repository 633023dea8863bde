#include "pbm/commands/proof/hold.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/utf8.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/record/match_asked.h"
#include "pbm/text/text.h"

#define ANSWER_WITHIN 3600 /* seconds, for what can't be undone */

/* The request that an "accept" would agree to, after the names of the players. */
static const char *asked_words(const struct call *c, size_t asked)
{
	bool answers = asked && c->command && (c->command->flags & CMD_WAITING);

	switch (answers ? c->match->doc.events[asked - 1].kind : EVENT_OFFER) {
	case EVENT_DRAW_OFFER: return ": a draw";
	case EVENT_UNDO_ASK: return ": taking back";
	case EVENT_ABORT_ASK: return ": no result";
	default: return "";
	}
}

/* The whole line, with single blanks: a part that the reader does not see, or sees in another
 * order, must not wait for his ok. */
static const char *shown_line(struct request *q, const struct call *c, const char *line,
                              size_t asked)
{
	char *one = arena_alloc(q->arena, strlen(line) + 1), *to = one;

	for (const char *p = line; *p; p++)
		if (!isspace((unsigned char)*p) || (p > line && !isspace((unsigned char)p[-1])))
			*to++ = isspace((unsigned char)*p) ? ' ' : *p;
	*to = '\0';
	struct str s = str_in(q->arena, 65536);
	text_straight(one, strlen(one), &s);
	if (c->match)
		str_addf(&s, HELD_BOARD "%lld, %s, %s against %s%s)", (long long)c->board,
		         c->match->game.rules->title, c->match->doc.players[0],
		         c->match->doc.players[1], asked_words(c, asked));
	char *shown = s.data;
	utf8_scrub(shown);
	return shown;
}

/* The word of the table for the typed one: "mod ban", "move 17". */
static const char *what_of(struct request *q, const struct call *c, const char *line)
{
	const char *word = c->command ? c->command->word : "move";
	/* "move 5 bob … resign" is held as "resign 5". */
	const struct command *typed = command_find(line, strcspn(line, " \t"), NULL);

	if (typed && !str_prefix(word, typed->word))
		word = typed->word;

	return c->match ? arena_printf(q->arena, "%s %lld", word, (long long)c->board) : word;
}

bool hold_asks(struct request *q, const struct player_doc *actor)
{
	const struct player_doc *asked = q->held.player                      ? q->held.player
	                                 : q->held.count > 0 && q->who.known ? &q->who.player
	                                                                     : NULL;

	if (!asked || !actor || strcasecmp(asked->userid, actor->userid) == 0)
		return true;
	return !request_refused(
		q, 0,
		"One mail can ask only one player to confirm something.  Send this line "
		"again in a mail of its own.");
}

bool hold_line(struct request *q, const struct call *c, const char *line)
{
	if (q->held.count == REQUEST_LINES_MAX || !hold_asks(q, c->actor))
		return false;
	unsigned flags = c->command ? c->command->flags : 0;
	int most = (flags & CMD_STAFF) && (flags & CMD_TEXT) ? HOLD_NEWS_MAX : HOLD_LINE_MAX;
	if (strlen(line) > (size_t)most)
		return !request_refused(
			q, c->board,
			"This line is too long to ask whether it is yours: it has %zu "
			"characters, and %d are possible.",
			strlen(line), most);
	if (q->held.count == 0)
		q->held.what = what_of(q, c, line);
	q->held.staff |= (flags & CMD_STAFF) && !q->held.is_text;
	q->held.is_text = false;
	bool said, text = !c->command || command_takes_text(c->command);
	size_t waits = c->match ? match_asked(c->match, c->seat, &said) : 0;
	q->held.lines[q->held.count++] = (struct held_line){ .line = arena_strdup(q->arena, line),
		                                             .comment = text ? q->comment : NULL,
		                                             .shown = shown_line(q, c, line, waits),
		                                             .why = q->held.why,
		                                             .board = c->match ? c->board : 0,
		                                             .waits = waits,
		                                             .stamp = c->match ? c->match->stamp
		                                                               : 0 };
	q->held.why = NULL;
	return true;
}

bool hold_ask(struct request *q, const struct call *c, const char *line, const char *why)
{
	if (q->confirming)
		return false;
	q->held.why = why;
	if (hold_line(q, c, line))
		q->held.player = c->actor;
	return true;
}

int hold_ask_final(struct request *q, const struct call *c, const char *line, const char *question)
{
	if (q->confirming && q->now - q->asked <= ANSWER_WITHIN)
		return 0;
	if (q->confirming)
		return request_refused(
			q, c->board,
			"That question was good for an hour.  Nothing was done; write it again.");
	const char *below = body_lines_paragraph(q->arena, q->comment);
	if (below && strstr(line, below)) /* it has become part of the line */
		q->comment = NULL;
	return hold_ask(q, c, line, question);
}
