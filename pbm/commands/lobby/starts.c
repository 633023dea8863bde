#include "pbm/commands/lobby/starts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pbm/answer/notify.h"
#include "pbm/base/array.h"
#include "pbm/commands/lobby/digest.h"
#include "pbm/people/computer.h"
#include "pbm/people/consent.h"
#include "pbm/record/match.h"

/* Counts the starts for one player: they may be with many others.  1: it may begin. */
static int may_get(struct request *q, const char *userid, struct err *e)
{
	int64_t n = 0;
	int rc = request_count_event(q, "started-for", userid, 3600, &n, e);

	if (rc == 0 && n > STARTS_MAX)
		request_refuse(
			q, 0,
			"Moderators have started %d games for %s, and more are too many at once.  Try again in an hour.",
			STARTS_MAX, userid);
	return rc < 0 ? rc : n <= STARTS_MAX;
}

int starts_may(struct request *q, const struct player_doc players[2], struct err *e)
{
	const char *const u[2] = { players[0].userid, players[1].userid };
	bool first = strcasecmp(u[0], u[1]) < 0;
	int64_t n = 0;
	int rc = request_count_event(
		q, "started", arena_printf(q->arena, "%s %s", u[!first], u[first]), 3600, &n, e);

	if (rc == 0 && n > STARTS_MAX)
		request_refuse(
			q, 0,
			"You have started %d games for %s and %s, and more are too many at once.  Try again in an hour.",
			STARTS_MAX, u[0], u[1]);
	if (rc < 0 || n > STARTS_MAX)
		return rc;
	if (computer_is(&players[0]) ||
	    computer_is(&players[1])) /* they have limits of their own */
		return 1;
	rc = may_get(q, u[0], e);
	return rc == 1 && strcasecmp(u[0], u[1]) != 0 ? may_get(q, u[1], e) : rc;
}

/* The player's list that keeps the other one away; NULL: none. */
static const char *blocks(struct request *q, const struct player_doc *p,
                          const struct player_doc *other)
{
	return consent_has_person(q, p, CONSENT_NOPLAY, other)   ? CONSENT_NOPLAY
	       : consent_has_person(q, p, CONSENT_CENSOR, other) ? CONSENT_CENSOR
	                                                         : NULL;
}

bool starts_is_refused(struct request *q, const struct player_doc *moderator,
                       const struct player_doc players[2])
{
	for (size_t i = 0; i < 2; i++) {
		const struct player_doc *p = &players[i], *other = &players[!i];
		const char *list = blocks(q, p, other);

		if (consent_shares_mailbox(moderator, p))
			return request_refused(
				q, 0,
				"%s gets mail at the same address as you, so this would be a game of your own.  Offer it from that account.",
				p->userid);
		if (list)
			return request_refused(
				q, 0,
				"%s wants no games with %s, so you cannot start one for them.  Only %s can change that, and writes: %s off %s",
				p->userid, other->userid, p->userid, list, other->userid);
	}
	return false;
}

struct starts {
	struct arena arena;
	size_t n, cap;
	struct note *v;
};

struct starts *starts_open(void)
{
	struct starts *s = mem_alloc(sizeof *s);

	*s = (struct starts){ 0 };
	return s;
}

void starts_close(struct starts *s)
{
	arena_release(&s->arena);
	free(s->v);
	free(s);
}

size_t starts_count(const struct starts *s)
{
	return s->n;
}

void starts_forget(struct starts *s, size_t from)
{
	s->n = from;
}

static const char *copy(struct starts *s, const char *text)
{
	return text ? arena_strdup(&s->arena, text) : NULL;
}

static bool waits(const struct starts *s, int64_t board)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].board == board)
			return true;
	return false;
}

