#include "pbm/request/request.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

#include "mail/robots/robot.h"
#include "pbm/base/log.h"
#include "pbm/base/utf8.h"
#include "pbm/record/match.h"
#include "pbm/request/request_player.h"
#include "pbm/text/text.h"
#include "store/store_documents.h"
#include "store/store_marks.h"

#define EVENT_KEY 400

struct request *request_new(struct site *site, struct arena *a, int64_t now)
{
	struct request *q = arena_alloc(a, sizeof *q);

	q->site = site;
	q->arena = a;
	q->now = now;
	return q;
}

int64_t request_board(const struct request *q)
{
	const struct token *t = &q->who.token;

	if (!q->who.has_token)
		return 0;
	if (t->kind == TOKEN_GAME || t->kind == TOKEN_WATCH)
		return t->board;
	return t->kind == TOKEN_DIGEST && q->who.listed.n == 1 ? q->who.listed.v[0].board : 0;
}

bool request_answers(const struct request *q, int64_t board)
{
	const struct token *t = &q->who.token;

	return q->who.has_token && t->kind == TOKEN_GAME && t->board == board;
}

size_t request_asked(const struct request *q, int64_t board)
{
	return q->bound.board ? q->bound.waits : request_answers(q, board) ? q->who.token.asked : 0;
}

bool request_is_proved(const struct request *q)
{
	return q->who.proof != PROOF_NONE;
}

int64_t request_came(const struct request *q)
{
	return q->received ? q->received : q->now;
}

static bool is_ours(void *site, const char *addr)
{
	return site_owns(site, addr);
}

struct robot_verdict request_judge_robot(const struct request *q)
{
	return robot_judge(&q->mail, NULL, is_ours, q->site);
}

bool request_is_by(const struct request *q, const char *userid)
{
	return q->who.known && strcasecmp(q->who.player.userid, userid) == 0;
}

const char *request_userid(const struct request *q)
{
	return q->who.known ? q->who.player.userid : NULL;
}

const char *request_zone(struct request *q, const char *userid)
{
	struct player_doc p;

	if (!userid)
		return NULL;
	if (!q->zone.userid || strcasecmp(q->zone.userid, userid) != 0) {
		bool found = store_player_get(q->site->store, q->arena, userid, &p, NULL) == 0;

		q->zone.name = found ? player_setting(&p, "timezone") : NULL;
		q->zone.userid = arena_strdup(q->arena, userid);
	}
	return q->zone.name;
}

const char *request_date(struct request *q, const char *userid, int64_t t)
{
	struct str when = STR_LOCAL(100);

	text_date(t, request_zone(q, userid), &when);
	return arena_strdup(q->arena, when.data);
}

/* The last note of a request that has too many: nobody must think that all was told. */
static void say_cut(struct request *q)
{
	log_warn("more than %d notes: the others are left out", REQUEST_NOTES_MAX);
	if (!q->mail.from)
		return;
	q->notes[q->note_count++] = (struct note){
		.seat = SEAT_NONE,
		.headline =
			"More happened than one mail can tell: some news to you and to others were left out.  To see how things stand, write: games",
	};
}

struct note *request_note(struct request *q, const char *userid, int64_t board, unsigned flags)
{
	static struct note dropped;

	if (q->note_count == REQUEST_NOTES_MAX - 1)
		say_cut(q);
	struct note *n = q->note_count < REQUEST_NOTES_MAX ? &q->notes[q->note_count++] : &dropped;

	*n = (struct note){ .userid = userid,
		            .board = board,
		            .flags = flags,
		            .seat = SEAT_NONE,
		            .command = q->current };
	return n;
}

/* The sentence in the arena, as UTF-8 whatever its parts were. */
__attribute__((format(printf, 2, 0))) static const char *write_sentence(struct request *q,
                                                                        const char *fmt, va_list ap)
{
	char text[1000];

	vsnprintf(text, sizeof text, fmt, ap);
	utf8_scrub(text);
	return arena_strdup(q->arena, text);
}

void request_say(struct request *q, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	request_note(q, NULL, 0, 0)->headline = write_sentence(q, fmt, ap);
	va_end(ap);
}

struct note *request_refuse(struct request *q, int64_t board, const char *fmt, ...)
{
	struct note *n = request_note(q, NULL, board, NOTE_REFUSED);
	va_list ap;

	va_start(ap, fmt);
	n->headline = write_sentence(q, fmt, ap);
	va_end(ap);
	if (q->who.known)
		n->seat = request_seat(q, request_match(q, board, NULL));
	if (board && q->failed.count < REQUEST_LINES_MAX)
		q->failed.boards[q->failed.count++] = board;
	return n;
}

struct note *request_tell(struct request *q, const char *userid, unsigned flags,
                          const char *subject, const char *fmt, ...)
{
	struct note *n = request_note(q, userid, 0, flags);
	va_list ap;

	n->subject = subject;
	va_start(ap, fmt);
	n->headline = arena_vprintf(q->arena, fmt, ap);
	va_end(ap);
	return n;
}

void request_page(struct request *q, const char *subject, const char *headline, const char *body)
{
	struct note *n = request_note(q, NULL, 0, 0);

	n->subject = subject;
	n->headline = headline;
	n->body = body;
}

/* The key of a count: an event of a kind for an address or userid, in small letters. */
static const char *event_key(const char *what, const char *whom, char key[EVENT_KEY])
{
	size_t n = (size_t)snprintf(key, EVENT_KEY, "%.60s:", what), i = 0;

	for (; whom[i] && n + i + 1 < EVENT_KEY; i++)
		key[n + i] = (char)tolower((unsigned char)whom[i]);
	key[n + i] = '\0';
	return key;
}

#define KEY(what, whom) event_key(what, whom, (char[EVENT_KEY]){ 0 })

int request_count_event(struct request *q, const char *what, const char *whom, int64_t window,
                        int64_t *count, struct err *e)
{
	return store_rate(q->site->store, KEY(what, whom), q->now, window, count, e);
}

int request_count_events(struct request *q, size_t n, struct request_event *v, int64_t window,
                         struct err *e)
{
	char keys[STORE_RATES_MAX][EVENT_KEY];
	struct store_value counts[STORE_RATES_MAX];

	for (size_t i = 0; i < n; i++)
		counts[i] = (struct store_value){ event_key(v[i].what, v[i].whom, keys[i]),
			                          &v[i].count };
	return store_rates(q->site->store, n, counts, q->now, window, e);
}

int request_event_count(struct request *q, const char *what, const char *whom, int64_t *count,
                        struct err *e)
{
	return store_rate_get(q->site->store, KEY(what, whom), q->now, count, e);
}

int request_event_ends(struct request *q, const char *what, const char *whom, int64_t *ends,
                       struct err *e)
{
	return store_rate_ends(q->site->store, KEY(what, whom), q->now, ends, e);
}

int request_event_take_back(struct request *q, const char *what, const char *whom, struct err *e)
{
	return store_rate_take_back(q->site->store, KEY(what, whom), q->now, e);
}

int request_forget_events(struct request *q, const char *what, const char *whom, struct err *e)
{
	return store_rate_forget(q->site->store, KEY(what, whom), e);
}
