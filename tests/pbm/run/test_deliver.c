/* pbm deliver as an MTA runs it: it ends within five seconds, with 0, 65 or 75,
 * whatever it is given and wherever it is started. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "mail/gate.h"
#include "mail/transport/transport.h"
#include "tests/util/hostile.h"
#include "tests/util/util.h"

#if defined(__SANITIZE_ADDRESS__)
#define STEP 20
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STEP 20
#endif
#endif
#ifndef STEP
#define STEP 5
#endif
#define SECONDS_MAX 5.0
#define MAIL                                                                                       \
	"From: alice@example.org\nTo: pbm@pbm.example.org\nSubject: help\n"                        \
	"Message-ID: <1@example.org>\n\n"

enum {
	STALL = 1,     /* the writer never ends */
	NO_INPUT = 2,  /* standard input is closed */
	NO_OUTPUT = 4, /* the other two are */
	LOCKED = 8,    /* another process writes */
	NO_SITE = 16,
	LARGE = 32 /* a megabyte behind the text */
};

static char *site;

static void start(const char *dir, int flags, int in)
{
	const char *pbm = getenv("PBM");

	if (!pbm)
		pbm = "build/pbm";
	dup2(in, STDIN_FILENO);
	if (flags & NO_INPUT)
		close(STDIN_FILENO);
	if (flags & NO_OUTPUT) {
		close(STDOUT_FILENO);
		close(STDERR_FILENO);
	}
	execl(pbm, pbm, "-C", dir, "-q", "deliver", (char *)NULL);
	_exit(127);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* As MTAs do: a pipe that breaks is their trouble, so it must not. */
static void give(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t put = write(fd, bytes, n);

		ck_assert_msg(put > 0, "write: %s", strerror(errno));
		bytes += put;
		n -= (size_t)put;
	}
}

/* The exit code.  sig, unless 0, is sent after a while. */
static int deliver(const struct str *mail, int flags, int sig)
{
	const char *dir = flags & NO_SITE ? "/nonexistent" : site;
	int ends[2], status, lock = -1;
	char path[300];
	double from = now();

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	if (flags & LOCKED) {
		snprintf(path, sizeof path, "%s/lock", site);
		lock = open(path, O_RDWR | O_CLOEXEC);
		ck_assert_int_eq(flock(lock, LOCK_EX), 0);
	}
	pid_t child = fork();
	if (child == 0)
		start(dir, flags, ends[0]);
	close(ends[0]);
	if (!(flags & NO_INPUT))
		give(ends[1], mail->data, mail->len);
	if (!(flags & STALL))
		close(ends[1]);
	if (sig) {
		usleep(200000);
		kill(child, sig);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_msg(now() - from < SECONDS_MAX, "it took %.1f s", now() - from);
	ck_assert_msg(WIFEXITED(status), "signal %d", WTERMSIG(status));
	if (flags & STALL)
		close(ends[1]);
	if (lock >= 0)
		close(lock);
	return WEXITSTATUS(status);
}

static void make_site(void)
{
	site = util_site();
}

static void drop_site(void)
{
	*strrchr(site, '/') = '\0';
	util_drop(site);
}

static void is_whole(void)
{
	int status;
	const char *pbm = getenv("PBM");

	free(util_run((const char *[]){ pbm ? pbm : "build/pbm", "-C", site, "fsck", NULL }, NULL,
	              &status));
	ck_assert_int_eq(status, 0);
}

static const struct {
	const char *name, *mail;
	int flags, sig, want;
} cases[] = {
	{ "a mail", MAIL, 0, 0, 0 },
	{ "no From", "Subject: x\n\n", 0, 0, 0 }, /* kept in quarantine */
	{ "nothing", "", 0, 0, 65 },
	{ "too much", MAIL, LARGE, 0, 65 },
	{ "too much, and no end", MAIL, LARGE | STALL, 0, 65 },
	{ "no end", MAIL, STALL, 0, 75 },
	{ "no input", "", NO_INPUT, 0, 75 },
	{ "no output", MAIL, NO_OUTPUT, 0, 0 },
	{ "no output and trouble", MAIL, NO_OUTPUT | LOCKED, 0, 75 },
	{ "a busy store", MAIL, LOCKED, 0, 75 },
	{ "a busy store and no end", MAIL, LOCKED | STALL, 0, 75 },
	{ "no site", MAIL, NO_SITE, 0, 75 },
	{ "no site, too much", MAIL, NO_SITE | LARGE, 0, 75 },
	{ "told to end", MAIL, STALL, SIGTERM, 75 },
	{ "a fault", MAIL, STALL, SIGSEGV, 75 },
	{ "an abort", MAIL, STALL, SIGABRT, 75 },
	{ "too late", MAIL, STALL, SIGALRM, 75 },
	{ "a broken pipe", MAIL, LOCKED, SIGPIPE, 75 },
};

START_TEST(answers)
{
	struct str mail;

	str_init(&mail, 2 << 20);
	str_add(&mail, cases[_i].mail);
	while (cases[_i].flags & LARGE && mail.len < 1 << 20)
		str_add(&mail, "more\n");
	int code = deliver(&mail, cases[_i].flags, cases[_i].sig);
	ck_assert_msg(code == cases[_i].want, "%s: exit %d", cases[_i].name, code);
	is_whole();
	str_release(&mail);
}
END_TEST

START_TEST(answers_the_worst)
{
	for (size_t i = 0; i < hostile_count(); i += STEP) {
		struct str mail;

		str_init(&mail, 2 * MAIL_MAX_BYTES);
		hostile_write(i, MAIL_MAX_BYTES, &mail);
		int code = deliver(&mail, 0, 0);
		ck_assert_msg(code == 0, "%s: exit %d", hostile_name(i), code);
		str_release(&mail);
	}
	is_whole();
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("deliver");

	tcase_add_checked_fixture(t, make_site, drop_site);
	tcase_add_loop_test(t, answers, 0, ROWS(cases));
	tcase_add_test(t, answers_the_worst);
	return util_main(t);
}
