/* Quarantine: mails that can't be worked on, kept as files with the reason beside. */
#ifndef PBM_RUN_QUARANTINE_H
#define PBM_RUN_QUARANTINE_H

#include "mail/transport/transport.h"
#include "pbm/site/site.h"

/* Makes all quarantined mails durable.  Call it before the commit, so that no mail is
 * lost, and once for all of them, so that a flood of bad mails needs only one flush. */
int quarantine_flush(struct site *site, struct err *e);

/* Keeps a mail that can't be worked on in quarantine/, with the reason beside
 * it, and tells the operator (operator_tell()), within the transaction. */
int quarantine_keep(struct site *site, const struct mail_raw *raw, const char *why, struct err *e);

#endif
