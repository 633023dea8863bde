/* Runs that end in the middle of a mail.  mail_in_work() is ours here: it does to the
 * process what the mails say, and keeps a list of what it saw. */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/base/child_confine.h"
#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/commands/command_list.h"
#include "pbm/run/crash_note.h"
#include "pbm/run/inbox.h"
#include "pbm/run/mail_in.h"
#include "pbm/run/run.h"
#include "pbm/site/mail_ends.h"
#include "store/shared/store_inbox.h"
#include "tests/util/util.h"

#define HELD_MIB 200 /* less than the usual limit of a tight run, more than its least */

#define UNLUCKY 12

static int seen = -1, kills = -1;
static volatile sig_atomic_t zero;

static void be_killed(void)
{
	raise(SIGKILL);
}

static void be_stopped(void)
{
	raise(SIGTERM);
}

/* As "kill -SEGV" from another process. */
static void be_hit(void)
{
	pid_t me = getpid(), other = fork();

	if (other == 0) {
		closefrom(0); /* the lock, so that the next run needn't wait for this process */
		kill(me, SIGSEGV);
		_exit(0);
	}
	for (;;)
		pause();
}

static void touch_nothing(void)
{
	*(volatile char *)(uintptr_t)(zero + 64) = 1;
}

static void run_over(void)
{
	volatile char room[4096];

	room[0] = (char)zero;
	zero = room[0];
	if (zero == 0)
		run_over();
	zero = room[0];
}

/* Killed the first times, and then no more. */
static void be_unlucky(void)
{
	struct stat st;

	if (fstat(kills, &st) == 0 && st.st_size < UNLUCKY && write(kills, "x", 1) == 1)
		raise(SIGKILL);
}

/* The machine has no memory to give and ends the process, unless the process has a
 * limit of its own that stops it before. */
static void eat(void)
{
	for (int i = 0; i < HELD_MIB; i++)
		*(volatile char *)mem_alloc(1 << 20) = 1;
	raise(SIGKILL);
}

static const struct {
	const char *word;
	void (*end)(void);
} ends[] = {
	{ "KILL", be_killed },     { "TERM", be_stopped }, { "HIT", be_hit },
	{ "SEGV", touch_nothing }, { "DEEP", run_over },   { "ABRT", abort },
	{ "UNLUCKY", be_unlucky }, { "EAT", eat },
};

int mail_in_work(struct site *site, const struct mail_raw *raw, unsigned flags,
                 enum mail_fate *fate, struct err *e)
{
	(void)site, (void)flags;
	if (write(seen, raw->bytes, 1) != 1)
		raise(SIGKILL);
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (strstr(raw->bytes, ends[i].word))
			ends[i].end();
	*fate = MAIL_HANDLED;
	return strstr(raw->bytes, "FAIL") ? err_set(e, ERR_DAMAGED, "it fails") : 0;
}

static void run(const char *dir)
{
	struct site s;
	struct mail_source source;
	struct mail_sink sink;
	struct run_report r = { 0 };
	struct err e = { 0 };
	char path[300];

	log_threshold(LOG_LEVEL_ERROR + 1);
	signal(SIGTERM, SIG_DFL); /* libcheck has a handler */
	snprintf(path, sizeof path, "%s/seen", dir);
	seen = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	snprintf(path, sizeof path, "%s/kills", dir);
	kills = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (site_open(dir, &s, &e) < 0 || site_open_store(&s, STORE_WRITE, &e) < 0 ||
	    mail_ends_source(&s, &source, &e) < 0 || mail_ends_sink(&s, &sink, &e) < 0 ||
	    run_once(&s, &source, &sink, 0, &r, &e) < 0) {
		fprintf(stderr, "%s\n", e.text);
		_exit(1);
	}
	_exit(0);
}

/* A run as a process of its own; true when it came to its end. */
static bool run_apart(const char *dir)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		run(dir);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	bool fault = WIFEXITED(status) && WEXITSTATUS(status) != 0;
	/* A sanitizer turns the signals of faults into an exit code of its own. */
	ck_assert(!fault || WEXITSTATUS(status) == EX_TEMPFAIL || SANITIZED);
	return WIFEXITED(status) && !fault;
}

static int count_files(const char *dir, const char *folder)
{
	char command[400], line[40] = "";

	snprintf(command, sizeof command, "ls %s/%s 2>/dev/null | wc -l", dir, folder);
	FILE *f = popen(command, "r");
	ck_assert(f && fgets(line, sizeof line, f));
	pclose(f);
	return atoi(line);
}

static char *make_site(void)
{
	char *site = util_folder();

	ck_assert_int_eq(site_create(site, "localhost", NULL), 0);
	return site;
}

/* The mails of an inbox, by their first letters; what each run sees; how many
 * mails are processed and quarantined at the end. */
