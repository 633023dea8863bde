/* The program as a process that waits (tests/util/warm.c), forked for each run instead of
 * being loaded anew. */
#pragma once

#include <stdbool.h>

#define WARM_MAX (128 * 1024) /* bytes of a request */
#define WARM_STRINGS 1000     /* arguments, or variables of the environment */
#define WARM_FDS 3

/* Starts the program with these arguments and descriptors, and closes none of them.  false:
 * there is no such process ($WARM names its file), or warm_off() was called; then the caller
 * executes the program itself. */
bool warm_start(const char *const argv[], const int fds[WARM_FDS]);

/* Waits for the end of what was started last; the status as of waitpid(). */
int warm_wait(void);

/* From here on in this process, each run is a real start. */
void warm_off(void);
