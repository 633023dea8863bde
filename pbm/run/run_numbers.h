/* Counts the work of runs for pbm stats. */
#pragma once

#include "mail/transport/transport.h"
#include "pbm/outbox/run_report.h"
#include "store/store.h"

#define RUN_FATES (MAIL_REFUSED + 1)

/* Counts mails by enum mail_fate, in the transaction of these mails.  A mail that is left where it
 * is comes again, and does not count. */
int run_numbers_mails(struct store *s, const int64_t n[RUN_FATES], struct err *e);

/* The number of mails that were worked on so far. */
int run_numbers_taken(struct store *s, int64_t *n, struct err *e);

/* Adds a run of so many milliseconds at its end, outside a transaction.  A run that did nothing
 * writes only once an hour. */
int run_numbers_note(struct store *s, const struct run_report *r, int64_t start, int64_t took,
                     struct err *e);
