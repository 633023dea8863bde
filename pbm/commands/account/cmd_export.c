/* export: what is kept about a player, by mail to one of his own addresses. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/answer/notify.h"
#include "pbm/commands/account/account_export.h"
#include "pbm/commands/account/account_tables.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/request/reader.h"
#include "pbm/request/request_player.h"
#include "pbm/text/text.h"

#define EXPORT_MAX (480 * 1024) /* bytes, and a third more in a mail */
#define EXPORTS_A_DAY 3
#define SAID_MAX 2000   /* bytes of a sentence */
#define PARTS_AT_ONCE 5 /* mails that answer one question */

/* The line that gets the next part: "export 1234" or "export acts 12". */
static const char *next_line(struct request *q, const struct export_place *at)
{
	if (at->games_done)
		return arena_printf(q->arena, "export acts %lld", (long long)at->acts);
	return arena_printf(q->arena, "export %lld", (long long)at->board);
}

/* In the player's language. */
static const char *said(struct request *q, const struct player_doc *p, const char *english)
{
	struct str s = str_in(q->arena, SAID_MAX);

	language_say(reader_language(q, p->userid), english, &s);
	return s.data;
}

/* Sends the export to the address that confirmed it, if the account still has it. */
static int send_export(struct request *q, const struct player_doc *p, int part, const char *data,
                       struct err *e)
{
	struct compose_attachment file = {
		.name = part == 1 ? arena_printf(q->arena, "%s.json", p->userid)
		                  : arena_printf(q->arena, "%s-%d.json", p->userid, part),
		.type = "application/json",
		.text = data,
	};
	const char *subject = arena_printf(q->arena, "[%.60s] What is kept about %.40s",
	                                   q->site->conf.name, p->userid);
	const char
		*text = "The file has what this server keeps about you.  If it is too much for one "
			"mail, there are several.  More about it: help leaving\n";
	struct str filled = str_in(q->arena, SAID_MAX);

	text_fill(said(q, p, text), &filled);
	struct letter l = { .to = player_has_address(p, q->mail.from) ? q->mail.from
		                                                      : player_mail_address(p),
		            .to_name = p->userid,
		            .tag = part == 1 ? "export" : arena_printf(q->arena, "export %d", part),
		            .prompted = true,
		            .parting = true,
		            .has_token = true,
		            .token = token_lobby(p->userid, q->now),
		            .subject = said(q, p, subject),
		            .text = filled.data,
		            .attachments = &file,
		            .attachment_count = 1 };

	return l.to ? notify_send(q, &l, e) : 0;
}

/* Sends as many mails as one question allows. */
static int send_parts(struct request *q, const struct player_doc *p, struct export_place *at,
                      int *parts, struct err *e)
{
	int rc = 0;

	for (*parts = 0; rc == 0 && *parts < PARTS_AT_ONCE && !at->done;) {
		AUTO(str_release) struct str data = str_heap(EXPORT_MAX);

		rc = account_export_write(q, p, at, &data, e);
		if (rc == 0)
			rc = send_export(q, p, ++*parts, data.data, e);
	}
	return rc;
}

static void say_sent(struct request *q, const struct export_place *at, int parts)
{
	if (at->done && parts == 1)
		request_say(q, "The file comes in a mail of its own.");
	else if (at->done)
		request_say(q, "The files come in %d mails of their own.", parts);
	else
		request_say(
			q,
			"It is too much for %d mails: these are the first ones.  For the next ones, write: %s",
			parts, next_line(q, at));
	if (at->left_out)
		request_say(
			q,
			"Board %lld is too long for a mail.  Ask the operator for a file that has it, too.",
			(long long)at->left_out);
}

static int make_export(struct request *q, const struct player_doc *p, struct export_place *at,
                       struct err *e)
{
	struct err why = { 0 };
	int64_t count = 0;
	int parts, rc = request_count_event(q, "export", p->userid, 86400, &count, e);

	if (rc < 0)
		return rc;
	if (count > EXPORTS_A_DAY)
		return !request_refused(
			q, 0, "You have got this file %d times today.  Try again tomorrow.",
			EXPORTS_A_DAY);
	rc = send_parts(q, p, at, &parts, &why);
	q->done_count += rc == 0;
	if (rc == 0)
		say_sent(q, at, parts);
	else if (rc == ERR_LIMIT)
		request_refuse(
			q, 0,
			"What is kept about you is too much for a mail.  Ask the operator for the file.");
	else
		return err_set(e, why.code, "%s", why.text);
	return 0;
}

/* -1: no number, or too great a one. */
static int64_t read_count(const char *word)
{
	size_t n = strspn(word, "0123456789");

	return n && n < 16 && !word[n] ? strtoll(word, NULL, 10) : -1;
}

/* "", "1234" or "acts 12" */
static bool read_place(struct request *q, const struct call *c, struct export_place *at)
{
	bool acts = c->argc == 2 && strcasecmp(c->argv[0], "acts") == 0;
	int64_t n = c->argc ? read_count(c->argv[c->argc - 1]) : 0;

	*at = (struct export_place){ .games_done = acts };
	*(acts ? &at->acts : &at->board) = n;
	if (n >= 0 && (acts || c->argc < 2))
		return true;
	return !request_refused(q, 0, "The form is: export");
}

/* 1: refused. */
static int read_export(struct request *q, struct call *c, struct err *)
{
	c->read = arena_alloc(q->arena, sizeof(struct export_place));
	if (!read_place(q, c, c->read))
		return 1;
	if (!q->confirming)
		q->held.why =
			"The file has your addresses, settings and games, and what was said in them.";
	return 0;
}

static int run_export(struct request *q, struct call *c, struct err *e)
{
	struct export_place *at = c->read;

	if (q->confirming)
		return make_export(q, c->actor, at, e);
	q->held.player = c->actor;
	hold_line(q, c, at->games_done || at->board ? next_line(q, at) : "export");
	return 0;
}

const struct command cmd_export_table[] = {
	COMMAND("export", "export", "what is kept about you, as a file, after a question",
	        GROUP_START, CMD_PROOF | CMD_PAIR | CMD_ACCOUNT | CMD_BANNED, .read = read_export,
	        .run = run_export),
	{ .word = NULL }
};
