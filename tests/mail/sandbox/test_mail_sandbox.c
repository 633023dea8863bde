/* The sandbox gives what parse_mail() gives, and outlives every parser that is
 * put in its place: crashing, spinning, greedy, prying or lying. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mail/gate.h"
#include "mail/parse.h"
#include "mail/sandbox/sandbox.h"
#include "mail/sandbox/sandbox_child.h"
#include "mail/sandbox/sandbox_wire.h"
#include "pbm/base/child_confine.h"
#include "pbm/base/child_zygote.h"
#include "tests/util/util.h"

#define FROM                                                                                       \
	"From: =?utf-8?q?B=C3=B6b?= <bob@example.org>\nTo: pbm+g1@pbm.example.org, carol@example.org\n"
#define GOOD FROM "Subject: Nf3\n\nNf3\n"

/* The texts of both must agree; the rest is read by the same code. */
static const char *const mails[] = {
	GOOD,
	"",
	FROM "From: alice@example.org\n\nx",
	"From: alice, bob@example.org, carol@example.org\n\nx",
	FROM "Date: Tue, 1 Dec 2026 10:00:00 +0100\nMessage-ID: <a@b>\nReferences: <c@d> <e@f>\n"
	     "Delivered-To: pbm+g1.x@pbm.example.org\n\n\xff\xfe\n",
	FROM "Subject: =?koi8-r?Q?=F0=D2=C9=D7=C5=D4?= =?iso-2022-jp?B?GyRCRnxLXDhsGyhC?=\n\nx\n",
	FROM "Content-Type: text/plain; charset=big5\n\n\xa4\xa4\xa4\xe5\n",
	FROM "Content-Type: text/plain; charset=\"windows-1251\"\n\n\xcf\xf0\n",
	FROM "Content-Type: text/plain; charset=utf-7\n\n+AGE-\n",
	FROM
	"Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\n6QBhAA==\n",
	FROM
	"Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\n/v8A6Q==\n",
	FROM "Content-Type: text/html\n\n<p>one<br>two<blockquote>three</blockquote>\n",
	FROM "Content-Type: text/plain; format=flowed\n\na \nb\n>> c \n>> d\n",
	FROM "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nplain\n--b--\n",
	FROM "Content-Type: multipart/mixed; boundary=\"\\\"\"\n\n--b\n\nplain\n--b--\n",
	"From: MAILER-DAEMON\nContent-Type: multipart/report; boundary=b\n\n--b\n\nSorry\x1b\n--b\n"
	"Content-Type: message/delivery-status\n\nAction:\x1b failed\n\n--b\nContent-Type: message/rfc822\n\n"
	"Message-ID:\x01 <a@b>\n\nx\n--b--\n",
};

static void same_strings(const struct mail_strings *x, const struct mail_strings *y)
{
	ck_assert_uint_eq(x->n, y->n);
	for (size_t i = 0; i < x->n; i++)
		ck_assert_str_eq(x->v[i], y->v[i]);
}

START_TEST(as_without)
{
	struct mail_sandbox *s = mail_sandbox_new();
	struct arena a = { 0 };
	struct mail in, out;
	struct err e_in = { 0 }, e_out = { 0 };
	const char *bytes = mails[_i];
	size_t len = strlen(bytes);
	int rc = mail_sandbox_parse(s, &a, bytes, len, &in, &e_in);
	int want = gate_check(bytes, len, &e_out);

	if (want == 0)
		want = parse_any(&a, bytes, len, &out, &e_out);
	ck_assert_msg(rc == want, "%d, not %d: %s", rc, want, e_in.text);
	ck_assert_str_eq(e_in.text, e_out.text);
	if (rc == 0) {
		ck_assert_str_eq(in.from, out.from);
		ck_assert_str_eq(in.from_name, out.from_name);
		ck_assert_str_eq(in.subject, out.subject);
		ck_assert_str_eq(in.text, out.text);
		ck_assert_str_eq(in.report, out.report);
		ck_assert_str_eq(in.report_type, out.report_type);
		ck_assert_str_eq(in.returned, out.returned);
		ck_assert_str_eq(in.sealed, out.sealed);
		ck_assert((in.fault == NULL) == (out.fault == NULL));
		ck_assert_str_eq(in.message_id, out.message_id);
		ck_assert_int_eq(in.date, out.date);
		ck_assert_uint_eq(in.field_count, out.field_count);
		same_strings(&in.references, &out.references);
		same_strings(&in.delivered_to, &out.delivered_to);
		same_strings(&in.to, &out.to);
	}
	arena_release(&a);
	mail_sandbox_free(s);
}
END_TEST

