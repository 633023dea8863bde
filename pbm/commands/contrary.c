#include "pbm/commands/contrary.h"

#include <string.h>

#include "pbm/base/str.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/commands/words/first_line.h"

/* The command of the whole sentence; NULL: none is known. */
static const char *said_together(struct request *q, const char *subject, const char *line)
{
	const char *said = line ? did_you_mean_said(arena_printf(q->arena, "%s %s", subject, line))
	                        : NULL;

	return said && str_prefix(said, "help ") ? said : NULL;
}

bool contrary_goes_on(struct request *q, const char *subject, const char *line)
{
	return said_together(q, subject, line) != NULL;
}

bool contrary_refuse(struct request *q, const char *subject, const char *text)
{
	const char *line = body_lines_next_filled(q, &text), *raw = q->mail.subject;
	const struct command *c = command_find(subject, strcspn(subject, " \t.!"), NULL);
	const char *together = said_together(q, subject, line);
	bool answers = !str_prefix(raw + strspn(raw, " \t"), subject);
	bool no = line && (first_line_says_no(line) || first_line_says_but(line) || together ||
	                   strcasestr(line, " not ") || strcasestr(line, "n't ") ||
	                   strcasestr(line, " nicht "));

	if (!line || !c || !alone_words_has(c->word) || (!answers && !no))
		return false;
	struct note *n = request_refuse(
		q, 0,
		"I am not sure whether you mean the \"%.20s\" in your Subject: your text says more.  Nothing was done.  If you mean it, answer with that word alone.",
		subject);
	n->body = together ? did_you_mean_offer(q->arena, together) : NULL;
	return true;
}
