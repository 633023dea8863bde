#include "pbm/run/crash_guard.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/base/mem.h"

#define STACK_BYTES 16384

/* SIGPROF: the limit of processor time. */
static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGPROF };
#define SIGNALS (sizeof signals / sizeof signals[0])

static struct {
	volatile sig_atomic_t armed;
	pid_t owner; /* a child has the handlers too, but must not write the mark */
	int fd;
	off_t offset;
	char mark;
	bool memory;         /* there is a limit of memory */
	struct rlimit usual; /* the limit before */
	struct sigaction old[SIGNALS];
} guard;

static void write_mark(void)
{
	if (guard.armed && getpid() == guard.owner &&
	    pwrite(guard.fd, &guard.mark, 1, guard.offset) != 1)
		guard.armed = 0;
}

/* Did this process make the signal itself?  SIGBUS from the kernel usually means that
 * the disk could not give a page of a mapped file: the machine is at fault. */
static bool is_fault(int sig, const siginfo_t *info)
{
	if (info->si_code <= 0)
		return info->si_pid == guard.owner;
	return sig != SIGBUS || info->si_code == BUS_ADRALN;
}

static void on_signal(int sig, siginfo_t *info, void *)
{
	static const char slow[] = "pbm: one mail takes too much processor time\n";

	if (is_fault(sig, info))
		write_mark();
	if (sig == SIGPROF && info->si_code > 0) {
		ssize_t ignored = write(STDERR_FILENO, slow, sizeof slow - 1);

		(void)ignored;
		_exit(EX_TEMPFAIL);
	}
	/* The signal is blocked until this handler returns; then the old action takes it. */
	for (size_t i = 0; i < SIGNALS; i++)
		if (signals[i] == sig)
			sigaction(sig, &guard.old[i], NULL);
	raise(sig);
}

static void limit_memory(size_t bytes)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (!f || fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	if (!pages || getrlimit(RLIMIT_AS, &guard.usual) < 0)
		return;
	struct rlimit tight = guard.usual;
	rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + bytes;

	if (most < tight.rlim_cur)
		tight.rlim_cur = most;
	guard.memory = setrlimit(RLIMIT_AS, &tight) == 0;
	if (guard.memory)
		mem_at_exhaustion(write_mark);
}

static void set_timer(int seconds)
{
	const struct itimerval timer = { .it_value.tv_sec = seconds };

	setitimer(ITIMER_PROF, &timer, NULL);
}

/* Sets the handlers once in a process, because there are many mails.  While the guard is not
 * armed they only pass the signal on. */
static void set_handlers(void)
{
	static char stack[STACK_BYTES];
	static bool done;
	const struct sigaction act = { .sa_sigaction = on_signal,
		                       .sa_flags = SA_ONSTACK | SA_SIGINFO };

	if (done)
		return;
	done = true;
	/* On a stack of its own, because the usual one may be full. */
	sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof stack }, NULL);
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &act, &guard.old[i]);
}

void crash_guard_begin(int fd, off_t offset, char mark, int cpu, size_t memory)
{
	guard.fd = fd;
	guard.offset = offset;
	guard.mark = mark;
	guard.owner = getpid();
	set_handlers();
	guard.armed = 1;
	if (memory)
		limit_memory(memory);
	set_timer(cpu);
}

void crash_guard_end(void)
{
	if (!guard.armed)
		return;
	set_timer(0);
	if (guard.memory) {
		setrlimit(RLIMIT_AS, &guard.usual);
		mem_at_exhaustion(NULL);
	}
	guard.memory = false;
	guard.armed = 0;
}
