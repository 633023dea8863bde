/* A server's bytes through the POP3 source, one connection after the other. */
#include <stdlib.h>
#include <string.h>

#include "mail/transport/source_pop3.h"
#include "mail/transport/stream.h"
#include "mail/transport/transport.h"

#define MAX 1000

static const uint8_t *next_byte;
static size_t left;

static ssize_t fuzz_read(void *, void *buf, size_t n)
{
	/* A byte 255 ends a piece, which is all that one read gives. */
	const uint8_t *end = left ? memchr(next_byte, 255, left) : NULL;
	size_t have = end ? (size_t)(end - next_byte) : left, drop = end && have <= n;

	n = n < have ? n : have;
	memcpy(buf, next_byte, n);
	next_byte += n + drop;
	left -= n + drop;
	return (ssize_t)n;
}

static ssize_t fuzz_write(void *self, const void *buf, size_t n)
{
	(void)self, (void)buf;
	return (ssize_t)n;
}

static void fuzz_close(void *)
{
}

static const struct mail_stream_ops ops = { fuzz_read, fuzz_write, fuzz_close };

static int fuzz_connect(const struct mail_account *, struct mail_stream *out, struct err *e)
{
	if (left == 0)
		return err_set(e, ERR_TEMP, "no more input");
	out->ops = &ops;
	out->fd = -1;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct mail_account acc = {
		.scheme = "pop3s",
		.host = "h",
		.port = 995,
		.user = "u",
		.folder = "",
		.timeout = 1,
	};
	struct mail_source source;

	next_byte = data;
	left = size;
	if (source_pop3_over(fuzz_connect, &acc, &source, NULL) < 0)
		abort();
	for (int i = 0; i < 12; i++) {
		struct mail_raw m = { 0 };
		struct err e = { 0 };
		int rc = source.ops->next(source.self, MAX, &m, &e);

		if (rc > 1 || m.len > MAX || (rc < 0 && !*e.text) ||
		    (rc == 1 && (!*m.id || m.bytes[m.len])))
			abort();
		if (rc == 1)
			source.ops->settle(source.self, m.id, i % 3 ? MAIL_HANDLED : MAIL_RETRY,
			                   &e);
		if (i % 4 == 3)
			source.ops->flush(source.self, &e);
		mail_raw_release(&m);
		if (rc == 0 || rc == ERR_TEMP)
			break;
	}
	source.ops->flush(source.self, NULL);
	source.ops->close(source.self);
	return 0;
}
