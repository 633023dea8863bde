#include "pbm/commands/staff/cmd_mod_message.h"

#include <string.h>

#include "pbm/answer/view.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/commands/staff/cmd_mod_club.h"
#include "pbm/commands/staff/cmd_mod_entry.h"
#include "pbm/commands/tournament/tournament_mail.h"

#define EVENT "tournament-message"
#define HOUR 3600

/* Those who were invited have said nothing yet. */
static bool is_reader(const struct tournament_entry *p)
{
	return p->standing == ENTRY_PLAYS;
}

static size_t count_readers(const struct tournament_doc *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->entry_count; i++)
		n += is_reader(&t->entries[i]);
	return n;
}

/* NULL: refused. */
static const char *text_of(struct request *q, const struct call *c)
{
	const char *rest = c->rest;

	for (int i = 0; i < 2; i++) { /* the tournament, and the act */
		rest += strcspn(rest, " \t\n");
		rest += strspn(rest, " \t\n");
	}
	return cmd_mod_club_text(q, rest, "mod tournament name message text");
}

bool cmd_mod_message_can(struct request *q, struct call *c, struct tournament_doc *t)
{
	int64_t sent = 0;
	size_t n = count_readers(t);

	if (!text_of(q, c))
		return false;
	if (n == 0)
		request_refuse(q, 0, "Nobody plays in the tournament %s, so nobody would get this.",
		               t->name);
	else if (request_event_count(q, EVENT, t->name, &sent, NULL) < 0 || sent > 0)
		request_refuse(
			q, 0,
			"The players of the tournament %s got a message within the last hour.  Nothing was sent.",
			t->name);
	else if (!q->confirming)
		q->held.why = arena_printf(
			q->arena,
			"This text goes to the players of the tournament %s; now they are %zu.  It can't be called back.  The answer is good for an hour.",
			t->name, n);
	return n > 0 && sent == 0;
}

int cmd_mod_message(struct request *q, struct call *c, struct tournament_doc *t, struct err *e)
{
	const char *text = text_of(q, c), *by = c->actor->userid;
	int64_t sent = 0;

	if (!text)
		return 0;
	q->comment = NULL; /* it is a part of the text */
	if (hold_ask_final(
		    q, c,
		    arena_printf(q->arena, "%s %s message %s", c->command->word, t->name, text),
		    q->held.why))
		return 0;
	const struct tournament_letter l = {
		.cause = arena_printf(q->arena, "message %lld", (long long)q->now),
		.subject = arena_printf(q->arena, "%s: a message from %s", t->name, by),
		.headline = arena_printf(
			q->arena, "%s writes to the players of the tournament %s:", by,
			t->name),
		.body = view_quoted(q, text)
	};
	int rc = request_count_event(q, EVENT, t->name, HOUR, &sent, e);
	if (rc == 0)
		rc = cmd_mod_entry_record(q, c, t, "message", NULL, cmd_mod_club_line(q, text), e);
	for (size_t i = 0; rc == 0 && i < t->entry_count; i++)
		if (is_reader(&t->entries[i]))
			rc = tournament_send(q, t, t->entries[i].userid, &l, e);
	if (rc == 0)
		request_say(q, "Your text goes to the players of the tournament %s.", t->name);
	return rc;
}
