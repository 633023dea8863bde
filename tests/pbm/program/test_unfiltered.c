/* A kernel without the filter of system calls: no mail is read, all of them wait, the operator
 * is told once, and one setting of pbm.conf allows to read them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "pbm/base/child_confine.h"
#include "pbm/base/io.h"
#include "tests/util/util.h"

#define OPERATOR "operator@example.org"
#define MAILS 5
#define MAIL                                                                                       \
	"From: alice@example.org\nTo: pbm@pbm.example.org\nSubject: help\n"                        \
	"Message-ID: <1@example.org>\n\nhelp\n"

static char *site;

/* From now on the kernel refuses filters to this process and its children. */
static void refuse_filters(void)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);

	if (!f || seccomp_rule_add(f, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(seccomp), 0) ||
	    seccomp_rule_add(f, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1,
	                     SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP)) ||
	    seccomp_load(f))
		_exit(99);
}

/* The exit code of the program with this word; refuse: without filters. */
static int run(bool refuse, const char *word, const char *argument, const char *input)
{
	const char *pbm = getenv("PBM");
	int status;
	pid_t child = fork();

	if (child == 0) {
		if (refuse)
			refuse_filters();
		free(util_run((const char *[]){ pbm ? pbm : "build/pbm", "-C", site, "-q", word,
		                                argument, NULL },
		              input, &status));
		_exit(status);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) != 99, "no filter can be set here");
	return WEXITSTATUS(status);
}

static void add_setting(const char *line)
{
	char path[300];

	snprintf(path, sizeof path, "%s/pbm.conf", site);
	FILE *f = fopen(path, "ae");
	ck_assert_ptr_nonnull(f);
	fprintf(f, "%s\n", line);
	fclose(f);
}

static void make_site(void)
{
	site = util_site();
	add_setting("operator = " OPERATOR);
}

static void drop_site(void)
{
	util_drop(site);
}

static void feed(void)
{
	for (int i = 0; i < MAILS; i++) {
		char name[20];

		snprintf(name, sizeof name, "m%d", i);
		util_mail(site, name, "alice@example.org", "pbm@pbm.example.org", "help", "help",
		          NULL);
	}
}

static int waiting(void)
{
	char path[300];
	int n = 0;

	snprintf(path, sizeof path, "%s/inbox/new", site);
	DIR *d = opendir(path);
	for (const struct dirent *entry; d && (entry = readdir(d));)
		n += entry->d_name[0] != '.';
	closedir(d);
	return n;
}

/* Mails sent so far: to the operator, and to others. */
static void sent(int to_operator, int to_others)
{
	struct arena a = { 0 };
	size_t n;
	const struct sent_mail *mails = util_sent(&a, site, &n);

	for (size_t i = 0; i < n; i++)
		*(strcmp(mails[i].rcpt, OPERATOR) == 0 ? &to_operator : &to_others) -= 1;
	ck_assert_int_eq(to_operator, 0);
	ck_assert_int_eq(to_others, 0);
	arena_release(&a);
}

START_TEST(mail_waits)
{
	feed();
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(run(true, "tick", NULL, NULL), EX_UNAVAILABLE);
	ck_assert_int_eq(waiting(), MAILS);
	sent(1, 0);
	struct arena a = { 0 };
	const struct sent_mail *m = util_last(&a, site, OPERATOR);
	ck_assert_ptr_nonnull(strstr(m->mail.text, "unfiltered-parser = yes"));
	arena_release(&a);
	/* Nothing was counted against the mails. */
	ck_assert_int_eq(run(false, "tick", NULL, NULL), EX_OK);
	ck_assert_int_eq(waiting(), 0);
	sent(1, MAILS);
}
END_TEST

START_TEST(no_mail_no_trouble)
{
	ck_assert_int_eq(run(true, "tick", NULL, NULL), EX_OK);
	sent(0, 0);
}
END_TEST

