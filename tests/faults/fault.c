/* Makes one system call or one allocation of a program go wrong.  A shared
 * object for LD_PRELOAD, told what to do by the environment:
 *
 *   FAULT=KIND        what happens, one of the table below; each kind counts
 *                     only the calls that it could happen to
 *   FAULT_AT=N        at the Nth of these calls (from 1); 0: never
 *   FAULT_COUNT=FILE  writes there, at exit, the name of each call counted
 *
 *   FAULT_IN=NAME     not this program is disturbed, but libexec's of that name when it is
 *                     started; once, for its children count together
 *   FAULT_LIES=1      no flush is made, and each says that it was
 *   FAULT_SERVER=1    the program starts again and again without being loaded
 *                     anew: see serve()
 *
 * With the kinds that deny memory, a crash inside a library that can't stand it
 * exits with LIBRARY_DIED.  Calls that libc makes inside itself are not seen: those of stdio, for one. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define SEEN_BYTES (1 << 20)
#define LIBRARY_DIED 99

enum {
	CHANGE = 1, /* changes what others see: files, names, sockets */
	SPACE = 2,  /* may need room on the disk */
	OPEN = 4,   /* makes a descriptor */
	WRITE = 8,  /* may do half of it */
	SYNC = 16,
	READ = 32,
	MEMORY = 64,
	LIBRARY = 128 /* memory asked for by a library, not by the program itself */
};

enum act { FAIL, KILL, STOP, HALF, HALF_KILL, ORPHAN };

static const struct kind {
	const char *name;
	unsigned counts;
	enum act act;
	int error;
	bool lasting; /* from that call on, until the program ends */
} kinds[] = {
	{ "kill", CHANGE, KILL, 0, false },
	{ "tear", WRITE, HALF_KILL, 0, false }, /* killed within a write */
	{ "orphan", CHANGE, ORPHAN, 0, false }, /* all its children are killed */
	{ "stop", CHANGE, STOP, 0, false },     /* SIGSTOP, and on when continued */
	{ "EIO", CHANGE, FAIL, EIO, false },
	{ "ENOSPC", SPACE | SYNC, FAIL, ENOSPC, false },
	{ "EMFILE", OPEN, FAIL, EMFILE, false },
	{ "short", WRITE, HALF, 0, false },
	{ "full", SPACE, FAIL, ENOSPC, true }, /* the disk fills up */
	{ "dead", CHANGE, FAIL, EIO, true },   /* the disk goes away */
	{ "EREAD", READ, FAIL, EIO, false },
	{ "nomem", MEMORY, FAIL, ENOMEM, false },
	{ "nomemlib", LIBRARY, FAIL, ENOMEM,
	  false }, /* not SQLite: it gets what the program gets */
};

static const struct kind *kind;
static long at, own_count, *count = &own_count;
/* The path of the program of libexec that is disturbed, and its environment; "": none. */
static char inside[100], inside_env[4][4200];
static bool is_inside; /* this is it */
static bool lies;
static const char *count_file;
static char seen[SEEN_BYTES];
static size_t seen_len;
/* Addresses of code and data: of the program, and of SQLite, which asks for memory as the
 * program does. */
static struct {
	uintptr_t from, to;
} own[2];

static int find_own(struct dl_phdr_info *info, size_t, void *arg)
{
	int *number = arg, which = *number == 0                              ? 0
	                           : strstr(info->dlpi_name, "/libsqlite3.") ? 1
	                                                                     : -1;

	*number += 1; /* the first object is the program */
	for (int i = 0; which >= 0 && i < info->dlpi_phnum; i++) {
		uintptr_t end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr +
		                info->dlpi_phdr[i].p_memsz;

		own[which].from = info->dlpi_addr;
		if (info->dlpi_phdr[i].p_type == PT_LOAD && end > own[which].to)
			own[which].to = end;
	}
	return 0;
}

/* libetpan frees lists that it could not make. */
static const char *const weak[] = { "/libetpan.", NULL };

