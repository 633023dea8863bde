#include "pbm/commands/first_language.h"

#include <string.h>
#include <strings.h>

#include "pbm/commands/first_contact.h"
#include "pbm/commands/own_text.h"
#include "pbm/commands/words/body_lines.h"
#include "pbm/commands/words/command.h"
#include "pbm/commands/words/greeting.h"
#include "pbm/people/mail_limits.h"
#include "pbm/people/player_change.h"
#include "pbm/people/settings.h"
#include "pbm/text/words.h"
#include "store/store_held.h"

#define REMEMBERED (7 * 86400) /* seconds */

static const char *event_of(struct request *q, const char *language)
{
	return arena_printf(q->arena, "greeted-%s", language);
}

static bool is_command(const struct request *q, const char *line)
{
	return command_is_one(line) && !first_contact_is_prose(q, line);
}

/* The words of the line that may tell the sender's language; of a command the first alone, if it is
 * foreign: "anmelden" is German, but "signup will" is not. */
static const char *worded(struct request *q, const char *line)
{
	if (!is_command(q, line))
		return line;
	const char *word = arena_strndup(q->arena, line, strcspn(line, " \t"));
	const char *code = greeting_language(word);
	return code && strcmp(code, "en") != 0 ? word : "";
}

static const char *prose_of(struct request *q, const char *subject, const char *text)
{
	const char *prose = worded(q, subject), *line;

	for (int n = 0; n < REQUEST_LINES_MAX && (line = body_lines_next_filled(q, &text)); n++)
		prose = arena_printf(q->arena, "%s %s", prose, worded(q, line));
	return prose;
}

/* The language of a line "set language de" beside a signup.  NULL: there is none. */
static const char *asked_for(struct request *q, const char *text)
{
	const char *line, *value = NULL;

	for (int n = 0; n < REQUEST_LINES_MAX && (line = body_lines_next_filled(q, &text)); n++) {
		struct words w;

		words_split(q->arena, line, &w);
		if (w.n == 3 && strcasecmp(w.v[0].text, "set") == 0 &&
		    strcasecmp(w.v[1].text, "language") == 0 &&
		    setting_read(setting_find("language", NULL), q->site->template_dir, q->arena,
		                 w.v[2].text, &value, NULL, NULL) == 0)
			return value;
	}
	return NULL;
}

bool first_language_signs_up(struct request *q)
{
	const char *text = own_text(q), *line;

	for (int n = 0; n < REQUEST_LINES_MAX && (line = body_lines_next_filled(q, &text)); n++) {
		const struct command *c = command_find(line, strcspn(line, " \t"), NULL);

		if (c && strcmp(c->word, "signup") == 0)
			return true;
	}
	return false;
}

/* The language in which the question that the mail answers was asked.  NULL: none was noted. */
static const char *language_of_question(struct request *q)
{
	struct held_command h;

	if (store_held_get(q->site->store, q->arena, q->who.token.name, &h, NULL) < 0)
		return NULL;
	json_auto_t *what = json_loads(h.text, 0, NULL);
	const char *code = json_string_value(json_object_get(what, "language"));

	code = code ? arena_strdup(q->arena, code) : NULL;
	return code;
}

int first_language_find(struct request *q, const char *subject, const char *text, struct err *e)
{
	char mailbox[MAIL_LIMITS_ADDRESS_SIZE];
	int64_t n = 0;
	int rc = 0;

	if (!q->who.known && q->who.has_token && q->who.token.kind == TOKEN_CONFIRM)
		q->greeting = language_of_question(q);
	if (q->who.known || q->who.has_token)
		return 0;
	q->greeting = asked_for(q, text);
	if (q->greeting)
		return 0;
	mail_limits_mailbox(q->mail.from, mailbox);
	q->greeting = greeting_language(prose_of(q, subject, text));
	if (q->greeting)
		return request_count_event(q, event_of(q, q->greeting), mailbox, REMEMBERED, &n, e);
	/* 0 is English, which needs no memory: a single word of it in a later mail is no sign. */
	for (size_t i = 1; rc == 0 && n == 0 && greeting_code(i); i++) {
		rc = request_event_count(q, event_of(q, greeting_code(i)), mailbox, &n, e);
		if (n)
			q->greeting = greeting_code(i);
	}
	return rc;
}

void first_language_set(struct request *q, struct player_doc *p)
{
	const char *value = NULL;

	if (q->greeting && setting_read(setting_find("language", NULL), q->site->template_dir,
	                                q->arena, q->greeting, &value, NULL, NULL) == 0)
		player_change_set(q->arena, p, "language", value);
}
