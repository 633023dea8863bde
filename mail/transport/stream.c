#include "mail/transport/stream.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>

#include "pbm/base/clock.h"

#define REQUEST_TIMES 3 /* a request may last this many times the silence allowed */

int stream_open(mail_connect *connect, const struct mail_account *acc, struct mail_stream *out,
                struct err *e)
{
	struct mail_stream s = { .timeout = acc->timeout };
	int rc = connect(acc, &s, e);

	if (rc < 0)
		return rc;
	snprintf(s.name, sizeof s.name, "%s://%.250s:%d", acc->scheme, acc->host, acc->port);
	*out = s;
	return 0;
}

void stream_close(struct mail_stream *s)
{
	if (s->ops)
		s->ops->close(s->self);
	*s = (struct mail_stream){ 0 };
}

void stream_begin(struct mail_stream *s, size_t budget)
{
	s->budget = budget;
	s->deadline = clock_ms() + s->timeout * 1000 * REQUEST_TIMES;
}

int stream_fail(struct mail_stream *s, const char *fmt, ...)
{
	char text[300];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	err_set(&s->why, ERR_TEMP, "%.150s %s", s->name, text);
	return -1;
}

/* Waits for one of the events.  0: try again; -1: the stream is dead. */
static int wait_for(struct mail_stream *s, short events)
{
	int64_t left = s->deadline - clock_ms(), silence = s->timeout * 1000;
	struct pollfd p = { .fd = s->fd, .events = events };

	if (left <= 0)
		return stream_fail(s, "did not finish an answer within %ld s",
		                   s->timeout * REQUEST_TIMES);
	int n = poll(&p, 1, (int)(left < silence ? left : silence));
	if (n > 0 || (n < 0 && errno == EINTR))
		return 0;
	if (n < 0)
		return stream_fail(s, "can't be waited for (error %d)", errno);
	return left < silence ? 0 : stream_fail(s, "did not answer within %ld s", s->timeout);
}

ssize_t stream_read(struct mail_stream *s, void *buf, size_t n)
{
	while (!s->why.code) {
		if (s->budget == 0)
			return stream_fail(s, "answers with more than it was asked for");
		/* This stops a server that sends byte by byte; wait_for() stops a silent one. */
		if (clock_ms() > s->deadline)
			return stream_fail(s, "did not finish an answer within %ld s",
			                   s->timeout * REQUEST_TIMES);
		ssize_t got = s->ops->read(s->self, buf, n < s->budget ? n : s->budget);

		if (got > 0) {
			s->budget -= (size_t)got;
			return got;
		}
		if (got == 0)
			return stream_fail(s, "closed the connection");
		if (errno != EAGAIN && errno != EINTR)
			return stream_fail(s, "broke the connection");
		if (wait_for(s, POLLIN) < 0)
			break;
	}
	return -1;
}

int stream_write(struct mail_stream *s, const void *bytes, size_t n)
{
	const char *at = bytes;

	while (n && !s->why.code) {
		ssize_t done = s->ops->write(s->self, at, n);

		if (done > 0) {
			at += done;
			n -= (size_t)done;
		} else if (done < 0 && errno != EAGAIN && errno != EINTR) {
			stream_fail(s, "broke the connection");
		} else {
			wait_for(s, POLLOUT);
		}
	}
	return s->why.code ? -1 : 0;
}