static void on_crash(int number, siginfo_t *, void *context)
{
	const ucontext_t *u = context;
	Dl_info where;
#ifdef __x86_64__
	uintptr_t at_fault = (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
#else
	uintptr_t at_fault = (uintptr_t)u->uc_mcontext.pc;
#endif
	int found = dladdr((void *)at_fault, &where);

	for (size_t i = 0; found && weak[i]; i++)
		if (strstr(where.dli_fname, weak[i]))
			_exit(LIBRARY_DIED);
	signal(number, SIG_DFL);
}

static void choose(const char *name, const char *number, const char *file)
{
	count_file = file && *file ? file : NULL;
	at = number ? strtol(number, NULL, 10) : 0;
	for (size_t i = 0; name && i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcmp(kinds[i].name, name) == 0)
			kind = &kinds[i];
}

static void redirect(const char *path, int flags, int fd)
{
	long from = syscall(SYS_open, path, flags, 0600);

	if (from < 0 || dup2((int)from, fd) < 0)
		_exit(127);
	syscall(SYS_close, from);
}

static void set_inside(const char *name)
{
	const char *const names[] = { "LD_PRELOAD", "FAULT", "FAULT_AT" };

	snprintf(inside, sizeof inside, "/libexec/pbm/%s", name);
	for (int i = 0; i < 3; i++)
		snprintf(inside_env[i], sizeof inside_env[i], "%s=%s", names[i], getenv(names[i]));
	snprintf(inside_env[3], sizeof inside_env[3], "FAULT_INSIDE=1");
}

/* The environment of these programs is empty, but for ours. */
int execv(const char *path, char *const argv[])
{
	char *env[] = { inside_env[0], inside_env[1], inside_env[2], inside_env[3], NULL };
	bool meant = *inside && strstr(path, inside);

	return (int)syscall(SYS_execve, path, argv, meant ? env : environ);
}

static void kill_children(void)
{
	char list[4096], *p = list;
	long fd = syscall(SYS_open, "/proc/thread-self/children", O_RDONLY);
	long n = fd < 0 ? -1 : syscall(SYS_read, fd, list, sizeof list - 1);

	list[n < 0 ? 0 : n] = '\0';
	for (long pid; (pid = strtol(p, &p, 10)) > 0;)
		kill((pid_t)pid, SIGKILL);
	syscall(SYS_close, fd);
}

/* Only the program itself is disturbed, not what it starts. */
static void leave_child_alone(void)
{
	kind = NULL;
	count_file = NULL;
}

/* A line on standard input is "folder kind number count-file stdin output", with
 * tabs between; a child goes on as the program, in that folder.  The answers are
 * its number, and how it ended: two lines. */
static void serve(void)
{
	static char line[4096];
	int status;

	while (fgets(line, sizeof line, stdin)) {
		char *rest = line, *word[6];
		pid_t pid;

		line[strcspn(line, "\n")] = '\0';
		for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
			if (!(word[i] = strsep(&rest, "\t")))
				_exit(127);
		pid = fork();
		if (pid == 0) {
			if (chdir(word[0]) < 0)
				_exit(127);
			choose(word[1], word[2], word[3]);
			unsetenv("FAULT_SERVER"); /* not what it starts */
			redirect(word[4], O_RDONLY, 0);
			redirect(word[5], O_WRONLY | O_CREAT | O_TRUNC, 1);
			dup2(1, 2);
			return;
		}
		printf("%d\n", (int)pid);
		fflush(stdout);
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			_exit(127);
		printf("%d\n", WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));
		fflush(stdout);
	}
	_exit(0);
}

__attribute__((constructor)) static void start(void)
{
	int number_of_object = 0;

	dl_iterate_phdr(find_own, &number_of_object);
	pthread_atfork(NULL, NULL, leave_child_alone);
	lies = getenv("FAULT_LIES");
	is_inside = getenv("FAULT_INSIDE");
	if (is_inside)
		count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE,
		             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (getenv("FAULT_SERVER"))
		serve();
	else if (getenv("FAULT_IN"))
		set_inside(getenv("FAULT_IN"));
	else
		choose(getenv("FAULT"), getenv("FAULT_AT"), getenv("FAULT_COUNT"));
	if (kind && kind->counts & (MEMORY | LIBRARY))
		sigaction(SIGSEGV,
		          &(struct sigaction){ .sa_sigaction = on_crash, .sa_flags = SA_SIGINFO },
		          NULL);
}

__attribute__((destructor)) static void finish(void)
{
	long fd = count_file ? syscall(SYS_open, count_file, O_WRONLY | O_CREAT | O_TRUNC, 0600)
	                     : -1;

	if (fd >= 0 && syscall(SYS_write, fd, seen, seen_len) == (long)seen_len)
		syscall(SYS_close, fd);
}

static void note(const char *name)
{
	size_t n = strlen(name);

	if (!count_file || seen_len + n + 1 > sizeof seen)
		return;
	memcpy(seen + seen_len, name, n);
	seen[seen_len + n] = '\n';
	seen_len += n + 1;
}

