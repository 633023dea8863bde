/* Moves tournaments on without a mail: begins or cancels those whose time has come, pairs rounds
 * and starts games, asks directors about long rounds.  A tournament that fails is left unchanged and
 * logged. */
#include <stdio.h>

#include "pbm/answer/notify.h"
#include "pbm/base/log.h"
#include "pbm/commands/tournament/tournament_round.h"
#include "pbm/run/due/due.h"
#include "pbm/tournament/tournament_teams.h"
#include "store/store_documents.h"
#include "store/store_tournaments.h"

#define STEPS 200 /* in one run: rounds of byes and forfeits follow each other at once */

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

static int work(struct request *q, const char *key, int64_t, struct err *e)
{
	snprintf(q->cause, sizeof q->cause, "tournament %.32s", key);
	int rc = step(q, key, e);
	return rc == 0 ? notify_all(q, e) : rc;
}

static void failed(const char *key, const char *why)
{
	log_error("the tournament %s can't go on: %s", key, why);
}

const struct due_kind due_tournaments = { store_tournaments_due, work, failed };
