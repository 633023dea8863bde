/* A Maildir as sink of mail. */
#ifndef MAIL_TRANSPORT_SINK_MAILDIR_H
#define MAIL_TRANSPORT_SINK_MAILDIR_H

#include "mail/transport/transport.h"

/* A Maildir as sink: one file a mail in new/, named after key, beginning with
 * Return-Path and Delivered-To lines, LF line ends.  Mails show in new/ only when
 * all of one send() are durable. */
int sink_maildir_open(const char *path, struct mail_sink *out, struct err *e);

#endif
