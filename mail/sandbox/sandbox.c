#include "mail/sandbox/sandbox.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "mail/charset.h"
#include "mail/gate.h"
#include "mail/parse.h"
#include "mail/sandbox/sandbox_child.h"
#include "mail/sandbox/sandbox_inside.h"
#include "mail/sandbox/sandbox_wire.h"
#include "pbm/base/clock.h"

#define MAILS_PER_CHILD 500

struct mail_sandbox *mail_sandbox_new(void (*forget)(void *arg), void *arg)
{
	struct mail_sandbox *s = mem_alloc(sizeof *s);

	*s = (struct mail_sandbox){
		.parse = parse_any,
		.forget = forget,
		.arg = arg,
		.mails = MAILS_PER_CHILD,
		.fd = -1,
	};
	return s;
}

static int start(struct mail_sandbox *s, struct err *e)
{
	int ends[2];
	pid_t parent = getpid();

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return err_sys(e, "a socket to the parser");
	pid_t child = fork();
	if (child == 0)
		sandbox_serve(s, ends[1], parent);
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return err_sys(e, "a process for the parser");
	}
	s->child = child;
	s->fd = ends[0];
	s->served = 0;
	s->cpu = 0;
	return 0;
}

/* Ends the child, one way or the other; how it ended, as of waitpid(). */
static int stop(struct mail_sandbox *s)
{
	int status = 0;

	s->served = 0;
	if (!s->child)
		return 0;
	close(s->fd);
	kill(s->child, SIGKILL);
	while (waitpid(s->child, &status, 0) < 0 && errno == EINTR)
		;
	s->child = 0;
	s->fd = -1;
	return status;
}

void mail_sandbox_rest(struct mail_sandbox *s)
{
	stop(s);
}

void mail_sandbox_free(struct mail_sandbox *s)
{
	if (s)
		stop(s);
	free(s);
}

/* From here on the child may use so many seconds more, whole ones as the kernel
 * counts them. */
static void wind_up(struct mail_sandbox *s)
{
	clockid_t clock;
	struct timespec used;

	if (clock_getcpuclockid(s->child, &clock) != 0 || clock_gettime(clock, &used) < 0)
		return;
	int64_t cpu = used.tv_sec + MAIL_SANDBOX_CPU;
	if (cpu == s->cpu)
		return;
	s->cpu = cpu;
	prlimit(s->child, RLIMIT_CPU, &(struct rlimit){ (rlim_t)cpu, RLIM_INFINITY }, NULL);
}

enum outcome { ANSWERED, DIED, OVERRAN };

/* Waits until the child can take or give. */
static enum outcome wait_for(const struct mail_sandbox *s, short events, int64_t until)
{
	struct pollfd p = { .fd = s->fd, .events = events };

	for (;;) {
		int64_t left = until - clock_ms();
		int n = left > 0 ? poll(&p, 1, (int)left) : 0;

		if (n > 0)
			return ANSWERED;
		if (n == 0)
			return OVERRAN;
		if (errno != EINTR)
			return DIED;
	}
}

static enum outcome send_all(const struct mail_sandbox *s, const void *bytes, size_t n,
                             int64_t until)
{
	for (const char *p = bytes; n;) {
		ssize_t put = send(s->fd, p, n, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (put > 0) {
			p += put;
			n -= (size_t)put;
		} else if (errno == EAGAIN) {
			enum outcome o = wait_for(s, POLLOUT, until);

			if (o != ANSWERED)
				return o;
		} else if (errno != EINTR) {
			return DIED;
		}
	}
	return ANSWERED;
}

static enum outcome receive_all(const struct mail_sandbox *s, void *bytes, size_t n, int64_t until)
{
	for (char *p = bytes; n;) {
		ssize_t got = recv(s->fd, p, n, MSG_DONTWAIT);

		if (got > 0) {
			p += got;
			n -= (size_t)got;
		} else if (got == 0) {
			return DIED;
		} else if (errno == EAGAIN) {
			enum outcome o = wait_for(s, POLLIN, until);

			if (o != ANSWERED)
				return o;
		} else if (errno != EINTR) {
			return DIED;
		}
	}
	return ANSWERED;
}

/* One mail to the child; its answer in the arena. */
static enum outcome ask(struct mail_sandbox *s, struct arena *a, const char *bytes, size_t len,
                        char **answer, uint32_t *n)
{
	const int64_t until = clock_ms() + MAIL_SANDBOX_SECONDS * 1000;
	uint32_t size = (uint32_t)len;

	wind_up(s);
	enum outcome o = send_all(s, &size, sizeof size, until);
	if (o == ANSWERED)
		o = send_all(s, bytes, len, until);
	if (o == ANSWERED)
		o = receive_all(s, n, sizeof *n, until);
	if (o == ANSWERED && *n > ANSWER_MAX)
		return DIED;
	if (o == ANSWERED) {
		*answer = arena_alloc(a, *n + 1);
		o = receive_all(s, *answer, *n, until);
	}
	s->served++;
	return o;
}

/* The sentence for a child that is gone. */
static const char *reason(enum outcome o, int status)
{
	if (o == OVERRAN || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
		return "the parser took too long over it";
	if (WIFEXITED(status) && WEXITSTATUS(status) == EX_TEMPFAIL)
		return "the parser needed too much memory for it";
	return "the parser crashed on it";
}

/* One try.  *again: what killed the child may be the doing of the mails it served
 * before, or of a machine short of memory; a fresh one would tell. */
static int try_child(struct mail_sandbox *s, struct arena *a, const char *bytes, size_t len,
                     struct mail *m, bool *again, struct err *e)
{
	char *answer = NULL;
	uint32_t n = 0;
	struct err why = { 0 };

	*again = false;
	if (!s->child && start(s, e) < 0)
		return ERR_SYSTEM;
	enum outcome o = ask(s, a, bytes, len, &answer, &n);
	int rc = o == ANSWERED ? sandbox_read(a, answer, n, m, &why) : ERR_UNCERTAIN;
	if (rc == 0)
		return 0;
	if (rc == ERR_UNCERTAIN) {
		int status = stop(s);

		*again = o != OVERRAN && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
		err_set(&why, ERR_BAD, "%s", reason(o, status));
	}
	return err_set(e, why.code, "%s", why.text);
}

/* What the parser reads in the mail. */
static int parse_inside(struct mail_sandbox *s, struct arena *a, const char *bytes, size_t len,
                        struct mail *m, struct err *e)
{
	bool again;
	struct err first = { 0 };

	if (s->served >= s->mails)
		stop(s);
	int rc = try_child(s, a, bytes, len, m, &again, &first);
	if (again)
		return try_child(s, a, bytes, len, m, &again, e);
	return rc < 0 ? err_set(e, first.code, "%s", first.text) : 0;
}

int mail_sandbox_parse(struct mail_sandbox *s, struct arena *a, const char *bytes, size_t len,
                       struct mail *out, struct err *e)
{
	struct mail decoded = { 0 }, m;
	int rc = gate_check(bytes, len, e);

	if (rc < 0)
		return rc;
	/* A child opens no file, so it is born with what its mails will need. */
	if (charset_load(bytes, len))
		stop(s);
	rc = parse_inside(s, a, bytes, len, &decoded, e);
	/* Our own reading of the header, which that child has survived. */
	if (rc < 0)
		return rc;
	parse_header(a, bytes, len, &m);
	m.from_name = decoded.from_name;
	m.subject = decoded.subject;
	m.text = decoded.text;
	m.report = decoded.report;
	m.report_type = decoded.report_type;
	m.returned = decoded.returned;
	*out = m;
	return 0;
}