static const struct {
	const char *mails[6], *runs[16];
	int processed, quarantined;
} cases[] = {
	{ { "a", "b" }, { "ab" }, 2, 0 },
	/* faults of ours: three times, once with limits, and never again */
	{ { "a", "b SEGV", "c" }, { "ab", "ab", "b", "b", "c" }, 2, 1 },
	{ { "a DEEP" }, { "a", "a", "a", "a", "" }, 0, 1 },
	{ { "a ABRT", "b SEGV", "c" }, { "a", "a", "a", "a", "b", "b", "b", "b", "c" }, 1, 2 },
	{ { "a", "b FAIL", "c SEGV", "d" }, { "abc", "abc", "bc", "bc", "d" }, 2, 2 },
	/* ends from outside: never, and the mails before count */
	{ { "a", "b UNLUCKY", "c" },
	  { "ab", "ab", "b", "b", "b", "b", "b", "b", "b", "b", "b", "b", "bc" },
	  3,
	  0 },
	{ { "a KILL" }, { "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a" }, 0, 0 },
	{ { "a TERM" }, { "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a" }, 0, 0 },
	{ { "a HIT" }, { "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a" }, 0, 0 },
	/* the machine ends it for its memory: until our own limit does */
	{ { "a EAT", "b" }, { "a", "a", "a", "a", "a", "a", "a", "a", "a", "b" }, 1, 1 },
};

START_TEST(only_faults_put_a_mail_aside)
{
	if (SANITIZED && strstr(cases[_i].mails[0], "EAT")) {
		printf("skipped: no limit of memory under the sanitizers\n");
		return;
	}
	char *dir = make_site(), name[10], path[300];
	int runs = 0, mails = 0;

	snprintf(path, sizeof path, "%s/seen", dir);
	for (; cases[_i].mails[mails]; mails++) {
		snprintf(name, sizeof name, "%d", mails);
		util_feed(dir, name, cases[_i].mails[mails]);
	}
	for (; cases[_i].runs[runs]; runs++) {
		bool ended = run_apart(dir);
		char *list = util_read(dir, "seen");

		ck_assert_msg(strcmp(list ? list : "", cases[_i].runs[runs]) == 0, "run %d: %s",
		              runs + 1, list);
		ck_assert_int_eq(count_files(dir, "attempt"), ended ? 0 : 1);
		free(list);
		unlink(path);
	}
	ck_assert_int_eq(count_files(dir, "inbox/.Processed/cur"), cases[_i].processed);
	ck_assert_int_eq(count_files(dir, "inbox/.Quarantine/cur"), cases[_i].quarantined);
	ck_assert_int_eq(count_files(dir, "inbox/new"),
	                 mails - cases[_i].processed - cases[_i].quarantined);
	ck_assert_int_eq(count_files(dir, "quarantine"), 2 * cases[_i].quarantined);
	util_drop(dir);
}
END_TEST

/* A mail that the operator puts back is tried again, as if it had never come. */
START_TEST(a_mail_put_back_is_tried_again)
{
	char *dir = make_site(), path[300], command[700];

	snprintf(path, sizeof path, "%s/seen", dir);
	util_feed(dir, "1", "a SEGV");
	for (int i = 0; i < 5; i++)
		ck_assert(run_apart(dir) == (i == 4));
	snprintf(command, sizeof command, "mv %s/inbox/.Quarantine/cur/* %s/inbox/new/1", dir, dir);
	ck_assert_int_eq(system(command), 0);
	unlink(path);
	ck_assert(!run_apart(dir));
	char *list = util_read(dir, "seen");
	ck_assert_str_eq(list, "a");
	free(list);
	util_drop(dir);
}
END_TEST

/* A mail that came with the store from machines which shared it goes before those of the source. */
START_TEST(a_mail_in_the_store_comes_first)
{
	char *dir = make_site(), text[] = "b";
	int64_t waiting = 0, oldest;
	struct site s;

	ck_assert_int_eq(site_open(dir, &s, NULL), 0);
	ck_assert_int_eq(site_open_store(&s, STORE_WRITE, NULL), 0);
	ck_assert_int_eq(inbox_add(&s, &(struct mail_raw){ .bytes = text, .len = 1 }, NULL), 0);
	/* Without a time of its own it has come now. */
	ck_assert_int_eq(store_inbox_size(s.store, 1, &waiting, &oldest, NULL), 0);
	ck_assert_int_eq(waiting, 1);
	site_close(&s);
	util_feed(dir, "1", "a");
	ck_assert(run_apart(dir));
	ck_assert(run_apart(dir));
	char *list = util_read(dir, "seen");
	ck_assert_str_eq(list, "ba");
	free(list);
	util_drop(dir);
}
END_TEST

/* A note that no run of ours left: nobody is blamed, and it goes. */
static const char *const notes[] = {
	"",
	"x",
	"0123456789abcdef0123456789abcde\n",
	"0123456789ABCDEF0123456789abcdef\n",
	"0123456789abcdef0123456789abcdef\n",
};

START_TEST(a_strange_note_does_no_harm)
{
	char *dir = make_site(), path[300];

	snprintf(path, sizeof path, "%s/attempt", dir);
	ck_assert_int_eq(
		io_replace(AT_FDCWD, path, notes[_i], strlen(notes[_i]), 0600, IO_LAZY, NULL), 0);
	ck_assert(run_apart(dir));
	ck_assert_int_eq(count_files(dir, "attempt"), 0);
	util_feed(dir, "1", "a");
	ck_assert(run_apart(dir));
	ck_assert_int_eq(count_files(dir, "inbox/.Processed/cur"), 1);
	util_drop(dir);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("attempt");

	command_use(command_list);
	tcase_add_loop_test(t, only_faults_put_a_mail_aside, 0, ROWS(cases));
	tcase_add_test(t, a_mail_put_back_is_tried_again);
	tcase_add_test(t, a_mail_in_the_store_comes_first);
	tcase_add_loop_test(t, a_strange_note_does_no_harm, 0, ROWS(notes));
	return util_main(t);
}
