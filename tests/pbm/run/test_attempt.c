/* Runs that end in the middle of a mail.  mail_in_work() is ours here: it kills
 * the process over the mails that say so, and keeps a list of what it saw. */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/run/crash_note.h"
#include "pbm/run/mail_in.h"
#include "pbm/run/run.h"
#include "pbm/site/mail_ends.h"
#include "tests/util/util.h"

static int seen = -1;

int mail_in_work(struct site *site, const struct mail_raw *raw, unsigned flags,
                 enum mail_fate *fate, struct err *e)
{
	(void)site, (void)flags, (void)e;
	if (write(seen, raw->bytes, 1) != 1 || strstr(raw->bytes, "KILL"))
		raise(SIGKILL);
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
	snprintf(path, sizeof path, "%s/seen", dir);
	seen = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
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
	ck_assert(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
	return WIFEXITED(status);
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
	char *dir = util_folder(), *site = mem_alloc(strlen(dir) + 6);

	sprintf(site, "%s/site", dir);
	free(dir);
	ck_assert_int_eq(site_create(site, "localhost", NULL), 0);
	return site;
}

static void drop_site(char *site)
{
	*strrchr(site, '/') = '\0';
	util_drop(site);
}

/* The mails of an inbox, by their first letters; what each run sees; how many
 * mails are processed and quarantined at the end. */
static const struct {
	const char *mails[6], *runs[6];
	int processed, quarantined;
} cases[] = {
	{ { "a", "b" }, { "ab" }, 2, 0 },
	{ { "a", "b KILL", "c" }, { "ab", "ab", "c" }, 2, 1 },
	{ { "a KILL" }, { "a", "a", "" }, 0, 1 },
	{ { "a KILL", "b KILL", "c" }, { "a", "a", "b", "b", "c" }, 1, 2 },
	{ { "a", "b FAIL", "c KILL", "d" }, { "abc", "abc", "bd", "b" }, 2, 2 },
};

START_TEST(what_ends_two_runs_is_put_aside)
{
	char *dir = make_site(), name[10], path[300];
	int runs = 0;

	snprintf(path, sizeof path, "%s/seen", dir);
	for (int i = 0; cases[_i].mails[i]; i++) {
		snprintf(name, sizeof name, "%d", i);
		util_feed(dir, name, cases[_i].mails[i]);
	}
	for (; cases[_i].runs[runs]; runs++) {
		bool last = !cases[_i].runs[runs + 1];
		bool ended = run_apart(dir);
		char *list = util_read(dir, "seen");

		ck_assert_str_eq(list ? list : "", cases[_i].runs[runs]);
		ck_assert(ended || !last);
		ck_assert_int_eq(count_files(dir, "attempt"), ended ? 0 : 1);
		free(list);
		unlink(path);
	}
	ck_assert_int_eq(count_files(dir, "inbox/.Processed/cur"), cases[_i].processed);
	ck_assert_int_eq(count_files(dir, "inbox/.Quarantine/cur"), cases[_i].quarantined);
	ck_assert_int_eq(count_files(dir, "quarantine"), 2 * cases[_i].quarantined);
	drop_site(dir);
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
	drop_site(dir);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("attempt");

	tcase_add_loop_test(t, what_ends_two_runs_is_put_aside, 0, ROWS(cases));
	tcase_add_loop_test(t, a_strange_note_does_no_harm, 0, ROWS(notes));
	return util_main(t);
}
