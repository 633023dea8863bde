/* Runs a source in a child process, so that neither a hostile server nor a fault in the
 * library that talks to it can kill or stall more than the child.  The child may write to
 * no file, has little memory and processor time, a filter of system calls, and of its
 * parent's descriptors only the socket to the parent.  Its memory holds the account, and no
 * other secret and no player's data: it comes from the zygote (pbm/base/child_zygote.h).  The parent believes nothing that it says, and waits for an answer
 * no longer than four times the account's timeout. */
#ifndef MAIL_TRANSPORT_ISOLATE_H
#define MAIL_TRANSPORT_ISOLATE_H

#include "mail/transport/mail_account.h"
#include "mail/transport/transport.h"

typedef int source_opener(const struct mail_account *acc, struct mail_source *out, struct err *e);

/* Starts the child and calls open in it.  ERR_UNFILTERED: the kernel refuses the filter, and
 * acc->unfiltered does not allow that.   When fetching a mail kills the child, next() returns
 * an error of that mail, and a new child continues behind it; a few times in a run.  After
 * that, and after a time-out, every call returns ERR_TEMP. */
int source_isolated(source_opener *open, const struct mail_account *acc, struct mail_source *out,
                    struct err *e);

#endif
