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

#define WORKER_SILENT 600 /* seconds after which a machine seems to be gone */
