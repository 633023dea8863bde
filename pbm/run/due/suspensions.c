#include "pbm/run/due/suspensions.h"

#include <stdio.h>

#include "pbm/answer/notify.h"
#include "pbm/base/log.h"
#include "pbm/run/due/due.h"
#include "store/document/keys.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"

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

static int end_suspension(struct request *q, const char *userid, int64_t, struct err *e)
{
	struct player_doc p;
	int rc = store_player_at(q->site->store, q->arena, userid, &p, e);

	if (rc < 0)
		return rc;
	snprintf(q->cause, sizeof q->cause, "suspended %.24s %lld", userid, (long long)p.suspended);
	p.suspended = 0;
	p.barred = NULL;
	rc = store_player_put(q->site->store, &p, e);
	if (rc < 0 || p.deleted)
		return rc;
	struct note *n = request_note(q, p.userid, 0, NOTE_ACCOUNT);
	n->subject = "you can begin new games again";
	n->headline = "Your suspension is over: you can begin new games again.";
	return notify_all(q, e);
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
		for (size_t i = 0; rc >= 0 && i < due.n; i++) {
			struct err why = { 0 };

			rc = due_try(site, now, end_suspension, due.v[i], 0, &why, e);
			done |= rc == 0;
			/* Such a document stays suspended, and must not stop the others. */
			if (rc == 1)
				log_warn("%s's suspension is not ended: %s", due.v[i], why.text);
			rc = rc < 0 ? rc : 0;
		}
		rc = store_end(site->store, rc, e);
	} while (rc == 0 && done && due.n == PLAYERS);
	return rc;
}
