/* Delivers mail into a Maildir, for tests, rehearsals and local readers.  Looks at no
 * mail that is already there. */
#pragma once

#include "mail/transport/transport.h"

/* Writes each mail to a file in new/ that is named after its key, begins with
 * Return-Path and Delivered-To, and has LF line ends.  The mails of one send() appear
 * in new/ only after all of them are durable.  Creates the Maildir when it is missing. */
int sink_maildir_open(const char *path, struct mail_sink *out, struct err *e);
