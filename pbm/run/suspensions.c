#include "pbm/run/suspensions.h"

#include <stdio.h>

#include "pbm/answer/notify.h"
#include "pbm/base/log.h"
#include "store/keys.h"
#include "store/store_documents.h"
#include "store/store_standing.h"

#define PLAYERS 20 /* of one transaction */

struct suspended_players {
	size_t n;
	char v[PLAYERS][KEY_USERID_MAX + 1];
};

static int add_player(const char *userid, void *arg)
{
	struct suspended_players *d = arg;

	snprintf(d->v[d->n++], sizeof d->v[0], "%s", userid);
	return 0;
}

static int end_suspension(struct site *site, struct arena *a, const char *userid, int64_t now,
                          struct err *e)
{
	struct request *q = arena_alloc(a, sizeof *q);
	struct player_doc p;
	int rc = store_player_at(site->store, a, userid, &p, e);

	if (rc < 0)
		return rc;
	*q = (struct request){ .site = site, .arena = a, .now = now };
	snprintf(q->cause, sizeof q->cause, "suspended %.24s %lld", userid, (long long)p.suspended);
	p.suspended = 0;
	rc = store_player_put(site->store, &p, e);
	if (rc < 0 || p.deleted)
		return rc;
	struct note *n = request_note(q, p.userid, 0, NOTE_ACCOUNT);
	n->subject = "you can begin new games again";
	n->headline = "Your suspension is over: you can begin new games again.";
	return notify_all(q, e);
}

/* A document that can't be read stays suspended, and must not stop the others. */
static int try_player(struct site *site, const char *userid, int64_t now, bool *done, struct err *e)
{
	struct arena a = { 0 };
	struct err why = { 0 };
	int rc = store_mark(site->store, e);

	if (rc < 0)
		return rc;
	rc = end_suspension(site, &a, userid, now, &why);
	arena_release(&a);
	*done |= rc == 0;
	if (rc == 0)
		return store_release_mark(site->store, e);
	if (store_rollback_to_mark(site->store, NULL) < 0 || err_is_of_machine(&why))
		return err_set(e, why.code, "%s", why.text);
	log_warn("%s's suspension is not ended: %s", userid, why.text);
	return 0;
}

int suspensions_run(struct site *site, int64_t now, struct err *e)
{
	struct suspended_players due;
	bool done;
	int rc;

	do {
		due.n = 0;
		done = false;
		rc = store_suspended_due(site->store, now, PLAYERS, add_player, &due, e);
		if (rc < 0 || due.n == 0)
			break;
		rc = store_begin(site->store, e);
		for (size_t i = 0; rc == 0 && i < due.n; i++)
			rc = try_player(site, due.v[i], now, &done, e);
		rc = store_end(site->store, rc, e);
	} while (rc == 0 && done && due.n == PLAYERS);
	return rc;
}
