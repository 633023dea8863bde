#include "pbm/base/child_confine.h"
#include "pbm/base/io.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pbm/base/child_filter.h"

#ifdef __GLIBC__
typedef __rlimit_resource_t resource;
#else
typedef int resource;
#endif

#define THREADS_MAX 64 /* of another program */

/* close_range(), which musl does not have. */
static bool close_all(unsigned first, unsigned last)
{
	return syscall(SYS_close_range, first, last, 0U) == 0;
}

/* Closes all descriptors from first on, but those of keep. */
static bool close_from(unsigned first, const int *keep)
{
	for (size_t i = 0; keep && i < CHILD_KEEP; i++)
		if (keep[i] >= (int)first) {
			unsigned kept = (unsigned)keep[i];

			if (kept > first && !close_all(first, kept - 1))
				return false;
			first = kept + 1;
		}
	return close_all(first, ~0U);
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
	if (plan->trust == CHILD_PROGRAM) {
		close(STDERR_FILENO);
		return close_from(STDERR_FILENO + 1, NULL) && dup(STDIN_FILENO) == STDOUT_FILENO &&
		       open("/dev/null", O_WRONLY) == STDERR_FILENO;
	}
	return close_from(STDERR_FILENO + 1, plan->keep) &&
	       (plan->trust == CHILD_SEALED || open("/dev/null", O_WRONLY) == STDOUT_FILENO);
}

/* Unmaps memory that other processes could see change, for example the index of SQLite's
 * write-ahead log. */
static void drop_shared_memory(void)
{
	char line[512];
	AUTO(io_close_file) FILE *f = fopen("/proc/self/maps", "re");

	while (f && fgets(line, sizeof line, f)) {
		char *rest;
		uintptr_t from = (uintptr_t)strtoull(line, &rest, 16);
		uintptr_t to = *rest == '-' ? (uintptr_t)strtoull(rest + 1, &rest, 16) : from;

		if (to > from && strncmp(rest, " rw-s", 5) == 0)
			munmap((void *)from, to - from);
	}
}

/* Sets a limit for good, or makes a stricter one that is there already final. */
static void limit(resource what, rlim_t most)
{
	struct rlimit l;

	if (most && getrlimit(what, &l) == 0 && l.rlim_cur < most)
		most = l.rlim_cur;
	setrlimit(what, &(struct rlimit){ most, most });
}

/* Pages of address space in use, 0 if unknown. */
static unsigned long in_use;

void child_measure_memory(void)
{
	AUTO(io_close_file) FILE *f = in_use ? NULL : fopen("/proc/self/statm", "re");

	if (f && fscanf(f, "%lu", &in_use) != 1)
		in_use = 0;
}

/* Limits the address space to what is in use and so many bytes more. */
static void limit_memory(rlim_t more)
{
	child_measure_memory();
	if (in_use)
		limit(RLIMIT_AS, (rlim_t)in_use * (rlim_t)sysconf(_SC_PAGESIZE) + more);
}

/* The processes and threads of this user: RLIMIT_NPROC counts them all. */
static rlim_t tasks_of_user(void)
{
	AUTO(io_close_dir) DIR *all = opendir("/proc");
	const struct dirent *entry;
	rlim_t n = 0;

	while (all && (entry = readdir(all))) {
		struct stat st;

		const char *path = PRINTED(300, "/proc/%s/task", entry->d_name);
		if (stat(path, &st) == 0 && st.st_uid == geteuid())
			n += st.st_nlink - 2; /* a link for each thread, and two for the folder */
	}
	return n;
}

/* For one child; give_up_rights() has set the others. */
static void limit_resources(const struct child_plan *plan)
{
	if (plan->memory && !SANITIZED)
		limit_memory(plan->memory);
	if (plan->cpu) /* the signal first, a second later the end */
		setrlimit(RLIMIT_CPU, &(struct rlimit){ (rlim_t)plan->cpu, (rlim_t)plan->cpu + 1 });
	if (plan->trust == CHILD_PROGRAM)
		limit(RLIMIT_NPROC, tasks_of_user() + THREADS_MAX);
	if (plan->trust == CHILD_SEALED) {
		limit(RLIMIT_NOFILE, 0);
		limit(RLIMIT_NPROC, 0);
	}
}

/* Drops what a fork() of the program takes over besides memory and descriptors. */
static void drop_inheritance(void)
{
	sigset_t all;

	sigfillset(&all);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	drop_shared_memory();
}

/* RLIMIT_CORE would not prevent a core dump that the kernel pipes into a program, and the
 * programs that this one starts would inherit it. */
void child_hide_memory(void)
{
	if (!SANITIZED)
		prctl(PR_SET_DUMPABLE, 0);
}

/* Gives up rights that no limited child needs, and no zygote, from which children take them
 * over. */
static void give_up_rights(void)
{
	child_hide_memory();
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_MSGQUEUE, 0);
}

/* The error of write() is enough. */
static void ignore_signals(void)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

void child_be_zygote(int fd, pid_t parent)
{
	static const struct child_plan plan = { .trust = CHILD_LIMITED };

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent ||
	    !drop_descriptors(&plan, fd))
		_exit(EXIT_FAILURE);
	drop_inheritance();
	/* A terminal sends them to all processes.  Whether they end the program is its decision. */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	ignore_signals();
	give_up_rights();
}

/* Another program has a group of its own, which ends with it, and neither our folder nor the
 * real user, where that is another one. */
static void leave_parent(void)
{
	uid_t user = geteuid();
	gid_t group = getegid();
	bool same = getuid() == user && getgid() == group;

	if (setpgid(0, 0) < 0 || chdir("/") < 0 ||
	    (!same && (setresgid(group, group, group) < 0 || setresuid(user, user, user) < 0)))
		_exit(EXIT_FAILURE);
}

bool child_confine(const struct child_plan *plan, int fd, pid_t parent, bool clean)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent ||
	    !drop_descriptors(plan, fd))
		_exit(EXIT_FAILURE);
	if (plan->trust == CHILD_PROGRAM)
		leave_parent();
	if (plan->trust >= CHILD_PROGRAM && !clean)
		drop_inheritance();
	if (!clean)
		ignore_signals();
	if (plan->trust == CHILD_TRUSTED)
		return true;
	if (!clean)
		give_up_rights();
	limit_resources(plan);
	return child_filter_load(plan->trust);
}
