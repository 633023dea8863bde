#include "pbm/base/child_zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pbm/base/child_confine.h"
#include "pbm/base/child_filter.h"

/* One message to the zygote.  Descriptors come with it: the child's end of its socket, and
 * perhaps the one to keep.  The answer is the child's process id, or an errno as a negative
 * number. */
struct birth {
	struct child_plan plan; /* pointers to functions are the same in both processes */
	_Alignas(max_align_t) char arg[CHILD_ARG_MAX];
};

static struct {
	pid_t pid;   /* 0: there is none */
	pid_t owner; /* the process that may talk to it; a fork of it may not */
	int fd;
	struct child *order; /* the child about which it has not answered yet */
} zygote;

/* ---- messages ---- */

union control {
	struct cmsghdr head; /* for its alignment */
	char bytes[CMSG_SPACE(2 * sizeof(int))];
};

static int send_birth(const struct birth *b, const int *fds, size_t n)
{
	union control control = { .bytes = "" };
	struct iovec v = { (void *)(uintptr_t)b, sizeof *b };
	struct msghdr m = { .msg_iov = &v,
		            .msg_iovlen = 1,
		            .msg_control = control.bytes,
		            .msg_controllen = CMSG_SPACE(n * sizeof *fds) };
	struct cmsghdr *head = CMSG_FIRSTHDR(&m);
	ssize_t sent;

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(n * sizeof *fds);
	memcpy(CMSG_DATA(head), fds, n * sizeof *fds);
	do
		sent = sendmsg(zygote.fd, &m, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent == sizeof *b ? 0 : -1;
}

/* fds[1] is -1 when there is no second one.  -1: the parent has gone. */
static int receive_birth(struct birth *b, int fds[2])
{
	union control control;
	struct iovec v = { b, sizeof *b };
	struct msghdr m = { .msg_iov = &v,
		            .msg_iovlen = 1,
		            .msg_control = control.bytes,
		            .msg_controllen = sizeof control.bytes };
	ssize_t got;

	do
		got = recvmsg(STDIN_FILENO, &m, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	struct cmsghdr *head = got == sizeof *b ? CMSG_FIRSTHDR(&m) : NULL;
	if (!head || head->cmsg_type != SCM_RIGHTS)
		return -1;
	fds[0] = fds[1] = -1;
	memcpy(fds, CMSG_DATA(head), head->cmsg_len - CMSG_LEN(0));
	return 0;
}

/* ---- the zygote ---- */

/* The environment may hold passwords.  The time zone is all that children need of it. */
static void wipe_environment(void)
{
	char *zone = getenv("TZ"), *copy = zone ? strdup(zone) : NULL;

	for (char **p = environ; p && *p; p++)
		explicit_bzero(*p, strlen(*p));
	clearenv();
	if (copy)
		setenv("TZ", copy, 1);
	free(copy);
	tzset();
}

static pid_t fork_for_parent(void)
{
	return (pid_t)syscall(SYS_clone, (unsigned long)(CLONE_PARENT | SIGCHLD), NULL, NULL, NULL,
	                      NULL);
}

/* The new child's side of a birth. */
static _Noreturn void be_born(struct birth *b, const int fds[2], pid_t parent)
{
	int fd = fcntl(fds[0], F_DUPFD_CLOEXEC, CHILD_KEPT + 1);

	b->plan.keep = fds[1] < 0 ? 0 : dup2(fds[1], CHILD_KEPT);
	child_live(&b->plan, fd, parent, true, b->arg);
}

static _Noreturn void serve(pid_t parent)
{
	struct birth b = { .arg = "" };
	int fds[2];

	child_filter_make(CHILD_SEALED);
	while (receive_birth(&b, fds) == 0) {
		if (b.plan.load)
			b.plan.load(b.arg);
		child_measure_memory();
		pid_t pid = fork_for_parent();
		if (pid == 0)
			be_born(&b, fds, parent);
		int reply = pid < 0 ? -errno : pid;
		ssize_t told = write(STDIN_FILENO, &reply, sizeof reply);
		close(fds[0]);
		if (fds[1] >= 0)
			close(fds[1]);
		explicit_bzero(&b, sizeof b);
		if (told < 0)
			break;
	}
	_exit(EXIT_SUCCESS);
}

/* ---- the parent ---- */

int child_zygote_begin(struct err *e)
{
	pid_t me = getpid();
	int ends[2];

	if (zygote.pid && zygote.owner == me)
		return 0;
	if (zygote.pid) /* inherited by fork(): it belongs to another process */
		close(zygote.fd);
	zygote.pid = 0;
	zygote.order = NULL;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return err_sys(e, "a socket to the process that starts others");
	pid_t pid = fork();
	if (pid == 0) {
		wipe_environment();
		child_be_zygote(ends[1], me);
		serve(me);
	}
	int rc = pid < 0 ? err_sys(e, "the process that starts others") : 0;
	close(ends[1]);
	if (rc < 0)
		close(ends[0]);
	else
		zygote.pid = pid, zygote.owner = me, zygote.fd = ends[0];
	return rc;
}

void child_zygote_end(void)
{
	if (!zygote.pid)
		return;
	close(zygote.fd);
	if (zygote.owner == getpid()) {
		kill(zygote.pid, SIGKILL);
		while (waitpid(zygote.pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	zygote.pid = 0;
}

/* Hears the process id of the child that was ordered; 0, with the reason, if there is none. */
static void hear_answer(void)
{
	struct child *c = zygote.order;
	int answer = -ECHILD;
	ssize_t got;

	if (!c)
		return;
	do
		got = recv(zygote.fd, &answer, sizeof answer, 0);
	while (got < 0 && errno == EINTR);
	errno = got == sizeof answer && answer < 0 ? -answer : ECHILD;
	c->pid = got == sizeof answer && answer > 0 ? answer : 0;
	if (!c->pid)
		err_sys(&c->why, "a process for %s", c->plan->name);
	zygote.order = NULL;
}

int child_zygote_order(struct child *c, const struct child_plan *plan, const void *arg, size_t n,
                       struct err *e)
{
	struct birth b = { .plan = *plan };
	int ends[2], rc = child_zygote_begin(e);

	if (rc < 0)
		return rc;
	if (n > sizeof b.arg)
		return err_set(e, ERR_LIMIT, "%s: its argument is too long", plan->name);
	if (n)
		memcpy(b.arg, arg, n);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return err_sys(e, "a socket to %s", plan->name);
	hear_answer();
	rc = send_birth(&b, (int[]){ ends[1], plan->keep }, plan->keep ? 2 : 1);
	if (rc < 0)
		rc = err_sys(e, "a process for %s", plan->name);
	close(ends[1]);
	if (rc < 0) {
		close(ends[0]);
		return rc;
	}
	*c = (struct child){ .plan = plan, .fd = ends[0], .ordered = true };
	zygote.order = c;
	return 0;
}

int child_zygote_take(struct child *c, struct err *e)
{
	if (zygote.order == c)
		hear_answer();
	c->ordered = false;
	if (c->pid)
		return child_adopt(c, c->plan, c->pid, c->fd, e);
	close(c->fd);
	return err_set(e, ERR_SYSTEM, "%s", c->why.text);
}

int child_zygote_bear(struct child *c, const struct child_plan *plan, const void *arg, size_t n,
                      struct err *e)
{
	int rc = child_zygote_order(c, plan, arg, n, e);

	return rc < 0 ? rc : child_zygote_take(c, e);
}
