#include "pbm/people/mail_limits.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/str.h"
#include "pbm/record/match.h"
#include "pbm/request/request_player.h"
#include "store/store_documents.h"
#include "store/store_numbers.h"

#define HOUR 3600
#define MINUTE 60

static void lower(const char *from, size_t n, char out[MAIL_LIMITS_ADDRESS_SIZE])
{
	n = n < MAIL_LIMITS_ADDRESS_SIZE ? n : MAIL_LIMITS_ADDRESS_SIZE - 1;
	for (size_t i = 0; i < n; i++)
		out[i] = (char)tolower((unsigned char)from[i]);
	out[n] = '\0';
}

static void remove_dots(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (*text != '.')
			*to++ = *text;
	*to = '\0';
}

void mail_limits_mailbox(const char *addr, char out[MAIL_LIMITS_ADDRESS_SIZE])
{
	char local[MAIL_LIMITS_ADDRESS_SIZE], domain[MAIL_LIMITS_ADDRESS_SIZE];
	const char *at = strrchr(addr, '@');
	size_t n = at ? (size_t)(at - addr) : strlen(addr);

	lower(addr, n, local);
	lower(at ? at + 1 : "", at ? strlen(at + 1) : 0, domain);
	n = strlen(domain);
	if (n && domain[n - 1] == '.')
		domain[n - 1] = '\0';
	local[strcspn(local, "+")] = '\0';
	if (strcmp(domain, "googlemail.com") == 0)
		snprintf(domain, sizeof domain, "gmail.com");
	if (strcmp(domain, "gmail.com") == 0)
		remove_dots(local);
	snprintf(out, MAIL_LIMITS_ADDRESS_SIZE, "%.64s@%.250s", local, domain);
}

/* Is this the second level of a country, below which names are registered? */
static bool is_shared_label(const char *label, size_t n)
{
	static const char *const shared[] = { "ac", "co",  "com", "edu", "gob", "gov", "mil",
		                              "ne", "net", "nom", "or",  "org", "sch", NULL };

	return str_is_any_n(label, n, shared);
}

void mail_limits_domain(const char *addr, char out[MAIL_LIMITS_ADDRESS_SIZE])
{
	char all[MAIL_LIMITS_ADDRESS_SIZE];
	const char *at = strrchr(addr, '@'), *labels[4];
	int have = 0;

	lower(at ? at + 1 : addr, strlen(at ? at + 1 : addr), all);
	for (char *end = all + strlen(all); end > all && end[-1] == '.';)
		*--end = '\0';
	/* The last labels, from the right. */
	for (const char *p = all + strlen(all); p > all && have < 3; p--)
		if (p[-1] == '.')
			labels[have++] = p;
	if (have < 3)
		labels[have++] = all;
	const char *start = labels[have > 1 ? 1 : 0];
	if (have > 2 && strlen(labels[0]) == 2 &&
	    is_shared_label(labels[1], strcspn(labels[1], ".")))
		start = labels[2];
	snprintf(out, MAIL_LIMITS_ADDRESS_SIZE, "%s", start);
}

bool mail_limits_is_limited(const struct request *q)
{
	return !request_is_proved(q) && !q->tried.pair_was_senders;
}

bool mail_limits_is_page(const struct note *n)
{
	return n->body || (n->flags & NOTE_BOARD);
}

bool mail_limits_is_full(struct request *q)
{
	bool limited = mail_limits_is_limited(q);
	size_t pages = 0;

	for (size_t i = 0; limited && i < q->note_count; i++)
		pages += mail_limits_is_page(&q->notes[i]);
	if (pages < MAIL_LIMITS_PAGES && q->work < MAIL_LIMITS_WORK)
		return false;
	struct note *n = request_note(q, NULL, 0, 0);
	n->headline =
		limited ? "This was not looked up."
			: "This was not looked up, because the lines above it asked for so much.  Send it again in another mail.";
	n->body = "";
	return true;
}

/* 1: within both limits, for an hour and for a day; MAIL_LIMITS_LAST: the last one that is. */
static int count_last(struct request *q, const char *what, const char *whom, long an_hour,
                      long a_day, struct err *e)
{
	int64_t hour = 0, day = 0;
	char kind[60];

	snprintf(kind, sizeof kind, "%.40s-hour", what);
	int rc = request_count_event(q, kind, whom, HOUR, &hour, e);
	/* An hour's excess is not counted for the day: else one hour could silence the day. */
	if (rc < 0 || hour > an_hour)
		return rc;
	snprintf(kind, sizeof kind, "%.40s-day", what);
	rc = request_count_event(q, kind, whom, CLOCK_DAY, &day, e);
	if (rc < 0 || day > a_day)
		return rc;
	return hour == an_hour || day == a_day ? MAIL_LIMITS_LAST : 1;
}

