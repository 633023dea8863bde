#include "mail/transport/source_pipe.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/mem.h"
#include "pbm/base/str.h"

struct pipe_source {
	int fd, milliseconds;
	bool done;
};

/* Waits until fd can be read or has ended: 1.  0: the time is up. */
static int wait_for(int fd, int64_t until)
{
	int64_t left = until - clock_ms();

	return left > 0 ? poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, (int)left) : 0;
}

/* Reads to the end, also what no longer fits into out: an MTA that can't write the rest
 * would report a failure. */
static int read_to_end(int fd, int64_t until, struct str *out, struct err *e)
{
	char buf[16384];

	for (;;) {
		int ready = wait_for(fd, until);
		ssize_t n = ready > 0 ? read(fd, buf, sizeof buf) : ready;

		if (ready > 0 && n == 0)
			return 0;
		if (ready == 0)
			return out->truncated
			               ? 0
			               : err_set(e, ERR_TEMP, "the mail did not end in time");
		if (n < 0 && errno != EINTR)
			return err_sys(e, "reading the mail");
		if (n > 0)
			str_add_n(out, buf, (size_t)n);
	}
}

static int pipe_next(void *self, size_t max, struct mail_raw *out, struct err *e)
{
	struct pipe_source *p = self;

	if (p->done)
		return 0;
	p->done = true;
	AUTO(str_release) struct str bytes = str_heap(max + 1);
	int rc = read_to_end(p->fd, clock_ms() + p->milliseconds, &bytes, e);
	if (rc < 0)
		return rc;
	if (bytes.len == 0)
		return 0;
	*out = (struct mail_raw){
		.len = bytes.len,
		.received = clock_now(),
		.oversize = bytes.truncated,
	};
	snprintf(out->id, sizeof out->id, "pipe");
	out->bytes = str_detach(&bytes);
	return 1;
}

static int pipe_settle(void *self, const char *id, enum mail_fate fate, struct err *e)
{
	(void)self, (void)id, (void)fate, (void)e;
	return 0;
}

static void pipe_close(void *self)
{
	free(self);
}

static const struct mail_source_ops ops = {
	.name = "pipe",
	.next = pipe_next,
	.settle = pipe_settle,
	.close = pipe_close,
};

int source_pipe_open(int fd, int ms, struct mail_source *out, struct err *)
{
	struct pipe_source *p = mem_alloc(sizeof *p);

	*p = (struct pipe_source){ .fd = fd, .milliseconds = ms };
	*out = (struct mail_source){ &ops, p };
	return 0;
}