static int quietly(struct mail_sandbox *s, const char *bytes, struct err *e)
{
	struct arena a = { 0 };
	struct mail m;
	int rc = mail_sandbox_parse(s, &a, bytes, strlen(bytes), &m, e);

	arena_release(&a);
	return rc;
}

/* Parsers that a mail has got hold of. */

#define PARSER(name)                                                                               \
	static int name(                                                                           \
		struct arena *a __attribute__((unused)),                                           \
		const char *bytes __attribute__((unused)), size_t len __attribute__((unused)),     \
		struct mail *out __attribute__((unused)), struct err *e __attribute__((unused)))

static int *shared;    /* memory that the parent shares */
static char secret[8]; /* that the parent read when the zygote lived */
static volatile int sink;

PARSER(overflows)
{
	volatile char page[4096];

	page[0] = 1;
	return len ? overflows(a, bytes, len, out, e) + page[0] : 0;
}

PARSER(leaves)
{
	_exit(0);
}

PARSER(spins)
{
	while (sink >= 0)
		sink = !sink;
	return 0;
}

PARSER(waits)
{
	char c;

	while (read(STDIN_FILENO, &c, 1) > 0)
		;
	return 0;
}

PARSER(eats)
{
	while (sink >= 0)
		*(volatile char *)mem_alloc(1 << 20) = 1;
	return 0;
}

PARSER(opens)
{
	return open("/etc/passwd", O_RDONLY) < 0 ? err_set(e, ERR_BAD, "%s", strerror(errno)) : 0;
}

PARSER(connects)
{
	return socket(AF_INET, SOCK_STREAM, 0) < 0 ? err_set(e, ERR_BAD, "no socket") : 0;
}

PARSER(forks)
{
	return fork() < 0 ? err_set(e, ERR_BAD, "no fork") : 0;
}

PARSER(kills)
{
	return kill(getppid(), SIGTERM) < 0 ? err_set(e, ERR_BAD, "no kill") : 0;
}

PARSER(makes_code)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
	               -1, 0);

	return p == MAP_FAILED ? err_set(e, ERR_BAD, "no code") : 0;
}

/* Every descriptor but its own is closed. */
PARSER(pries)
{
	for (int fd = SANITIZED ? 3 : 1; fd < 1024; fd++)
		if (write(fd, "", 0) == 0 || errno != EBADF)
			return 0;
	return err_set(e, ERR_BAD, "nothing is open");
}

PARSER(remembers)
{
	return err_set(e, ERR_BAD, "%s", secret);
}

PARSER(scribbles)
{
	*shared = 1;
	return 0;
}

PARSER(says_nonsense)
{
	out->from_name = out->subject = "";
	out->text = "\xff";
	return 0;
}

PARSER(forges_a_line)
{
	out->from_name = out->text = "";
	out->subject = "a\nBcc: dave@example.org";
	return 0;
}

PARSER(is_unsure)
{
	return err_set(e, ERR_UNCERTAIN, "perhaps");
}

PARSER(talks_too_much)
{
	static const char flood[SANDBOX_ANSWER_MAX + 8];
	const uint32_t n = SANDBOX_ANSWER_MAX + 1;

	return write(STDIN_FILENO, &n, sizeof n) < 0 ||
	       write(STDIN_FILENO, flood, sizeof flood) < 0;
}

PARSER(stops_halfway)
{
	const uint32_t n = 100;

	if (write(STDIN_FILENO, &n, sizeof n) > 0)
		_exit(0);
	return 0;
}

#define CRASHED "the parser crashed on it"
#define FILTER 1 /* is held back by the filter of calls alone */
#define LIMIT 2  /* is not held back under the sanitizers */

static const struct {
	const char *name;
	sandbox_parser *parse;
	const char *why;
	int flags;
} evil[] = {
	{ "overflows", overflows, CRASHED, 0 },
	{ "leaves", leaves, CRASHED, 0 },
	{ "spins", spins, "the parser took too long over it", 0 },
	{ "waits", waits, "the parser took too long over it", 0 },
	{ "eats", eats, "the parser needed too much memory for it", LIMIT },
	{ "opens", opens, "Permission denied", FILTER },
	{ "connects", connects, CRASHED, FILTER },
	{ "forks", forks, CRASHED, FILTER },
	{ "kills", kills, CRASHED, FILTER },
	{ "makes code", makes_code, CRASHED, FILTER },
	{ "pries", pries, "nothing is open", 0 },
	{ "remembers", remembers, "", 0 },
	{ "scribbles", scribbles, CRASHED, 0 },
	{ "says nonsense", says_nonsense, CRASHED, 0 },
	{ "forges a line", forges_a_line, CRASHED, 0 },
	{ "is unsure", is_unsure, CRASHED, 0 },
	{ "talks too much", talks_too_much, CRASHED, 0 },
	{ "stops halfway", stops_halfway, CRASHED, 0 },
};

