#include "pbm/commands/staff/cmd_mod_club.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/utf8.h"
#include "pbm/commands/lobby/censor.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/commands/staff/broadcast.h"
#include "pbm/commands/staff/cmd_mod_entry.h"
#include "pbm/commands/staff/moderate.h"
#include "pbm/commands/staff/staff_report.h"
#include "pbm/commands/tournament/tournament_mail.h"
#include "pbm/people/mail_limits.h"
#include "pbm/people/roles.h"
#include "pbm/text/text.h"

#define HOUR 3600
#define WEEK (7 * 86400)

int cmd_mod_club_read_report(struct request *q, struct call *c, struct err *)
{
	return !moderate_may(q, c);
}

int cmd_mod_club_report(struct request *q, struct call *c, struct err *e)
{
	struct staff_report *r;
	int rc = staff_report_collect(q, &r, e);
	if (rc == 0)
		rc = staff_report_note(q, r, c->actor->userid, e);
	q->done_count += rc == 0;
	return rc;
}

/* ---- broadcast ---- */

#define FORM "mod broadcast [game] text"

/* The game in front, or after the command if nothing but its own name stands there. */
static const struct rules *find_game(const struct call *c, const char **rest)
{
	const char *word = c->argc ? c->argv[0] : "";
	size_t n = strcspn(word, ":");

	*rest = c->rest;
	for (size_t i = 0; !c->rules && *word && rules_all[i]; i++)
		if (strlen(rules_all[i]->name) == n &&
		    strncasecmp(rules_all[i]->name, word, n) == 0) {
			*rest += strcspn(*rest, " \t\n");
			*rest += strspn(*rest, " \t\n");
			return rules_all[i];
		}
	return c->rules;
}

/* "mod broadcast suicide carol secret hello": the text after the moderator's own name may be the
 * password, so nobody reads it. */
static bool begins_with_self(struct request *q, const struct call *c, const char *rest)
{
	size_t n = str_prefix(rest, c->actor->userid);

	if (!n || !isspace((unsigned char)rest[n]))
		return false;
	q->current = "mod …";
	return request_refused(
		q, 0,
		"The text begins with your userid, and nothing was sent.  Userid and password stand after the word broadcast: mod broadcast %s <your password> [game] text",
		c->actor->userid);
}

/* form: of the line.  NULL: refused. */
static const char *read_text(struct request *q, const char *rest, const char *form)
{
	const char *text = q->comment && *rest ? arena_printf(q->arena, "%s\n%s", rest, q->comment)
	                   : q->comment        ? q->comment
	                                       : rest;
	char *clean;
	AUTO(str_release) struct str straight = str_heap(strlen(text) + 1);
	size_t n;

	text_straight(text, strlen(text), &straight);
	clean = arena_strdup(q->arena, straight.data);
	utf8_scrub(clean);
	for (n = strlen(clean); n && isspace((unsigned char)clean[n - 1]);)
		clean[--n] = '\0';
	if (n > 0 && n <= BROADCAST_TEXT_MAX)
		return clean;
	if (n == 0)
		request_refuse(q, 0, "There is no text to send.  The form is: %s", form);
	else
		request_refuse(q, 0,
		               "The text is too long: it has %zu characters, and %d are possible.",
		               n, BROADCAST_TEXT_MAX);
	return NULL;
}

static bool is_free(const struct request *q, const struct call *c)
{
	return q->who.proof == PROOF_OPERATOR || roles_is_operator(c->actor);
}

static bool refuse_again(struct request *q)
{
	return !request_refused(
		q, 0,
		"You have sent news in the last 7 days.  A moderator may do so once in 7 days, and an operator at any time.");
}

static const char *readers_text(struct request *q, const struct call *c, const struct rules *game,
                                int64_t n)
{
	if (game && !c->rules)
		return arena_printf(
			q->arena,
			"The first word of the text was read as a game: the rest goes to the players of %s who want news; now they are %lld.  It can't be called back.  The answer is good for an hour.",
			game->title, (long long)n);
	if (game)
		return arena_printf(
			q->arena,
			"This text goes to the players of %s who want news; now they are %lld.  It can't be called back.  The answer is good for an hour.",
			game->title, (long long)n);
	return arena_printf(
		q->arena,
		"This text goes to all players who want news; now they are %lld.  It can't be called back.  The answer is good for an hour.",
		(long long)n);
}

static bool may_send(struct request *q, const struct call *c)
{
	int64_t sent = 0;

	if (is_free(q, c))
		return true;
	if (request_event_count(q, "broadcast", c->actor->userid, &sent, NULL) < 0 || sent > 0)
		return refuse_again(q);
	return true;
}

