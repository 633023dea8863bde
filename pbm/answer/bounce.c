#include "pbm/answer/bounce.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "mail/robots/dsn.h"
#include "pbm/answer/notify.h"
#include "pbm/answer/view.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/utf8.h"
#include "pbm/people/server_results.h"
#include "pbm/request/request_player.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define COUNT_AGAIN (20 * 3600) /* less than a day, so that the next day's mail counts */
#define WINDOW (30 * CLOCK_DAY)
#define HARD_POINTS 2
#define SOFT_POINTS 1
#define REST_POINTS 6
#define RESTS_A_DAY 20 /* with more, the fault is probably ours */
#define TELL_AGAIN (7 * CLOCK_DAY)
#define OPPONENTS_MAX 100
#define GAMES_LOOKED_AT 1000
#define WHY_MAX 200
#define POINTS "bounced" /* the event that is counted */

/* An address of a player, and what a report says about it. */
struct verdict {
	struct player_doc player;
	struct player_address *address; /* in player */
	enum dsn_weight weight;
	bool complaint, at_once; /* one complaint is enough */
	const char *why;
};

/* Finds the first envelope sender of ours in a list.  1: good, 2: expired, 0: none. */
static int find_in(struct request *q, const struct mail_strings *list, struct token *t)
{
	for (size_t i = 0; i < list->n; i++) {
		const char *tag = site_tag(q->site, list->v[i]);
		int rc = tag ? token_read(q->site, tag, t, NULL) : ERR_BAD;

		if ((rc == 0 || rc == ERR_PERM) && t->kind == TOKEN_BOUNCE)
			return rc == 0 ? 1 : 2;
	}
	return 0;
}

/* A complaint may go to any address of our host; the report in it names the
 * envelope sender. */
static int find_bounce_token(struct request *q, const struct dsn *d, struct token *t)
{
	const char *sender[] = { d->sender, NULL };
	const struct mail_strings inside = { d->kind == DSN_COMPLAINT ? 1 : 0, sender };
	int found = find_in(q, &q->mail.delivered_to, t);

	if (!found)
		found = find_in(q, &q->mail.to, t);
	return found ? found : find_in(q, &inside, t);
}

/* Did the mail come to an address of ours that has the form of an envelope sender,
 * valid or not? */
static bool is_sent_back(struct request *q)
{
	const struct mail_strings *lists[] = { &q->mail.delivered_to, &q->mail.to };

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < lists[k]->n; i++) {
			const char *tag = site_tag(q->site, lists[k]->v[i]);

			if (tag && (strncasecmp(tag, "b.", 2) == 0 ||
			            strncasecmp(tag, "bounces@", 8) == 0))
				return true;
		}
	return false;
}

static const char *short_line(struct request *q, const char *text)
{
	text += strspn(text, " \t\n");
	char *line = arena_strndup(q->arena, text, utf8_cut(text, strcspn(text, "\n"), WHY_MAX));
	for (char *p = line; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = ' ';
	return line;
}

/* Reads a report in the standard format (RFC 3464); the worst recipient counts. */
static void judge_status(struct request *q, const struct dsn *d, struct verdict *v)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct dsn_recipient *r = &d->recipients[i];

		if (i > 0 && r->weight <= v->weight)
			continue;
		v->weight = r->weight;
		v->why = short_line(q, *r->diagnostic ? r->diagnostic : r->status);
	}
}

/* Guesses the failure from a report in prose.  A mail that looks like a person's
 * counts only if it names a reason: a vacation program may answer the envelope
 * sender. */
static void judge_prose(struct request *q, enum mail_class kind, struct verdict *v)
{
	char code[DSN_CODE_SIZE];
	const char *line;

	if (kind != MAIL_BOUNCE && kind != MAIL_PERSON)
		return;
	v->weight = dsn_guess(q->arena, q->mail.text, code, &line);
	if (kind == MAIL_PERSON && (!*line || player_has_address(&v->player, q->mail.from)))
		v->weight = DSN_NOTHING;
	v->why = short_line(q, *line ? line : q->mail.subject);
}

/* Mailboxes that a provider keeps for itself (RFC 2142), and those of feedback loops. */
static bool is_role(const char *address)
{
	static const char *const roles[] = { "abuse",    "postmaster",   "mailer-daemon", "fbl",
		                             "feedback", "feedbackloop", "complaints",    NULL };

	return str_is_any_n(address, strcspn(address, "@"), roles);
}