/* Puts a parser into the place of the real one, in a fork of this program; NULL: the real one. */
static void plant(struct mail_sandbox *s, sandbox_parser *parse)
{
	mail_sandbox_stop(s);
	s->plan.program = parse ? NULL : "pbm-parse";
	s->plan.job = sandbox_parse;
	s->parse = parse;
}

/* The number after a word of /proc/PID/status, -1 without one. */
static int status_of(pid_t pid, const char *word)
{
	char path[60], line[200];
	int n = -1;

	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, word, strlen(word)) == 0)
			n = atoi(line + strlen(word));
	if (f)
		fclose(f);
	return n;
}

static bool has_filter(struct mail_sandbox *s)
{
	ck_assert_int_ge(mail_sandbox_check(s, NULL), 0);
	return status_of(s->child.pid, "Seccomp:") == 2;
}

static void no_child_is_left(void)
{
	child_zygote_end();
	ck_assert_int_eq(waitpid(-1, NULL, 0), -1);
	ck_assert_int_eq(errno, ECHILD);
}

START_TEST(outlives)
{
	struct mail_sandbox *s = mail_sandbox_new();
	struct err e = { 0 };

	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if ((evil[_i].flags & FILTER && !has_filter(s)) || (evil[_i].flags & LIMIT && SANITIZED)) {
		printf("skipped: a parser that %s needs what is missing here\n", evil[_i].name);
		mail_sandbox_free(s);
		return;
	}
	ck_assert_int_eq(child_zygote_begin(NULL, &e), 0);
	memcpy(secret, "secret", 7);
	plant(s, evil[_i].parse);
	int rc = quietly(s, GOOD, &e);
	ck_assert_int_eq(rc, ERR_BAD);
	ck_assert_msg(strcmp(e.text, evil[_i].why) == 0, "%s: %s", evil[_i].name, e.text);
	ck_assert_int_eq(*shared, 0);
	plant(s, NULL);
	ck_assert_int_eq(quietly(s, GOOD, NULL), 0);
	mail_sandbox_free(s);
	no_child_is_left();
}
END_TEST

/* The machine killed the child before it got the mail, or stood still until the child was late. */
START_TEST(the_innocent_get_a_second_try)
{
	static const int signals[] = { SIGKILL, SIGSTOP, SIGTERM, SIGKILL };
	struct mail_sandbox *s = mail_sandbox_new();

	for (size_t i = 0; i < ROWS(signals); i++) {
		ck_assert_int_ge(mail_sandbox_check(s, NULL), 0);
		kill(s->child.pid, signals[i]);
		ck_assert_int_eq(quietly(s, GOOD, NULL), 0);
	}
	mail_sandbox_free(s);
	no_child_is_left();
}
END_TEST

/* The child that works ahead stands still, and the mail is read all the same. */
START_TEST(late_ahead)
{
	struct mail_sandbox *s = mail_sandbox_new();
	int stopped = 0;

	for (int i = 0; i < 6 && !stopped; i++) {
		ck_assert_int_eq(quietly(s, GOOD, NULL), 0);
		mail_sandbox_ahead(s, GOOD "x", strlen(GOOD "x"));
		for (int k = 0; k < 2; k++)
			if (s->ahead[k].child.pid && kill(s->ahead[k].child.pid, SIGSTOP) == 0)
				stopped++;
	}
	ck_assert_int_eq(stopped, 1);
	ck_assert_int_eq(quietly(s, GOOD "x", NULL), 0);
	mail_sandbox_free(s);
	no_child_is_left();
}
END_TEST

/* A child remembers nothing of another child's mail. */
PARSER(remembers_the_last)
{
	static char last[200];
	int rc = err_set(e, ERR_BAD, "%s", last);

	snprintf(last, sizeof last, "%.*s", len < 100 ? (int)len : 100, bytes);
	return rc;
}

START_TEST(each_mail_has_its_own_child)
{
	struct mail_sandbox *s = mail_sandbox_new();
	pid_t last = 0;

	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* none before the first mail */
	plant(s, remembers_the_last);
	for (int i = 0; i < 10; i++) {
		struct err e = { 0 };

		ck_assert_int_eq(mail_sandbox_check(s, &e), 0);
		ck_assert_int_ne(s->child.pid, last);
		ck_assert_int_eq(status_of(s->child.pid, "NoNewPrivs:"), 1);
		last = s->child.pid;
		ck_assert_int_eq(quietly(s, GOOD, &e), ERR_BAD);
		ck_assert_str_eq(e.text, "");
	}
	mail_sandbox_free(s);
	mail_sandbox_free(NULL);
	no_child_is_left();
}
END_TEST