/* The same, without saying which is the last. */
static int count_two(struct request *q, const char *what, const char *whom, long an_hour,
                     long a_day, struct err *e)
{
	int rc = count_last(q, what, whom, an_hour, a_day, e);

	return rc == MAIL_LIMITS_LAST ? 1 : rc;
}

/* count: of the mails so far, this one included. */
static void note_flood(struct request *q, int64_t count, long limit, const char *key,
                       const char *text)
{
	if (count != limit + 1)
		return;
	q->flood.key = key;
	q->flood.news = text;
	log_warn("%s", text);
}

/* A run of pbm deliver has one mail, so there the mails of a minute count. */
static int count_run(struct request *q, struct err *e)
{
	const struct site *s = q->site;
	int64_t count = s->run.strangers.answered + s->run.strangers.dropped + 1;
	int rc = 0;

	if (s->run.strangers.by_minute)
		rc = request_count_event(q, "strangers-minute", "*", MINUTE, &count, e);
	if (rc < 0)
		return rc;
	note_flood(
		q, count, s->conf.strangers_per_run, "strangers run",
		arena_printf(
			q->arena,
			"One run has answered %ld mails from senders without a proof (strangers-per-run).  Further such mails of this run get no answer.  Somebody may be flooding the server.",
			s->conf.strangers_per_run));
	q->site->run.strangers.dropped += count > s->conf.strangers_per_run;
	return count <= s->conf.strangers_per_run;
}

/* Counts all answers of a day to a domain or of the site, under "strangers" or "vouched". */
static int count_wide(struct request *q, const char *class, const char *whom, long most,
                      const char *text, struct err *e)
{
	int64_t count = 0;
	int rc = request_count_event(q, class, whom, CLOCK_DAY, &count, e);

	if (rc < 0)
		return rc;
	note_flood(q, count, most, arena_printf(q->arena, "%s %.200s", class, whom), text);
	return count <= most;
}

/* Counts a mail to an address that belongs to no player.  The narrow limits come first:
 * what they drop doesn't use up the wide ones.  Senders for whom our mail server vouches
 * are counted apart, so that forged mails don't silence them. */
static int count_stranger(struct request *q, const char *address, bool vouched, struct err *e)
{
	const struct site *s = q->site;
	char mailbox[MAIL_LIMITS_ADDRESS_SIZE], domain[MAIL_LIMITS_ADDRESS_SIZE];
	const char *class = vouched ? "vouched" : "strangers";
	long day = s->conf.strangers_per_mailbox;

	mail_limits_mailbox(address, mailbox);
	mail_limits_domain(address, domain);
	int rc = count_two(q, "stranger", mailbox, MAIL_LIMITS_HOURLY(day), day, e);
	if (rc == 1 && !vouched)
		rc = count_run(q, e);
	if (rc == 1)
		rc = count_wide(
			q, class, domain, s->conf.strangers_per_domain,
			arena_printf(
				q->arena,
				"%ld answers have gone to senders without a proof at %.250s within a day (strangers-per-domain).  Until tomorrow such mails from there get no answer.  Somebody may be flooding the server, or that domain by way of the server.",
				s->conf.strangers_per_domain, domain),
			e);
	if (rc == 1)
		rc = count_wide(
			q, class, "*", s->conf.strangers_per_day,
			arena_printf(
				q->arena,
				"%ld answers have gone to senders without a proof within a day (strangers-per-day).  Until tomorrow mails of people who are no players get no answer.  Somebody may be flooding the server.",
				s->conf.strangers_per_day),
			e);
	q->site->run.strangers.answered += rc == 1 && !vouched;
	return rc;
}

static bool is_vouched_for(const struct request *q, const char *address)
{
	return q->who.vouched && strcasecmp(address, q->mail.from) == 0;
}

static int log_dropped(const struct request *q, const char *address, int rc)
{
	if (rc == 0)
		log_info("no mail to %s: too many without a proof (from %s)", address,
		         q->mail.from);
	return rc;
}

/* The same, and counts for pbm stats what became of a mail without a proof. */
static int note_answer(const struct request *q, const char *address, int rc, struct err *e)
{
	if (rc < 0)
		return rc;
	int counted = store_number_add(q->site->store,
	                               rc ? "strangers:answered" : "strangers:unanswered", 1, e);
	return counted < 0 ? counted : log_dropped(q, address, rc);
}

