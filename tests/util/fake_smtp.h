/* tests/util/fake_smtp.py as a child of a test program, and accounts there. */
#pragma once

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mail/transport/transport.h"
#include "tests/util/util.h"

#define FAKE_PASSWORD "geheim-4711"

/* All the servers of a test program: certificates, logs, mails taken. */
static char *fake_dir;
static pid_t fake_pid;
static int fake_in, fake_out;

struct fake {
	char name[30];
	int port;
};

/* Unchecked fixtures: each test, a child of its own, talks to the one process. */
static inline void fake_begin(void)
{
	char command[300];
	int in[2], out[2];

	fake_dir = util_folder();
	snprintf(command, sizeof command, "%s/certs", fake_dir);
	const char *const make[] = { "tests/util/certs.sh", command, NULL };
	int status;
	free(util_run(make, NULL, &status));
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC), 0);
	fake_pid = fork();
	if (fake_pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(in[0], 0);
		dup2(out[1], 1);
		execlp("python3", "python3", "tests/util/fake_smtp.py", command, (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	fake_in = in[1];
	fake_out = out[0];
}

static inline void fake_end(void)
{
	kill(fake_pid, SIGKILL);
	waitpid(fake_pid, NULL, 0);
	close(fake_in);
	close(fake_out);
	util_drop(fake_dir);
}

/* A server that does what the words say. */
static inline struct fake fake_start(const char *words)
{
	static int count;
	struct fake f;
	char line[600], answer[20] = "";

	snprintf(f.name, sizeof f.name, "log-%d-%d", (int)getpid(), count++);
	int n = snprintf(line, sizeof line, "%s/%s %s\n", fake_dir, f.name, words);
	ck_assert_int_eq(write(fake_in, line, (size_t)n), n);
	for (size_t got = 0; !strchr(answer, '\n'); got++)
		ck_assert_int_eq(read(fake_out, answer + got, 1), 1);
	f.port = atoi(answer);
	ck_assert_int_gt(f.port, 0);
	return f;
}

/* The log so far; the caller frees it. */
static inline char *fake_log(const struct fake *f)
{
	char *text = util_read(fake_dir, f->name);

	return text ? text : mem_strdup("");
}

/* The mail with that number, from 1, or NULL; the caller frees it. */
static inline char *fake_mail(const struct fake *f, int number)
{
	char name[60];

	snprintf(name, sizeof name, "%s.%d", f->name, number);
	return util_read(fake_dir, name);
}

/* alice at the fake, TLS from the first byte unless it says otherwise. */
static inline struct mail_account fake_account(const struct fake *f)
{
	static char ca[200];

	snprintf(ca, sizeof ca, "%s/certs/ca.pem", fake_dir);
	return (struct mail_account){
		.scheme = "smtps",
		.host = "localhost",
		.port = f->port,
		.user = "alice@example.org",
		.folder = "",
		.password = FAKE_PASSWORD,
		.secret = MAIL_ACCOUNT_COMMAND "echo " FAKE_PASSWORD,
		.ca = ca,
		.hello = "games.example.org",
		.timeout = 600,
	};
}
