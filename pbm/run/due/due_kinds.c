#include "pbm/run/due/due.h"

#include <stdio.h>

#include "pbm/answer/notify.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/commands/lobby/digest.h"
#include "pbm/commands/play/puzzle_mail.h"
#include "pbm/commands/tournament/tournament_round.h"
#include "pbm/people/digest_time.h"
#include "pbm/people/settings.h"
#include "pbm/tournament/tournament_teams.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"
#include "store/store_tournaments.h"

#define STEPS 200 /* in one run: rounds of byes and forfeits follow each other at once */

/* ---- suspensions whose time is over end, and the players are told ---- */

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
static void fail_suspension(const char *userid, const char *why)
{
	log_warn("%s's suspension is not ended: %s", userid, why);
}

const struct due_kind due_suspensions = { store_suspended_due, end_suspension, fail_suspension };

/* ---- digests whose hour has come; after days without a run each player gets one ---- */

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
static void fail_digest(const char *userid, const char *why)
{
	log_warn("no digest for %s: %s", userid, why);
}

const struct due_kind due_digests = { store_digest_due, send_digest, fail_digest };

/* ---- tournaments move on without a mail: those whose time has come begin or are cancelled, rounds
 * are paired, games start, directors are asked about long rounds.  One that fails stays as it is. ---- */

/* Closes the entries: the tournament begins, or there are too few players. */
static int close_entries(struct request *q, struct tournament_doc *t, struct err *e)
{
	size_t ready = tournament_ready(t);

	if (ready < (size_t)t->least || ready < 2)
		return tournament_finish(q, t,
		                         t->by_teams ? "too few teams have entered"
		                                     : "too few players have entered",
		                         e);
	return tournament_start(q, t, e);
}

static int step(struct request *q, const char *key, struct err *e)
{
	struct tournament_doc t;
	int rc = 0;

	for (int i = 0; rc == 0 && i < STEPS; i++) {
		rc = store_tournament_get(q->site->store, q->arena, key, &t, e);
		if (rc < 0 || !t.due || t.due > q->now)
			return rc;
		if (t.state == TOURNAMENT_OPEN)
			rc = close_entries(q, &t, e);
		else if (t.state == TOURNAMENT_RUNNING)
			rc = tournament_go_on(q, &t, false, e);
		else if (t.state == TOURNAMENT_FINISHED)
			rc = tournament_finish(q, &t, NULL, e);
		else
			return 0;
	}
	return rc;
}

static int go_on(struct request *q, const char *key, int64_t, struct err *e)
{
	snprintf(q->cause, sizeof q->cause, "tournament %.32s", key);
	int rc = step(q, key, e);
	return rc == 0 ? notify_all(q, e) : rc;
}

static void fail_tournament(const char *key, const char *why)
{
	log_error("the tournament %s can't go on: %s", key, why);
}

const struct due_kind due_tournaments = { store_tournaments_due, go_on, fail_tournament };
