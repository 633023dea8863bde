/* tests/fake_smtp.py as a child of a test, and a sink that talks to it. */
#ifndef TESTS_FAKE_SMTP_H
#define TESTS_FAKE_SMTP_H

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mail/transport.h"
#include "tests/util.h"

#define FAKE_PASSWORD "geheim-4711"

struct fake {
	char *dir;               /* certificates, the log, the mails taken */
	pid_t pid;
	int port;
};

/* dir/certs must be there.  words is what the script takes, NULL-ended. */
static inline struct fake fake_start(char *dir, const char *const *words)
{
	struct fake f = { .dir = dir };
	char certs[200], log[200], line[20] = "";
	const char *argv[30] = { "python3", "tests/fake_smtp.py", certs, log };
	int fd[2], n = 4;

	snprintf(certs, sizeof certs, "%s/certs", dir);
	snprintf(log, sizeof log, "%s/log", dir);
	while (*words)
		argv[n++] = *words++;
	ck_assert_int_eq(pipe2(fd, O_CLOEXEC), 0);
	f.pid = fork();
	if (f.pid == 0) {
		char *args[30];

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (int i = 0; i <= n; i++)
			args[i] = argv[i] ? strdup(argv[i]) : NULL;
		dup2(fd[1], 1);
		execvp("python3", args);
		_exit(127);
	}
	close(fd[1]);
	FILE *out = fdopen(fd[0], "r");
	ck_assert_ptr_nonnull(fgets(line, sizeof line, out));
	fclose(out);
	f.port = atoi(line);
	ck_assert_int_gt(f.port, 0);
	return f;
}

static inline void fake_stop(const struct fake *f)
{
	kill(f->pid, SIGKILL);
	waitpid(f->pid, NULL, 0);
}

/* The log so far, or the mail with that number; the caller frees it. */
static inline char *fake_log(const struct fake *f)
{
	char *text = util_read(f->dir, "log");

	return text ? text : mem_strdup("");
}

static inline char *fake_mail(const struct fake *f, int number)
{
	char name[30];

	snprintf(name, sizeof name, "log.%d", number);
	return util_read(f->dir, name);
}

/* alice at the fake, TLS from the first byte unless it says otherwise. */
static inline struct mail_account fake_account(const struct fake *f, char *ca, size_t size)
{
	snprintf(ca, size, "%s/certs/ca.pem", f->dir);
	return (struct mail_account){
		.scheme = "smtps", .host = "localhost", .port = f->port, .user = "alice@example.org",
		.folder = "", .password = FAKE_PASSWORD, .ca = ca, .hello = "games.example.org", .timeout = 1,
	};
}

#endif
