#include "pbm/base/child.h"

#include <errno.h>
#include <limits.h>
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

#include "pbm/base/child_confine.h"
#include "pbm/base/clock.h"
#include "pbm/base/mem.h"

#define START_MS 60000 /* in which a new child must have given up its rights */

/* ---- frames: a uint32_t in the machine's own byte order, then so many bytes ---- */

/* Empties the outgoing frame and leaves room for its length. */
static void begin_frame(struct child *c)
{
	str_clear(&c->out);
	str_add_n(&c->out, "\0\0\0", sizeof(uint32_t));
}

static void init_frames(struct child *c)
{
	size_t most = !c->plan ? 0 : c->inside ? c->plan->answer_max : c->plan->question_max;

	str_init(&c->out, sizeof(uint32_t) + most + 1);
	begin_frame(c);
}

static void release_frames(struct child *c)
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

/* Waits until the socket may be ready for the event of poll(); false: the deadline is over. */
static bool wait_for(const struct child *c, short event)
{
	struct pollfd p = { .fd = c->fd, .events = event };
	int64_t left = c->until ? c->until - clock_ms() : INT_MAX;

	return left > 0 && poll(&p, 1, left < INT_MAX ? (int)left : -1) != 0;
}

/* Reads (POLLIN) or writes (POLLOUT) all n bytes. */
static enum child_trouble move_all(const struct child *c, char *p, size_t n, short event)
{
	while (n) {
		ssize_t moved = event == POLLIN ? read_some(c, p, n) : write_some(c, p, n);

		if (moved > 0) {
			p += moved;
			n -= (size_t)moved;
		} else if (moved == 0 || (errno != EAGAIN && errno != EINTR)) {
			return CHILD_DIED;
		} else if (errno == EAGAIN && !wait_for(c, event)) {
			return CHILD_HUNG;
		}
	}
	return CHILD_FINE;
}

static enum child_trouble send_frame(struct child *c)
{
	uint32_t length = (uint32_t)(c->out.len - sizeof length);
	enum child_trouble t = CHILD_LIED;

	memcpy(c->out.data, &length, sizeof length);
	if (!c->out.truncated)
		t = move_all(c, c->out.data, c->out.len, POLLOUT);
	begin_frame(c);
	return t;
}

static enum child_trouble receive_frame(struct child *c, const char **bytes, size_t *n)
{
	size_t most = c->inside ? c->plan->question_max : c->plan->answer_max;
	uint32_t length;
	enum child_trouble t = move_all(c, (char *)&length, sizeof length, POLLIN);

	if (t != CHILD_FINE)
		return t;
	if (length > most)
		return CHILD_LIED;
	if (length >= c->in_size) {
		c->in_size = (size_t)length + 1;
		c->in = mem_resize(c->in, c->in_size);
	}
	c->in[length] = '\0';
	*bytes = c->in;
	*n = length;
	return move_all(c, c->in, length, POLLIN);
}

/* ---- processes ---- */

/* The first byte that a child says: which limits it has. */
enum { FILTERED = 'f', UNFILTERED = 'u' };

_Noreturn void child_live(const struct child_plan *plan, int fd, pid_t parent, bool clean,
                          void *arg)
{
	struct child up = { .plan = plan, .inside = true, .fd = STDIN_FILENO };
	bool filtered = child_confine(plan, fd, parent, clean);
	char hello = filtered ? FILTERED : UNFILTERED;

	if (write_some(&up, &hello, 1) != 1 || !(filtered || plan->filter_optional))
		_exit(EXIT_FAILURE);
	init_frames(&up);
	plan->job.serve(&up, arg);
	_exit(EXIT_SUCCESS);
}

int child_adopt(struct child *c, const struct child_plan *plan, pid_t pid, int fd, struct err *e)
{
	char hello = 0;

	*c = (struct child){ .pid = pid, .plan = plan, .fd = fd };
	/* The child has read nothing of anybody yet, so its word is good. */
	c->until = clock_ms() + START_MS;
	enum child_trouble t = move_all(c, &hello, 1, POLLIN);
	c->until = 0;
	c->unfiltered = hello == UNFILTERED;
	if (t == CHILD_FINE && (!c->unfiltered || plan->filter_optional)) {
		init_frames(c);
		return 0;
	}
	child_stop(c);
	return t == CHILD_FINE
	               ? err_set(e, ERR_UNFILTERED,
	                         "%s: the kernel refuses the filter of system calls", plan->name)
	               : err_set(e, ERR_SYSTEM, "%s did not start", plan->name);
}

int child_start(struct child *c, const struct child_plan *plan, void *arg, struct err *e)
{
	int ends[2];
	pid_t parent = getpid();

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return err_sys(e, "a socket to %s", plan->name);
	pid_t pid = fork();
	if (pid == 0)
		child_live(plan, ends[1], parent, false, arg);
	int rc = pid < 0 ? err_sys(e, "a process for %s", plan->name) : 0;
	close(ends[1]);
	if (rc < 0) {
		close(ends[0]);
		return rc;
	}
	return child_adopt(c, plan, pid, ends[0], e);
}

