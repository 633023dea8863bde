/* One run: mails in, one transaction a batch, mails out, archive.  A crash at
 * any point and the next run end in the state of an undisturbed run. */
#ifndef PBM_TICK_H
#define PBM_TICK_H

#include <stddef.h>

#include "mail/transport.h"
#include "pbm/site.h"

struct tick_report {
	size_t handled, quarantined, retried, refused; /* mails in */
	size_t sent, deferred, failed;           /* mails out */
	size_t published;                        /* archive pages of games */
};

/* Takes every mail of source, sends the outbox to sink, publishes.  The store
 * must be open for writing.  flags: enum handle_flags. */
int tick_run(struct site *site, struct mail_source *source, struct mail_sink *sink,
             unsigned flags, struct tick_report *report, struct err *e);

/* The outbox alone: everything due goes out. */
int outbox_flush(struct site *site, struct mail_sink *sink, struct tick_report *report,
                 struct err *e);

/* Keeps a mail that can't be worked on in quarantine/, with the reason beside
 * it, and tells the operator, once for each mail, within the transaction. */
int quarantine(struct site *site, const struct mail_raw *raw, const char *why, struct err *e);

#endif
