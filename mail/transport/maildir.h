/* Opens and creates Maildirs, for the Maildir source and the Maildir sink.  Touches no
 * mail. */
#pragma once

#include "pbm/base/err.h"

/* Opens the Maildir at path; creates it and its tmp, new and cur when they are
 * missing.  Returns a directory descriptor, or an error. */
int maildir_open(const char *path, struct err *e);

/* Creates the Maildir++ folder of that name (".Processed") below dir, unless it is
 * there. */
int maildir_make_folder(int dir, const char *name, struct err *e);
