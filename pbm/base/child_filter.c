/* The only file that knows the filter of system calls (libseccomp). */
#include "pbm/base/child_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pbm/base/child_confine.h"

#define CALL SCMP_SYS
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Calls that every filtered child may make. */
static const int common[] = {
	CALL(read),          CALL(write),          CALL(munmap),     CALL(mremap),
	CALL(brk),           CALL(madvise),        CALL(futex),      CALL(getrandom),
	CALL(clock_gettime), CALL(exit),           CALL(exit_group), CALL(restart_syscall),
	CALL(rt_sigreturn),  CALL(rt_sigprocmask),
};

/* Calls that a library may try in good faith in a sealed child: the call fails, and the child
 * lives. prctl is how child_filter_load() sees that the filter is in force. */
static const int refused[] = { CALL(open),     CALL(openat),    CALL(stat),  CALL(newfstatat),
	                       CALL(statx),    CALL(access),    CALL(prctl), CALL(faccessat),
	                       CALL(readlink), CALL(readlinkat) };

/* Calls with which a limited child or another program reads files, asks about itself, and waits.
 * Landlock only takes rights away (child_files.h). */
static const int ordinary[] = {
	CALL(readv),
	CALL(writev),
	CALL(pread64),
	CALL(lseek),
	CALL(close),
	CALL(fstat),
	CALL(stat),
	CALL(lstat),
	CALL(newfstatat),
	CALL(statx),
	CALL(access),
	CALL(faccessat),
	CALL(faccessat2),
	CALL(readlink),
	CALL(readlinkat),
	CALL(getdents64),
	CALL(getcwd),
	CALL(fcntl),
	CALL(ioctl),
	CALL(dup),
	CALL(poll),
	CALL(ppoll),
	CALL(select),
	CALL(pselect6),
	CALL(epoll_create1),
	CALL(epoll_ctl),
	CALL(epoll_wait),
	CALL(epoll_pwait),
	CALL(pipe),
	CALL(pipe2),
	CALL(eventfd2),
	CALL(clock_getres),
	CALL(gettimeofday),
	CALL(time),
	CALL(nanosleep),
	CALL(clock_nanosleep),
	CALL(getpid),
	CALL(gettid),
	CALL(getppid),
	CALL(getuid),
	CALL(geteuid),
	CALL(getgid),
	CALL(getegid),
	CALL(uname),
	CALL(sysinfo),
	CALL(sched_yield),
	CALL(sched_getaffinity),
	CALL(set_robust_list),
	CALL(rseq),
	CALL(set_tid_address),
	CALL(sigaltstack),
	CALL(rt_sigaction),
	CALL(rt_sigpending),
	CALL(membarrier),
	CALL(pause),
	CALL(alarm),
	CALL(landlock_create_ruleset),
	CALL(landlock_add_rule),
	CALL(landlock_restrict_self),
};

/* Calls with which a limited child talks to a server. */
static const int network[] = { CALL(connect),     CALL(bind),        CALL(shutdown),
	                       CALL(getsockname), CALL(getpeername), CALL(getsockopt),
	                       CALL(setsockopt),  CALL(sendto),      CALL(sendmsg),
	                       CALL(sendmmsg),    CALL(recvfrom),    CALL(recvmsg),
	                       CALL(recvmmsg) };

/* Calls with which another program begins: its rights stay those of this process. */
static const int beginning[] = { CALL(execve), CALL(arch_prctl) };

/* Calls that are allowed if an argument, masked, has this value. */
struct condition {
	int call;
	unsigned argument;
	scmp_datum_t mask, value;
};

#define NUMBER UINT32_MAX /* the whole argument, as an int */
#define SOCK_TYPE 0xf     /* without SOCK_CLOEXEC and SOCK_NONBLOCK */
#define NO_WRITING (O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY))

/* New memory, unless it may hold code. */
static const struct condition sealed_conditions[] = {
	{ CALL(mmap), 2, PROT_EXEC, 0 },
	{ CALL(mprotect), 2, PROT_EXEC, 0 },
};

/* The name service loads libraries when it is first asked: their code may be mapped from
 * files, but no memory may be written and executed.  A terminal can't be made to type
 * commands.  clone() makes threads and no processes.  Limits may be read, but not changed. */
