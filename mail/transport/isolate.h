/* Runs a source in a child process, so that a hostile server, or a fault in the
 * library that talks to it, can kill or stall nothing but the child.  The child has
 * no descriptor but its socket, may write no file, use little memory and little
 * processor time, and dies with its parent.  The parent believes nothing it says
 * and waits for no answer longer than four times the account's timeout. */
#ifndef MAIL_TRANSPORT_ISOLATE_H
#define MAIL_TRANSPORT_ISOLATE_H

#include "mail/transport/mail_account.h"
#include "mail/transport/transport.h"

typedef int source_opener(const struct mail_account *acc, struct mail_source *out, struct err *e);

/* Forks, and calls open in the child.  A mail whose fetching kills the child is an error
 * of that mail, and a new child goes on behind it, a few times a run; after that, and
 * after a time-out, every call gives ERR_TEMP. */
int source_isolated(source_opener *open, const struct mail_account *acc, struct mail_source *out,
                    struct err *e);

#endif