/* The one call that the filter of pbm-net lets pass. */
static void die(void)
{
	syscall(SYS_tgkill, getpid(), gettid(), SIGKILL);
}

/* The caller's next step with this call; 0: make it. -1: errno is set. */
enum { GO = 0, FAILED = -1, HALVE = 1, HALVE_AND_DIE = 2, PRETEND = 3 };

static int meet(const char *name, unsigned classes)
{
	if (!kind || !(kind->counts & classes))
		return lies && classes & SYNC ? PRETEND : GO;
	long now = __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
	note(name);
	if (now != at && !(kind->lasting && at && now > at))
		return lies && classes & SYNC ? PRETEND : GO;
	switch (kind->act) {
	case KILL: die(); break;
	case STOP: kill(getpid(), SIGSTOP); break;
	case ORPHAN: kill_children(); break;
	case HALF: return HALVE;
	case HALF_KILL: return HALVE_AND_DIE;
	case FAIL: errno = kind->error; return FAILED;
	}
	return GO;
}

/* A plain call: arguments are passed on, or it fails. */
#define CALL(type, name, classes, ...)                                                             \
	do {                                                                                       \
		int what_ = meet(#name, (classes));                                                \
		if (what_ == FAILED)                                                               \
			return -1;                                                                 \
		if (what_ == PRETEND)                                                              \
			return 0;                                                                  \
		return (type)syscall(SYS_##name, __VA_ARGS__);                                     \
	} while (0)

int fsync(int fd)
{
	CALL(int, fsync, CHANGE | SYNC, fd);
}
int fdatasync(int fd)
{
	CALL(int, fdatasync, CHANGE | SYNC, fd);
}
int syncfs(int fd)
{
	CALL(int, syncfs, CHANGE | SYNC, fd);
}
int rename(const char *a, const char *b)
{
	CALL(int, rename, CHANGE | SPACE, a, b);
}
int renameat(int d, const char *a, int f, const char *b)
{
	CALL(int, renameat, CHANGE | SPACE, d, a, f, b);
}
int renameat2(int d, const char *a, int f, const char *b, unsigned flags)
{
	CALL(int, renameat2, CHANGE | SPACE, d, a, f, b, flags);
}
int link(const char *a, const char *b)
{
	CALL(int, link, CHANGE | SPACE, a, b);
}
int linkat(int d, const char *a, int f, const char *b, int flags)
{
	CALL(int, linkat, CHANGE | SPACE, d, a, f, b, flags);
}
int symlink(const char *a, const char *b)
{
	CALL(int, symlink, CHANGE | SPACE, a, b);
}
int unlink(const char *a)
{
	CALL(int, unlink, CHANGE, a);
}
int unlinkat(int d, const char *a, int flags)
{
	CALL(int, unlinkat, CHANGE, d, a, flags);
}
int rmdir(const char *a)
{
	CALL(int, rmdir, CHANGE, a);
}
int mkdir(const char *a, mode_t mode)
{
	CALL(int, mkdir, CHANGE | SPACE, a, mode);
}
int mkdirat(int d, const char *a, mode_t mode)
{
	CALL(int, mkdirat, CHANGE | SPACE, d, a, mode);
}
int ftruncate(int fd, off_t n)
{
	CALL(int, ftruncate, CHANGE | SPACE, fd, n);
}
int ftruncate64(int fd, off64_t n)
{
	CALL(int, ftruncate, CHANGE | SPACE, fd, n);
}
int fallocate(int fd, int mode, off_t a, off_t n)
{
	CALL(int, fallocate, CHANGE | SPACE, fd, mode, a, n);
}
int fchmod(int fd, mode_t mode)
{
	CALL(int, fchmod, CHANGE, fd, mode);
}
int fchown(int fd, uid_t u, gid_t g)
{
	CALL(int, fchown, CHANGE, fd, u, g);
}
int socket(int a, int b, int c)
{
	CALL(int, socket, OPEN, a, b, c);
}

/* One write or read of n bytes; call_ says how to do some of them.  Output for
 * a person, on the standard descriptors, is no change; others get their work there. */
#define TRANSFER(name, classes, fd, n, call_)                                                      \
	do {                                                                                       \
		int what_ = (fd) <= STDERR_FILENO && !is_inside ? GO : meet(#name, (classes));     \
		if (what_ == FAILED)                                                               \
			return -1;                                                                 \
		size_t some = what_ == GO || (n) < 2 ? (n) : (n) / 2;                              \
		ssize_t done_ = call_;                                                             \
		if (what_ == HALVE_AND_DIE)                                                        \
			die();                                                                     \
		return done_;                                                                      \
	} while (0)

ssize_t write(int fd, const void *p, size_t n)
{
	TRANSFER(write, CHANGE | SPACE | WRITE, fd, n, syscall(SYS_write, fd, p, some));
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t where)
{
	TRANSFER(pwrite64, CHANGE | SPACE | WRITE, fd, n,
	         syscall(SYS_pwrite64, fd, p, some, where));
}

ssize_t pwrite64(int fd, const void *p, size_t n, off64_t where)
{
	TRANSFER(pwrite64, CHANGE | SPACE | WRITE, fd, n,
	         syscall(SYS_pwrite64, fd, p, some, where));
}

ssize_t writev(int fd, const struct iovec *v, int n)
{
	CALL(ssize_t, writev, CHANGE | SPACE, fd, v, n);
}

ssize_t send(int fd, const void *p, size_t n, int flags)
{
	TRANSFER(send, CHANGE | WRITE, fd, n, syscall(SYS_sendto, fd, p, some, flags, NULL, 0));
}

ssize_t sendto(int fd, const void *p, size_t n, int flags, __CONST_SOCKADDR_ARG to, socklen_t len)
{
	TRANSFER(sendto, CHANGE | WRITE, fd, n,
	         syscall(SYS_sendto, fd, p, some, flags, to.__sockaddr__, len));
}

ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
	CALL(ssize_t, sendmsg, CHANGE, fd, m, flags);
}

ssize_t read(int fd, void *p, size_t n)
{
	TRANSFER(read, READ, fd, n, syscall(SYS_read, fd, p, some));
}

ssize_t pread(int fd, void *p, size_t n, off_t where)
{
	TRANSFER(pread64, READ, fd, n, syscall(SYS_pread64, fd, p, some, where));
}

ssize_t pread64(int fd, void *p, size_t n, off64_t where)
{
	TRANSFER(pread64, READ, fd, n, syscall(SYS_pread64, fd, p, some, where));
}

/* Of /dev/urandom SQLite makes the salts of its log; with zeros, equal runs
 * leave equal bytes. */
static int open_any(int d, const char *path, int flags, mode_t mode)
{
	bool makes = flags & O_CREAT;

	if (meet(makes ? "openat+" : "openat", OPEN | (makes ? CHANGE | SPACE : 0)) == FAILED)
		return -1;
	return (int)syscall(SYS_openat, d, strcmp(path, "/dev/urandom") == 0 ? "/dev/zero" : path,
	                    flags, mode);
}

#define MODE_OF(flags, mode)                                                                       \
	do {                                                                                       \
		va_list ap;                                                                        \
		va_start(ap, flags);                                                               \
		mode = (flags)&O_CREAT ? va_arg(ap, mode_t) : 0;                                   \
		va_end(ap);                                                                        \
	} while (0)

int open(const char *path, int flags, ...)
{
	mode_t mode;

	MODE_OF(flags, mode);
	return open_any(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	mode_t mode;

	MODE_OF(flags, mode);
	return open_any(AT_FDCWD, path, flags, mode);
}

int openat(int d, const char *path, int flags, ...)
{
	mode_t mode;

	MODE_OF(flags, mode);
	return open_any(d, path, flags, mode);
}

int openat64(int d, const char *path, int flags, ...)
{
	mode_t mode;

	MODE_OF(flags, mode);
	return open_any(d, path, flags, mode);
}

/* glibc's own allocator under the names it keeps for this. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);

/* A macro: the caller's address is that of the function it stands in. */
#define ASK(name) meet(name, memory_of((uintptr_t)__builtin_return_address(0)))

static unsigned memory_of(uintptr_t caller)
{
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
		if (caller >= own[i].from && caller < own[i].to)
			return MEMORY;
	return MEMORY | LIBRARY;
}

void *malloc(size_t n)
{
	return ASK("malloc") == GO ? __libc_malloc(n) : NULL;
}

void *calloc(size_t n, size_t size)
{
	return ASK("calloc") == GO ? __libc_calloc(n, size) : NULL;
}

void *realloc(void *p, size_t n)
{
	return ASK("realloc") == GO ? __libc_realloc(p, n) : NULL;
}

void *aligned_alloc(size_t align, size_t n)
{
	return ASK("aligned_alloc") == GO ? __libc_memalign(align, n) : NULL;
}

int posix_memalign(void **out, size_t align, size_t n)
{
	void *p = ASK("posix_memalign") == GO ? __libc_memalign(align, n) : NULL;

	if (!p)
		return ENOMEM;
	*out = p;
	return 0;
}
