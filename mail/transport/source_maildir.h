/* Reads mail from a Maildir, into which the local MTA delivers.  Never deletes a mail:
 * settled ones move to folders. */
#pragma once

#include "mail/transport/transport.h"

/* Gives the mails of new/ and cur/ in the order of the times in their file names.
 * Settled mails move to the Maildir++ folders .Processed and .Quarantine.  Skips
 * symbolic links, dot files and all that is no regular file.  Creates missing
 * directories. */
int source_maildir_open(const char *path, struct mail_source *out, struct err *e);

/* Gives the newest mails of .Processed alone, at most so many, to look at.  Creates nothing. */
int source_maildir_filed(const char *path, size_t newest, struct mail_source *out, struct err *e);