/* The text that the sandbox reads in the mail. */
static const char *text_of(struct mail_sandbox *s, struct arena *a, const char *bytes)
{
	struct err e = { 0 };
	struct mail m;
	int rc = mail_sandbox_parse(s, a, bytes, strlen(bytes), &m, &e);

	ck_assert_msg(rc == 0, "%s: %s", bytes, e.text);
	return m.text;
}

static int ahead_of(const struct mail_sandbox *s)
{
	return (s->ahead[0].child.pid != 0) + (s->ahead[1].child.pid != 0);
}

/* Every mail gets its own answer, whether it was begun ahead, changed since, or left out. */
START_TEST(ahead)
{
	struct mail_sandbox *s = mail_sandbox_new();
	struct arena a = { 0 };
	char mail[12][200], other[200];
	int begun = 0;

	for (int i = 0; i < 12; i++)
		snprintf(mail[i], sizeof mail[i], FROM "Subject: x\n\nmail %d\n", i);
	for (int i = 0; i < 12; i++) {
		char expected[20];

		if (i < 11)
			mail_sandbox_ahead(s, mail[i + 1], strlen(mail[i + 1]));
		begun += ahead_of(s);
		snprintf(expected, sizeof expected, "mail %d\n", i);
		if (i == 7)
			continue; /* it came before */
		ck_assert_str_eq(text_of(s, &a, mail[i]), expected);
		snprintf(other, sizeof other, FROM "Subject: x\n\nMAIL %d\n", i);
		if (i == 5)
			ck_assert_str_eq(text_of(s, &a, other), "MAIL 5\n");
		if (i == 9) /* dies while it waits */
			for (int k = 0; k < 2; k++)
				if (s->ahead[k].child.pid)
					kill(s->ahead[k].child.pid, SIGKILL);
	}
	ck_assert_int_ge(begun, 9);
	mail_sandbox_stop(s);
	ck_assert_int_eq(ahead_of(s), 0);
	mail_sandbox_free(s);
	arena_release(&a);
	no_child_is_left();
}
END_TEST

/* A mail that gets hold of its parser is refused as if it had not been begun ahead. */
START_TEST(ahead_of_a_crash)
{
	struct mail_sandbox *s = mail_sandbox_new();
	struct err e = { 0 };

	plant(s, leaves);
	for (int i = 0; i < 6; i++) {
		mail_sandbox_ahead(s, GOOD "again", strlen(GOOD "again"));
		err_clear(&e);
		ck_assert_int_eq(quietly(s, i % 2 ? GOOD : GOOD "again", &e), ERR_BAD);
		ck_assert_str_eq(e.text, "the parser crashed on it");
	}
	plant(s, NULL);
	ck_assert_int_eq(quietly(s, GOOD "again", NULL), 0);
	mail_sandbox_free(s);
	no_child_is_left();
}
END_TEST

START_TEST(what_the_gate_refuses_needs_no_child)
{
	struct mail_sandbox *s = mail_sandbox_new();

	ck_assert_int_eq(quietly(s, FROM "Content-Type: a/b; boundary=\"\\\"\"\n\n", NULL),
	                 ERR_BAD);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	mail_sandbox_free(s);
}
END_TEST

#define BUSY_NS 50000000

/* Has one of the process's children used more of the processor than a start needs? */
static bool has_busy_child(pid_t parent)
{
	char path[80];
	long long child, ns = 0;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
	FILE *list = fopen(path, "re");
	while (list && ns <= BUSY_NS && fscanf(list, "%lld", &child) == 1) {
		snprintf(path, sizeof path, "/proc/%lld/schedstat", child);
		FILE *f = fopen(path, "re");
		if (f && fscanf(f, "%lld", &ns) != 1)
			ns = 0;
		if (f)
			fclose(f);
	}
	if (list)
		fclose(list);
	return ns > BUSY_NS;
}

/* Waits until the process has a child that has used more of the processor than a start
 * needs.  False: the process has ended before. */
