/* Sends the digests whose hour has come, and sets the time of the players' next ones.  After days
 * without a run each player gets one. */
#include <stdio.h>

#include "pbm/answer/notify.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/commands/lobby/digest.h"
#include "pbm/commands/play/puzzle_mail.h"
#include "pbm/people/digest_time.h"
#include "pbm/people/settings.h"
#include "pbm/run/due/due.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"

static int send_note(struct request *q, const struct player_doc *p, const struct note *note,
                     struct err *e)
{
	struct bundle b = { .reader = p->userid, .n = 1, .notes = { note } };

	return note ? notify_reader(q, &b, e) : 0;
}

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
	if (p.digest_due && !p.signed_off && !settings_is(&p, "digest", "off"))
		rc = digest_make(q, &p, DIGEST_BOARDS, due - CLOCK_DAY, &note, e);
	if (rc == 0)
		rc = store_player_put(q->site->store, &p, e);
	if (rc == 0)
		rc = send_note(q, &p, note, e);
	q->answer.digest = 0;
	if (rc == 0 && p.digest_due && !p.signed_off)
		rc = puzzle_due(q, &p, due, &note, e);
	return rc == 0 ? send_note(q, &p, note, e) : rc;
}

/* Such a digest is tried again in the next run. */
static void failed(const char *userid, const char *why)
{
	log_warn("no digest for %s: %s", userid, why);
}

const struct due_kind due_digests = { store_digest_due, send_digest, failed };
