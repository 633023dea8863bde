/* pbm deliver as an MTA runs it: it ends with 0, 65 or 75, whatever it is given and
 * wherever it is started, and a clock that it sets first cuts it before five seconds are
 * over.  On a busy machine that clock may cut any run: then the mail comes again, as from
 * an MTA. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mail/gate.h"
#include "mail/transport/transport.h"
#include "pbm/base/child_confine.h"
#include "pbm/base/io.h"
#include "pbm/commands/command_list.h"
#include "pbm/program/prog.h"
#include "tests/util/hostile.h"
#include "tests/util/util.h"

#define STEP (SANITIZED ? 20 : 5)
#define SECONDS_MAX 5
#define SLOW "takes too long"
#define MAIL                                                                                       \
	"From: alice@example.org\nTo: pbm@pbm.example.org\nSubject: help\n"                        \
	"Message-ID: <1@example.org>\n\n"

enum {
	STALL = 1,     /* the writer never ends */
	NO_INPUT = 2,  /* standard input is closed */
	NO_OUTPUT = 4, /* the other two are */
	LOCKED = 8,    /* another process writes */
	NO_SITE = 16,
	LARGE = 32 /* a megabyte after the text */
};

static char *site;

static void start(const char *dir, int flags, int in, int out)
{
	const char *pbm = getenv("PBM");

	if (!pbm)
		pbm = "build/pbm";
	dup2(in, STDIN_FILENO);
	dup2(out, STDERR_FILENO);
	if (flags & NO_INPUT)
		close(STDIN_FILENO);
	if (flags & NO_OUTPUT) {
		close(STDOUT_FILENO);
		close(STDERR_FILENO);
	}
	execl(pbm, pbm, "-C", dir, "-q", "deliver", (char *)NULL);
	_exit(127);
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

/* Has the program set what it does at a fault, or ended? */
static bool is_ready(pid_t pid)
{
	siginfo_t ended = { 0 };
	char path[60], *text, *at;
	unsigned long long caught = 0;
	size_t len;

	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	if (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT) < 0 || ended.si_pid ||
	    io_read_file(AT_FDCWD, path, 65536, &text, &len, NULL) < 0)
		return true;
	if ((at = strstr(text, "SigCgt:")))
		caught = strtoull(at + strlen("SigCgt:"), NULL, 16);
	free(text);
	return caught >> (SIGABRT - 1) & 1;
}

/* The exit code of one try.  sig, unless 0, is sent when the program is ready for it.
 * *slow: its own clock has cut it. */
static int try_to_deliver(const struct str *mail, int flags, int sig, bool *slow)
{
	const char *dir = flags & NO_SITE ? "/nonexistent" : site;
	int ends[2], status, lock = -1, said = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char path[300], text[500] = "";

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_ge(said, 0);
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	if (flags & LOCKED) {
		snprintf(path, sizeof path, "%s/lock", site);
		lock = open(path, O_RDWR | O_CLOEXEC);
		ck_assert_int_eq(flock(lock, LOCK_EX), 0);
	}
	pid_t child = fork();
	if (child == 0)
		start(dir, flags, ends[0], said);
	close(ends[0]);
	if (!(flags & NO_INPUT))
		give(ends[1], mail->data, mail->len);
	if (!(flags & STALL))
		close(ends[1]);
	if (sig) {
		while (!is_ready(child))
			usleep(1000);
		kill(child, sig);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_msg(WIFEXITED(status), "signal %d", WTERMSIG(status));
	if (flags & STALL)
		close(ends[1]);
	if (lock >= 0)
		close(lock);
	ck_assert_int_ge(pread(said, text, sizeof text - 1, 0), 0);
	close(said);
	*slow = strstr(text, SLOW) != NULL;
	return WEXITSTATUS(status);
}

/* The exit code that counts. */
static int deliver(const struct str *mail, int flags, int sig, int want)
{
	bool slow;
	int code;

	do
		code = try_to_deliver(mail, flags, sig, &slow);
	while (code == 75 && slow && want != 75);
	return code;
}

static void make_site(void)
{
	site = util_site();
}

static void drop_site(void)
{
	util_drop(site);
}

static void is_whole(void)
{
	int status;
	const char *pbm = getenv("PBM");

	free(util_pbm((const char *[]){ pbm ? pbm : "build/pbm", "-C", site, "fsck", NULL }, NULL,
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
	int code = deliver(&mail, cases[_i].flags, cases[_i].sig, cases[_i].want);
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
		int code = deliver(&mail, 0, 0, 0);
		ck_assert_msg(code == 0, "%s: exit %d", hostile_name(i), code);
		str_release(&mail);
	}
	is_whole();
}
END_TEST

static bool looked_at; /* in a child that ends with what it sets its clock to */

int setitimer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old)
{
	if (!looked_at)
		return (int)syscall(SYS_setitimer, which, new, old);
	_exit(which == ITIMER_REAL && new->it_value.tv_sec < SECONDS_MAX &&
	                      (new->it_value.tv_sec || new->it_value.tv_usec)
	              ? 42
	              : 1);
}

/* In this process, with nothing to read: the clock is the first thing. */
START_TEST(sets_its_clock)
{
	const struct prog_options options = { .dir = site };
	char *argv[] = { (char[]){ "deliver" }, NULL };
	int status, ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[0], STDIN_FILENO);
		looked_at = true;
		prog_deliver(&options, 1, argv);
		_exit(3);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 42 << 8);
	close(ends[0]);
	close(ends[1]);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("deliver");

	command_use(command_list);
	tcase_add_checked_fixture(t, make_site, drop_site);
	tcase_add_loop_test(t, answers, 0, ROWS(cases));
	tcase_add_test(t, answers_the_worst);
	tcase_add_test(t, sets_its_clock);
	return util_main(t);
}
