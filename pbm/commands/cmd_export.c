/* export: what is kept about a player, by mail to one of his own addresses. */
#include <string.h>

#include "pbm/answer/notify.h"
#include "pbm/commands/account_export.h"
#include "pbm/commands/cmd.h"
#include "pbm/commands/hold.h"

#define EXPORT_MAX (480 * 1024) /* bytes, and a third more in a mail */
#define EXPORTS_A_DAY 3

/* To the address that confirmed it, if it is still one of the account's. */
static int send_export(struct request *q, const struct player_doc *p, const char *data,
                       struct err *e)
{
	struct compose_attachment file = {
		.name = arena_printf(q->arena, "%s.json", p->userid),
		.type = "application/json",
		.text = data,
	};
	struct letter l = {
		.to = player_has_address(p, q->mail.from) ? q->mail.from : player_mail_address(p),
		.to_name = p->userid,
		.tag = "export",
		.prompted = true,
		.parting = true,
		.has_token = true,
		.token = token_lobby(p->userid, q->now),
		.subject = arena_printf(q->arena, "[%.60s] What is kept about %.40s", q->site->name,
		                        p->userid),
		.text = "The file has all that this server keeps about you.  More about it: "
			"help leaving\n",
		.attachments = &file,
		.attachment_count = 1
	};

	return l.to ? notify_send(q, &l, e) : 0;
}

static int make_export(struct request *q, const struct player_doc *p, struct err *e)
{
	struct err why = { 0 };
	struct str data;
	int64_t count = 0;
	int rc = request_count_event(q, "export", p->userid, 86400, &count, e);

	if (rc < 0)
		return rc;
	if (count > EXPORTS_A_DAY) {
		request_refuse(q, 0, "You have got this file %d times today.  Try again tomorrow.",
		               EXPORTS_A_DAY);
		return 0;
	}
	str_init(&data, EXPORT_MAX);
	rc = account_export_write(q, p, &data, &why);
	if (rc == 0)
		rc = send_export(q, p, data.data, &why);
	str_release(&data);
	q->done_count += rc == 0;
	if (rc == 0)
		request_say(q, "The file comes in a mail of its own.");
	else if (rc == ERR_LIMIT)
		request_refuse(
			q, 0,
			"What is kept about you is too much for a mail.  Ask the operator for the file.");
	else
		return err_set(e, why.code, "%s", why.text);
	return 0;
}

static bool can_export(struct request *q, struct call *c)
{
	if (c->argc > 0) {
		request_refuse(q, 0, "The form is: export");
		return false;
	}
	q->held_why = "The file has your addresses, settings and games, and what was said in them.";
	return true;
}

static int run_export(struct request *q, struct call *c, struct err *e)
{
	if (q->confirming)
		return make_export(q, c->actor, e);
	if (!can_export(q, c))
		return 0;
	q->held_for = c->actor;
	hold_line(q, c, "export");
	return 0;
}

const struct command cmd_export_table[] = {
	{ .word = "export",
	  .usage = "export",
	  .group = GROUP_START,
	  .flags = CMD_PROOF | CMD_PAIR | CMD_ACCOUNT | CMD_BANNED,
	  .check = can_export,
	  .run = run_export,
	  .help = "what is kept about you, as a file, after a question" },
	{ .word = NULL }
};
