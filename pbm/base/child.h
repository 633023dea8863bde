/* A child process that does one job for its parent.  Each sends the other frames: a length, then
 * so many bytes.  The parent trusts nothing that a child says, and waits only as long as it has
 * granted.  In the parent every failure ends the child at once, so a child either works or is
 * gone; struct child has the reason.
 *
 * This module never logs, and reaps no process but its own children, each by its process id.
 * The program must not ignore SIGCHLD, and no other code may reap these children. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "pbm/base/err.h"
#include "pbm/base/str.h"

/* The rights of a child.  Each level includes the limits of the levels above it. */
enum child_trust {
	CHILD_TRUSTED, /* anything; but of its parent's descriptors it has only standard error
	                * and plan->keep, and it dies with its parent */
	CHILD_LIMITED, /* write to no file, dump no core, take only plan->memory, gain no rights;
	                * by a filter of system calls: start no process, and make no connection
	                * but by IPv4 and IPv6 */
	CHILD_PROGRAM, /* be another program (child_program.h): write to no file, take only
	                * plan->memory, start threads but no process, and make no connection */
	CHILD_SEALED   /* compute, and talk to its parent: it has no other descriptor, starts no
	                * process, shares no memory, and an unexpected system call kills it */
};

struct child;

struct child_job {
	const char *name; /* for child_plan.program */
	/* MAY.  For child_zygote_bear(): called in the zygote before it forks.  All later
	 * children have what it loads.  It must keep nothing of arg. */
	void (*load)(const void *arg);
	/* MUST.  The child's work.  parent is the other end, for child_frame(), child_send()
	 * and child_receive(); the child exits with 0 when serve returns. */
	void (*serve)(struct child *parent, void *arg);
};

#define CHILD_KEEP 2

/* A child's job and limits.  The plan and its strings must outlive the child. */
struct child_plan {
	const char *name; /* begins the errors about it: "the parser" */
	enum child_trust trust;
	size_t memory; /* bytes of address space beyond what it has after prepare(); 0: no limit */
	int cpu; /* seconds of processor time for its whole life; 0: no limit, see child_grant() */
	size_t question_max; /* bytes of the longest frame from the parent */
	size_t answer_max;   /* bytes of the longest frame from the child */
	int keep[CHILD_KEEP]; /* descriptors that stay open in the child, in ascending order; 0: none */
	/* The child may live where the kernel refuses the filter of system calls. */
	bool filter_optional;
	struct child_job job;
	/* MAY.  For child_zygote_bear(): the program of libexec/pbm that has a job of this name.
	 * NULL: the zygote is a fork of this program, and the functions of the job are here. */
	const char *program;
};

/* Why there is no child any more. */
enum child_trouble {
	CHILD_FINE,    /* it lives, or was stopped, or never started */
	CHILD_HUNG,    /* it was not ready before the deadline */
	CHILD_SPUN,    /* it used up its processor time */
	CHILD_STARVED, /* it ran out of memory (mem.h: exit code EX_TEMPFAIL) */
	CHILD_DIED,    /* it ended in another way */
	CHILD_LIED     /* it sent a frame that is too long or makes no sense */
};

/* All zero is a child that was never started. */
struct child {
	pid_t pid; /* 0: there is no child */
	enum child_trouble trouble;
	bool killed;    /* CHILD_DIED, by a signal that only another process sends */
	struct err why; /* ERR_TEMP and a sentence for a person, when there is trouble */

	/* The rest is for child*.c alone. */
	const struct child_plan *plan;
	bool unfiltered; /* it lives without the filter of system calls */
	bool ordered;    /* child_zygote_take() is due */
	bool inside;     /* this end belongs to the child */
	int fd;          /* our end of the socket */
	int64_t until;   /* the deadline, as clock_ms() counts; 0: none */
	int seconds;     /* that were granted, for the error */
	int64_t cpu;     /* seconds of processor time that it may have used in all */
	struct str out;  /* the frame being written, its length in front */
	char *in;        /* the frame received last, followed by a NUL */
	size_t in_size;  /* bytes allocated at in */
};

/* Forks; plan->serve(…, arg) runs in the child, which has all memory of this process.  c must
 * be zeroed, or a child that is gone: the new one takes its place.  ERR_SYSTEM: the machine
 * has no process to give.  ERR_UNFILTERED: the plan wants a filter of system calls, and the
 * kernel refuses it; no child lives. */
int child_start(struct child *c, const struct child_plan *plan, void *arg, struct err *e);

/* From now on the child has this many seconds by the clock for all its answers, and cpu seconds
 * of processor time, which the kernel counts in whole seconds.  Without a grant a child has no
 * limit of time.  cpu 0: its processor time stays as the plan limits it. */
void child_grant(struct child *c, int seconds, int cpu);

/* The next frame to send, empty at first: add its bytes.  Always followed by child_send(). */
struct str *child_frame(struct child *c);

/* Sends that frame.  In the parent, ERR_TEMP means that the child is gone: c->trouble and
 * c->why say how.  In the child, any error means that the parent is gone. */
int child_send(struct child *c, struct err *e);

/* Waits for the other end's next frame: its *n bytes, followed by a NUL, stay where they are
 * until the next call with c.  Errors as those of child_send(). */
int child_receive(struct child *c, const char **bytes, size_t *n, struct err *e);

/* Waits without a deadline until one of the n children has something to say, or is gone:
 * child_receive() will tell.  Returns its index, or n when none of them lives. */
size_t child_await(const struct child *v, size_t n);

/* The bytes of a frame made no sense: ends the child.  ERR_TEMP, as child_send(). */
int child_lied(struct child *c, struct err *e);

/* For child*.c alone.  The child's life after the fork; clean as in child_confine(). */
_Noreturn void child_live(const struct child_plan *plan, int fd, pid_t parent, bool clean,
                          void *arg);
/* For child*.c alone.  The parent's side: takes over the new process and our end of its
 * socket, and waits until the child has given up its rights.  Errors as child_start(). */
int child_adopt(struct child *c, const struct child_plan *plan, pid_t pid, int fd, struct err *e);

/* For child*.c alone, in the parent: bytes without frames.  Sends all of them; waits for some, at
 * most n, and returns their number.  Errors as those of child_send(). */
int child_send_bytes(struct child *c, char *bytes, size_t n, struct err *e);
int child_receive_bytes(struct child *c, char *to, size_t n, struct err *e);

/* Kills and reaps the child, if there is one, and frees what c holds.  If the child was gone
 * already, c->trouble and c->why stay.  A stopped child can be started again. */
void child_stop(struct child *c);
