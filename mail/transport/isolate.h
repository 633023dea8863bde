/* Runs a source or a sink that talks to a mail server in a child process, so that a hostile
 * server, or a fault in the library, can kill or stall only the child.  The child may write to
 * no file, has little memory and processor time, a filter of system calls, and of its parent's
 * descriptors only the socket to the parent.  Its memory holds the account, and no other secret
 * and no player's data: it comes from the zygote (pbm/base/child_zygote.h).  Only the child reads the
 * account's secret; this program never has it.  The parent trusts
 * nothing that it says, and waits for an answer at most four times the account's timeout. */
#pragma once

#include "mail/transport/mail_account.h"
#include "mail/transport/probe.h"
#include "mail/transport/transport.h"
#include "pbm/base/child.h"

/* Starts the child, which opens the source; job is one of the names below.  ERR_UNFILTERED: the
 * kernel refuses the filter, and acc->unfiltered does not allow that.  When fetching a mail
 * kills the child, next() returns an error of that mail, and a new child continues after that
 * mail; a few times in a run.  After that, and after a time-out, every call returns ERR_TEMP. */
int source_isolated(const char *job, const struct mail_account *acc, struct mail_source *out,
                    struct err *e);
#define ISOLATE_IMAP "imap"
#define ISOLATE_POP3 "pop3"
#define ISOLATE_FILED "filed" /* mails that the source has filed, to look at */

/* The same with a fork of this program that does this job, for tests. */
int source_isolated_over(const struct child_job *job, const struct mail_account *acc,
                         struct mail_source *out, struct err *e);

/* A submission server; the child starts at the first mail.  When it dies while it sends, the
 * mails of that send() get ERR_UNCERTAIN. */
int sink_isolated(const struct mail_account *acc, struct mail_sink *out, struct err *e);
#define ISOLATE_SMTP "smtp"
int sink_isolated_over(const struct child_job *job, const struct mail_account *acc,
                       struct mail_sink *out, struct err *e);

/* Tries a server as mail_probe() does.  <0: there was no secret or no child to try it. */
int probe_isolated(const struct mail_account *acc, struct mail_probe *out, struct err *e);
#define ISOLATE_PROBE "probe"
