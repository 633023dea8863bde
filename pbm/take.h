/* One mail of a run: handled inside a mark of the batch's transaction, and what
 * becomes of it when that fails. */
#ifndef PBM_TAKE_H
#define PBM_TAKE_H

#include "mail/transport.h"
#include "pbm/attempt.h"

/* *fate says what the source is to do with the mail.  *halt: the machine is at
 * fault, nothing more should be taken in this run; what came before counts.
 * <0: the transaction can't go on.  flags: enum handle_flags. */
int take_mail(struct attempt *attempt, const struct mail_raw *raw, unsigned flags,
              enum mail_fate *fate, struct err *halt, struct err *e);

#endif
