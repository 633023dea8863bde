/* A frame is a uint32_t in the machine's own byte order, then so many bytes. */
#include "pbm/base/child_wire.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/mem.h"

static const uint32_t no_length;

/* Empties the outgoing frame and leaves room for its length. */
static void begin_frame(struct child *c)
{
	str_clear(&c->out);
	str_add_n(&c->out, (const char *)&no_length, sizeof no_length);
}

void child_wire_init(struct child *c)
{
	size_t most = !c->plan ? 0 : c->inside ? c->plan->answer_max : c->plan->question_max;

	str_init(&c->out, sizeof no_length + most + 1);
	begin_frame(c);
}

void child_wire_release(struct child *c)
{
	str_release(&c->out);
	free(c->in);
	c->in = NULL;
	c->in_size = 0;
}

/* A sealed child may call read() and write(), but nothing that is only for sockets.  Its
 * parent must neither wait inside the call nor get SIGPIPE. */
static ssize_t read_some(const struct child *c, char *to, size_t n)
{
	return c->inside ? read(c->fd, to, n) : recv(c->fd, to, n, MSG_DONTWAIT);
}

static ssize_t write_some(const struct child *c, const char *from, size_t n)
{
	return c->inside ? write(c->fd, from, n)
	                 : send(c->fd, from, n, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Waits until the socket is ready for the events of poll(), or the deadline is over. */
static enum child_trouble wait_for(const struct child *c, short events)
{
	struct pollfd p = { .fd = c->fd, .events = events };

	for (;;) {
		int64_t left = c->until ? c->until - clock_ms() : INT_MAX;

		if (left <= 0)
			return CHILD_HUNG;
		int n = poll(&p, 1, left < INT_MAX ? (int)left : -1);
		if (n > 0)
			return CHILD_FINE;
		if (n < 0 && errno != EINTR)
			return CHILD_DIED;
	}
}

/* After a call that moved no byte, with errno as it left it. */
static enum child_trouble try_again(const struct child *c, short events)
{
	if (errno == EINTR)
		return CHILD_FINE;
	return errno == EAGAIN ? wait_for(c, events) : CHILD_DIED;
}

static enum child_trouble read_all(const struct child *c, void *to, size_t n)
{
	enum child_trouble t = CHILD_FINE;

	for (char *p = to; n && t == CHILD_FINE;) {
		ssize_t got = read_some(c, p, n);

		if (got == 0)
			return CHILD_DIED;
		if (got < 0) {
			t = try_again(c, POLLIN);
			continue;
		}
		p += got;
		n -= (size_t)got;
	}
	return t;
}

enum child_trouble child_wire_send(struct child *c)
{
	uint32_t length = (uint32_t)(c->out.len - sizeof length);
	enum child_trouble t = c->out.truncated ? CHILD_LIED : CHILD_FINE;

	memcpy(c->out.data, &length, sizeof length);
	for (size_t done = 0; t == CHILD_FINE && done < c->out.len;) {
		ssize_t put = write_some(c, c->out.data + done, c->out.len - done);

		if (put < 0)
			t = try_again(c, POLLOUT);
		else
			done += (size_t)put;
	}
	begin_frame(c);
	return t;
}

enum child_trouble child_wire_receive(struct child *c, const char **bytes, size_t *n)
{
	size_t most = c->inside ? c->plan->question_max : c->plan->answer_max;
	uint32_t length;
	enum child_trouble t = read_all(c, &length, sizeof length);

	if (t != CHILD_FINE)
		return t;
	if (length > most)
		return CHILD_LIED;
	if (length >= c->in_size) {
		c->in_size = (size_t)length + 1;
		c->in = mem_resize(c->in, c->in_size);
	}
	t = read_all(c, c->in, length);
	c->in[length] = '\0';
	*bytes = c->in;
	*n = length;
	return t;
}