int cmd_mod_club_read_broadcast(struct request *q, struct call *c, struct err *e)
{
	const char *rest;
	const struct rules *game = find_game(c, &rest);
	int64_t n = 0;

	if (!moderate_may(q, c) || begins_with_self(q, c, rest) || !read_text(q, rest, FORM) ||
	    !may_send(q, c))
		return 1;
	if (q->confirming)
		return 0;
	int rc = broadcast_count(q, game ? game->name : NULL, &n, e);
	if (rc < 0)
		return rc;
	if (n == 0 && game && !c->rules)
		request_refuse(
			q, 0,
			"The first word of the text was read as a game, and none of its players gets news: players get it after `set news on`.  To write to the players of all games, begin with another word.");
	else if (n == 0)
		request_refuse(q, 0,
		               "Nobody would get this: players get news after `set news on`.");
	else
		q->held.why = readers_text(q, c, game, n);
	return n == 0;
}

/* The beginning of the text, for the record of acts, which has a line for each act. */
static const char *one_line(struct request *q, const char *text)
{
	char *line = arena_strndup(q->arena, text,
	                           utf8_cut(text, strlen(text), MODERATE_REASON_MAX));

	for (char *p = line; *p; p++)
		*p = isspace((unsigned char)*p) ? ' ' : *p;
	return line;
}

int cmd_mod_club_broadcast(struct request *q, struct call *c, struct err *e)
{
	const char *rest;
	int64_t n = 0, sent = 0;

	const struct rules *game = find_game(c, &rest);
	const char *text = read_text(q, rest, FORM);
	if (hold_ask_final(q, c,
	                   arena_printf(q->arena, "mod broadcast %s%s%s", game ? game->name : "",
	                                game ? " " : "", rest),
	                   q->held.why))
		return 0;
	const struct broadcast b = {
		.by = c->actor->userid, .game = game ? game->name : NULL, .text = text, .at = q->now
	};
	int rc = broadcast_count(q, b.game, &n, e);
	if (rc == 0 && !is_free(q, c))
		rc = request_count_event(q, "broadcast", c->actor->userid, WEEK, &sent, e);
	if (rc == 0)
		rc = broadcast_add(q, &b, e);
	if (rc == 0)
		rc = moderate_record(q, c,
		                     arena_printf(q->arena, "%s%s%lld readers",
		                                  game ? game->name : "", game ? ", " : "",
		                                  (long long)n),
		                     one_line(q, text), e);
	if (rc < 0)
		return rc;
	q->done_count++;
	if (n == 1)
		request_say(q, "Your text goes to one player.");
	else
		request_say(q, "Your text goes to %lld players.", (long long)n);
	return 0;
}

/* ---- to the players of a tournament ---- */

#define MESSAGE "tournament-message"

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
	return read_text(q, rest, "mod tournament name message text");
}

bool cmd_mod_club_can_message(struct request *q, struct call *c, struct tournament_doc *t)
{
	int64_t sent = 0;
	bool over = t->state != TOURNAMENT_OPEN && t->state != TOURNAMENT_RUNNING;
	size_t n = over ? 0 : count_readers(t);

	if (!text_of(q, c))
		return false;
	if (over)
		request_refuse(q, 0, "The tournament %s is over, so nobody gets this.", t->name);
	else if (n == 0)
		request_refuse(q, 0, "Nobody plays in the tournament %s, so nobody would get this.",
		               t->name);
	else if (request_event_count(q, MESSAGE, t->name, &sent, NULL) < 0 || sent > 0)
		request_refuse(
			q, 0,
			"The players of the tournament %s got a message within the last hour.  Nothing was sent.",
			t->name);
	q->held.is_text = true;
	if (n > 0 && sent == 0 && !q->confirming)
		q->held.why = arena_printf(
			q->arena,
			"This text goes to the players of the tournament %s; now they are %zu.  It can't be called back.  The answer is good for an hour.",
			t->name, n);
	return n > 0 && sent == 0;
}

int cmd_mod_club_message(struct request *q, struct call *c, struct tournament_doc *t, struct err *e)
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
		.cause = tournament_cause(q, "message"),
		.subject = arena_printf(q->arena, "%s: a message from %s", t->name, by),
		.headline = arena_printf(
			q->arena,
			"%s has written to the players of the tournament %s.  Your answer goes to %s alone, unless it is a command.",
			by, t->name, by),
		.words = text,
		.by = by
	};
	int rc = request_count_event(q, MESSAGE, t->name, HOUR, &sent, e);
	if (rc == 0)
		rc = cmd_mod_entry_record(q, c, t, "message", NULL, one_line(q, text), e);
	const char *without = "";
	int64_t ends;
	for (size_t i = 0; rc == 0 && i < t->entry_count; i++) {
		const char *to = t->entries[i].userid;

		if (is_reader(&t->entries[i]) &&
		    (censor_why_to(q, to, by) ||
		     mail_limits_is_talk_full(q, c->actor, to, &ends, e) != 0))
			without = arena_printf(q->arena, "%s%s%s", without, *without ? ", " : "",
			                       to);
		else if (is_reader(&t->entries[i]))
			rc = tournament_send(q, t, to, &l, e);
	}
	if (rc == 0)
		request_say(q, "Your text goes to the players of the tournament %s.", t->name);
	if (rc == 0 && *without)
		request_say(
			q,
			"These take no messages from you, or have had enough of them for this hour: %s.",
			without);
	return rc;
}
