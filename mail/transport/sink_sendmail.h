/* The local MTA's sendmail program as sink of mail. */
#ifndef MAIL_TRANSPORT_SINK_SENDMAIL_H
#define MAIL_TRANSPORT_SINK_SENDMAIL_H

#include "mail/transport/transport.h"

/* PROGRAM -i -f FROM -- TO for each mail, which comes on standard input with LF
 * line ends: the local MTA's sendmail.  Its exit code (sysexits.h) decides, its
 * first line on standard error says why.  Ended after so many seconds. */
int sink_sendmail_open(const char *program, long timeout, struct mail_sink *out, struct err *e);

#endif