static const struct condition limited_conditions[] = {
	{ CALL(open), 1, NO_WRITING, O_RDONLY },
	{ CALL(openat), 2, NO_WRITING, O_RDONLY },
	{ CALL(mmap), 2, PROT_EXEC, 0 },
	{ CALL(mmap), 2, PROT_EXEC | PROT_WRITE, PROT_EXEC },
	{ CALL(mprotect), 2, PROT_EXEC, 0 },
	{ CALL(clone), 0, CLONE_THREAD | CLONE_VM, CLONE_THREAD | CLONE_VM },
	{ CALL(prlimit64), 2, ~(scmp_datum_t)0, 0 },
	{ CALL(ioctl), 1, NUMBER, FIONBIO },
	{ CALL(ioctl), 1, NUMBER, FIONREAD },
	{ CALL(ioctl), 1, NUMBER, TCGETS },
};
static const struct condition network_conditions[] = {
	{ CALL(socket), 0, NUMBER, AF_INET },
	{ CALL(socket), 0, NUMBER, AF_INET6 },
	/* An end of a pair of datagrams could be connected to another process's socket. */
	{ CALL(socketpair), 1, SOCK_TYPE, SOCK_STREAM },
};

/* A call that this kind of machine doesn't have needs no rule: whatever is not allowed is
 * forbidden. */
static int unless_unknown(int rc)
{
	return rc == -EDOM ? 0 : rc;
}

static int allow_all(scmp_filter_ctx f, const int *calls, size_t n)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = unless_unknown(seccomp_rule_add(f, SCMP_ACT_ALLOW, calls[i], 0));
	return rc;
}

static int allow_if(scmp_filter_ctx f, const struct condition *c, size_t n)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = unless_unknown(seccomp_rule_add(
			f, SCMP_ACT_ALLOW, c[i].call, 1,
			SCMP_CMP(c[i].argument, SCMP_CMP_MASKED_EQ, c[i].mask, c[i].value)));
	return rc;
}

static int add_sealed(scmp_filter_ctx f)
{
	int rc = allow_if(f, sealed_conditions, COUNT(sealed_conditions));

	for (size_t i = 0; rc == 0 && i < COUNT(refused); i++)
		rc = unless_unknown(seccomp_rule_add(f, SCMP_ACT_ERRNO(EACCES), refused[i], 0));
	return rc;
}

static int add_network(scmp_filter_ctx f)
{
	int rc = allow_all(f, network, COUNT(network));

	if (rc == 0)
		rc = allow_if(f, network_conditions, COUNT(network_conditions));
	/* getaddrinfo() asks the kernel which addresses this machine has. */
	return rc < 0 ? rc
	              : seccomp_rule_add(f, SCMP_ACT_ALLOW, CALL(socket), 2,
	                                 (struct scmp_arg_cmp){ 0, SCMP_CMP_EQ, AF_NETLINK, 0 },
	                                 (struct scmp_arg_cmp){ 2, SCMP_CMP_EQ, NETLINK_ROUTE, 0 });
}

static int add_limited(scmp_filter_ctx f, enum child_trust trust)
{
	/* It may send signals to itself. */
	const struct condition own = { CALL(tgkill), 0, NUMBER, (scmp_datum_t)getpid() };
	int rc = allow_all(f, ordinary, COUNT(ordinary));

	if (rc == 0)
		rc = allow_if(f, limited_conditions, COUNT(limited_conditions));
	if (rc == 0)
		rc = allow_if(f, &own, 1);
	if (rc == 0)
		rc = trust == CHILD_PROGRAM ? allow_all(f, beginning, COUNT(beginning))
		                            : add_network(f);
	/* The C library then takes clone(), whose flags a filter can see. */
	return rc < 0 ? rc : seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), CALL(clone3), 0);
}

/* NULL: libseccomp fails.  An unexpected call kills a sealed child.  In a limited one it
 * fails, because the libraries there try many things. */
static scmp_filter_ctx make(enum child_trust trust)
{
	scmp_filter_ctx f = seccomp_init(trust == CHILD_SEALED ? SCMP_ACT_KILL_PROCESS
	                                                       : SCMP_ACT_ERRNO(EPERM));
	int rc = f ? allow_all(f, common, COUNT(common)) : -1;

	if (rc == 0)
		rc = trust == CHILD_SEALED ? add_sealed(f) : add_limited(f, trust);
	if (rc == 0)
		return f;
	seccomp_release(f);
	return NULL;
}

/* Only the sealed filter is the same in every process. */
static scmp_filter_ctx sealed;

void child_filter_make(enum child_trust trust)
{
	if (!SANITIZED && trust == CHILD_SEALED && !sealed)
		sealed = make(trust);
}

bool child_filter_load(enum child_trust trust)
{
	if (SANITIZED)
		return true;
	scmp_filter_ctx f = trust == CHILD_SEALED && sealed ? sealed : make(trust);

	/* Without our filter this call succeeds, also below the filter of a container. */
	return f && seccomp_load(f) == 0 && prctl(PR_GET_SECCOMP) == -1;
}
