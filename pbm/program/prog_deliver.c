/* pbm deliver: an MTA waits for the exit code.  It comes within five seconds, whatever
 * the mail is: 0 taken, 65 refused, 75 try again.  A run may be cut at any instant, so
 * a timer and the signals of crashes end it with one of these codes. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sysexits.h>
#include <unistd.h>

#include "mail/gate.h"
#include "mail/transport/source_pipe.h"
#include "pbm/base/clock.h"
#include "pbm/outbox/outbox.h"
#include "pbm/program/prog.h"
#include "pbm/run/clock_check.h"
#include "pbm/run/inbox.h"
#include "pbm/run/mail_in.h"
#include "pbm/site/mail_ends.h"
#include "pbm/site/site.h"
#include "store/store_outbox.h"

#define READ_MS 2000  /* for the MTA to hand us the mail */
#define STORE_MS 3000 /* from the start: another run may be at work */
#define CUT_MS 4500   /* from the start: exit, done or not */

/* The exit code if the process is cut now. */
static volatile sig_atomic_t verdict = EX_TEMPFAIL;

/* The mail went to the server, which has not answered yet. */
static volatile sig_atomic_t is_sent;

static void answer_and_exit(int sig)
{
	static const char slow[] = "pbm: this takes too long; try again\n";
	static const char unsure[] =
		"pbm: the PostgreSQL server does not confirm the mail; perhaps it waits for its "
		"standby (pbm doctor looks); try again\n";
	static const char fault[] = "pbm: a fault in pbm; try again\n";
	const char *text = sig != SIGALRM ? fault : is_sent ? unsure : slow;
	ssize_t ignored = write(STDERR_FILENO, text, strlen(text));

	(void)ignored;
	_exit(verdict);
}

static const int fatal_signals[] = {
	SIGALRM, SIGTERM, SIGINT, SIGHUP, SIGXCPU, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
};

