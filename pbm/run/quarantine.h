/* Quarantine: mails that can't be worked on, each kept as a file with the reason in a file
 * beside it.  pbm.conf limits the folder's days and MiB. */
#pragma once

#include "mail/transport/transport.h"
#include "pbm/run/mail_sum.h"
#include "pbm/site/site.h"

/* A mail is kept in this folder as NAME.eml, and beside it NAME.why with the reason and,
 * on a line of its own, whether the sender has a proof.  Other files there are left
 * alone. */
#define QUARANTINE_FOLDER "quarantine"
#define QUARANTINE_NAME (MAIL_SUM_NAME - 1) /* hexadecimal digits of a NAME */
#define QUARANTINE_PROVED "The sender has a proof."

/* The value in the store with the time of the last quarantine_prune(). */
#define QUARANTINE_PRUNED "quarantine-pruned"

/* Of a mail that is too large: bytes that are kept of its body, and of its header. */
#define QUARANTINE_BODY 1024
#define QUARANTINE_HEADER 65536

/* Makes all quarantined mails durable.  Call it before the commit, so that no mail is lost, and
 * only once, so that a flood of bad mails needs a single flush. */
int quarantine_flush(struct site *site, struct err *e);

/* Keeps a mail that can't be worked on in quarantine/, with the reason beside it, and
 * tells the operator (operator_tell()), within the transaction.  Of a mail that is too
 * large only the beginning is kept. */
int quarantine_keep(struct site *site, const struct mail_raw *raw, const char *why, struct err *e);

/* Notes beside a kept mail that its sender has a proof. */
int quarantine_is_proved(struct site *site, const struct mail_raw *raw, const char *why,
                         struct err *e);

/* Deletes mails kept for more than quarantine-days.  While the rest is larger than
 * quarantine-megabytes, also deletes the oldest mails, first those of senders without a proof,
 * and tells the operator so once a month.  Call it within the transaction. */
int quarantine_prune(struct site *site, struct err *e);

/* The same in a transaction of its own, if it was not done for a day: 1; else 0. */
int quarantine_prune_daily(struct site *site, struct err *e);
