/* The sentences that tell a writer what of his text was kept back. */
#include <string.h>

#include "pbm/base/str.h"
#include "pbm/commands/play/withhold.h"

void withhold_say(struct request *q, const char *told)
{
	for (size_t i = q->note_count; i > 0; i--) {
		struct note *n = &q->notes[i - 1];

		/* Below "The players:" stands a list. */
		if ((!n->userid || request_is_by(q, n->userid)) && n->headline && *n->headline &&
		    n->headline[strlen(n->headline) - 1] != ':') {
			n->headline = arena_printf(q->arena, "%s%s  %s", n->headline,
			                           str_ends_sentence(n->headline) ? "" : ".", told);
			return;
		}
	}
	request_say(q, "%s", told);
}

void withhold_tell(struct request *q, const struct withheld *w)
{
	if (w->ahead)
		withhold_say(
			q,
			"A line of your text reads like moves ahead (if … then …).  It was not entered and not passed on.  Write such lines directly below the first line of your mail.");
	if (w->turns)
		withhold_say(q, w->turns);
	if (w->secret)
		withhold_say(
			q,
			"A line of your text may hold a password.  It was not done and not passed on.  Write each command in a mail of its own, and no password in a text.");
	if (w->command_count == 1)
		withhold_say(
			q,
			arena_printf(
				q->arena,
				"A line of your text is a command (%s).  It was not done and not passed on.  Write each command in a mail of its own.",
				w->commands));
	else if (w->commands)
		withhold_say(
			q,
			arena_printf(
				q->arena,
				"Lines of your text are commands (%.400s).  They were not done and not passed on.  Write each command in a mail of its own.",
				w->commands));
	if (w->below)
		withhold_say(
			q,
			"The text below a line for another board was not passed on, either.  Write to each opponent below a line of the form 17: e4.");
}
