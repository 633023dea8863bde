#include "pbm/base/child_zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "pbm/base/child_confine.h"
#include "pbm/base/child_filter.h"
#include "pbm/base/libexec.h"

/* One message to the zygote.  Descriptors come with it: the child's end of its socket, and
 * perhaps those to keep.  The answer is the child's process id, or an errno as a negative
 * number. */
struct birth {
	struct child_plan plan; /* its pointers mean something in a fork alone */
	char job[CHILD_JOB_MAX];
	_Alignas(max_align_t) char arg[CHILD_ARG_MAX];
};

static struct zygote {
	const char *program; /* NULL: a fork of this one */
	pid_t pid;           /* 0: there is none */
	pid_t owner;         /* the process that may talk to it; a fork of it may not */
	int fd;
	struct child *order; /* the child about which it has not answered yet */
} zygotes[3];
#define ZYGOTES (sizeof zygotes / sizeof *zygotes)

/* The zygote of the program, or a place for it. */
static struct zygote *zygote_of(const char *program)
{
	struct zygote *place = NULL;

	for (struct zygote *z = zygotes; z < zygotes + ZYGOTES; z++) {
		if (z->pid && (program && z->program ? strcmp(program, z->program) == 0
		                                     : program == z->program))
			return z;
		if (!z->pid)
			place = z;
	}
	return place;
}

/* ---- messages ---- */

#define FDS (1 + CHILD_KEEP)
union control {
	struct cmsghdr head; /* for its alignment */
	char bytes[CMSG_SPACE(FDS * sizeof(int))];
};

static int send_birth(const struct zygote *z, const struct birth *b, const int *fds, size_t n)
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
		sent = sendmsg(z->fd, &m, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent == sizeof *b ? 0 : -1;
}

/* Descriptors that did not come are -1.  -1: the parent has gone. */
static int receive_birth(struct birth *b, int fds[FDS])
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
	for (size_t i = 0; i < FDS; i++)
		fds[i] = -1;
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
static _Noreturn void be_born(struct birth *b, int fds[FDS], pid_t parent)
{
	/* Out of the way of the numbers that the kept ones get. */
	for (size_t i = 0; i < FDS && fds[i] >= 0; i++)
		fds[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, CHILD_KEPT + CHILD_KEEP);
	for (int i = 0; i < CHILD_KEEP; i++)
		b->plan.keep[i] = fds[1 + i] < 0 ? 0 : dup2(fds[1 + i], CHILD_KEPT + i);
	child_live(&b->plan, fds[0], parent, true, b->arg);
}

/* Finds the job that the birth names; jobs is NULL in a fork, where the birth has it. */
static bool find_job(struct birth *b, const struct child_job *jobs)
{
	while (jobs && jobs->name && strcmp(jobs->name, b->job) != 0)
		jobs++;
	if (jobs)
		b->plan.job = *jobs;
	return b->plan.job.serve != NULL;
}

/* The process id of the new child; <0: an errno. */
static int bear(struct birth *b, int fds[FDS], pid_t parent, const struct child_job *jobs)
{
	if (!find_job(b, jobs))
		return -ENOSYS;
	if (b->plan.job.load)
		b->plan.job.load(b->arg);
	child_filter_make(b->plan.trust);
	child_measure_memory();
	pid_t pid = fork_for_parent();
	if (pid == 0)
		be_born(b, fds, parent);
	return pid < 0 ? -errno : pid;
}

static _Noreturn void serve(pid_t parent, const struct child_job *jobs)
{
	struct birth b = { .arg = "" };
	int fds[FDS];

	while (receive_birth(&b, fds) == 0) {
		int reply = bear(&b, fds, parent, jobs);
		ssize_t told = write(STDIN_FILENO, &reply, sizeof reply);

		for (size_t i = 0; i < FDS && fds[i] >= 0; i++)
			close(fds[i]);
		explicit_bzero(&b, sizeof b);
		if (told < 0)
			break;
	}
	_exit(EXIT_SUCCESS);
}

