/* The only file that knows the filter of system calls (libseccomp). */
#include "pbm/base/child_confine.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* The sanitizers reserve terabytes of address space, read /proc/self/maps and write reports
 * to standard error. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif

/* Closes all descriptors from first on but keep. */
static bool close_from(unsigned first, int keep)
{
	unsigned kept = keep >= (int)first ? (unsigned)keep : first - 1;

	return (kept <= first || close_range(first, kept - 1, 0) == 0) &&
	       close_range(kept + 1, ~0U, 0) == 0;
}

/* The store's files and locks are open in the parent.  A child that can open files keeps
 * descriptors 1 and 2 in use.  Otherwise a file it opens could become its standard output
 * or error. */
static bool drop_descriptors(const struct child_plan *plan, int fd)
{
	if (dup2(fd, STDIN_FILENO) < 0)
		return false;
	if (plan->trust == CHILD_SEALED && !SANITIZED)
		return close_from(STDIN_FILENO + 1, plan->keep);
	close(STDOUT_FILENO);
	return close_from(STDERR_FILENO + 1, plan->keep) &&
	       (plan->trust == CHILD_SEALED || open("/dev/null", O_WRONLY) == STDOUT_FILENO);
}

/* Unmaps memory that other processes could see change, for example the index of SQLite's
 * write-ahead log. */
static void drop_shared_memory(void)
{
	char line[512];
	FILE *f = fopen("/proc/self/maps", "re");

	while (f && fgets(line, sizeof line, f)) {
		char *rest;
		uintptr_t from = (uintptr_t)strtoull(line, &rest, 16);
		uintptr_t to = *rest == '-' ? (uintptr_t)strtoull(rest + 1, &rest, 16) : from;

		if (to > from && strncmp(rest, " rw-s", 5) == 0)
			munmap((void *)from, to - from);
	}
	if (f)
		fclose(f);
}

/* Sets a limit for good, or makes a stricter one that is there already final. */
static void limit(__rlimit_resource_t what, rlim_t most)
{
	struct rlimit l;

	if (getrlimit(what, &l) == 0 && l.rlim_cur < most)
		most = l.rlim_cur;
	setrlimit(what, &(struct rlimit){ most, most });
}

/* Limits the address space to what is in use and so many bytes more. */
static void limit_memory(rlim_t more)
{
	unsigned long pages;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f && fscanf(f, "%lu", &pages) == 1)
		limit(RLIMIT_AS, (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + more);
	if (f)
		fclose(f);
}

static void limit_resources(const struct child_plan *plan)
{
	static const __rlimit_resource_t none[] = {
		RLIMIT_CORE,   RLIMIT_FSIZE, /* of all limited children; of a sealed one also: */
		RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_MSGQUEUE,
	};
	size_t n = plan->trust == CHILD_SEALED ? sizeof none / sizeof *none : 2;

	if (plan->memory && !SANITIZED)
		limit_memory(plan->memory);
	for (size_t i = 0; i < n; i++)
		limit(none[i], 0);
}

#define CALL SCMP_SYS

/* A kernel without such filters leaves the other limits in force. */
static void limit_calls(void)
{
	static const int allowed[] = {
		CALL(read),          CALL(write),         CALL(munmap),     CALL(mremap),
		CALL(brk),           CALL(madvise),       CALL(futex),      CALL(getrandom),
		CALL(clock_gettime), CALL(exit),          CALL(exit_group), CALL(restart_syscall),
		CALL(rt_sigreturn),  CALL(rt_sigprocmask)
	};
	/* What a library may try in good faith: the call fails, and the child lives. */
	static const int refused[] = { CALL(open),       CALL(openat),   CALL(stat),
		                       CALL(newfstatat), CALL(statx),    CALL(access),
		                       CALL(faccessat),  CALL(readlink), CALL(readlinkat) };
	/* New memory, unless it may hold code. */
	static const int mapping[] = { CALL(mmap), CALL(mprotect) };
	scmp_filter_ctx f = SANITIZED ? NULL : seccomp_init(SCMP_ACT_KILL_PROCESS);

	if (!f)
		return;
	for (size_t i = 0; i < sizeof mapping / sizeof *mapping; i++)
		seccomp_rule_add(f, SCMP_ACT_ALLOW, mapping[i], 1,
		                 SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
		seccomp_rule_add(f, SCMP_ACT_ALLOW, allowed[i], 0);
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		seccomp_rule_add(f, SCMP_ACT_ERRNO(EACCES), refused[i], 0);
	seccomp_load(f);
	seccomp_release(f);
}

void child_confine(const struct child_plan *plan, int fd, pid_t parent, void *arg)
{
	sigset_t all;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent ||
	    !drop_descriptors(plan, fd))
		_exit(EXIT_FAILURE);
	sigfillset(&all);
	if (plan->trust == CHILD_SEALED) {
		for (int i = 1; i < NSIG; i++)
			signal(i, SIG_DFL);
		sigprocmask(SIG_UNBLOCK, &all, NULL);
		drop_shared_memory();
	}
	/* The error of write() is enough. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (plan->prepare)
		plan->prepare(arg);
	if (plan->trust == CHILD_TRUSTED)
		return;
	/* RLIMIT_CORE does not prevent a core dump that the kernel pipes into a program. */
	prctl(PR_SET_DUMPABLE, 0);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	limit_resources(plan);
	if (plan->trust == CHILD_SEALED)
		limit_calls();
}
