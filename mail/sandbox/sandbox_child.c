/* The child of the sandbox.  What it gives up, it gives up before it looks at a
 * mail: secrets, memory shared with others, descriptors, signals, limits, and at
 * last all system calls but a handful. */
#include "mail/sandbox/sandbox_child.h"

#include <errno.h>
#include <fcntl.h>
#include <libxml/parser.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "mail/gate.h"
#include "mail/parse.h"
#include "mail/sandbox/sandbox.h"
#include "mail/sandbox/sandbox_inside.h"
#include "mail/sandbox/sandbox_wire.h"

/* The sanitizers reserve terabytes, read their own maps and write reports. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static const char sample[] =
	"From: a <a@example.org>\nDate: Tue, 1 Dec 2026 10:00:00 +0000\nSubject: =?utf-8?Q?a?=\n"
	"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n"
	"Content-Transfer-Encoding: base64\n\nPHA+Jm5ic3A7PC9wPg==\n--b--\n";

/* Lets the libraries do once what they do once: time zone, tables, locks. */
static void warm_up(void)
{
	struct arena a = { 0 };
	struct mail m;

	tzset();
	xmlInitParser();
	parse_any(&a, sample, sizeof sample - 1, &m, NULL);
	arena_release(&a);
}

static void reset_signals(void)
{
	sigset_t all;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigfillset(&all);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
}

/* Memory that others could see change: SQLite's index of its log, for one. */
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

/* Bytes of address space in use, 0 when nobody says. */
static rlim_t memory_now(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f && fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void limit_resources(void)
{
	static const __rlimit_resource_t none[] = {
		RLIMIT_CORE, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_MSGQUEUE,
	};
	rlim_t memory = memory_now();

	if (!SANITIZED && memory) {
		memory += MAIL_SANDBOX_MEMORY;
		setrlimit(RLIMIT_AS, &(struct rlimit){ memory, memory });
	}
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		setrlimit(none[i], &(struct rlimit){ 0, 0 });
}

/* Memory that is never code. */
static void allow_mapping(scmp_filter_ctx f)
{
	static const int calls[] = { SCMP_SYS(mmap), SCMP_SYS(mprotect) };

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		seccomp_rule_add(f, SCMP_ACT_ALLOW, calls[i], 1,
		                 SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
}

/* A kernel that knows no filters leaves the other limits in force. */
static void limit_calls(void)
{
	static const int allowed[] = {
		SCMP_SYS(read),
		SCMP_SYS(write),
		SCMP_SYS(munmap),
		SCMP_SYS(mremap),
		SCMP_SYS(brk),
		SCMP_SYS(madvise),
		SCMP_SYS(futex),
		SCMP_SYS(clock_gettime),
		SCMP_SYS(getrandom),
		SCMP_SYS(rt_sigreturn),
		SCMP_SYS(rt_sigprocmask),
		SCMP_SYS(restart_syscall),
		SCMP_SYS(exit),
		SCMP_SYS(exit_group),
	};
	/* What a library may try in good faith: it is told no, and lives. */
	static const int refused[] = {
		SCMP_SYS(open),       SCMP_SYS(openat),   SCMP_SYS(stat),
		SCMP_SYS(newfstatat), SCMP_SYS(statx),    SCMP_SYS(access),
		SCMP_SYS(faccessat),  SCMP_SYS(readlink), SCMP_SYS(readlinkat),
	};
	scmp_filter_ctx f = SANITIZED ? NULL : seccomp_init(SCMP_ACT_KILL_PROCESS);

	if (!f)
		return;
	allow_mapping(f);
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
		seccomp_rule_add(f, SCMP_ACT_ALLOW, allowed[i], 0);
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		seccomp_rule_add(f, SCMP_ACT_ERRNO(EACCES), refused[i], 0);
	seccomp_load(f);
	seccomp_release(f);
}

static void enter(const struct mail_sandbox *s, int fd, pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(EXIT_FAILURE);
	/* Sanitizers report on standard error. */
	if (dup2(fd, STDIN_FILENO) < 0 || close_range(SANITIZED ? 3 : 1, ~0U, 0) < 0)
		_exit(EXIT_FAILURE);
	if (s->forget)
		s->forget(s->arg);
	reset_signals();
	drop_shared_memory();
	warm_up();
	/* RLIMIT_CORE does not hold back a dump into a program. */
	prctl(PR_SET_DUMPABLE, 0);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	limit_resources();
	limit_calls();
}

static bool read_exactly(void *to, size_t n)
{
	for (char *p = to; n;) {
		ssize_t got = read(STDIN_FILENO, p, n);

		if (got <= 0)
			return false;
		p += got;
		n -= (size_t)got;
	}
	return true;
}

static bool write_exactly(const char *p, size_t n)
{
	while (n) {
		ssize_t put = write(STDIN_FILENO, p, n);

		if (put <= 0)
			return false;
		p += put;
		n -= (size_t)put;
	}
	return true;
}

static bool answer_one(const struct mail_sandbox *s, char *mail, struct str *out)
{
	struct arena a = { 0 };
	struct mail m;
	struct err e = { 0 };
	uint32_t n, size = 0;

	if (!read_exactly(&n, sizeof n) || n > MAIL_MAX_BYTES || !read_exactly(mail, n))
		return false;
	mail[n] = '\0';
	int rc = s->parse(&a, mail, n, &m, &e);
	str_clear(out);
	str_add_n(out, (const char *)&size, sizeof size);
	sandbox_write(out, rc, &m, &e);
	size = (uint32_t)(out->len - sizeof size);
	memcpy(out->data, &size, sizeof size);
	arena_release(&a);
	return !out->truncated && write_exactly(out->data, out->len);
}

_Noreturn void sandbox_serve(const struct mail_sandbox *s, int fd, pid_t parent)
{
	char *mail = mem_alloc(MAIL_MAX_BYTES + 1);
	struct str out;

	enter(s, fd, parent);
	str_init(&out, sizeof(uint32_t) + ANSWER_MAX + 1);
	while (answer_one(s, mail, &out))
		;
	_exit(EXIT_SUCCESS);
}
