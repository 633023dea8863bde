/* A Maildir as source of mail. */
#ifndef MAIL_TRANSPORT_SOURCE_MAILDIR_H
#define MAIL_TRANSPORT_SOURCE_MAILDIR_H

#include "mail/transport/transport.h"

/* A Maildir as source.  Mails of new/ and cur/, oldest file name first; settled
 * ones move to .Processed/cur or .Quarantine/cur below it (Maildir++ folders).
 * Regular files only, symbolic links and dot files are skipped.  Creates what
 * is missing. */
int source_maildir_open(const char *path, struct mail_source *out, struct err *e);

#endif
