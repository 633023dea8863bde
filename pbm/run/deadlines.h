/* What the server does about clocks of its own accord: reminders, warnings, the
 * end of games whose time is up, offers that nobody answered.  Everything about one
 * game is one savepoint of a transaction, its mails among it: it happens once. */
#ifndef PBM_RUN_DEADLINES_H
#define PBM_RUN_DEADLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/site/site.h"

struct match;
struct request;

struct deadlines_report {
	size_t reminded, ended; /* games; warnings are reminders, offers may end too */
	bool later;             /* the time for this was over: more in the next run */
};

/* Everything that is due at now, in transactions of pbm.conf's batch.  To be called
 * when every mail that had arrived by then is taken, and only then.  Nothing is
 * written when nothing is due.  The store is open for writing. */
int deadlines_run(struct site *site, int64_t now, struct deadlines_report *report, struct err *e);

/* fn on one game inside a mark of the transaction; *q is fresh.  A game that
 * fails, for its file is damaged, say, is left as it is, and logged.  Where the
 * machine is at fault *halt says so: what was done before it is to be committed, and
 * the rest to wait for the next run, until that has happened in a few.  <0: the
 * transaction can't go on. */
typedef int deadlines_fn(struct request *q, struct match *m, void *arg, struct err *e);
int deadlines_try(struct site *site, int64_t board, int64_t now, deadlines_fn *fn, void *arg,
                  struct err *halt, struct err *e);

#endif
