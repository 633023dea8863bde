/* A connection to a submission server, opened by libcurl: TLS 1.2 or later,
 * certificate and host name checked, STARTTLS insisted upon, EHLO said and logged
 * in.  From there on bytes go both ways and smtp_talk.h knows what they mean.
 *
 * libcurl could speak the rest as well.  But it waits for the answer to a mail
 * without looking at its other connections (curl's lib/smtp.c, smtp_done), and of
 * a lost connection it does not tell how much of the mail was gone. */
#ifndef MAIL_TRANSPORT_SMTP_WIRE_H
#define MAIL_TRANSPORT_SMTP_WIRE_H

#include <stdbool.h>
#include <stddef.h>

#include "mail/transport/mail_account.h"
#include "pbm/base/err.h"

struct smtp_wire {
	void *curl;         /* NULL: closed */
	int fd;             /* to wait for */
	unsigned abilities; /* enum smtp_ability */
};

/* Logs in when acc names a user, and never goes on without.  ERR_TEMP, or
 * ERR_PERM when somebody must change something: certificate, password.  Never
 * longer than acc->timeout seconds. */
int smtp_wire_open(const struct mail_account *acc, struct smtp_wire *out, struct err *e);

/* How many bytes went; 0: the server must be waited for; -1: lost. */
long smtp_wire_send(struct smtp_wire *w, const char *bytes, size_t n);
/* How many came; 0: none yet; -1: lost, or closed by the server. */
long smtp_wire_receive(struct smtp_wire *w, char *buf, size_t size);

/* With QUIT, whose answer nobody waits for.  Closed and zeroed ones are fine. */
void smtp_wire_close(struct smtp_wire *w);

#endif
