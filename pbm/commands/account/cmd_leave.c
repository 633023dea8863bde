/* Leaving: signoff, signon, delete. */
#include <strings.h>

#include "pbm/answer/later.h"
#include "pbm/commands/account/account_end.h"
#include "pbm/commands/account/account_tables.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/commands/words/alone_words.h"
#include "pbm/people/player_change.h"
#include "pbm/people/quiet.h"
#include "pbm/people/settings.h"
#include "pbm/record/match.h"
#include "pbm/request/request_player.h"

/* The running board whose mail this answers: the line is about the mails of that board; 0: about
 * all mails. */
static int64_t board_meant(struct request *q, const struct call *c)
{
	const struct token *t = &q->who.token;

	if (!q->who.has_token || t->kind != TOKEN_GAME || c->argc || q->tried.pair_userid)
		return 0;
	const struct match *m = request_match(q, t->board, NULL);
	return m && m->doc.state == GAME_RUNNING &&
	                       strcasecmp(m->doc.players[t->seat], c->actor->userid) == 0
	               ? t->board
	               : 0;
}

static bool stops_little(struct request *q, const struct call *c)
{
	return board_meant(q, c) || (c->actor && !quiet_would_harm(q, c->actor));
}

static int read_signoff(struct request *q, struct call *c, struct err *)
{
	int64_t board = board_meant(q, c);

	if (c->actor->signed_off)
		request_say(
			q,
			"You are signed off already: you get no mails but answers to your own.  To get mails again, write: signon");
	else if (board && quiet_has(c->actor, board))
		request_say(
			q,
			"You get no mails of board %lld already.  To get them again, write: signon.  To get no mails at all, write: stop all",
			(long long)board);
	else {
		if (!c->proved && !stops_little(q, c))
			q->held.why =
				"After this you get no mails but answers to your own.  Your running games go on by the clock: if you don't move, you lose them.";
		return 0;
	}
	return 1;
}

static int stop_board(struct request *q, const struct player_doc *p, int64_t board, struct err *e)
{
	int rc = quiet_add(q, p, board, e);
	if (rc == 0)
		rc = later_drop(q, &(struct later_which){ .to = p, .board = board }, e);
	struct note *n = request_tell(
		q, p->userid, NOTE_ACCOUNT | NOTE_PARTING,
		arena_printf(q->arena, "no more mails of board %lld", (long long)board),
		"You get no more mails of board %lld, %s.  The game goes on by the clock: if you don't move, you lose it.  To get its mails again, answer this mail with the one word: signon",
		(long long)board, p->userid);

	n->body = "To get no mails at all, write: stop all\n"
		  "More about leaving:            help leaving";
	return rc;
}

/* Tells all addresses of the account: the mail that asked for it may be forged, with a forwarded
 * token, and its owner must know. */
static int run_signoff(struct request *q, struct call *c, struct err *e)
{
	struct player_doc p = *c->actor;
	int64_t board = board_meant(q, c);

	if (board)
		return stop_board(q, &p, board, e);
	p.signed_off = true;
	int rc = player_change_done(q, &p, e);
	if (rc == 0)
		rc = later_drop(q, &(struct later_which){ .to = &p }, e);
	if (rc < 0)
		return rc;
	struct note *n = request_tell(
		q, p.userid, NOTE_ACCOUNT | NOTE_PARTING, "you are signed off",
		"You are signed off, %s: from now on you get no mails but answers to your own.  Your running games go on by the clock.  To get mails again, answer this mail with the one word: signon",
		p.userid);
	n->body = "To leave for good, write: delete\n"
		  "More about leaving:       help leaving";
	return 0;
}

static int read_signon(struct request *q, struct call *c, struct err *)
{
	int64_t board = board_meant(q, c);

	if (c->actor->signed_off ||
	    (board ? quiet_has(c->actor, board) : player_setting(c->actor, QUIET_BOARDS) != NULL))
		return 0;
	request_say(
		q,
		c->actor->vacation_count
			? "You are not signed off: you get all your mails.  To end a vacation, write: vacation off"
			: "You are not signed off: you get all your mails.");
	return 1;
}

