/* A zygote is a process that is forked for each child that hostile bytes may take over.  It is a
 * program of its own (child_plan.program), which never had a secret: such a child has no secret,
 * no mail but its own, no environment.  The children belong to the program that asks for them,
 * which waits for them and kills them, as with child_start().
 *
 * The zygote reads only what its parent sends, and ends with it. */
#pragma once

#include "pbm/base/child.h"

#define CHILD_ARG_MAX 64
#define CHILD_JOB_MAX 16

/* Begins the zygote of this process that is this program, unless there is one.  NULL: a fork of
 * this process, whose children all have its present memory.  ERR_SYSTEM. */
int child_zygote_begin(const char *program, struct err *e);

/* For main() of such a program: this process is the zygote, for these jobs; the last one has no
 * name. */
_Noreturn void child_zygote_be(const struct child_job *jobs);

/* As child_start(), but the zygote of plan->program forks.  The child gets a copy of the n bytes at arg, at
 * most CHILD_ARG_MAX, which must hold no secret.  plan->keep has descriptors of this
 * process; in the child, their numbers are CHILD_KEPT and those after it.  Without a zygote, begins
 * one. */
int child_zygote_bear(struct child *c, const struct child_plan *plan, const void *arg, size_t n,
                      struct err *e);
#define CHILD_KEPT 3

/* The same in two steps, so that the new child gets ready while this process does other
 * work.  An ordered child must not move, and must be taken before it is used or stopped. */
int child_zygote_order(struct child *c, const struct child_plan *plan, const void *arg, size_t n,
                       struct err *e);
int child_zygote_take(struct child *c, struct err *e);

/* Ends all zygotes.  The next child begins another one. */
void child_zygote_end(void);
