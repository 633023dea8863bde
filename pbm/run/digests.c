#include "pbm/run/digests.h"

#include <stdio.h>

#include "pbm/answer/notify.h"
#include "pbm/base/log.h"
#include "pbm/commands/digest.h"
#include "pbm/people/digest_time.h"
#include "store/keys.h"
#include "store/store_documents.h"
#include "store/store_watch.h"

#define PLAYERS 20 /* of one transaction */

struct due_player {
	char userid[KEY_USERID_MAX + 1];
	int64_t due;
};

struct due_players {
	size_t n;
	struct due_player v[PLAYERS];
};

static int add_player(const char *player, int64_t due, void *arg)
{
	struct due_players *d = arg;

	snprintf(d->v[d->n].userid, sizeof d->v[d->n].userid, "%s", player);
	d->v[d->n++].due = due;
	return 0;
}

/* The mails' Message-IDs derive from the player and the time that was due. */
static int send_digest(struct request *q, const struct due_player *d, struct err *e)
{
	struct player_doc p;
	struct note *note = NULL;
	int rc = store_player_get(q->site->store, q->arena, d->userid, &p, e);

	if (rc < 0)
		return rc;
	snprintf(q->cause, sizeof q->cause, "digest %.24s %lld", d->userid, (long long)d->due);
	p.digest_due = digest_time_next(&p, q->now);
	if (p.digest_due && !p.signed_off)
		rc = digest_make(q, &p, DIGEST_BOARDS, &note, e);
	if (rc == 0)
		rc = store_player_put(q->site->store, &p, e);
	if (rc < 0 || !note)
		return rc;
	struct bundle b = { .reader = p.userid, .n = 1, .notes = { note } };
	return notify_reader(q, &b, e);
}

/* One player's trouble must not stop the others: such a digest is tried again in the next
 * run, and only trouble of the machine ends this one. */
static int try_player(struct site *site, const struct due_player *d, int64_t now, struct err *e)
{
	struct arena arena = { 0 };
	struct request *q = arena_alloc(&arena, sizeof *q);
	struct err why = { 0 };
	int rc = store_mark(site->store, e);

	if (rc < 0) {
		arena_release(&arena);
		return rc;
	}
	q->site = site;
	q->arena = &arena;
	q->now = now;
	rc = send_digest(q, d, &why);
	arena_release(&arena);
	if (rc == 0)
		return store_release_mark(site->store, e);
	if (store_rollback_to_mark(site->store, NULL) < 0 || err_is_of_machine(&why))
		return err_set(e, why.code, "%s", why.text);
	log_warn("no digest for %s: %s", d->userid, why.text);
	return 0;
}

int digests_run(struct site *site, int64_t now, struct err *e)
{
	struct due_players due = { .n = PLAYERS };
	struct due_player last = { 0 };
	int rc = 0;

	while (rc == 0 && due.n == PLAYERS) {
		due.n = 0;
		rc = store_digest_due(site->store, now, last.due, last.userid, PLAYERS, add_player,
		                      &due, e);
		if (rc < 0 || due.n == 0)
			break;
		last = due.v[due.n - 1];
		rc = store_begin(site->store, e);
		for (size_t i = 0; rc == 0 && i < due.n; i++)
			rc = try_player(site, &due.v[i], now, e);
		rc = store_end(site->store, rc, e);
	}
	return rc;
}