START_TEST(setting_is_checked)
{
	add_setting("unfiltered-parser = perhaps");
	ck_assert_int_eq(run(true, "tick", NULL, NULL), EX_DATAERR);
}
END_TEST

START_TEST(setting_forbids)
{
	feed();
	add_setting("unfiltered-parser = no");
	ck_assert_int_eq(run(true, "tick", NULL, NULL), EX_UNAVAILABLE);
	ck_assert_int_eq(waiting(), MAILS);
}
END_TEST

START_TEST(setting_allows)
{
	feed();
	add_setting("unfiltered-parser = yes");
	ck_assert_int_eq(run(true, "tick", NULL, NULL), EX_OK);
	ck_assert_int_eq(waiting(), 0);
	sent(0, MAILS);
}
END_TEST

START_TEST(deliver)
{
	ck_assert_int_eq(run(true, "deliver", NULL, MAIL), EX_TEMPFAIL);
	sent(1, 0);
	ck_assert_int_eq(run(false, "deliver", NULL, MAIL), EX_OK);
	sent(1, 1);
	add_setting("unfiltered-parser = yes");
	ck_assert_int_eq(run(true, "deliver", NULL, "Subject: x\n" MAIL), EX_OK);
}
END_TEST

START_TEST(talk)
{
	ck_assert_int_eq(run(true, "talk", "alice", "games\n"), EX_UNAVAILABLE);
	sent(1, 0);
	add_setting("unfiltered-parser = yes");
	ck_assert_int_eq(run(true, "talk", "alice", "games\n"), EX_OK);
	sent(1, 1);
}
END_TEST

/* The program waits for all the processes that it starts: in a container, perhaps nobody else
 * does. */
START_TEST(no_process_is_left)
{
	const char *pbm = getenv("PBM");
	const char *const words[][2] = { { "tick" }, { "deliver" }, { "talk", "alice" } };
	int status;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	feed();
	for (int i = 0; i < ROWS(words); i++) {
		free(util_run((const char *[]){ pbm ? pbm : "build/pbm", "-C", site, "-q",
		                                words[i][0], words[i][1], NULL },
		              i == 1 ? MAIL : "games\n", &status));
		ck_assert_int_eq(status, 0);
		ck_assert_int_eq(waitpid(-1, NULL, 0), -1);
		ck_assert_int_eq(errno, ECHILD);
	}
}
END_TEST

/* A mail server is not read either. */
START_TEST(reader)
{
	char path[300];

	snprintf(path, sizeof path, "%s/password", site);
	ck_assert_int_eq(io_replace(AT_FDCWD, path, "x\n", 2, 0600, IO_LAZY, NULL), 0);
	add_setting("source = imaps://game@127.0.0.1:1\nsource-password = file:password");
	ck_assert_int_eq(run(true, "tick", NULL, NULL), EX_UNAVAILABLE);
	sent(1, 0);
	ck_assert_int_eq(run(false, "tick", NULL, NULL), EX_TEMPFAIL); /* nobody answers there */
	add_setting("unfiltered-parser = yes");
	ck_assert_int_eq(run(true, "tick", NULL, NULL), EX_TEMPFAIL);
	sent(1, 0);
}
END_TEST

int main(void)
{
#if SANITIZED
	puts("skipped: under the sanitizers there is no filter of system calls");
	return 0;
#endif
	TCase *t = tcase_create("unfiltered");

	tcase_add_checked_fixture(t, make_site, drop_site);
	tcase_add_test(t, mail_waits);
	tcase_add_test(t, no_mail_no_trouble);
	tcase_add_test(t, setting_is_checked);
	tcase_add_test(t, setting_forbids);
	tcase_add_test(t, setting_allows);
	tcase_add_test(t, deliver);
	tcase_add_test(t, talk);
	tcase_add_test(t, no_process_is_left);
	tcase_add_test(t, reader);
	return util_main(t);
}
