/* Reads one mail from the pipe through which an MTA delivers.  Keeps nothing: the MTA
 * learns the outcome from pbm's exit code. */
#pragma once

#include "mail/transport/transport.h"

/* Gives one mail from fd, or none if fd is empty.  Reads a mail of any size to its end;
 * ERR_TEMP if the end does not come within ms milliseconds.  settle() does nothing. */
int source_pipe_open(int fd, int ms, struct mail_source *out, struct err *e);