int starts_take(struct request *q, struct err *e)
{
	struct starts *s = q->site->run.starts;
	size_t left = 0;

	for (size_t i = 0; i < q->note_count; i++)
		if (q->notes[i].board && waits(s, q->notes[i].board))
			return err_set(e, ERR_AGAIN, "players must be told of their game first");
	for (size_t i = 0; i < q->note_count; i++) {
		struct note n = q->notes[i];

		if (!(n.flags & NOTE_STARTED) || request_is_by(q, n.userid)) {
			q->notes[left++] = n;
			continue;
		}
		n.userid = copy(s, n.userid);
		n.headline = copy(s, n.headline);
		n.body = copy(s, n.body);
		n.comment = copy(s, n.comment);
		n.comment_by = copy(s, n.comment_by);
		n.command = NULL;
		*ARRAY_ADD(NULL, s) = n;
	}
	q->note_count = left;
	return 0;
}

static bool is_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

/* Draws the boards where it is the reader's move. */
static int tell_several(struct request *q, struct bundle *b, struct note *notes, struct err *e)
{
	int rc = digest_remember(q, b, e);

	b->subject = arena_printf(q->arena, "%zu games begin", b->n);
	for (size_t i = b->n; i-- > 0;) {
		struct note *n = &notes[i];

		n->flags &= ~(unsigned)NOTE_START;
		if (n->seat != SEAT_WHITE)
			n->flags &= ~(unsigned)(NOTE_BOARD | NOTE_ASK);
		if (i > 0 && is_same(n->comment, notes[i - 1].comment))
			n->comment = NULL;
	}
	return rc == 0 ? notify_reader(q, b, e) : rc;
}

/* 1: the game goes on; 0: it has ended since, and the players have been told of that. */
static int is_running(struct request *q, const struct note *n, struct err *e)
{
	const struct match *m = request_match(q, n->board, e);

	return m ? m->doc.state == GAME_RUNNING : e->code;
}

/* The body of the first of a mail's notes, with the way out of a game that nobody asked for. */
static const char *way_out(struct request *q, const struct note *n, bool several)
{
	const char *said = several ? arena_printf(q->arena,
	                                          "If you don't want a game, write: abort %lld",
	                                          (long long)n->board)
	                           : "If you don't want this game, answer: abort";

	return n->body ? arena_printf(q->arena, "%s\n%s", said, n->body) : said;
}

int starts_tell_reader(struct request *q, const char *userid, int64_t, struct err *e)
{
	const struct starts *s = q->site->run.starts;
	struct note *notes = arena_alloc(q->arena, s->n * sizeof *notes);
	struct bundle *b = arena_alloc(q->arena, sizeof *b);
	int rc = 0;

	*b = (struct bundle){ .reader = userid };
	for (size_t i = 0; rc >= 0 && i < s->n && b->n < STARTS_OF_MAIL; i++) {
		if (strcasecmp(s->v[i].userid, userid) != 0)
			continue;
		rc = is_running(q, &s->v[i], e);
		notes[b->n] = s->v[i];
		b->notes[b->n] = &notes[b->n];
		b->n += rc == 1;
	}
	if (rc < 0 || b->n == 0)
		return rc < 0 ? rc : 0;
	notes->body = way_out(q, notes, b->n > 1);
	snprintf(q->cause, sizeof q->cause, "starts %lld", (long long)notes->board);
	if (b->n > 1)
		return tell_several(q, b, notes, e);
	b->board = notes->board;
	return notify_reader(q, b, e);
}

const char *starts_reader(const struct starts *s)
{
	return s->n ? s->v[0].userid : NULL;
}

void starts_told(struct starts *s, const char *userid)
{
	size_t left = 0, told = 0;

	for (size_t i = 0; i < s->n; i++)
		if (told < STARTS_OF_MAIL && strcasecmp(s->v[i].userid, userid) == 0)
			told++;
		else
			s->v[left++] = s->v[i];
	s->n = left;
	if (!left) {
		arena_release(&s->arena);
		s->arena = (struct arena){ 0 };
	}
}
