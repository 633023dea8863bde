#include "pbm/commands/message_lines.h"

#include <string.h>
#include <strings.h>

#include "mail/plain.h"
#include "pbm/commands/words/command.h"

/* "mod broadcast", perhaps after a game's name: nothing but its text stands in such a mail. */
static bool is_broadcast(const char *line)
{
	size_t mod = str_prefix(line, "mod");

	if (!mod) {
		line += strcspn(line, " \t");
		line += strspn(line, " \t");
		mod = str_prefix(line, "mod");
	}
	line += mod;
	return mod && strchr(" \t", *line) &&
	       str_prefix(line + strspn(line, " \t"), "broadcast") > 0;
}

static bool is_message(const char *line)
{
	const struct command *c = command_find(line, strcspn(line, " \t"), NULL);

	return c && strcmp(c->word, "message") == 0;
}

/* Does the line end the message: a command, or a word that ends the reading? */
static bool ends_message(struct request *q, const char *line, bool broadcast)
{
	const char *plain = plain_line(q->arena, line);

	plain += strspn(plain, " \t\r");
	if (broadcast)
		return strcmp(plain, "--") == 0;
	return command_is_one(plain) || strcmp(plain, "--") == 0 ||
	       strcasecmp(plain, "quit") == 0 || strcasecmp(plain, "end") == 0;
}

int message_lines_take(struct request *q, const char *line, const char **text, const char **out,
                       struct withheld *w, struct err *e)
{
	bool answers = q->who.has_token && q->who.token.kind == TOKEN_LOBBY;
	const char *start = *text ? *text : "", *p = start, *below;

	bool broadcast = is_broadcast(line);

	*out = NULL;
	if (!broadcast && !is_message(line))
		return 0;
	while (*p) {
		size_t n = strcspn(p, "\n");

		if ((!answers || broadcast) &&
		    ends_message(q, arena_strndup(q->arena, p, n), broadcast))
			break;
		p += n + (p[n] == '\n');
	}
	*text = p;
	int rc = withhold_lines(q, arena_strndup(q->arena, start, (size_t)(p - start)), NULL,
	                        &below, w, e);
	if (rc == 0)
		*out = below ? arena_printf(q->arena, "%s\n%s", line, below) : line;
	return rc;
}
