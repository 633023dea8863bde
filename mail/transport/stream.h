/* A connection to a mail server that has let us in already: bytes both ways,
 * and the limits that hold for whatever the server does.  One request may last
 * so long and bring so many bytes; after the first breach the stream is dead
 * and says why.  Never plain text: the one kind there is speaks TLS to a server
 * whose name it has checked.  Tests bring their own kind. */
#ifndef MAIL_TRANSPORT_STREAM_H
#define MAIL_TRANSPORT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "mail/transport/mail_account.h"
#include "mail/transport/transport.h"
#include "pbm/base/err.h"

struct mail_stream_ops {
	/* MUST, both.  The number of bytes; 0: the other side has closed; -1 with errno,
	 * EAGAIN when fd has to be waited for.  Never blocks. */
	ssize_t (*read)(void *self, void *buf, size_t n);
	ssize_t (*write)(void *self, const void *buf, size_t n);
	/* MUST.  Says nothing more to the server. */
	void (*close)(void *self);
};

struct mail_stream {
	const struct mail_stream_ops *ops;
	void *self;
	int fd; /* to wait for */

	char name[300];   /* scheme://host:port */
	long timeout;     /* seconds of silence; one request may last thrice as long */
	int64_t deadline; /* of the request, in milliseconds of the monotonic clock */
	size_t budget;    /* bytes the request may still bring */
	struct err why;   /* set: the stream is dead */
};

/* Fills *out (ops, self, fd).  ERR_TEMP says what is wrong with the server. */
typedef int mail_connect(const struct mail_account *acc, struct mail_stream *out, struct err *e);

/* By libcurl: TLS 1.2 or later from the first byte, or by STARTTLS; certificate and
 * host name checked before anything secret is said; then user and password, or the
 * token as OAUTHBEARER or XOAUTH2.  IMAP is left in the authenticated state (RFC 3501
 * §3.2), POP3 in the transaction state (RFC 1939 §5). */
mail_connect stream_connect;

/* connect, with what every request needs from acc. */
int stream_open(mail_connect *connect, const struct mail_account *acc, struct mail_stream *out,
                struct err *e);
void stream_close(struct mail_stream *s);

/* A request begins, whose answer has at most so many bytes. */
void stream_begin(struct mail_stream *s, size_t budget);

/* At least one byte, or -1 with s->why set. */
ssize_t stream_read(struct mail_stream *s, void *buf, size_t n);
/* All of them: 0, or -1 with s->why set. */
int stream_write(struct mail_stream *s, const void *bytes, size_t n);
/* Makes the stream dead.  -1. */
int stream_fail(struct mail_stream *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
