#include "pbm/commands/staff/cmd_mod_club.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/utf8.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/commands/staff/broadcast.h"
#include "pbm/commands/staff/moderate.h"
#include "pbm/commands/staff/staff_report.h"
#include "pbm/people/roles.h"
#include "pbm/record/match.h"
#include "pbm/text/text.h"

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
	request_refuse(
		q, 0,
		"The text begins with your userid, and nothing was sent.  Userid and password stand after the word broadcast: mod broadcast %s <your password> [game] text",
		c->actor->userid);
	return true;
}

const char *cmd_mod_club_text(struct request *q, const char *rest, const char *form)
{
	const char *text = q->comment && *rest ? arena_printf(q->arena, "%s\n%s", rest, q->comment)
	                   : q->comment        ? q->comment
	                                       : rest;
	char *clean;
	struct str straight;
	size_t n;

	str_init(&straight, strlen(text) + 1);
	text_straight(text, strlen(text), &straight);
	clean = arena_strdup(q->arena, straight.data);
	str_release(&straight);
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
	request_refuse(
		q, 0,
		"You have sent news in the last 7 days.  A moderator may do so once in 7 days, and an operator at any time.");
	return false;
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

	if (!moderate_may(q, c) || begins_with_self(q, c, rest) ||
	    !cmd_mod_club_text(q, rest, FORM) || !may_send(q, c))
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

const char *cmd_mod_club_line(struct request *q, const char *text)
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
	const char *text = cmd_mod_club_text(q, rest, FORM);
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
		                     cmd_mod_club_line(q, text), e);
	if (rc < 0)
		return rc;
	q->done_count++;
	if (n == 1)
		request_say(q, "Your text goes to one player.");
	else
		request_say(q, "Your text goes to %lld players.", (long long)n);
	return 0;
}
