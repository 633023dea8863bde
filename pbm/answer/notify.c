#include "pbm/answer/notify.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pbm/answer/formula_news.h"
#include "pbm/answer/shorten.h"
#include "pbm/answer/transcript.h"
#include "pbm/answer/view.h"
#include "pbm/base/log.h"
#include "pbm/people/computer.h"
#include "pbm/people/mail_limits.h"
#include "pbm/people/quiet.h"
#include "pbm/people/reply_limits.h"
#include "pbm/people/settings.h"
#include "pbm/rating/rating_news.h"
#include "pbm/record/match.h"
#include "pbm/request/request_player.h"
#include "store/store_documents.h"

#define TEXT_MAX (256 * 1024)

/* Sends to all confirmed addresses of a player that don't rest.  An answer also goes
 * to a resting address if the request came from there. */
static int send_to_player(struct request *q, const struct player_doc *p, struct letter *l,
                          struct err *e)
{
	int rc = 0;

	l->to_name = p->userid;
	for (size_t i = 0; rc == 0 && i < p->address_count; i++) {
		const struct player_address *a = &p->addresses[i];
		bool asked = l->prompted && strcasecmp(a->address, q->mail.from) == 0;
		bool wanted = !a->resting && (!p->signed_off || l->parting);

		if (!a->confirmed || (!wanted && !asked))
			continue;
		l->to = a->address;
		rc = notify_send(q, l, e);
	}
	return rc;
}

/* Is the note part of the answer to the sender?  A player whose name is only claimed by the mail
 * gets his news like any other reader: an answer may be dropped, and a forged From with the
 * opponent's address must not drop the news of a move. */
static bool is_sender(const struct request *q, const struct note *n)
{
	const char *me = request_userid(q);

	if (n->flags & NOTE_APART)
		return false;
	return !n->userid || (me && strcasecmp(n->userid, me) == 0 && !mail_limits_is_limited(q));
}

/* As notify_make(), but leaves out notes until the mail is not too long. */
static int make_fitting(struct request *q, struct bundle *b, struct letter *l, struct err *e)
{
	struct letter fresh = *l;
	size_t all = b->n;

	for (;;) {
		struct err why = { 0 };
		int rc = notify_make(q, b, l, &why);

		if (rc != ERR_LIMIT || b->n <= 1)
			return rc < 0 ? err_set(e, why.code, "%s", why.text) : 0;
		b->n /= 2;
		*l = fresh;
		struct note *cut = arena_alloc(q->arena, sizeof *cut);
		cut->seat = SEAT_NONE;
		cut->flags = NOTE_REFUSED;
		cut->headline = arena_printf(
			q->arena,
			"This answer is too long: %zu of its %zu parts are left "
			"out.  Their commands were carried out all the same.",
			all - b->n, all);
		b->notes[b->n++] = cut;
		b->n -= b->n == all;
	}
}

/* Sets the address of the answer.  1: it may be sent; 0: it may not. */
static int address_answer(struct request *q, const struct bundle *b, struct letter *l,
                          struct err *e)
{
	/* A player who answers a question is told how, also after another refusal. */
	bool refusal = !(q->who.has_token && q->who.token.kind == TOKEN_CONFIRM);

	l->to = q->mail.from;
	l->to_name = "";
	if (q->held.id) {
		l->to = q->held.to;
		l->to_name = q->held.player->userid;
		return 1;
	}
	if (q->who.unanswered && !q->tried.pair_was_senders)
		return 0;
	/* A stranger with a player's token is told nothing about that player's games; who was asked
	 * is told how to answer. */
	if (q->who.known && !player_has_address(&q->who.player, q->mail.from) &&
	    !q->answer.asks_again)
		return 0;
	if (q->who.known)
		l->to_name = q->who.player.userid;
	for (size_t i = 0; i < b->n; i++)
		refusal &= (b->notes[i]->flags & NOTE_REFUSED) != 0;
	return mail_limits_may_answer(q, refusal && q->done_count == 0, e);
}

