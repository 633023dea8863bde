#include "pbm/base/thread.h"

#include <signal.h>

bool thread_start(pthread_t *out, void *(*job)(void *), void *arg)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool started = pthread_create(out, NULL, job, arg) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}
