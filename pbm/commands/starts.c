#include "pbm/commands/starts.h"

#include <strings.h>

#include "pbm/answer/notify.h"
#include "pbm/commands/digest.h"
#include "pbm/people/consent.h"
#include "store/store_documents.h"

#define ENCODED_MAX 4000

int starts_may(struct request *q, const char *const u[2], struct err *e)
{
	bool first = strcasecmp(u[0], u[1]) < 0;
	int64_t n = 0;
	int rc = request_count_event(
		q, "started", arena_printf(q->arena, "%s %s", u[!first], u[first]), 3600, &n, e);

	if (rc == 0 && n > STARTS_MAX)
		request_refuse(
			q, 0,
			"You have started %d games for %s and %s, and more are too many at once.  Try again in an hour.",
			STARTS_MAX, u[0], u[1]);
	return rc < 0 ? rc : n <= STARTS_MAX;
}

/* Which list of the player keeps the other one away?  NULL: none. */
static const char *blocks(const struct player_doc *p, const struct player_doc *other)
{
	return consent_has(p, CONSENT_NOPLAY, other->userid)   ? CONSENT_NOPLAY
	       : consent_has(p, CONSENT_CENSOR, other->userid) ? CONSENT_CENSOR
	                                                       : NULL;
}

bool starts_is_refused(struct request *q, const struct player_doc *moderator,
                       const struct player_doc players[2])
{
	for (size_t i = 0; i < 2; i++) {
		const struct player_doc *p = &players[i], *other = &players[!i];
		const char *list = blocks(p, other);

		if (consent_shares_mailbox(moderator, p)) {
			request_refuse(
				q, 0,
				"%s gets mail at the same address as you, so this would be a game of your own.  Offer it from that account.",
				p->userid);
			return true;
		}
		if (list) {
			request_refuse(
				q, 0,
				"%s wants no games with %s, so you cannot start one for them.  Only %s can change that, and writes: %s off %s",
				p->userid, other->userid, p->userid, list, other->userid);
			return true;
		}
	}
	return false;
}

static bool is_of(const struct request *q, const struct note *n, const char *userid)
{
	return (n->flags & NOTE_STARTED) && strcasecmp(n->userid, userid) == 0 &&
	       !request_is_by(q, userid);
}

/* Lists the boards in the reader's document, so that the mail's token is good for them. */
static int list_boards(struct request *q, const struct bundle *b, struct err *e)
{
	struct player_doc p;
	char encoded[ENCODED_MAX];
	struct str s = STR_FIXED(encoded);
	int rc = store_player_get(q->site->store, q->arena, b->reader, &p, e);

	for (size_t i = 0; rc == 0 && i < b->n; i++) {
		const struct match *m = request_match(q, b->notes[i]->board, e);

		if (!m)
			return e->code;
		struct listed_board l = { m->doc.board, b->notes[i]->seat, m->stamp };
		listed_write(&l, &s);
	}
	if (rc < 0)
		return rc;
	digest_remember(q, &p, arena_strdup(q->arena, encoded));
	return store_player_put(q->site->store, &p, e);
}

/* One mail; the boards are drawn where it is the reader's move. */
static int send(struct request *q, const struct bundle *b, struct err *e)
{
	struct bundle own = { .reader = b->reader,
		              .n = b->n,
		              .subject = arena_printf(q->arena, "%zu games begin", b->n) };
	int64_t digest = q->digest;
	int rc = list_boards(q, b, e);

	for (size_t i = 0; rc == 0 && i < b->n; i++) {
		struct note *n = arena_alloc(q->arena, sizeof *n);

		*n = *b->notes[i];
		n->flags &= ~(unsigned)NOTE_START;
		if (n->seat != SEAT_WHITE)
			n->flags &= ~(unsigned)(NOTE_BOARD | NOTE_ASK);
		if (i > 0)
			n->comment = NULL;
		own.notes[i] = n;
	}
	if (rc == 0)
		rc = notify_reader(q, &own, e);
	q->digest = digest;
	return rc;
}

/* Takes the reader's notes out of the request. */
static void take(struct request *q, const char *userid, struct bundle *b)
{
	size_t left = 0;

	for (size_t i = 0; i < q->note_count; i++) {
		if (is_of(q, &q->notes[i], userid)) {
			struct note *n = arena_alloc(q->arena, sizeof *n);

			*n = q->notes[i];
			b->notes[b->n++] = n;
		} else {
			q->notes[left++] = q->notes[i];
		}
	}
	q->note_count = left;
}

int starts_tell(struct request *q, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < q->note_count;) {
		const char *userid = q->notes[i].userid;
		struct bundle b = { .reader = userid };
		size_t n = 0;

		for (size_t k = i; userid && k < q->note_count; k++)
			n += is_of(q, &q->notes[k], userid);
		if (n < 2 || !is_of(q, &q->notes[i], userid)) {
			i++;
			continue;
		}
		take(q, userid, &b);
		rc = send(q, &b, e);
	}
	return rc;
}
