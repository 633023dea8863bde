/* One mail of a run: handled inside a mark of the batch's transaction, and what
 * becomes of it when that fails. */
#ifndef PBM_RUN_ATTEMPT_H
#define PBM_RUN_ATTEMPT_H

#include "mail/transport/transport.h"
#include "pbm/run/crash_note.h"

/* *fate says what the source is to do with the mail.  *halt: the machine is at
 * fault, nothing more should be taken in this run; what came before counts.
 * <0: the transaction can't go on.  flags: enum mail_in_flags. */
int attempt_mail(struct crash_note *attempt, const struct mail_raw *raw, unsigned flags,
                 enum mail_fate *fate, struct err *halt, struct err *e);

#endif
