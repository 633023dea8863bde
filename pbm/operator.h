/* Mails to the person who runs the site: few, and each thing once. */
#ifndef PBM_OPERATOR_H
#define PBM_OPERATOR_H

#include "pbm/site.h"

/* Queues a mail to the operator, inside the transaction, if there is an operator
 * and none has gone out for this kind and key in the last day.  kind is a short
 * word; text is ASCII lines.  No more than OPERATOR_PER_DAY in all: what goes
 * wrong a thousand times must not fill a mailbox; the log has every line. */
#define OPERATOR_PER_DAY 50
int operator_tell(struct site *site, const char *kind, const char *key, const char *subject,
                  const char *text, struct err *e);

#endif
