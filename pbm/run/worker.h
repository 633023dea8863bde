/* This machine among those that share the store. */
#pragma once

#include <stdbool.h>

#include "pbm/site/site.h"
#include "store/shared/store_workers.h"

/* Notes that this machine is there, and what it works with.  *stands_by: the server is far from here, so
 * that a mail would keep the others waiting, and a machine that is nearer is at work. */
int worker_note(struct site *site, bool *stands_by, struct err *e);

/* Fills in the sums of the settings that must be the same on all machines, of the templates and of the
 * keys, in the arena. */
void worker_sums(const struct site *site, struct arena *a, struct worker *out);

/* The settings that differ between two machines, by their sums: "batch, host", in the arena; "pbm.conf": one of
 * them is of a version that did not note which; NULL: none. */
const char *worker_other_settings(const char *here, const char *there, struct arena *a);

/* Can it work on mails without keeping the others waiting? */
bool worker_is_near(const struct worker *w);

/* Within a transaction: forgets a machine, and its clock and folder, for which reminders and deadlines would
 * wait. */
int worker_forget(struct store *s, const char *name, struct err *e);

/* A number of this host and folder.  The value of that name is that of the last run under this machine's name. */
int64_t worker_home(const struct site *site);
#define WORKER_HOME "worker-home"

#define WORKER_ALIVE 120  /* seconds since a run within which a machine is at work */
#define WORKER_SILENT 600 /* seconds after which a machine seems to be gone */