/* Everybody who ever saw the envelope sender can write a complaint.  One is enough only if
 * the mailbox's own provider wrote it: our mail server vouches for From, From's domain is
 * that of the address, or lies below it, and the mailbox is none of a customer. */
static bool is_from_provider(struct request *q, const char *address)
{
	const char *from = strchr(q->mail.from, '@'), *domain = strchr(address, '@');

	if (!from || !domain || !is_role(q->mail.from) ||
	    server_results_vouch(q->site, q->arena, &q->mail) != VOUCH_PASS)
		return false;
	size_t n = strlen(++from), least = strlen(++domain);
	return n >= least && strcasecmp(from + n - least, domain) == 0 &&
	       (n == least || from[n - least - 1] == '.');
}

static void judge(struct request *q, enum mail_class kind, const struct dsn *d, struct verdict *v)
{
	v->why = "";
	if (d->kind == DSN_COMPLAINT) {
		v->complaint = true;
		v->at_once = is_from_provider(q, v->address->address);
		v->weight = DSN_HARD;
		v->why = "a mail was reported as spam";
	} else if (d->kind == DSN_STATUS) {
		judge_status(q, d, v);
	} else if (d->kind == DSN_NONE) {
		judge_prose(q, kind, v);
	}
}

struct opponents {
	struct request *q;
	const char *userid;
	size_t n;
	struct {
		const char *userid, *boards;
		int64_t board;
		uint8_t seat;
		size_t count;
	} v[OPPONENTS_MAX];
};

static int note_opponent(const struct game_row *row, void *arg)
{
	struct opponents *o = arg;
	uint8_t seat = strcasecmp(row->players[SEAT_WHITE], o->userid) == 0 ? SEAT_BLACK
	                                                                    : SEAT_WHITE;
	const char *other = row->players[seat];
	size_t i = 0;

	if (strcasecmp(other, o->userid) == 0 || strcasecmp(other, GAME_ANYONE) == 0)
		return 0;
	while (i < o->n && strcasecmp(o->v[i].userid, other) != 0)
		i++;
	if (i == OPPONENTS_MAX)
		return 0;
	if (i == o->n) {
		o->v[o->n].userid = arena_strdup(o->q->arena, other);
		o->v[o->n].boards = "";
		o->v[o->n].seat = seat;
		o->v[o->n++].board = row->board;
	}
	if (++o->v[i].count <= 20)
		o->v[i].boards = arena_printf(o->q->arena, "%s%s%lld", o->v[i].boards,
		                              o->v[i].count > 1 ? ", " : "", (long long)row->board);
	return 0;
}

/* The first lines for an opponent.  After a complaint no mail has come back, and a mail from the
 * player does not end the rest. */
static void begin_news(struct request *q, const struct verdict *v, struct note *n)
{
	const char *name = v->player.userid;

	n->subject = arena_printf(
		q->arena, v->complaint ? "no more mail to %s" : "mail to %s comes back", name);
	n->headline = v->complaint
	                      ? arena_printf(q->arena,
	                                     "The server can send %s no news of your games.", name)
	                      : arena_printf(q->arena,
	                                     "Mail to %s comes back.  The server sends %s no more "
	                                     "mail until %s writes.",
	                                     name, name, name);
}

/* Tells each opponent once, in one mail about all boards with that player. */
static int tell_opponents(struct request *q, const struct verdict *v, struct err *e)
{
	const struct player_doc *p = &v->player;
	struct opponents *o = arena_alloc(q->arena, sizeof *o);
	int64_t told;
	int rc = request_count_event(q, "rest-told", p->userid, TELL_AGAIN, &told, e);

	if (rc < 0 || told > 1)
		return rc;
	*o = (struct opponents){ .q = q, .userid = p->userid };
	rc = store_games(q->site->store, p->userid, NULL, GAMES_OPEN, GAMES_LOOKED_AT, 0,
	                 note_opponent, o, e);
	for (size_t i = 0; rc == 0 && i < o->n; i++) {
		struct note *n = request_note(q, o->v[i].userid,
		                              o->v[i].count == 1 ? o->v[i].board : 0, 0);

		if (n->board)
			n->seat = o->v[i].seat;
		begin_news(q, v, n);
		n->headline = arena_printf(
			q->arena,
			"%s  The clock on your board%s %s with %s keeps running.  If you can reach %s in "
			"another way, please do.  You can also wait, or offer a draw, or ask to abort the game.  "
			"When %s's time is used up, you can claim the game.  Write:",
			n->headline, o->v[i].count > 1 ? "s" : "", o->v[i].boards, p->userid,
			p->userid, p->userid);
		n->body = arena_printf(q->arena, "claim %lld time", (long long)o->v[i].board);
	}
	return rc;
}

