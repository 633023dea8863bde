/* Gives mail to the local MTA by its sendmail program.  Never keeps a program beyond its time,
 * and never speaks SMTP itself. */
#pragma once

#include "mail/transport/transport.h"

/* Runs "PROGRAM -i -f FROM -- TO" for each mail, with the mail on standard input and LF
 * line ends.  Its exit code (sysexits.h) decides the outcome, its first line on
 * standard error gives the reason.  Killed after timeout seconds: ERR_UNCERTAIN. */
int sink_sendmail_open(const char *program, long timeout, struct mail_sink *out, struct err *e);