static void limit_time(void)
{
	static char stack[16384];
	const struct itimerval timer = { .it_value = { .tv_sec = CUT_MS / 1000,
		                                       .tv_usec = CUT_MS % 1000 * 1000 } };
	struct sigaction act = { .sa_handler = answer_and_exit, .sa_flags = SA_ONSTACK };

	sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof stack }, NULL);
	for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
		sigaction(fatal_signals[i], &act, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* The mail, read before the store is opened, so that no other run waits for the MTA. */
struct held {
	struct mail_raw raw;
	bool taken;
};

static int held_next(void *self, size_t, struct mail_raw *out, struct err *)
{
	struct held *h = self;

	if (h->taken)
		return 0;
	h->taken = true;
	*out = h->raw;
	return 1;
}

/* Committed: from here on the MTA may forget the mail. */
static int held_settle(void *, const char *, enum mail_fate fate, struct err *)
{
	static const int answers[] = {
		[MAIL_HANDLED] = EX_OK,
		[MAIL_QUARANTINED] = EX_OK,
		[MAIL_RETRY] = EX_TEMPFAIL,
		[MAIL_REFUSED] = EX_DATAERR,
	};

	verdict = answers[fate];
	return 0;
}

static void held_close(void *self)
{
	struct held *h = self;

	if (!h->taken)
		mail_raw_release(&h->raw);
}

static const struct mail_source_ops held_ops = {
	.name = "held", .next = held_next, .settle = held_settle, .close = held_close
};

static int read_mail(struct mail_raw *out, struct err *e)
{
	struct mail_source pipe;
	int rc = source_pipe_open(STDIN_FILENO, READ_MS, &pipe, e);

	if (rc < 0)
		return rc;
	rc = pipe.ops->next(pipe.self, MAIL_MAX_BYTES, out, e);
	pipe.ops->close(pipe.self);
	return rc == 0 ? err_set(e, ERR_BAD, "there is no mail on standard input") : rc;
}

/* A mail server may be slow.  So a child without a time limit sends what the mail
 * caused, after the MTA has its exit code.  If the child fails, the next run sends it. */
static void send_in_child(const struct prog_options *o)
{
	const struct itimerval off = { 0 };
	struct run_report r = { 0 };
	struct mail_sink sink;
	struct site s;
	pid_t child = fork();

	if (child != 0)
		return;
	setitimer(ITIMER_REAL, &off, NULL);
	for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
		signal(fatal_signals[i], SIG_DFL);
	setsid();
	int null = open("/dev/null", O_RDWR);
	for (int fd = 0; null >= 0 && fd <= 2; fd++)
		dup2(null, fd);
	if (prog_open(o, STORE_WRITE, STORE_MS / 1000, &s) != 0)
		_exit(EX_TEMPFAIL);
	if (mail_ends_sink(&s, &sink, NULL) == 0) {
		outbox_flush(&s, &sink, SHORT_SENDING, &r, NULL);
		sink.ops->close(sink.self);
	}
	site_close(&s);
	_exit(EX_OK);
}

static int refuse_large(void)
{
	fprintf(stderr, "pbm: the mail is larger than %d bytes\n", MAIL_MAX_BYTES);
	return EX_DATAERR;
}

/* One of the machines that share the store works on the mail.  The server has it when
 * this returns EX_OK. */
static int put_into_inbox(const struct prog_options *o, const struct mail_raw *raw)
{
	struct err e = { 0 };
	AUTO(site_close) struct site s = { 0 };

	if (prog_open(o, STORE_ADD, 0, &s) != 0)
		return EX_TEMPFAIL;
	int rc = clock_compare(&s, &e);
	is_sent = rc == 0;
	if (rc == 0)
		rc = inbox_add(&s, raw, &e);
	if (rc == 0)
		verdict = EX_OK;
	else
		fprintf(stderr, "pbm: %s\n", e.text);
	return verdict;
}

static int work_on_mail(const struct prog_options *o, struct held *held, int seconds)
{
	struct mail_source source = { &held_ops, held };
	struct run_report r = { 0 };
	struct err e = { 0 };
	struct site s;

	if (prog_open(o, STORE_WRITE, seconds, &s) != 0)
		return EX_TEMPFAIL;
	if (prog_run_mails(&s, &source, MAIL_IN_PIPE, &r, &e) < 0)
		fprintf(stderr, "pbm: %s\n", e.text);
	else if (verdict == EX_DATAERR)
		refuse_large();
	else if (verdict == EX_TEMPFAIL)
		fprintf(stderr, "pbm: the mail cannot be worked on now; try again\n");
	bool due = r.unsent && store_outbox_is_due(s.store, clock_now(), NULL) == 1;
	site_close(&s);
	if (due)
		send_in_child(o);
	return verdict;
}

/* A site may want another program (site_use_store()), which then reads the mail. */
static void find_program(const char *dir)
{
	struct site s;

	if (site_open_to_look(dir, &s, NULL) == 0)
		site_close(&s);
}

int prog_deliver(const struct prog_options *o, int argc, char **argv)
{
	struct held held = { 0 };
	struct err e = { 0 };
	int64_t start = clock_ms();

	if (argc != 1)
		return prog_refuse_word(argv, argv[1]);
	find_program(o->dir);
	limit_time();
	prog_begin_reading();
	int rc = read_mail(&held.raw, &e);
	if (rc < 0) {
		fprintf(stderr, "pbm: %s\n", e.text);
		return rc == ERR_BAD ? EX_DATAERR : EX_TEMPFAIL;
	}
	int code;
	if (store_is_on_server() && held.raw.oversize)
		code = refuse_large();
	else if (store_is_on_server())
		code = put_into_inbox(o, &held.raw);
	else
		code = work_on_mail(o, &held, (int)((STORE_MS - (clock_ms() - start)) / 1000));
	held_close(&held);
	return code;
}