static void tell_player(struct request *q, const struct verdict *v)
{
	const char *address = v->address->address;
	struct note *n = request_note(q, v->player.userid, 0, NOTE_ACCOUNT);

	n->subject = arena_printf(q->arena, "mail to %s comes back", address);
	if (v->complaint) {
		n->subject = arena_printf(q->arena, "no more mail to %s", address);
		n->headline = arena_printf(
			q->arena,
			"A mail to %s was reported as spam.  From now on the server sends only "
			"answers there.  To get all mail there again, write: add %s",
			address, address);
		return;
	}
	n->headline = arena_printf(
		q->arena,
		"Mail to %s comes back, so the server sends nothing more there.  It will "
		"do so again when you write to it from there.  The mail system of that address says:",
		address);
	n->body = view_quoted(q, v->why);
}

static int rest_address(struct request *q, struct verdict *v, struct err *e)
{
	int64_t count = 0;
	int rc = v->at_once ? 0 : request_count_event(q, "rests", "*", CLOCK_DAY, &count, e);

	if (rc < 0)
		return rc;
	if (count > RESTS_A_DAY) {
		if (count == RESTS_A_DAY + 1)
			log_error(
				"%d addresses to which mail came back began to rest within a day.  No further address "
				"will rest today for that reason.  Check whether other servers refuse this server's mail.",
				RESTS_A_DAY);
		return 0;
	}
	v->address->resting = q->now;
	v->address->complaint = v->complaint;
	rc = store_player_put(q->site->store, &v->player, e);
	if (rc < 0)
		return rc;
	log_warn("no more mail to %s of %s: %s", v->address->address, v->player.userid, v->why);
	if (player_is_reachable(&v->player))
		tell_player(q, v);
	else
		rc = tell_opponents(q, v, e);
	return rc < 0 ? rc : notify_all(q, e);
}

/* Names the addresses whose failures are counted.  The count of an address begins again when it
 * stops resting. */
static void name_failures(const struct player_doc *p, const struct player_address *a, char *whom,
                          size_t size)
{
	snprintf(whom, size, "%s %.200s %lld", p->userid, a->address,
	         (long long)(a->woken ? a->woken : a->confirmed));
}

/* Counts a failure, at most one a day.  With enough points the address rests. */
static int count_failure(struct request *q, struct verdict *v, struct err *e)
{
	char whom[300];
	int64_t today = 0, points = 0;
	int add = v->weight == DSN_HARD ? HARD_POINTS : SOFT_POINTS;

	name_failures(&v->player, v->address, whom, sizeof whom);
	int rc = request_count_event(q, "bounced-today", whom, COUNT_AGAIN, &today, e);
	if (rc < 0 || today > 1)
		return rc;
	for (int i = 0; rc == 0 && i < add; i++)
		rc = request_count_event(q, POINTS, whom, WINDOW, &points, e);
	if (rc < 0)
		return rc;
	log_info("mail to %s %s: %s, %lld points; at %d the address rests: %s", v->address->address,
	         v->complaint ? "was complained about" : "came back",
	         v->weight == DSN_HARD ? "permanent failure" : "failure that may pass",
	         (long long)points, REST_POINTS, v->why);
	return points < REST_POINTS ? 0 : rest_address(q, v, e);
}

static int apply_verdict(struct request *q, struct verdict *v, struct err *e)
{
	q->current = "";
	if (v->at_once)
		return v->address->complaint ? 0 : rest_address(q, v, e);
	if (v->weight == DSN_NOTHING || v->address->resting)
		return 0;
	return count_failure(q, v, e);
}

static struct player_address *marked_address(struct player_doc *p, const char *mark)
{
	char own[TOKEN_MARK + 1];

	for (size_t i = 0; i < p->address_count; i++) {
		token_mark(p->addresses[i].address, own);
		if (p->addresses[i].confirmed && strcmp(own, mark) == 0)
			return &p->addresses[i];
	}
	return NULL;
}

/* Finds the player and the address that a token names.  1: there is no such player
 * or address any more. */
static int find_marked_player(struct request *q, const struct token *t, struct verdict *v,
                              struct err *e)
{
	int rc = err_found(store_player_get(q->site->store, q->arena, t->name, &v->player, e),
	                   ERR_NOT_FOUND, e);

	if (rc <= 0)
		return rc < 0 ? rc : 1;
	v->address = marked_address(&v->player, t->mark);
	return v->address ? 0 : 1;
}

