/* An MTA's pipe as source of one mail. */
#ifndef MAIL_TRANSPORT_SOURCE_PIPE_H
#define MAIL_TRANSPORT_SOURCE_PIPE_H

#include "mail/transport/transport.h"

/* One mail from a file descriptor (an MTA's pipe), read to its end whatever its
 * size, within so many milliseconds: ERR_TEMP; settle does nothing. */
int source_pipe_open(int fd, int ms, struct mail_source *out, struct err *e);

#endif
