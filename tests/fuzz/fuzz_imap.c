/* A server's bytes through the guard, libetpan and the IMAP source.  libetpan is not
 * ours and falls over some of them, as it may in the child it runs in; so each input
 * goes through a child first, whose parent must keep its promises, and through this
 * process only if that child lived.  A child that died in our code is a finding. */
#include <fcntl.h>
#include <sanitizer/asan_interface.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mail/transport/imap/imap_guard.h"
#include "mail/transport/imap/source_imap.h"
#include "mail/transport/isolate_child.h"
#include "mail/transport/stream.h"
#include "mail/transport/transport.h"
#include "pbm/base/child_zygote.h"

#define MAX 1000
#define OURS 99 /* exit code of a child that died in our code */

static const uint8_t *next_byte;
static size_t left;

static ssize_t fuzz_read(void *, void *buf, size_t n)
{
	/* A byte 255 ends a connection. */
	const uint8_t *end = left ? memchr(next_byte, 255, left) : NULL;
	size_t have = end ? (size_t)(end - next_byte) : left;

	n = n < have ? n : have;
	memcpy(buf, next_byte, n);
	next_byte += n;
	left -= n;
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
	if (*next_byte == 255) {
		next_byte++;
		left--;
	}
	out->ops = &ops;
	out->fd = -1;
	return 0;
}

static int open_here(const struct mail_account *acc, struct mail_source *out, struct err *e)
{
	return source_imap_over(fuzz_connect, acc, out, e);
}

/* Judges whose fault a report is: libetpan's, if one of the two innermost functions is. */
static void judge(const char *report)
{
	const char *frames = strstr(report, "#0 "), *end = frames ? strstr(frames, "#2 ") : NULL;
	const char *blame = frames ? strstr(frames, "libetpan") : NULL;

	_exit(blame && (!end || blame < end) ? 1 : OURS);
}

static int open_there(const struct mail_account *acc, struct mail_source *out, struct err *e)
{
	int nothing = open("/dev/null", O_WRONLY);

	dup2(nothing, STDERR_FILENO);
	close(nothing);
	__asan_set_error_report_callback(judge);
	return open_here(acc, out, e);
}

static void serve_there(struct child *parent, void *)
{
	isolate_serve(parent, open_there);
}

/* Did a child die?  The rest is the source's contract. */
static bool run(const uint8_t *data, size_t size, bool isolated)
{
	static const struct mail_account acc = {
		.scheme = "imaps",
		.host = "h",
		.port = 993,
		.user = "u",
		.folder = "",
		.timeout = 2,
	};
	static const struct child_job job = { .serve = serve_there };
	struct mail_source source;
	bool died = false;

	next_byte = data;
	left = size;
	child_zygote_end(); /* the next one knows these bytes */
	if ((isolated ? source_isolated_over(&job, &acc, &source, NULL)
	              : open_here(&acc, &source, NULL)) < 0)
		abort();
	for (int i = 0; i < 8; i++) {
		struct mail_raw m = { 0 };
		struct err e = { 0 };
		int rc = source.ops->next(source.self, MAX, &m, &e);

		if (rc > 1 || m.len > MAX || (rc < 0 && !*e.text) ||
		    (rc == 1 && (!*m.id || m.bytes[m.len])))
			abort();
		if (strstr(e.text, "exit code 99"))
			abort();
		died = died || strstr(e.text, "the process that reads it ended");
		if (rc == 1)
			source.ops->settle(source.self, m.id,
			                   i % 2 ? MAIL_HANDLED : MAIL_QUARANTINED, &e);
		if (rc == 1)
			mail_raw_release(&m);
		if (rc == 0 || rc == ERR_TEMP)
			break;
	}
	struct err e = { 0 };
	source.ops->flush(source.self, &e);
	source.ops->prune(source.self, MAIL_HANDLED, INT64_C(1796126400), INT64_MAX, &e);
	died = died || strstr(e.text, "the process that reads it ended");
	if (strstr(e.text, "exit code 99"))
		abort();
	source.ops->close(source.self);
	return died;
}

/* The guard must see the same in one piece and byte by byte. */
static void run_guard(const char *bytes, size_t size)
{
	struct imap_guard whole = { 0 }, single = { 0 };
	const char *a = imap_guard_check(&whole, bytes, size, size), *b = NULL;

	for (size_t i = 0; i < size && !b; i++)
		b = imap_guard_check(&single, bytes + i, 1, size - i);
	if (!a != !b || (a && strcmp(a, b) != 0) || whole.literal != single.literal ||
	    whole.line != single.line)
		abort();
}

/* Half-parsed answers leak inside libetpan, in a process that ends with the run. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libetpan\n";
}

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "symbolize=0:print_suppressions=0";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	run_guard((const char *)data, size);
	if (!run(data, size, true))
		run(data, size, false);
	return 0;
}
