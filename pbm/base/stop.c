#include "pbm/base/stop.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t wanted, child;

static void on_signal(int number)
{
	wanted = 1;
	if (child > 0)
		kill((pid_t)child, number);
}

void stop_on_signal(void)
{
	const struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGINT, &act, NULL);
}

bool stop_is_wanted(void)
{
	return wanted;
}

/* A signal between fork() and the assignment would not reach the child. */
pid_t stop_fork(void)
{
	sigset_t both, before;

	sigemptyset(&both);
	sigaddset(&both, SIGTERM);
	sigaddset(&both, SIGINT);
	sigprocmask(SIG_BLOCK, &both, &before);
	pid_t pid = fork();
	child = pid > 0 ? pid : 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

int stop_wait(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	child = 0;
	return status;
}