static bool wait_for_busy_child(pid_t parent)
{
	siginfo_t ended = { 0 };

	while (waitid(P_PID, (id_t)parent, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       !ended.si_pid) {
		if (has_busy_child(parent))
			return true;
		usleep(1000);
	}
	return false;
}

static pid_t start_spinning(void)
{
	pid_t parent = fork();

	if (parent == 0) {
		struct mail_sandbox *s = mail_sandbox_new();

		plant(s, spins);
		quietly(s, GOOD, NULL);
		_exit(1);
	}
	return parent;
}

/* A child that is busy when its parent is killed goes with it. */
START_TEST(dies_with_its_parent)
{
	int status = 0, gone = 0;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid_t parent = start_spinning();
	/* The sandbox's own limits may come first on a busy machine: once more, then. */
	while (!wait_for_busy_child(parent)) {
		waitpid(parent, NULL, 0);
		parent = start_spinning();
	}
	kill(parent, SIGKILL);
	/* The zygote may see its closed socket before the signal. */
	for (pid_t p; (p = waitpid(-1, &status, 0)) > 0; gone++)
		ck_assert(WIFEXITED(status) || WTERMSIG(status) == SIGKILL);
	ck_assert_int_eq(gone, 3); /* with the zygote */
}
END_TEST

static const struct {
	const char *bytes;
	size_t n;
	int want;
} answers[] = {
	{ "", 0, ERR_UNCERTAIN },
	{ "\0\0\0", 3, ERR_UNCERTAIN },
	{ "\0\0\0\0n\0s\0t\0r\0\0h\0", 16, 0 },
	{ "\0\0\0\0n\0s\0t\0r\0\0h\0", 15, ERR_UNCERTAIN },
	{ "\0\0\0\0n\0s\0t\0r\0\0h\0\0", 17, ERR_UNCERTAIN },
	{ "\0\0\0\0\0\0\0\0\0\0", 11, 0 },
	{ "\0\0\0\0n\0s\0t\0", 10, ERR_UNCERTAIN },
	{ "\0\0\0\0n\0s\0t\0r\0x\0h\0", 17, ERR_UNCERTAIN },
	{ "\0\0\0\0n\0s\0t\0r\0feedback-report\0\0", 30, 0 },
	{ "\0\0\0\0n\0s\0t\0r\0\0h\0smime", 21, 0 },
	{ "\0\0\0\0n\0s\0t\0r\0\0h\0smimf", 21, ERR_UNCERTAIN },
	{ "\0\0\0\0n\0s\0t\0r\0\0h\0\n", 17, ERR_UNCERTAIN },
	{ "\0\0\0\0n\ta\0s\0t\0\0\0\0", 16, ERR_UNCERTAIN },
	{ "\0\0\0\0n\0s\0t\n\tx\0\0\0\0", 17, 0 },
	{ "\0\0\0\0n\0s\0t\r\0\0\0\0", 15, ERR_UNCERTAIN },
	{ "\0\0\0\0n\0\xc3\0t\0\0\0\0", 14, ERR_UNCERTAIN },
	{ "\0\0\0\0n\0s\0t\0\x7f\0\0\0", 15, ERR_UNCERTAIN },
	{ "\xfd\xff\xff\xffwhy", 8, ERR_BAD },
	{ "\xf8\xff\xff\xffwhy", 8, ERR_LIMIT },
	{ "\xfd\xff\xff\xffwhy", 7, ERR_UNCERTAIN },
	{ "\xfd\xff\xff\xffw\ny", 8, ERR_UNCERTAIN },
	{ "\xff\xff\xff\xffwhy", 8, ERR_UNCERTAIN },
	{ "\1\0\0\0why", 8, ERR_UNCERTAIN },
};

START_TEST(trusts_no_answer)
{
	struct arena a = { 0 };
	struct mail m = { 0 };
	struct err e = { 0 };

	ck_assert_int_eq(sandbox_read(&a, answers[_i].bytes, answers[_i].n, &m, &e),
	                 answers[_i].want);
	ck_assert_int_eq(e.code, answers[_i].want == ERR_UNCERTAIN ? 0 : answers[_i].want);
	ck_assert((m.text != NULL) == (answers[_i].want == 0));
	arena_release(&a);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("sandbox");

	tcase_add_loop_test(t, as_without, 0, ROWS(mails));
	tcase_add_loop_test(t, outlives, 0, ROWS(evil));
	tcase_add_test(t, the_innocent_get_a_second_try);
	tcase_add_test(t, late_ahead);
	tcase_add_test(t, each_mail_has_its_own_child);
	tcase_add_test(t, ahead);
	tcase_add_test(t, ahead_of_a_crash);
	tcase_add_test(t, what_the_gate_refuses_needs_no_child);
	tcase_add_test(t, dies_with_its_parent);
	tcase_add_loop_test(t, trusts_no_answer, 0, ROWS(answers));
	return util_main(t);
}
