/* What the Maildir source and the Maildir sink have in common. */
#ifndef MAIL_TRANSPORT_MAILDIR_H
#define MAIL_TRANSPORT_MAILDIR_H

#include "pbm/base/err.h"

/* Opens the Maildir at path; creates it, and its tmp, new and cur, when they
 * are missing.  Returns a directory descriptor. */
int maildir_open(const char *path, struct err *e);

/* Creates the Maildir++ folder name (".Processed") below dir. */
int maildir_make_folder(int dir, const char *name, struct err *e);

#endif
