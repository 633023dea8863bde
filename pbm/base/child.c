#include "pbm/base/child.h"

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

#include "pbm/base/child_confine.h"
#include "pbm/base/child_wire.h"
#include "pbm/base/clock.h"
#include "pbm/base/mem.h"

/* The child's life after fork(). */
static _Noreturn void live(const struct child_plan *plan, int fd, pid_t parent, void *arg)
{
	struct child up = { .plan = plan, .inside = true, .fd = STDIN_FILENO };

	child_confine(plan, fd, parent, arg);
	child_wire_init(&up);
	plan->serve(&up, arg);
	_exit(EXIT_SUCCESS);
}

int child_start(struct child *c, const struct child_plan *plan, void *arg, struct err *e)
{
	int ends[2];
	pid_t parent = getpid();

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return err_sys(e, "a socket to %s", plan->name);
	pid_t pid = fork();
	if (pid == 0)
		live(plan, ends[1], parent, arg);
	int rc = pid < 0 ? err_sys(e, "a process for %s", plan->name) : 0;
	close(ends[1]);
	if (rc < 0) {
		close(ends[0]);
		return rc;
	}
	*c = (struct child){ .pid = pid, .plan = plan, .fd = ends[0] };
	child_wire_init(c);
	return 0;
}

void child_grant(struct child *c, int seconds, int cpu)
{
	clockid_t clock;
	struct timespec used;
	struct rlimit limit;

	c->seconds = seconds;
	c->until = clock_ms() + (int64_t)seconds * 1000;
	if (!c->pid || clock_getcpuclockid(c->pid, &clock) != 0 || clock_gettime(clock, &used) < 0)
		return;
	/* The limit counts from the child's birth. */
	if (used.tv_sec + cpu == c->cpu || prlimit(c->pid, RLIMIT_CPU, NULL, &limit) < 0)
		return;
	c->cpu = used.tv_sec + cpu;
	limit.rlim_cur = (rlim_t)c->cpu < limit.rlim_max ? (rlim_t)c->cpu : limit.rlim_max;
	prlimit(c->pid, RLIMIT_CPU, &limit, NULL);
}

/* How a child died, from waitpid()'s status. */
static enum child_trouble cause_of_death(int status)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		return CHILD_SPUN;
	if (WIFEXITED(status) && WEXITSTATUS(status) == EX_TEMPFAIL)
		return CHILD_STARVED;
	return CHILD_DIED;
}

/* Kills the child, if it is not dead yet, and reaps it.  Returns waitpid()'s status: of a
 * child that had ended by itself, how it ended. */
static int reap(struct child *c)
{
	int status = 0;

	close(c->fd);
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	return status;
}

void child_stop(struct child *c)
{
	if (c->pid)
		reap(c);
	child_wire_release(c);
}

/* Ends the child for this reason, and keeps the sentence about it. */
static void bury(struct child *c, enum child_trouble t)
{
	int status = reap(c);

	c->trouble = t == CHILD_DIED ? cause_of_death(status) : t;
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

/* What a call on c returns after this trouble. */
static int outcome(struct child *c, enum child_trouble t, struct err *e)
{
	if (t == CHILD_FINE)
		return 0;
	if (c->inside)
		return err_set(e, ERR_TEMP, "the parent process is gone");
	if (c->pid)
		bury(c, t);
	child_wire_release(c);
	return c->why.code ? err_set(e, ERR_TEMP, "%s", c->why.text)
	                   : err_set(e, ERR_TEMP, "%s is not running",
	                             c->plan ? c->plan->name : "the child process");
}

struct str *child_frame(struct child *c)
{
	if (!c->out.data) /* the child is gone; child_send() will say so */
		child_wire_init(c);
	return &c->out;
}

int child_send(struct child *c, struct err *e)
{
	return outcome(c, c->pid || c->inside ? child_wire_send(c) : CHILD_DIED, e);
}

int child_receive(struct child *c, const char **bytes, size_t *n, struct err *e)
{
	return outcome(c, c->pid || c->inside ? child_wire_receive(c, bytes, n) : CHILD_DIED, e);
}

int child_lied(struct child *c, struct err *e)
{
	return outcome(c, CHILD_LIED, e);
}

size_t child_await(const struct child *v, size_t n)
{
	struct pollfd *p = mem_alloc(n * sizeof *p);
	size_t alive = 0, i = 0;
	int rc = 0;

	for (; i < n; i++) {
		/* poll() passes over negative descriptors. */
		p[i] = (struct pollfd){ .fd = v[i].pid ? v[i].fd : -1, .events = POLLIN };
		alive += v[i].pid != 0;
	}
	while (alive && (rc = poll(p, n, -1)) < 0 && errno == EINTR)
		;
	/* Without poll(), wait for the first child that lives. */
	for (i = 0; i < n; i++)
		if (v[i].pid && (rc < 0 || p[i].revents))
			break;
	free(p);
	return i;
}
