/* A polite end: after SIGTERM or SIGINT the process ends where nothing is half done. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* From now on, also in child processes, these signals only make stop_is_wanted() true. */
void stop_on_signal(void);
bool stop_is_wanted(void);

/* fork(), and the signals go on to the child, until stop_wait() has its end: the status of
 * waitpid(). */
pid_t stop_fork(void);
int stop_wait(pid_t pid);