_Noreturn void child_zygote_be(const struct child_job *jobs)
{
	struct stat st;

	if (fstat(STDIN_FILENO, &st) < 0 || !S_ISSOCK(st.st_mode)) {
		fputs("pbm starts this program by itself when there is work for it\n", stderr);
		exit(EX_USAGE);
	}
	child_hide_memory(); /* a program's start has undone it */
	serve(getppid(), jobs);
}

/* ---- the parent ---- */

/* In the new process: becomes the zygote, which is this program's file or, without one, a fork. */
static _Noreturn void become_zygote(int fd, pid_t parent, const char *file)
{
	wipe_environment();
	child_be_zygote(fd, parent);
	if (!file)
		serve(parent, NULL);
	execv(file, (char *[]){ (char *)(uintptr_t)file, NULL });
	_exit(EXIT_FAILURE);
}

int child_zygote_begin(const char *program, struct err *e)
{
	struct zygote *z = zygote_of(program);
	char file[1024];
	pid_t me = getpid();
	int ends[2];

	if (z->pid && z->owner == me)
		return 0;
	if (program && libexec_find(program, file, sizeof file, e) < 0)
		return ERR_SYSTEM;
	if (z->pid) /* inherited by fork(): it belongs to another process */
		close(z->fd);
	*z = (struct zygote){ .program = program };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return err_sys(e, "a socket to the process that starts others");
	pid_t pid = fork();
	if (pid == 0)
		become_zygote(ends[1], me, program ? file : NULL);
	int rc = pid < 0 ? err_sys(e, "the process that starts others") : 0;
	close(ends[1]);
	if (rc < 0)
		close(ends[0]);
	else
		z->pid = pid, z->owner = me, z->fd = ends[0];
	return rc;
}

static void end_zygote(struct zygote *z)
{
	close(z->fd);
	if (z->owner == getpid()) {
		kill(z->pid, SIGKILL);
		while (waitpid(z->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	z->pid = 0;
}

void child_zygote_end(void)
{
	for (struct zygote *z = zygotes; z < zygotes + ZYGOTES; z++)
		if (z->pid)
			end_zygote(z);
}

/* Hears the process id of the child that was ordered; 0, with the reason, if there is none. */
static void hear_answer(struct zygote *z)
{
	struct child *c = z->order;
	int answer = -ECHILD;
	ssize_t got;

	if (!c)
		return;
	do
		got = recv(z->fd, &answer, sizeof answer, 0);
	while (got < 0 && errno == EINTR);
	errno = got == sizeof answer && answer < 0 ? -answer : ECHILD;
	c->pid = got == sizeof answer && answer > 0 ? answer : 0;
	if (!c->pid)
		err_sys(&c->why, "a process for %s", c->plan->name);
	z->order = NULL;
}

int child_zygote_order(struct child *c, const struct child_plan *plan, const void *arg, size_t n,
                       struct err *e)
{
	struct birth b = { .plan = *plan };
	int ends[2], rc = child_zygote_begin(plan->program, e);
	struct zygote *z = zygote_of(plan->program);

	if (rc < 0)
		return rc;
	if (n > sizeof b.arg)
		return err_set(e, ERR_LIMIT, "%s: its argument is too long", plan->name);
	if (n)
		memcpy(b.arg, arg, n);
	if (plan->program)
		snprintf(b.job, sizeof b.job, "%s", plan->job.name);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return err_sys(e, "a socket to %s", plan->name);
	hear_answer(z);
	int fds[FDS] = { ends[1] };
	size_t sent = 1;
	for (size_t i = 0; i < CHILD_KEEP && plan->keep[i]; i++)
		fds[sent++] = plan->keep[i];
	rc = send_birth(z, &b, fds, sent);
	if (rc < 0)
		rc = err_sys(e, "a process for %s", plan->name);
	close(ends[1]);
	if (rc < 0) {
		close(ends[0]);
		return rc;
	}
	*c = (struct child){ .plan = plan, .fd = ends[0], .ordered = true };
	z->order = c;
	return 0;
}

int child_zygote_take(struct child *c, struct err *e)
{
	struct zygote *z = zygote_of(c->plan->program);

	if (z->order == c)
		hear_answer(z);
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
