/* Another program as a child, of which nothing is believed: lines go to its standard input, lines
 * come from its standard output.  It has no environment, writes to no file, makes no connection,
 * starts no process, and reads no file of the site where the kernel has Landlock.  Its standard
 * error is dropped.  It ends with its parent. */
#pragma once

#include "pbm/base/child.h"

#define CHILD_PROGRAM_LINE 4096 /* bytes of a line; the rest of a longer one is dropped */

/* All zero is a program that was never started.  It must not be moved while the child lives. */
struct child_program {
	struct child child; /* for child_grant() */
	struct child_plan plan;
	size_t left;    /* bytes that it may still say */
	size_t from, n; /* of buf: bytes that were read and not yet heard */
	bool cut;       /* the next ones belong to a line that was too long */
	char buf[CHILD_PROGRAM_LINE];
};

/* Of the plan: name, memory, cpu, and answer_max, the bytes that it may say in its whole life.
 * argv[0] is the path of its file.  Errors as child_start(); a program that can't be executed
 * ends with exit code 127. */
int child_program_start(struct child_program *p, const struct child_plan *plan, char *const argv[],
                        struct err *e);

/* Sends the text, which is emptied.  Errors as those of child_send(). */
int child_program_say(struct child_program *p, struct str *text, struct err *e);

/* Waits for its next line: *len bytes, maybe a NUL among them, then a NUL in place of the end of
 * the line, until the next call.  Errors as those of child_send(). */
int child_program_hear(struct child_program *p, const char **line, size_t *len, struct err *e);

/* Kills it with its group. */
void child_program_stop(struct child_program *p);
