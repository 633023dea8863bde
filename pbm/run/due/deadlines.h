/* Acts when time has passed: reminds and warns players, ends games whose time is up, and closes
 * offers that nobody answered.  Each game has a mark of the transaction, which covers its mails
 * too: so each step happens exactly once. */
#pragma once

#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/outbox/run_report.h"
#include "pbm/site/site.h"

struct match;
struct request;

/* Stands around the work on one game, so that a game which ends the program is known to the next
 * run.  begin: 1: it has ended too many; it is left alone, and the operator is told. */
struct deadlines_guard {
	void *arg;
	int (*begin)(void *arg, int64_t board, struct err *e);
	int (*end)(void *arg, struct err *e);
};

/* Does everything that is due at now, in transactions of pbm.conf's batch.  Call it only after
 * reading every mail that had arrived by then.  Writes nothing when nothing is due.  The store
 * is open for writing. */
int deadlines_run(struct site *site, int64_t now, const struct deadlines_guard *guard,
                  struct deadlines_report *report, struct err *e);

/* Calls fn on one game inside a mark of the transaction; *q is a new request.  A game that fails
 * (its file is damaged, for example) is left unchanged and logged.  If the machine is at fault,
 * *halt is set: commit the games before and leave the rest to the next run.  A game for which
 * this happened in several runs is skipped.  <0: the transaction can't go on. */
typedef int deadlines_fn(struct request *q, struct match *m, void *arg, struct err *e);
int deadlines_try(struct site *site, int64_t board, int64_t now, deadlines_fn *fn, void *arg,
                  struct err *halt, struct err *e);
