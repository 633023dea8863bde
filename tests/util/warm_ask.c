#include <check.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/util/warm.h"

enum { NOT_STARTED = -1, OFF = -2 };

static int waiting = NOT_STARTED; /* our end of its standard input */
static pid_t owner;               /* the process that started it; a child of that one needs its
                                   * own */
static pid_t server;

void warm_off(void)
{
	if (waiting >= 0 && owner == getpid()) {
		close(waiting);
		waitpid(server, NULL, 0);
	}
	waiting = OFF;
}

static int start(void)
{
	const char *file = getenv("WARM");
	posix_spawn_file_actions_t files;
	int pair[2];

	if (!file)
		return OFF;
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, pair[1], STDIN_FILENO);
	/* Its children need not bind again the symbols that it has bound. */
	setenv("LD_BIND_NOW", "1", 1);
	int failed = posix_spawn(&server, file, &files, NULL,
	                         (char *[]){ (char *)(uintptr_t)file, NULL }, environ);
	unsetenv("LD_BIND_NOW");
	ck_assert_msg(failed == 0, "%s: %s", file, strerror(failed));
	posix_spawn_file_actions_destroy(&files);
	close(pair[1]);
	owner = getpid();
	atexit(warm_off);
	return pair[0];
}

/* Appends the string and its NUL. */
static size_t add(char *text, size_t n, const char *s)
{
	size_t len = strlen(s) + 1;

	ck_assert_uint_le(n + len, WARM_MAX - 1);
	memcpy(text + n, s, len);
	return n + len;
}

static size_t pack(char text[WARM_MAX], const char *const argv[])
{
	int argc = 0;
	size_t n;

	while (argv[argc])
		argc++;
	n = (size_t)snprintf(text, WARM_MAX, "%d", argc) + 1;
	for (int i = 0; i < argc; i++)
		n = add(text, n, argv[i]);
	for (char **v = environ; *v; v++)
		n = add(text, n, *v);
	return n;
}

bool warm_start(const char *const argv[], const int fds[WARM_FDS])
{
	static char text[WARM_MAX];
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(WARM_FDS * sizeof(int))];
	} control = { .room = "" };

	if (waiting == NOT_STARTED || (waiting >= 0 && owner != getpid()))
		waiting = start();
	if (waiting == OFF)
		return false;
	struct iovec bytes = { text, pack(text, argv) };
	struct msghdr m = { .msg_iov = &bytes,
		            .msg_iovlen = 1,
		            .msg_control = &control,
		            .msg_controllen = sizeof control };
	control.head = (struct cmsghdr){ .cmsg_len = CMSG_LEN(WARM_FDS * sizeof(int)),
		                         .cmsg_level = SOL_SOCKET,
		                         .cmsg_type = SCM_RIGHTS };
	memcpy(CMSG_DATA(&control.head), fds, WARM_FDS * sizeof(int));
	ck_assert_int_eq(sendmsg(waiting, &m, MSG_NOSIGNAL), (ssize_t)bytes.iov_len);
	return true;
}

int warm_wait(void)
{
	int status;

	ck_assert_int_eq(recv(waiting, &status, sizeof status, 0), sizeof status);
	return status;
}
