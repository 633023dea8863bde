/* The digest, when a player asks for it. */
#include "pbm/base/clock.h"
#include "pbm/commands/lobby/digest.h"
#include "pbm/commands/lobby/lobby_tables.h"
#include "pbm/people/mail_limits.h"
#include "pbm/request/request_player.h"
#include "store/store_documents.h"

#define ASKED_A_DAY 5 /* without a proof: each takes the place of an old one */

/* May the player ask for one more digest?  His document keeps only the last ones for their
 * answers: somebody who writes mails in his name must not push them out.  1: yes; 0: refused. */
static int may_ask(struct request *q, struct err *e)
{
	int64_t count = 0;

	if (request_is_proved(q))
		return 1;
	int rc = request_count_event(q, "digest-asked", q->who.player.userid, CLOCK_DAY, &count, e);
	if (rc < 0 || count <= ASKED_A_DAY)
		return rc < 0 ? rc : 1;
	return !request_refused(
		q, 0,
		"You asked for a digest %d times today.  To get one more, write digest as an answer to any mail of mine.",
		ASKED_A_DAY);
}

/* digest: it goes to an address of the player, so it needs no proof; without one it is short. */
static int run_digest(struct request *q, struct call *c, struct err *e)
{
	struct player_doc p;
	struct note *note = NULL;

	if (!q->who.known || !player_has_address(&q->who.player, q->mail.from))
		return request_refused(q, 0,
		                       "Only a player has boards that wait.  To become one, write: "
		                       "signup <userid>");
	if (c->argc)
		return request_refused(
			q, 0,
			"digest alone shows the boards that wait for your move.  To get one mail a day, write: set digest 08:00");
	if (q->answer.digest || mail_limits_is_full(q))
		return 0;
	int rc = may_ask(q, e);
	if (rc <= 0)
		return rc;
	rc = store_player_get(q->site->store, q->arena, q->who.player.userid, &p, e);
	if (rc == 0)
		rc = digest_make(q, &p,
		                 mail_limits_is_limited(q) ? DIGEST_BOARDS_FEW : DIGEST_BOARDS,
		                 q->now - CLOCK_DAY, &note, e);
	if (rc < 0)
		return rc;
	if (!note) {
		request_say(q, "No board waits for your move.");
		return 0;
	}
	note->userid = NULL;
	if (!q->answer.digest)
		return 0;
	q->who.player = p;
	return store_player_put(q->site->store, &p, e);
}

const struct command cmd_digest_table[] = {
	COMMAND("digest", "digest",
	        "one mail with all boards that wait for your move, answered line by line",
	        GROUP_READ, 0, .run = run_digest),
	{ .word = NULL }
};
