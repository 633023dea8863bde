/* The program, loaded once and run many times: most of a short run is the loading of libraries,
 * and the tests make ten thousand short runs.  pbm/program/main.c is compiled into this one with
 * another name for its main(); each request forks a child that calls it.  Nothing of pbm has run
 * in this process before, so the child begins as a started program does.  The parser, which most
 * runs start, is compiled into it as well.
 *
 * Standard input is a socket that keeps packets apart.  A request: how many arguments, them, the
 * environment, each with its NUL, and as descriptors the standard input, output and error.  The
 * answer: the status as of waitpid().  The end of the socket ends this process. */
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/util/warm.h"

int program_main(int argc, char **argv);
int parse_main(void);

/* The program's calls of these two come here.  Real starts of the program, of which each suite has
 * some, do neither. */

int execv(const char *file, char *const argv[])
{
	const char *slash = strrchr(file, '/');

	if (slash && strcmp(slash, "/pbm-parse") == 0)
		exit(parse_main());
	return execve(file, argv, environ);
}

/* New passwords are hashed with the least work, which then is that of looking at them, too. */
int crypto_pwhash_str_alg(char out[crypto_pwhash_STRBYTES], const char *password,
                          unsigned long long n, unsigned long long ops, size_t memory, int alg)
{
	(void)ops, (void)memory, (void)alg;
	return crypto_pwhash_argon2id_str(out, password, n, crypto_pwhash_OPSLIMIT_MIN,
	                                  crypto_pwhash_MEMLIMIT_MIN);
}

static char request[WARM_MAX];

/* In memory that is never freed, so that no leak is reported of them. */
static char *arguments[WARM_STRINGS + 1], *environment[WARM_STRINGS + 1];

/* Fills the list with the strings in the text, most of them at most, and a final NULL. */
static char **take(char **text, const char *end, size_t most, char *list[WARM_STRINGS + 1])
{
	size_t n = 0;

	for (; *text < end && n < most; *text += strlen(*text) + 1)
		list[n++] = *text;
	list[n] = NULL;
	return list;
}

/* In the child: what execve() would have done, then the program. */
static int become(size_t n, const int fds[WARM_FDS])
{
	char *text = request, *end = request + n;
	int argc = atoi(text);

	for (int i = 0; i < WARM_FDS; i++)
		if (dup2(fds[i], i) < 0)
			abort();
	if (close_range(WARM_FDS, ~0U, 0) < 0)
		abort();
	text += strlen(text) + 1;
	char **argv = take(&text, end, (size_t)argc, arguments);
	environ = take(&text, end, WARM_STRINGS, environment);
	return program_main(argc, argv);
}

/* Bytes of the next request, 0 at the end. */
static size_t receive(int fds[WARM_FDS])
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(WARM_FDS * sizeof(int))];
	} control;
	struct iovec bytes = { request, sizeof request - 1 };
	struct msghdr m = { .msg_iov = &bytes,
		            .msg_iovlen = 1,
		            .msg_control = &control,
		            .msg_controllen = sizeof control };
	ssize_t n = recvmsg(STDIN_FILENO, &m, MSG_CMSG_CLOEXEC);

	if (n <= 0)
		return 0;
	if (m.msg_flags & (MSG_TRUNC | MSG_CTRUNC) || !CMSG_FIRSTHDR(&m))
		abort();
	memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&m)), WARM_FDS * sizeof(int));
	request[n] = '\0';
	return (size_t)n;
}

int main(void)
{
	int fds[WARM_FDS], status;
	size_t n;

	while ((n = receive(fds))) {
		pid_t child = fork();

		if (child < 0)
			abort();
		if (child == 0)
			exit(become(n, fds));
		for (int i = 0; i < WARM_FDS; i++)
			close(fds[i]);
		while (waitpid(child, &status, 0) < 0)
			if (errno != EINTR)
				abort();
		if (send(STDIN_FILENO, &status, sizeof status, MSG_NOSIGNAL) != sizeof status)
			break;
	}
	_exit(0);
}
