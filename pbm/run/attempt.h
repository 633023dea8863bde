/* Works on one mail inside a mark of the batch's transaction, and decides what
 * happens to the mail when that fails. */
#ifndef PBM_RUN_ATTEMPT_H
#define PBM_RUN_ATTEMPT_H

#include "mail/transport/transport.h"
#include "pbm/run/crash_note.h"

/* *fate: what the source has to do with the mail.  *halt is set when the machine is
 * at fault: then no further mail should be taken in this run, but the mails before
 * count.  1: the mail must begin again, after password_desk_work().  <0: the transaction can't go on.  flags: enum mail_in_flags. */
int attempt_mail(struct crash_note *note, const struct mail_raw *raw, unsigned flags,
                 enum mail_fate *fate, struct err *halt, struct err *e);

#endif
