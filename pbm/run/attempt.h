/* Works on one mail inside a mark of the batch's transaction, and decides what
 * happens to the mail when that fails. */
#pragma once

#include <stdbool.h>

#include "mail/transport/transport.h"
#include "pbm/run/crash_note.h"

/* *fate: the source's next step with the mail.  *halt is set when the machine is at fault: then
 * the run takes no further mail, but keeps the mails before.  1: call again after
 * password_desk_work().  <0: the transaction can't go on.  flags: enum mail_in_flags. */
int attempt_mail(struct crash_note *note, const struct mail_raw *raw, unsigned flags,
                 enum mail_fate *fate, struct err *halt, struct err *e);

/* Did an earlier run end in the middle of this mail?  Then it needs a transaction of its own, so
 * that it can't undo the work on others. */
bool attempt_is_apart(struct crash_note *note, const struct mail_raw *raw);
