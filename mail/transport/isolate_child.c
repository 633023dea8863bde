#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mail/transport/isolate_wire.h"
#include "pbm/base/io.h"

#define MEMORY (512ul << 20) /* address space beyond what the parent has */
#define CPU_SECONDS 20       /* for one request */

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static void limit(int what, rlim_t n)
{
	struct rlimit l;

	if (getrlimit((__rlimit_resource_t)what, &l) == 0 &&
	    (l.rlim_cur == RLIM_INFINITY || l.rlim_cur > n)) {
		l.rlim_cur = n;
		setrlimit((__rlimit_resource_t)what, &l);
	}
}

/* AddressSanitizer reserves terabytes. */
static void limit_memory(void)
{
#ifndef SANITIZED
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f && fscanf(f, "%lu", &pages) == 1)
		limit(RLIMIT_AS, (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + MEMORY);
	if (f)
		fclose(f);
#endif
}

static void limit_cpu(void)
{
	struct rusage u;
	struct rlimit l;

	if (getrusage(RUSAGE_SELF, &u) < 0 || getrlimit(RLIMIT_CPU, &l) < 0)
		return;
	l.rlim_cur = (rlim_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + CPU_SECONDS;
	setrlimit(RLIMIT_CPU, &l);
}

/* The store's files and locks are open in the parent. */
static void drop_descriptors(int fd)
{
	int nothing = open("/dev/null", O_RDWR);

	if (nothing >= 0) {
		dup2(nothing, STDIN_FILENO);
		dup2(nothing, STDOUT_FILENO);
	}
	if (fd > STDERR_FILENO + 1)
		close_range(STDERR_FILENO + 1, (unsigned)fd - 1, 0);
	close_range((unsigned)fd + 1, ~0u, 0);
}

static void confine(int fd, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* an error of write() is enough */
	drop_descriptors(fd);
	limit_memory();
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 0);
}

static void reply(int fd, int rc, const struct mail_raw *mail, const struct err *why)
{
	struct isolate_reply r = { .rc = rc };

	if (rc == 1 && mail) {
		r.oversize = mail->oversize != 0;
		r.received = mail->received;
		r.len = mail->len;
		memcpy(r.id, mail->id, sizeof r.id);
	}
	memcpy(r.text, why->text, sizeof r.text);
	if (io_write_all(fd, (const char *)&r, sizeof r, NULL) < 0 ||
	    (mail && r.len && io_write_all(fd, mail->bytes, mail->len, NULL) < 0))
		_exit(0);
}

static void answer(int fd, struct mail_source *source, const struct isolate_request *q,
                   struct mail_raw *at)
{
	struct err why = { 0 };
	int rc = 0;

	switch (q->verb) {
	case ISOLATE_NEXT: rc = source->ops->next(source->self, q->max, at, &why); break;
	case ISOLATE_RESUME:
		rc = source->ops->resume ? source->ops->resume(source->self, q->id, &why)
		                         : err_set(&why, ERR_TEMP, "it can't go on behind a mail");
		break;
	case ISOLATE_SETTLE:
		rc = source->ops->settle(source->self, q->id, (enum mail_fate)q->fate, &why);
		break;
	case ISOLATE_FLUSH:
		rc = source->ops->flush ? source->ops->flush(source->self, &why) : 0;
		break;
	default: source->ops->close(source->self); _exit(0);
	}
	reply(fd, rc, q->verb == ISOLATE_NEXT ? at : NULL, &why);
	if (q->verb == ISOLATE_NEXT && rc == 1)
		mail_raw_release(at);
}

static void read_request(int fd, struct isolate_request *q)
{
	size_t have = 0;

	while (have < sizeof *q) {
		ssize_t n = read(fd, (char *)q + have, sizeof *q - have);

		if (n == 0 || (n < 0 && errno != EINTR))
			_exit(0);
		have += n > 0 ? (size_t)n : 0;
	}
}

void isolate_child(int fd, pid_t parent, source_opener *opener, const struct mail_account *acc,
                   struct mail_raw *at)
{
	struct mail_source source;
	struct isolate_request q;
	struct err why = { 0 };

	confine(fd, parent);
	int rc = opener(acc, &source, &why);
	reply(fd, rc, NULL, &why);
	if (rc < 0)
		_exit(0);
	for (;;) {
		read_request(fd, &q);
		limit_cpu();
		answer(fd, &source, &q, at);
	}
}
