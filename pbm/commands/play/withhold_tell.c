/* The sentences about lines that were taken out of a text. */
#include <stdarg.h>
#include <string.h>

#include "pbm/base/str.h"
#include "pbm/commands/play/withhold.h"

/* Adds the sentence to an answer.  false: it does not fit there. */
static bool add_to(struct request *q, struct note *n, const char *told)
{
	bool headed = n->headline && *n->headline;
	bool lists = headed && n->headline[strlen(n->headline) - 1] == ':';
	bool board = n->board && n->board == request_board(q);

	if (lists && n->body && (board || (n->flags & NOTE_REFUSED)))
		n->body = arena_printf(q->arena, "%s\n\n%s", n->body, told);
	else if (headed && !lists) /* below "The players:" stands a list */
		n->headline = arena_printf(q->arena, "%s%s  %s", n->headline,
		                           str_ends_sentence(n->headline) ? "" : ".", told);
	else if (board && !headed) /* the board that was asked for */
		n->headline = told;
	else
		return false;
	return true;
}

void withhold_say(struct request *q, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	const char *told = arena_vprintf(q->arena, fmt, ap);
	va_end(ap);
	for (size_t i = q->note_count; i > 0; i--) {
		struct note *n = &q->notes[i - 1];

		if ((!n->userid || request_is_by(q, n->userid)) && add_to(q, n, told))
			return;
	}
	request_say(q, "%s", told);
}

void withhold_tell(struct request *q, const struct withheld *w)
{
	if (w->ahead)
		withhold_say(
			q,
			w->message
				? "A line of your text reads like moves ahead (if … then …).  It was not entered and not passed on.  Write such lines below the first line of an answer to the mail of their board."
				: "A line of your text reads like moves ahead (if … then …).  It was not entered and not passed on.  Write such lines directly below the first line of your mail, like this: if <their move> then <your move>");
	if (w->turns)
		withhold_say(q, "%s", w->turns);
	if (w->secrets)
		withhold_say(
			q,
			q->who.proof == PROOF_TOKEN
				? "A line of your text may hold a password.  It was not done and not passed on.  Write each command in a mail of its own, and no password in a text.  The line: %s"
				: "A line of your text may hold a password.  It was not done and not passed on.  Write each command in a mail of its own, and no password in a text.  If there is none in it (%s), send it in an answer to a mail of mine.",
			w->secrets);
	if (w->quoted)
		withhold_say(
			q,
			"Commands amid sentences, if they are marked or indented, look quoted (%.400s).  They were not done and not passed on.  If you mean them, send them without the sentences.",
			w->commands);
	else if (w->command_count == 1)
		withhold_say(
			q,
			"A line of your text is a command (%s).  It was not done and not passed on.  Write each command in a mail of its own.",
			w->commands);
	else if (w->commands)
		withhold_say(
			q,
			"Lines of your text are commands (%.400s).  They were not done and not passed on.  Write each command in a mail of its own.",
			w->commands);
	if (w->server)
		withhold_say(
			q,
			"Your words \"%s\" read as if they were for the server or its moderators.  That line was not done and not passed on.  Write each command in a mail of its own.  To ask a person: message moderators and your text.",
			w->server);
	if (w->own)
		withhold_say(
			q,
			"Your words \"%s\" read as if they were not for the other player.  That line was not passed on.  To keep a note of your own, answer with: note and your text",
			w->own);
	if (w->taker)
		withhold_say(q, "The text below \"%s\" was not passed on, either.", w->taker);
	if (w->below)
		withhold_say(
			q,
			"The text below a line for another board was not passed on, either.  Write to each opponent below a line of the form 17: e4.");
}

struct note *withhold_ask_below(struct request *q, int64_t board, const char *line,
                                const char *below)
{
	struct note *n = request_refuse(
		q, board,
		"Below your \"%.20s\" stands \"%.40s\", so I am not sure what you want.  Nothing was done.",
		line, below);

	n->flags |= NOTE_ASK;
	return n;
}