/* Some mail programs answer to the envelope sender.  A player's own words are no report,
 * and the player is answered. */
static int is_from_player(struct request *q, enum mail_class kind, const struct dsn *d,
                          struct err *e)
{
	struct player_doc p;

	if (kind != MAIL_PERSON || d->kind != DSN_NONE)
		return 0;
	int rc = err_found(store_player_by_address(q->site->store, q->arena, q->mail.from, &p, e),
	                   ERR_NOT_FOUND, e);
	return rc <= 0 ? rc : player_has_address(&p, q->mail.from);
}

int bounce_take_report(struct request *q, enum mail_class kind, struct err *e)
{
	struct verdict v = { 0 };
	struct token t;
	struct dsn d;

	dsn_read(q->arena, &q->mail, &d);
	int found = find_bounce_token(q, &d, &t);
	bool sent_back = found || is_sent_back(q);
	if (!sent_back && d.kind == DSN_NONE)
		return 0;
	int person = is_from_player(q, kind, &d, e);
	if (person != 0)
		return person < 0 ? person : 0;
	if (found != 1) {
		log_info("a report from %s is ignored: %s", *q->mail.from ? q->mail.from : "<>",
		         found ? "its token has expired"
		               : "it names no valid envelope sender of a player's address");
		return sent_back;
	}
	int rc = find_marked_player(q, &t, &v, e);
	if (rc != 0)
		return rc;
	judge(q, kind, &d, &v);
	rc = apply_verdict(q, &v, e);
	return rc < 0 ? rc : 1;
}

int bounce_given_up(struct site *site, const char *rcpt, const char *why, struct err *e)
{
	AUTO(arena_release) struct arena arena = { 0 };
	struct request *q = arena_alloc(&arena, sizeof *q);
	struct verdict v = { .weight = dsn_weigh("", why) };
	struct err lost = { 0 };

	q->site = site;
	q->arena = &arena;
	q->now = clock_now();
	q->mail.from = q->mail.subject = q->mail.message_id = "";
	snprintf(q->cause, sizeof q->cause, "refused %.40s %lld", rcpt, (long long)q->now);
	v.why = short_line(q, why);
	int rc = store_player_by_address(site->store, &arena, rcpt, &v.player, &lost);
	if (rc < 0 && rc != ERR_NOT_FOUND)
		err_set(e, lost.code, "%s", lost.text);
	if (rc == 0)
		v.address = player_find_address(&v.player, rcpt);
	if (v.address && v.address->confirmed)
		rc = apply_verdict(q, &v, e);
	return rc == ERR_NOT_FOUND ? 0 : rc;
}

/* Is it proved that the mail came from the mailbox in From?  The operator at the
 * prompt of pbm talk has not shown that. */
static bool is_proved_owner(const struct request *q)
{
	if (!q->who.known || !player_has_address(&q->who.player, q->mail.from))
		return false;
	if (request_is_proved(q) && q->who.proof != PROOF_OPERATOR)
		return true;
	return q->tried.pair_was_senders;
}

/* A mail from a player ends the count of failures of his address: everybody who has seen a mail
 * of ours can forge reports of such failures. */
static int forget_failures(struct request *q, const struct player_doc *p,
                           const struct player_address *a, struct err *e)
{
	char whom[300];

	name_failures(p, a, whom, sizeof whom);
	return request_forget_events(q, POINTS, whom, e);
}

int bounce_wake_address(struct request *q, struct err *e)
{
	struct player_doc p;

	if (!is_proved_owner(q))
		return 0;
	int rc = store_player_get(q->site->store, q->arena, q->who.player.userid, &p, e);
	if (rc < 0)
		return rc;
	struct player_address *a = player_find_address(&p, q->mail.from);
	q->current = "";
	if (!a)
		return 0;
	if (!a->resting)
		return forget_failures(q, &p, a, e);
	if (a->complaint) {
		request_note(q, NULL, 0, 0)->headline = arena_printf(
			q->arena,
			"A mail to %s was reported as spam, so "
			"the server sends only answers there.  To get all mail there again, write: add %s",
			a->address, a->address);
		return 0;
	}
	a->resting = 0;
	a->woken = q->now;
	rc = store_player_put(q->site->store, &p, e);
	if (rc < 0)
		return rc;
	q->who.player = p;
	log_info("mail goes to %s of %s again", a->address, p.userid);
	request_note(q, NULL, 0, 0)->headline = arena_printf(
		q->arena,
		"The server sends mail to %s again.  It sent "
		"nothing there while mail came back.",
		a->address);
	return 0;
}
