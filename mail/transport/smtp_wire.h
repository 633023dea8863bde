/* Opens a connection to a submission server: TLS, EHLO and login are done by libcurl.  The
 * caller sends and receives bytes with secure_write() and secure_read(), and smtp_talk.h knows
 * what they mean.
 *
 * libcurl could also send the mails.  It was tried, with libcurl 7.88 and four connections, and
 * is not used for two reasons:
 *  - After each refused recipient libcurl closes the connection (lib/smtp.c, smtp_done(), up to
 *    8.22), and the next mail must log in again.  Test: test_mail_smtp, many:4, where five
 *    refused mails of forty took nine connections instead of at most four.
 *  - curl_multi waits for the answer to a mail without looking at its other connections (the
 *    same function).  With a server 50 ms away it sent 8 mails a second where this code sends
 *    22, and 2 instead of 7 when the server thinks about each mail for half a second.  One
 *    thread a connection sent 15 and 7. */
#pragma once

#include "mail/transport/mail_account.h"
#include "pbm/base/err.h"

struct smtp_wire {
	void *curl;         /* for secure_read() and secure_write(); NULL: closed */
	int fd;             /* to poll() */
	unsigned abilities; /* enum smtp_ability: what the server offers */
};

/* Connects and logs in.  When acc names a user and the server offers no login, that is an error.
 * ERR_PERM: somebody must change something, like the certificate or the password; else
 * ERR_TEMP.  Takes at most acc->timeout seconds. */
int smtp_wire_open(const struct mail_account *acc, struct smtp_wire *out, struct err *e);

/* Says QUIT, does not wait for the answer, and closes.  A closed or zeroed wire is fine. */
void smtp_wire_close(struct smtp_wire *w);