/* Adds a sentence to the last thing that the answer says, below the list that "one of these:" leads
 * to. */
static void add_sentence(struct request *q, struct bundle *b, const char *text)
{
	struct note *last = arena_alloc(q->arena, sizeof *last);

	*last = *b->notes[b->n - 1];
	const char *said = last->headline;
	bool lists = said && *said && said[strlen(said) - 1] == ':' && last->body;
	if (lists)
		last->body = arena_printf(q->arena, "%s\n%s", last->body, text);
	else if (said)
		text = arena_printf(q->arena, "%s%s  %s", said, str_ends_sentence(said) ? "" : ".",
		                    text);
	last->headline = lists ? said : text;
	b->notes[b->n - 1] = last;
}

/* The last answer before the silence says so.  1: an answer may be sent; 0: none. */
static int brake(struct request *q, struct bundle *b, struct err *e)
{
	static const char *const said[] = {
		[REPLY_LIMITS_LAST_SAME] =
			"You sent this twice.  If the same comes again today, I don't answer it; I read everything else as usual.",
		[REPLY_LIMITS_LAST_REFUSAL] =
			"I could do nothing with several of your mails.  Such mails get no answer for an hour; whatever I can do is done and answered as usual.",
		[REPLY_LIMITS_LAST_OF_DAY] =
			"I could do nothing with many of your mails.  Such mails get no answer until tomorrow; whatever I can do is done and answered as usual.",
		[REPLY_LIMITS_LAST_READING] =
			"Many such mails came in this hour.  The next ones are read and done, but get no answer for a while.",
	};
	int rc = reply_limits_check(q, b->notes, b->n, e);

	if (rc <= 1)
		return rc;
	add_sentence(q, b, said[rc]);
	return 1;
}

/* The same for a player whose mails carry no proof. */
static int address_and_warn(struct request *q, struct bundle *b, struct letter *l, struct err *e)
{
	int rc = address_answer(q, b, l, e);

	if (rc != MAIL_LIMITS_LAST)
		return rc;
	if (b->n)
		add_sentence(
			q, b,
			"Many mails without a proof came in your name, so I answer no more of them for a while.  An answer to any mail of mine carries a proof: I read and answer it as usual.");
	return 1;
}

/* A mail to a player also says what acts of moderators did to the player's rating, and which offers the player's formula declined. */
static int add_news(struct request *q, struct bundle *b, const char *reader, struct err *e)
{
	const char *news = NULL;

	if (!reader || !b->n)
		return 0;
	int rc = rating_news_take(q->site->store, q->arena, reader, &news, e);
	if (rc > 0)
		add_sentence(q, b, news);
	if (rc >= 0)
		rc = formula_news_take(q, reader, &news, e);
	if (rc <= 0)
		return rc;
	struct note *last = arena_alloc(q->arena, sizeof *last);
	*last = *b->notes[b->n - 1];
	last->body = arena_printf(q->arena, "%s%sYour formula declined these offers:\n%s",
	                          last->body ? last->body : "", last->body ? "\n\n" : "", news);
	b->notes[b->n - 1] = last;
	return 0;
}

/* Must the answer be short?  <0: the store failed. */
static int is_short(struct request *q, const struct bundle *b, struct err *e)
{
	size_t pages = 0;

	if (q->held.id || mail_limits_is_limited(q))
		return mail_limits_is_limited(q);
	for (size_t i = 0; i < b->n; i++)
		pages += mail_limits_is_page(b->notes[i]);
	int rc = mail_limits_may_be_long(q, pages, e);
	return rc < 0 ? rc : !rc;
}