static int run_signon(struct request *q, struct call *c, struct err *e)
{
	struct player_doc p = *c->actor;
	int64_t board = p.signed_off ? 0 : board_meant(q, c);

	p.signed_off = false;
	int rc = quiet_remove(q, &p, board, e);
	if (rc < 0)
		return rc;
	if (board)
		request_tell(q, p.userid, NOTE_ACCOUNT, "you are signed on",
		             "You get the mails of board %lld again.", (long long)board);
	else
		request_tell(
			q, p.userid, NOTE_ACCOUNT, "you are signed on",
			"Welcome back, %s: you get mails again.  To see your games, write: games",
			p.userid);
	return 0;
}

static int read_news(struct request *q, struct call *c, struct err *)
{
	const char *word = c->argc == 1 ? c->argv[0] : "";
	bool on = strcasecmp(word, "on") == 0;

	if (!on && strcasecmp(word, "off") != 0)
		return request_refused(q, 0, "The form is: news on, or: news off");
	if (settings_is(c->actor, "news", on ? "on" : "off")) {
		request_say(q, on ? "You get the news of this server already."
		                  : "You get no news of this server.");
		return 1;
	}
	return 0;
}

static int run_news(struct request *q, struct call *c, struct err *e)
{
	struct player_doc p = *c->actor;
	bool on = strcasecmp(c->argv[0], "on") == 0;
	int rc = player_change(q, &p, "news", on ? "on" : NULL, e);
	if (rc < 0)
		return rc;
	q->done_count++;
	request_say(
		q,
		on ? "You get the news of this server from now on."
		   : "You get no more news of this server.  The mails of your games come as ever.");
	return 0;
}

static bool wants_anonymous(const struct call *c)
{
	return c->argc == 1 && strcasecmp(c->argv[0], "anonymous") == 0;
}

/* Refuses an act that can't be done, and says in the question what will be lost. */
static int read_delete(struct request *q, struct call *c, struct err *)
{
	if (!alone_words_takes("delete", c->rest))
		return request_refused(
			q, 0, "The form is: delete, or: delete anonymous.  Nothing was done.");
	if (!account_end_may(q, c->actor))
		return 1;
	q->held.why =
		wants_anonymous(c)
			? "This ends your account for good.  Your running games are resigned, or aborted when they have hardly begun.  Your addresses and settings are erased.  Your finished games stay in the archive, without your name."
			: "This ends your account for good.  Your running games are resigned, or aborted when they have hardly begun.  Your addresses and settings are erased.  Your finished games stay in the archive under your name, and nobody else can take it.";
	return 0;
}

static int run_delete(struct request *q, struct call *c, struct err *e)
{
	if (q->confirming)
		return account_end(q, c->actor, wants_anonymous(c), e);
	q->held.player = c->actor;
	hold_line(q, c, wants_anonymous(c) ? "delete anonymous" : "delete");
	return 0;
}

const struct command cmd_leave_table[] = {
	COMMAND("signoff", "signoff [all]  or  stop, unsubscribe",
	        "no more mails but answers to yours", GROUP_START,
	        CMD_PROOF | CMD_PAIR | CMD_OWN_MAILS | CMD_BANNED, .read = read_signoff,
	        .own_mails = stops_little, .run = run_signoff),
	COMMAND("signon", "signon", "after signoff: mails again", GROUP_START,
	        CMD_PROOF | CMD_PAIR | CMD_OWN_MAILS | CMD_BANNED, .read = read_signon,
	        .run = run_signon),
	COMMAND("news", "news on|off", "mails with news of this server, or none", GROUP_START,
	        CMD_PROOF | CMD_PAIR | CMD_OWN_MAILS, .read = read_news, .run = run_news),
	COMMAND("delete", "delete [anonymous]", "ends your account for good, after a question",
	        GROUP_START, CMD_PROOF | CMD_PAIR | CMD_ACCOUNT | CMD_BANNED, .read = read_delete,
	        .run = run_delete),
	{ .word = NULL }
};