int mail_limits_may_answer(struct request *q, bool refusal, struct err *e)
{
	char mailbox[MAIL_LIMITS_ADDRESS_SIZE];
	int rc = 1;

	if (!mail_limits_is_limited(q))
		return 1;
	if (q->who.known && player_has_address(&q->who.player, q->mail.from)) {
		rc = count_last(q, "player", q->who.player.userid, MAIL_LIMITS_PLAYER_AN_HOUR,
		                MAIL_LIMITS_PLAYER_A_DAY, e);
		return note_answer(q, q->mail.from, rc, e);
	}
	mail_limits_mailbox(q->mail.from, mailbox);
	if (refusal)
		rc = count_two(q, "refused", mailbox, MAIL_LIMITS_ERRORS_AN_HOUR,
		               MAIL_LIMITS_ERRORS_A_DAY, e);
	if (rc == 1)
		rc = count_stranger(q, q->mail.from, is_vouched_for(q, q->mail.from), e);
	return note_answer(q, q->mail.from, rc, e);
}

int mail_limits_may_ask(struct request *q, const char *address, struct err *e)
{
	char mailbox[MAIL_LIMITS_ADDRESS_SIZE];
	long day = q->site->conf.strangers_per_mailbox;

	if (mail_limits_is_limited(q))
		return note_answer(q, address,
		                   count_stranger(q, address, is_vouched_for(q, address), e), e);
	mail_limits_mailbox(address, mailbox);
	return log_dropped(q, address,
	                   count_two(q, "asked", mailbox, MAIL_LIMITS_HOURLY(day), day, e));
}

int mail_limits_may_start(struct request *q, const char *userid, struct err *e)
{
	int64_t count = 0;
	int rc = request_count_event(q, "starts", userid, CLOCK_DAY, &count, e);

	if (rc < 0 || count <= MAIL_LIMITS_STARTS_A_DAY)
		return rc < 0 ? rc : 1;
	return !request_refused(q, 0, "You have begun %d games alone today, and more are too many.",
	                        MAIL_LIMITS_STARTS_A_DAY);
}

int mail_limits_may_show_watched(struct request *q, const struct player_doc *p, struct err *e)
{
	char mailbox[MAIL_LIMITS_ADDRESS_SIZE];
	int64_t count = 0, most = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < p->address_count; i++) {
		if (!p->addresses[i].confirmed)
			continue;
		mail_limits_mailbox(p->addresses[i].address, mailbox);
		rc = request_count_event(q, "watched", mailbox, CLOCK_DAY, &count, e);
		most = count > most ? count : most;
	}
	if (rc == 0 && most == MAIL_LIMITS_WATCHED_A_DAY + 1)
		log_info("%s gets no more mails of watched games today", p->userid);
	return rc < 0 ? rc : most <= MAIL_LIMITS_WATCHED_A_DAY;
}

/* The mailbox of a player's first address; NULL: there is none. */
static const char *first_mailbox(struct request *q, const struct player_doc *p)
{
	char mailbox[MAIL_LIMITS_ADDRESS_SIZE];

	if (p->address_count == 0)
		return NULL;
	mail_limits_mailbox(p->addresses[0].address, mailbox);
	return arena_strdup(q->arena, mailbox);
}

/* Counts an event of a pair, writer and reader, by the accounts, whatever addresses they get, and by
 * the mailboxes, however many accounts and names they have.  *count: the largest; *pair: its key. */
static int count_pair(struct request *q, const char *what, const struct player_doc *by,
                      const char *other, int64_t window, int64_t *count, const char **pair,
                      struct err *e)
{
	struct player_doc p = { .userid = NULL };
	bool found = store_player_get(q->site->store, q->arena, other, &p, NULL) == 0;
	const char *mailbox = first_mailbox(q, by), *at = found ? first_mailbox(q, &p) : NULL;
	const char *keys[][2] = { { by->userid, other }, { mailbox, other }, { mailbox, at } };
	int rc = 0;

	*count = 0;
	for (size_t i = 0; rc == 0 && i < sizeof keys / sizeof *keys; i++) {
		const char *key = arena_printf(q->arena, "%s %s", keys[i][0] ? keys[i][0] : "",
		                               keys[i][1] ? keys[i][1] : "");
		int64_t here = 0;

		if (!keys[i][0] || !keys[i][1])
			continue;
		rc = request_count_event(q, what, key, window, &here, e);
		if (here > *count) {
			*count = here;
			*pair = key;
		}
	}
	return rc;
}

/* The same by the sender's domain. */
static int count_domain(struct request *q, const char *what, const struct player_doc *by,
                        const char *other, int64_t *count, struct err *e)
{
	char domain[MAIL_LIMITS_ADDRESS_SIZE];

	if (by->address_count == 0)
		return 0;
	mail_limits_domain(by->addresses[0].address, domain);
	return request_count_event(q, what, arena_printf(q->arena, "%s %s", domain, other),
	                           CLOCK_DAY, count, e);
}

