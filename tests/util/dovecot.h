/* A Dovecot of a test's own: started by tests/util/mailstack.sh in a temporary folder, with
 * the mailbox game (password gamepw), whose Maildir the test may fill and look at. */
#pragma once

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mail/transport/mail_account.h"

static char dovecot_home[] = "/tmp/pbm-dovecot-XXXXXX";
static int dovecot_base; /* first port */

__attribute__((format(printf, 1, 2))) static inline int dovecot_shell(const char *fmt, ...)
{
	char line[1000];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof line, fmt, args);
	va_end(args);
	int status = system(line);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Starts it, again if it runs, with "NAME=value NAME=value" as mailstack.sh takes them. */
static inline int dovecot_start(const char *env)
{
	dovecot_shell("tests/util/mailstack.sh stop %s dovecot", dovecot_home);
	return dovecot_shell("env P=%d %s tests/util/mailstack.sh start %s dovecot", dovecot_base,
	                     env, dovecot_home);
}

static inline void dovecot_stop(void)
{
	dovecot_shell("tests/util/mailstack.sh stop %s dovecot", dovecot_home);
}

/* Once a program, before Check forks.  0; 77, and a notice, where it can't run; or an
 * exit code. */
static inline int dovecot_setup(void)
{
	int code = 1;

	if (!mkdtemp(dovecot_home))
		return 1;
	/* Other tests run beside this one; ports from 32768 on are lent to clients. */
	for (int i = 0; i < 12 && code != 0 && code != 77; i++) {
		dovecot_base = 20000 + (getpid() + i) % 12 * 1000;
		code = dovecot_start("CERT=good");
	}
	if (code)
		printf("%s: tests with a mail server\n",
		       code == 77 ? "skipped" : "failed to start");
	return code;
}

static inline void dovecot_teardown(void)
{
	dovecot_stop();
	dovecot_shell("rm -rf %s", dovecot_home);
}

/* An empty mailbox. */
static inline void dovecot_empty(void)
{
	ck_assert_int_eq(
		dovecot_shell("rm -rf %s/dovecot/mail/game && mkdir -p %s/dovecot/mail/game/cur "
	                      "%s/dovecot/mail/game/new %s/dovecot/mail/game/tmp",
	                      dovecot_home, dovecot_home, dovecot_home, dovecot_home),
		0);
}

/* Puts a mail of size bytes at least into a folder ("", ".Processed"); n orders and dates
 * it, flags are letters of Maildir. */
static inline void dovecot_put(const char *folder, int n, const char *flags, size_t size)
{
	char path[300];

	snprintf(path, sizeof path, "%s/dovecot/mail/game/%s/cur/%d.mail:2,%s", dovecot_home,
	         folder, 1700000000 + n, flags);
	FILE *f = fopen(path, "w");
	ck_assert_msg(f != NULL, "%s: %s", path, strerror(errno));
	fprintf(f, "From: alice@example.org\nSubject: number %d\n\nBody %d\n.dot\n", n, n);
	for (size_t i = 0; i < size; i += 64)
		fprintf(f, "%063d\n", n);
	fclose(f);
}

/* The server's user must own what it reads. */
static inline void dovecot_ready(void)
{
	if (geteuid() == 0)
		ck_assert_int_eq(dovecot_shell("chown -R mail:mail %s/dovecot/mail", dovecot_home),
		                 0);
}

/* Mails in a folder whose Maildir flags include all of flags. */
static inline int dovecot_count(const char *folder, const char *flags)
{
	static const char *const places[] = { "cur", "new" };
	int n = 0;

	for (int i = 0; i < 2; i++) {
		char path[300];

		snprintf(path, sizeof path, "%s/dovecot/mail/game/%s/%s", dovecot_home, folder,
		         places[i]);
		DIR *d = opendir(path);
		for (const struct dirent *entry; d && (entry = readdir(d));) {
			const char *have = strstr(entry->d_name, ":2,");

			n += entry->d_name[0] != '.' &&
			     strspn(flags, have ? have + 3 : "") == strlen(flags);
		}
		if (d)
			closedir(d);
	}
	return n;
}

/* Does one of its logs ("log" for trouble, "info") have a line with this in it? */
static inline bool dovecot_said(const char *log, const char *text)
{
	return dovecot_shell("grep -q -e '%s' %s/dovecot/%s", text, dovecot_home, log) == 0;
}

static inline void dovecot_forget(void)
{
	dovecot_shell(": >%s/dovecot/info; : >%s/dovecot/log", dovecot_home, dovecot_home);
}

/* The account of game; port is added to the first one.  The strings are static. */
static inline struct mail_account dovecot_account(const char *scheme, int port)
{
	static char ca[100];

	snprintf(ca, sizeof ca, "%s/certs/ca.pem", dovecot_home);
	return (struct mail_account){
		.scheme = scheme,
		.starttls = scheme[4] == '\0',
		.host = "localhost",
		.port = dovecot_base + port,
		.user = "game",
		.folder = "",
		.password = "gamepw",
		.secret = MAIL_ACCOUNT_COMMAND "echo gamepw",
		.ca = ca,
		.timeout = 600,
	};
}