void child_grant(struct child *c, int seconds, int cpu)
{
	clockid_t clock;
	struct timespec used;
	struct rlimit limit;

	c->seconds = seconds;
	c->until = clock_ms() + (int64_t)seconds * 1000;
	if (!c->pid || !cpu || clock_getcpuclockid(c->pid, &clock) != 0 ||
	    clock_gettime(clock, &used) < 0)
		return;
	/* The limit counts from the child's birth. */
	if (used.tv_sec + cpu == c->cpu || prlimit(c->pid, RLIMIT_CPU, NULL, &limit) < 0)
		return;
	c->cpu = used.tv_sec + cpu;
	limit.rlim_cur = (rlim_t)c->cpu < limit.rlim_max ? (rlim_t)c->cpu : limit.rlim_max;
	prlimit(c->pid, RLIMIT_CPU, &limit, NULL);
}

/* The cause of a child's death, from waitpid()'s status. */
static enum child_trouble cause_of_death(int status)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		return CHILD_SPUN;
	if (WIFEXITED(status) && WEXITSTATUS(status) == EX_TEMPFAIL)
		return CHILD_STARVED;
	return CHILD_DIED;
}

/* A fault of the child makes other signals.  SIGKILL also comes from the kernel, when the
 * machine is out of memory. */
static bool was_killed(int status)
{
	int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	return sig == SIGKILL || sig == SIGTERM || sig == SIGINT || sig == SIGHUP;
}

/* Kills the child, if it is not dead yet, and reaps it.  Returns waitpid()'s status: of a
 * child that had ended by itself, how it ended. */
static int reap(struct child *c)
{
	int status = 0;

	close(c->fd);
	kill(c->pid, SIGKILL);
	if (c->plan->trust == CHILD_PROGRAM)
		kill(-c->pid, SIGKILL);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	return status;
}

void child_stop(struct child *c)
{
	if (c->pid)
		reap(c);
	release_frames(c);
}

/* Ends the child for this reason, and keeps the sentence about it. */
static void bury(struct child *c, enum child_trouble t)
{
	int status = reap(c);

	c->trouble = t == CHILD_DIED ? cause_of_death(status) : t;
	c->killed = t == CHILD_DIED && was_killed(status);
	err_clear(&c->why);
	if (t == CHILD_HUNG)
		err_set(&c->why, ERR_TEMP, "%s did not answer within %d s", c->plan->name,
		        c->seconds);
	else if (t == CHILD_LIED)
		err_set(&c->why, ERR_TEMP, "%s makes no sense", c->plan->name);
	else
		err_set(&c->why, ERR_TEMP, "%s ended (%s %d)", c->plan->name,
		        WIFSIGNALED(status) ? "signal" : "exit code",
		        WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* The result of a call on c after this trouble. */
static int outcome(struct child *c, enum child_trouble t, struct err *e)
{
	if (t == CHILD_FINE)
		return 0;
	if (c->inside)
		return err_set(e, ERR_TEMP, "the parent process takes no frame");
	if (c->pid)
		bury(c, t);
	release_frames(c);
	return c->why.code ? err_set(e, ERR_TEMP, "%s", c->why.text)
	                   : err_set(e, ERR_TEMP, "%s is not running",
	                             c->plan ? c->plan->name : "the child process");
}

struct str *child_frame(struct child *c)
{
	if (!c->out.data) /* the child is gone; child_send() will say so */
		init_frames(c);
	return &c->out;
}

int child_send(struct child *c, struct err *e)
{
	return outcome(c, c->pid || c->inside ? send_frame(c) : CHILD_DIED, e);
}

int child_receive(struct child *c, const char **bytes, size_t *n, struct err *e)
{
	return outcome(c, c->pid || c->inside ? receive_frame(c, bytes, n) : CHILD_DIED, e);
}

int child_send_bytes(struct child *c, char *bytes, size_t n, struct err *e)
{
	return outcome(c, c->pid ? move_all(c, bytes, n, POLLOUT) : CHILD_DIED, e);
}

int child_receive_bytes(struct child *c, char *to, size_t n, struct err *e)
{
	enum child_trouble t = CHILD_DIED;
	ssize_t got = 1;

	/* The first byte is waited for; the others came with it. */
	if (c->pid && (t = move_all(c, to, 1, POLLIN)) == CHILD_FINE && n > 1)
		got += read_some(c, to + 1, n - 1);
	return t == CHILD_FINE ? (int)(got < 1 ? 1 : got) : outcome(c, t, e);
}

int child_lied(struct child *c, struct err *e)
{
	return outcome(c, CHILD_LIED, e);
}

size_t child_await(const struct child *v, size_t n)
{
	AUTO(mem_free) struct pollfd *p = mem_alloc(n * sizeof *p);
	size_t alive = 0, i = 0;

	for (size_t k = 0; k < n; k++) {
		/* poll() passes over negative descriptors. */
		p[k] = (struct pollfd){ .fd = v[k].pid ? v[k].fd : -1, .events = POLLIN };
		alive += v[k].pid != 0;
	}
	while (alive && poll(p, n, -1) < 0) /* interrupted */
		;
	while (i < n && !p[i].revents)
		i++;
	return i;
}