static int send_to_sender(struct request *q, struct bundle *b, struct err *e)
{
	struct letter l = { 0 };
	bool account = bundle_has(b, NOTE_ACCOUNT);
	int rc = q->held.id ? 1 : brake(q, b, e);

	if (rc > 0)
		rc = address_and_warn(q, b, &l, e);
	if (rc <= 0)
		return rc;
	int limited = is_short(q, b, e);
	if (limited < 0)
		return limited;
	rc = limited ? shorten_letter(q, b, &l, e) : make_fitting(q, b, &l, e);
	if (rc < limited) /* a limited letter that can't be made short: 0 */
		return rc;
	/* News about an account goes to all its addresses. */
	return account && q->who.known && !q->held.id ? send_to_player(q, &q->who.player, &l, e)
	                                              : notify_send(q, &l, e);
}

/* Does anything on the board wait for an answer? */
static bool has_offer(const struct match *m)
{
	return m && (m->draw_offered_by != SEAT_NONE || m->undo_asked_by != SEAT_NONE ||
	             m->abort_asked_by != SEAT_NONE);
}

static bool is_quiet(const struct player_doc *p)
{
	return settings_is(p, "noise", "quiet") || settings_is(p, "noise", "end");
}

/* Turns of the reader, with nothing else to say about them? */
static bool only_played(const struct bundle *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->notes[i]->flags != NOTE_PLAYED)
			return false;
	return true;
}

/* Does the answer only say that turns were played, to a reader who does not want to read that? */
static bool wait_for_digest_answer(const struct request *q, const struct bundle *b)
{
	return q->who.known && !q->held.id && is_quiet(&q->who.player) && only_played(b);
}

/* Does this news of a board wait for the digest, or, with `set noise end`, for the end?  The
 * reader's own turns with `set noise quiet`, too.  Never final mails, first mails of a game,
 * offers, reminders and messages. */
static bool wait_for_digest(struct request *q, const struct player_doc *p, const struct bundle *b)
{
	const unsigned at_once = NOTE_FINAL | NOTE_START | NOTE_OFFER | NOTE_CLOCK | NOTE_REFUSED |
	                         NOTE_ACCOUNT | NOTE_WATCH;

	if (!b->board)
		return false;
	if (quiet_has(p, b->board) || (is_quiet(p) && only_played(b)))
		return true;
	if (settings_is(p, "digest", "off") && !settings_is(p, "noise", "end"))
		return false;
	for (size_t i = 0; i < b->n; i++)
		if (!(b->notes[i]->flags & (NOTE_MOVES | NOTE_PLAYED)) ||
		    (b->notes[i]->flags & at_once) || b->notes[i]->subject)
			return false;
	return !has_offer(request_match(q, b->board, NULL));
}

int notify_reader(struct request *q, struct bundle *b, struct err *e)
{
	struct player_doc p;
	struct err why = { 0 };
	struct letter l = { 0 };
	int rc = store_player_get(q->site->store, q->arena, b->reader, &p, &why);

	/* deleted-7 and ~kasparov have no account. */
	if (rc == ERR_NOT_FOUND)
		return 0;
	if (rc < 0) {
		log_error("no mail to %s: %s", b->reader, why.text);
		return rc == ERR_DAMAGED ? 0 : err_set(e, why.code, "%s", why.text);
	}
	if (computer_is(&p) || wait_for_digest(q, &p, b))
		return 0;
	/* Another mail may take the place of one that waits: no news of other things there. */
	rc = b->notes[0]->later ? 0 : add_news(q, b, p.userid, e);
	if (rc == 0)
		rc = make_fitting(q, b, &l, e);
	return rc < 0 ? rc : send_to_player(q, &p, &l, e);
}

/* The question goes to another player than the sender, because of a password in the mail:
 * then the answers to the sender are no part of it.  true: it is a mail of its own. */
static bool asks_another(const struct request *q)
{
	const char *me = request_userid(q);

	return q->held.id && me && strcasecmp(me, q->held.player->userid) != 0;
}

