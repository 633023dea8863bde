#include "pbm/run/tournaments.h"

#include <stdio.h>
#include <string.h>

#include "pbm/answer/notify.h"
#include "pbm/base/log.h"
#include "pbm/commands/tourney_round.h"
#include "store/keys.h"
#include "store/store_documents.h"
#include "store/store_tourneys.h"

#define CHUNK 20  /* tournaments looked for at once */
#define STEPS 200 /* in one run: rounds of byes and forfeits follow each other at once */

struct due_tourney {
	char key[KEY_USERID_MAX + 1];
	int64_t due;
};

struct due_tourneys {
	size_t n;
	struct due_tourney v[CHUNK];
};

static int add_tourney(const char *key, int64_t due, void *arg)
{
	struct due_tourneys *d = arg;

	snprintf(d->v[d->n].key, sizeof d->v[d->n].key, "%s", key);
	d->v[d->n++].due = due;
	return d->n == CHUNK;
}

/* Its entries are closed: it begins, or there are too few players. */
static int close_entries(struct request *q, struct tourney_doc *t, struct err *e)
{
	if (tourney_count(t, ENTRY_PLAYS) < (size_t)t->least)
		return tourney_finish(q, t, "too few players have entered", e);
	return tourney_start(q, t, e);
}

static int step(struct request *q, const char *key, struct err *e)
{
	struct tourney_doc t;
	int rc = 0;

	for (int i = 0; rc == 0 && i < STEPS; i++) {
		rc = store_tourney_get(q->site->store, q->arena, key, &t, e);
		if (rc < 0 || !t.due || t.due > q->now)
			return rc;
		if (t.state == TOURNEY_OPEN)
			rc = close_entries(q, &t, e);
		else if (t.state == TOURNEY_RUNNING)
			rc = tourney_go_on(q, &t, false, e);
		else
			return 0;
	}
	return rc;
}

/* One tournament's trouble must not stop the others. */
static int try_tourney(struct site *site, const char *key, int64_t now, struct err *e)
{
	struct arena arena = { 0 };
	struct request *q = arena_alloc(&arena, sizeof *q);
	struct err why = { 0 };
	int rc = store_mark(site->store, e);

	if (rc < 0) {
		arena_release(&arena);
		return rc;
	}
	*q = (struct request){ .site = site, .arena = &arena, .now = now };
	snprintf(q->cause, sizeof q->cause, "tournament %.32s", key);
	rc = step(q, key, &why);
	if (rc == 0)
		rc = notify_all(q, &why);
	arena_release(&arena);
	if (rc == 0)
		return store_release_mark(site->store, e);
	if (store_rollback_to_mark(site->store, NULL) < 0 || err_is_of_machine(&why))
		return err_set(e, why.code, "%s", why.text);
	log_error("the tournament %s can't go on: %s", key, why.text);
	return 0;
}

int tournaments_run(struct site *site, int64_t now, struct err *e)
{
	struct due_tourneys due = { .n = CHUNK };
	struct due_tourney last = { 0 };
	int rc = 0;

	while (rc == 0 && due.n == CHUNK) {
		due.n = 0;
		rc = store_tourneys_due(site->store, now, last.due, last.key, CHUNK, add_tourney,
		                        &due, e);
		if (rc < 0 || due.n == 0)
			break;
		last = due.v[due.n - 1];
		rc = store_begin(site->store, e);
		for (size_t i = 0; rc == 0 && i < due.n; i++)
			rc = try_tourney(site, due.v[i].key, now, e);
		rc = store_end(site->store, rc, e);
	}
	return rc;
}
