/* Ends suspensions whose time is over, and tells the players. */
#include <stdio.h>

#include "pbm/answer/notify.h"
#include "pbm/base/log.h"
#include "pbm/run/due/due.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"

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

/* Such a document stays suspended. */
static void failed(const char *userid, const char *why)
{
	log_warn("%s's suspension is not ended: %s", userid, why);
}

const struct due_kind due_suspensions = { store_suspended_due, end_suspension, failed };
