/* A connection to a mail server after the login: bytes in both directions, with limits.  A
 * request may last a limited time and bring a limited number of bytes.  When the server breaks
 * a limit, the stream is dead and why says so.  The only kind of stream in the program speaks
 * TLS (stream_curl.c); tests bring their own kind. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "mail/transport/mail_account.h"
#include "mail/transport/transport.h"
#include "pbm/base/err.h"

struct mail_stream_ops {
	/* MUST, both.  The number of bytes; 0: the other side has closed; -1 with errno, which
	 * is EAGAIN when poll() must be called for fd.  Never blocks. */
	ssize_t (*read)(void *self, void *buf, size_t n);
	ssize_t (*write)(void *self, const void *buf, size_t n);
	/* MUST.  Says nothing more to the server. */
	void (*close)(void *self);
};

struct mail_stream {
	const struct mail_stream_ops *ops;
	void *self;
	int fd; /* to poll() */

	char name[300];   /* scheme://host:port */
	long timeout;     /* seconds of silence allowed; a request may last three times as long */
	int64_t deadline; /* of the request; clock_ms() */
	size_t budget;    /* bytes that the request may still bring */
	struct err why;   /* set: the stream is dead */
};

/* Fills *out (ops, self, fd).  ERR_TEMP says what is wrong with the server. */
typedef int mail_connect(const struct mail_account *acc, struct mail_stream *out, struct err *e);

/* Connects by libcurl and logs in, see secure_open().  IMAP is then in the authenticated state
 * (RFC 3501 §3.2), POP3 in the transaction state (RFC 1939 §5). */
mail_connect stream_connect;

/* Calls connect, and takes the name and the time-out from acc. */
int stream_open(mail_connect *connect, const struct mail_account *acc, struct mail_stream *out,
                struct err *e);
void stream_close(struct mail_stream *s);

/* Begins a request whose answer has at most budget bytes. */
void stream_begin(struct mail_stream *s, size_t budget);

/* Waits for at least one byte and returns the number; -1: s->why is set. */
ssize_t stream_read(struct mail_stream *s, void *buf, size_t n);
/* Writes all n bytes.  0; -1: s->why is set. */
int stream_write(struct mail_stream *s, const void *bytes, size_t n);
/* Makes the stream dead, with the text as s->why.  Returns -1. */
int stream_fail(struct mail_stream *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