/* The answer to the sender.  Of an answer to a digest some notes are mails of their own. */
static int send_answer(struct request *q, struct bundle *b, struct err *e)
{
	struct bundle all = *b;

	transcript_fold(q, b);
	bool folded = b->n < all.n;
	int rc = send_to_sender(q, b, e);
	for (size_t i = 0; rc == 0 && folded && i < all.n; i++) {
		const struct note *n = all.notes[i];
		struct bundle own = {
			.reader = request_userid(q), .board = n->board, .n = 1, .notes = { n }
		};

		if (transcript_is_apart(q, n))
			rc = notify_reader(q, &own, e);
	}
	return rc;
}

/* One mail for each other reader and board. */
static int send_others(struct request *q, bool *taken, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < q->note_count; i++) {
		struct bundle b = { .reader = q->notes[i].userid, .board = q->notes[i].board };

		if (taken[i])
			continue;
		for (size_t j = i; j < q->note_count; j++)
			if (!taken[j] && q->notes[j].board == b.board &&
			    q->notes[j].later == q->notes[i].later &&
			    strcasecmp(q->notes[j].userid, b.reader) == 0) {
				b.notes[b.n++] = &q->notes[j];
				taken[j] = true;
			}
		rc = notify_reader(q, &b, e);
	}
	return rc;
}

/* The last guard of private games: takes the board out of each note whose reader may not see it
 * (match_shows_to()); the note keeps only its words.  The commands check that themselves, and
 * refuse; but some refusals are written before anything has checked whose board the mail is
 * about. */
static void private_boards_hide(struct request *q)
{
	for (size_t i = 0; i < q->note_count; i++) {
		struct note *n = &q->notes[i];
		const struct match *m = request_match(q, n->board, NULL);

		if (!m || (n->flags & NOTE_STAFF) ||
		    match_shows_to(m, n->userid ? n->userid : request_userid(q)))
			continue;
		n->board = 0;
		n->seat = SEAT_NONE;
		n->view = NULL;
		n->flags &= ~(unsigned)(NOTE_BOARD | NOTE_MOVES | NOTE_ASK | NOTE_START);
	}
}

int notify_others(struct request *q, struct err *e)
{
	bool taken[REQUEST_NOTES_MAX] = { false };
	char cause[sizeof q->cause];
	size_t kept = 0;

	private_boards_hide(q);
	for (size_t i = 0; i < q->note_count; i++)
		taken[i] = is_sender(q, &q->notes[i]);
	/* A later note about the same board must not have the Message-ID of these mails. */
	memcpy(cause, q->cause, sizeof cause);
	snprintf(q->cause, sizeof q->cause, "%zu %.*s", q->note_count, (int)sizeof cause - 8,
	         cause);
	int rc = send_others(q, taken, e);
	memcpy(q->cause, cause, sizeof cause);
	for (size_t i = 0; i < q->note_count; i++)
		if (is_sender(q, &q->notes[i]))
			q->notes[kept++] = q->notes[i];
	q->note_count = kept;
	return rc;
}

/* Nobody sent a request of the clock, and a computer reads no answer. */
static bool gets_no_answer(struct request *q, struct bundle *b)
{
	return !q->mail.from || wait_for_digest_answer(q, b) ||
	       (q->who.known && computer_is(&q->who.player));
}

int notify_all(struct request *q, struct err *e)
{
	bool taken[REQUEST_NOTES_MAX] = { false };
	struct bundle b = { 0 };
	int rc = 0;

	private_boards_hide(q);
	for (size_t i = 0; i < q->note_count; i++)
		if (is_sender(q, &q->notes[i])) {
			b.notes[b.n++] = &q->notes[i];
			taken[i] = true;
		}
	if (gets_no_answer(q, &b))
		b.n = 0;
	if (asks_another(q)) {
		struct bundle alone = { 0 };

		rc = send_to_sender(q, &alone, e);
		q->held.id = NULL;
	}
	if (rc == 0 && !q->held.id && !mail_limits_is_limited(q))
		rc = add_news(q, &b, request_userid(q), e);
	if (rc == 0 && (b.n || q->held.id))
		rc = send_answer(q, &b, e);
	if (rc == 0)
		rc = send_others(q, taken, e);
	return rc == 0 ? view_secret_told(q, e) : rc;
}
