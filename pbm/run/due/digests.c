#include "pbm/run/due/digests.h"

#include <stdio.h>

#include "pbm/answer/notify.h"
#include "pbm/base/log.h"
#include "pbm/commands/lobby/digest.h"
#include "pbm/people/digest_time.h"
#include "pbm/run/due/due.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"

/* The mails' Message-IDs come from the player and the due time. */
static int send_digest(struct request *q, const char *userid, int64_t due, struct err *e)
{
	struct player_doc p;
	struct note *note = NULL;
	int rc = store_player_get(q->site->store, q->arena, userid, &p, e);

	if (rc < 0)
		return rc;
	snprintf(q->cause, sizeof q->cause, "digest %.24s %lld", userid, (long long)due);
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

/* Such a digest is tried again in the next run. */
static void failed(const char *userid, const char *why)
{
	log_warn("no digest for %s: %s", userid, why);
}

int digests_run(struct site *site, int64_t now, struct err *e)
{
	static const struct due_kind kind = { store_digest_due, send_digest, failed };

	return due_run(site, now, &kind, e);
}
