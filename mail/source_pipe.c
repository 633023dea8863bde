#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mail/transport.h"
#include "pbm/base/clock.h"
#include "pbm/base/mem.h"
#include "pbm/base/str.h"

struct pipe_source { int fd; bool done; };

static int pipe_next(void *self, size_t max, struct mail_raw *out, struct err *e)
{
	struct pipe_source *p = self;
	struct str bytes;
	char buf[16384];
	ssize_t n;

	if (p->done)
		return 0;
	p->done = true;
	str_init(&bytes, max + 1);
	while (!bytes.truncated && (n = read(p->fd, buf, sizeof buf)) != 0) {
		if (n > 0) {
			str_add_n(&bytes, buf, (size_t)n);
		} else if (errno != EINTR) {
			str_release(&bytes);
			return err_sys(e, "reading the mail");
		}
	}
	if (bytes.len == 0) {
		str_release(&bytes);
		return 0;
	}
	*out = (struct mail_raw){
		.len = bytes.len, .received = clock_now(), .oversize = bytes.truncated,
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
	.name = "pipe", .next = pipe_next, .settle = pipe_settle, .close = pipe_close,
};

int source_pipe_open(int fd, struct mail_source *out, struct err *e)
{
	struct pipe_source *p = mem_alloc(sizeof *p);

	(void)e;
	p->fd = fd;
	*out = (struct mail_source){ &ops, p };
	return 0;
}
