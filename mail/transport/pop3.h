/* Speaks POP3 (RFC 1939) on a connection that is in the transaction state.
 *
 * The two libraries that also speak POP3 were tried and are not used:
 *  - libcurl 7.88 closes the session after each -ERR, so that a server without TOP costs a login
 *    for each large mail.  It takes a new session without a word when the old one was closed,
 *    although a message number of the old session then names another mail.  It does not undo the
 *    dots of lines such as ".c", and does not see the end of a mail whose lines end in
 *    LF.  Tests: test_mail_hostile, pop3_dots:1, 4, 5 and 6.
 *  - libetpan 1.9.4 uses memory outside its array when a list contains the number 0, and cuts lines at
 *    a NUL.  Tests: test_mail_hostile, pop3_server:2 (it crashes) and 4, pop3_dots:6. */
#pragma once

#include <stddef.h>

#include "mail/transport/stream.h"

struct pop3 {
	struct mail_stream stream;
	char buf[4096];
	size_t at, n; /* buf has n bytes, and at of them were read */
};

/* Sends a command, which is given without CRLF, and reads the first line of the answer.  The whole
 * answer has at most budget bytes beyond that line.  0: +OK; ERR_PERM: -ERR, the connection goes
 * on; ERR_TEMP: the connection is dead. */
int pop3_command(struct pop3 *p, size_t budget, struct err *e, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Reads a line of a list.  1: line holds it, without the line end; 0: the list is over. */
int pop3_line(struct pop3 *p, char *line, size_t size, struct err *e);

/* Reads a mail to its end and keeps at most keep bytes of it: *bytes is heap memory, with a NUL
 * after *len bytes. */
int pop3_body(struct pop3 *p, size_t keep, char **bytes, size_t *len, struct err *e);