/* Counts a mail from one player to another who has not agreed to play; what: "offers" or "watches". */
static int count_unasked(struct request *q, const char *what, const struct player_doc *by,
                         const char *other, struct err *e)
{
	int64_t to = 0, near = 0, all = 0;
	const char *pair;
	int rc = count_pair(q, arena_printf(q->arena, "%s-to", what), by, other, CLOCK_DAY, &to,
	                    &pair, e);

	if (rc < 0 || to > MAIL_LIMITS_OFFERS_TO_A_DAY)
		return rc;
	if (by->created + (int64_t)MAIL_LIMITS_NEW_DAYS * CLOCK_DAY < q->now)
		return 1;
	rc = count_domain(q, arena_printf(q->arena, "%s-domain", what), by, other, &near, e);
	if (rc < 0 || near > MAIL_LIMITS_OFFERS_DOMAIN_A_DAY)
		return rc;
	rc = request_count_event(q, arena_printf(q->arena, "%s-new", what), other, CLOCK_DAY, &all,
	                         e);
	return rc < 0 ? rc : all <= MAIL_LIMITS_OFFERS_NEW_A_DAY;
}

int mail_limits_may_offer(struct request *q, const struct player_doc *by, const char *other,
                          struct err *e)
{
	int64_t all = 0;
	int rc = count_unasked(q, "offers", by, other, e);

	if (rc <= 0)
		return rc;
	rc = request_count_event(q, "offers", by->userid, CLOCK_DAY, &all, e);
	return rc < 0 ? rc : all <= MAIL_LIMITS_OFFERS_A_DAY;
}

const char *mail_limits_scope(struct request *q)
{
	const struct token *t = &q->who.token;
	const struct match *m;

	if (q->who.proof != PROOF_TOKEN)
		return "all";
	if (t->kind != TOKEN_GAME)
		return t->kind == TOKEN_CONFIRM  ? "question"
		       : t->kind == TOKEN_DIGEST ? "digest"
		       : t->kind == TOKEN_WATCH  ? "watch"
		       : t->kind == TOKEN_PUZZLE ? "puzzle"
		                                 : "lobby";
	m = request_match(q, t->board, NULL);
	if (m && m->doc.state == GAME_RUNNING)
		return arena_printf(q->arena, "board %lld", (long long)t->board);
	return m && m->doc.state == GAME_OFFERED ? "lobby" : "ended";
}

int mail_limits_may_be_long(struct request *q, size_t pages, struct err *e)
{
	const char *whom = arena_printf(q->arena, "%s %s", request_userid(q), mail_limits_scope(q));
	int64_t count = 0;
	int rc = 0;

	if (q->who.proof != PROOF_TOKEN || pages <= MAIL_LIMITS_PAGES)
		return 1;
	for (size_t i = 0; rc == 0 && i < pages && count <= MAIL_LIMITS_PAGES_A_DAY; i++)
		rc = request_count_event(q, "pages", whom, CLOCK_DAY, &count, e);
	return rc < 0 ? rc : count <= MAIL_LIMITS_PAGES_A_DAY;
}

bool mail_limits_may_play(struct request *q)
{
	const char *scope = mail_limits_scope(q);

	return strcmp(scope, "all") == 0 || strcmp(scope, "digest") == 0 ||
	       str_prefix(scope, "board ");
}

int mail_limits_may_write(struct request *q, const struct player_doc *by, const char *other,
                          bool agreed, struct err *e)
{
	int64_t count = 0;
	const char *pair;

	if (!agreed)
		return count_unasked(q, "offers", by, other, e);
	int rc = count_pair(q, "writes-to", by, other, CLOCK_DAY, &count, &pair, e);
	return rc < 0 ? rc : count <= MAIL_LIMITS_WRITES_A_DAY;
}

int mail_limits_may_watch_talk(struct request *q, const struct player_doc *by, const char *other,
                               struct err *e)
{
	return count_unasked(q, "watches", by, other, e);
}

int mail_limits_check_sender(struct request *q, struct err *e)
{
	int64_t count = 0;

	if (!request_is_proved(q))
		return 0;
	const char *whom = arena_printf(q->arena, "%s %s", request_userid(q), mail_limits_scope(q));
	int rc = request_count_event(q, "sender", whom, CLOCK_DAY, &count, e);
	return rc < 0 ? rc : count > q->site->conf.sender_per_day;
}

int mail_limits_is_talk_full(struct request *q, const struct player_doc *by, const char *other,
                             int64_t *ends, struct err *e)
{
	const char *pair;
	int64_t count = 0;
	int rc = count_pair(q, "talks-to", by, other, HOUR, &count, &pair, e);

	if (rc < 0 || count <= MAIL_LIMITS_TALKS_AN_HOUR)
		return rc;
	rc = request_event_ends(q, "talks-to", pair, ends, e);
	return rc < 0 ? rc : 1;
}
