/* Mails that could not be worked on, kept in quarantine/ with the reason. */
#ifndef PBM_RUN_QUARANTINE_H
#define PBM_RUN_QUARANTINE_H

#include "mail/transport/transport.h"
#include "pbm/site/site.h"

/* Makes all of them durable: before the commit, so that no mail is lost, and once
 * for them all, so that a flood of bad ones costs no flush each. */
int quarantine_flush(struct site *site, struct err *e);

/* Keeps a mail that can't be worked on in quarantine/, with the reason beside
 * it, and tells the operator (operator_tell()), within the transaction. */
int quarantine_keep(struct site *site, const struct mail_raw *raw, const char *why, struct err *e);

#endif
