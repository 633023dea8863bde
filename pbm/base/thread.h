/* A thread that does one job beside the work of the program.  It must know nothing that the
 * program changes meanwhile. */
#ifndef PBM_BASE_THREAD_H
#define PBM_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* False: the machine has no thread to give.  Signals go on coming to the threads that there were
 * before.  End it with pthread_join(). */
bool thread_start(pthread_t *out, void *(*job)(void *), void *arg);

#endif
