/* The sendmail sink: what an MTA's program may answer, played by a script. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mail/transport/sink_sendmail.h"
#include "mail/transport/transport.h"
#include "pbm/base/clock.h"
#include "tests/util/util.h"

#define PATIENCE 10000 /* seconds, more than any test may last */
#define MAIL "From: pbm@example.org\r\n\r\n.\r\n..x\r\na\rb\r\n"

static char *dir;
static char program[200];

static void setup(void)
{
	dir = util_folder();
	snprintf(program, sizeof program, "%s/sendmail", dir);
}

static void teardown(void)
{
	util_drop(dir);
}

/* A program that notes its arguments, mails and open files, then does this. */
static struct mail_sink open_sink(const char *script, long timeout)
{
	struct mail_sink sink;
	struct err e = { 0 };
	FILE *f = fopen(program, "w");

	fprintf(f, "#!/bin/sh\nprintf '%%s\\n' \"$@\" >>%s/args\ncat >>%s/mail\n%s\n", dir, dir,
	        script);
	fclose(f);
	chmod(program, 0700);
	ck_assert_msg(sink_sendmail_open(program, timeout, &sink, &e) == 0, "%s", e.text);
	return sink;
}

static struct mail_sending sending(const char *to)
{
	return (struct mail_sending){ .from = "pbm@example.org",
		                      .to = to,
		                      .key = "k",
		                      .bytes = MAIL,
		                      .len = strlen(MAIL),
		                      .rc = 77 };
}

static const struct {
	const char *script;
	int sent, rc;
	const char *why;
} codes[] = {
	{ "exit 0", 0, 0, "" },
	{ "echo 'all is well' >&2; exit 0", 0, 0, "" },
	{ "echo 'who is b\303\266b?' >&2; echo more >&2; exit 67", 0, ERR_PERM,
	  "no such user (exit code 67): who is b??b?" },
	{ "exit 65", 0, ERR_PERM, "the mail is refused (exit code 65): " },
	{ "exit 68", 0, ERR_PERM, "no such host (exit code 68): " },
	{ "exit 75", 0, ERR_TEMP, "try later (exit code 75): " },
	{ "exit 69", 0, ERR_TEMP, "failed (exit code 69): " },
	{ "exit 1", 0, ERR_TEMP, "failed (exit code 1): " },
	{ "echo 'no such option' >&2; exit 64", 1, ERR_TEMP,
	  "wrong options (exit code 64): no such option" },
	{ "exit 78", 1, ERR_TEMP, "its configuration is wrong (exit code 78): " },
	{ "kill -9 $$", 0, ERR_UNCERTAIN, "ended by signal 9: " },
	{ "sleep 600", 1, ERR_UNCERTAIN, "not done after 1 s: " },
	{ "yes >&2", 1, ERR_UNCERTAIN, "not done after 1 s: y" },
	{ "yes | head -c 200000 >&2; exit 67", 0, ERR_PERM, "no such user (exit code 67): y" },
	/* An MTA that goes on in the background with our standard error. */
	{ "sleep 600 & exit 0", 0, 0, "" },
};

START_TEST(code)
{
	/* Only mails that never end have little time; the sender would hang. */
	struct mail_sink sink = open_sink(
		codes[_i].script, codes[_i].rc == ERR_UNCERTAIN && codes[_i].sent ? 1 : PATIENCE);
	struct mail_sending v[2] = { sending("bob@example.org"), sending("carol@example.org") };
	struct err e = { 0 };

	ck_assert_int_eq(sink.ops->send(sink.self, v, 2, &e), codes[_i].sent);
	ck_assert_msg(v[0].rc == codes[_i].rc, "%d %s", v[0].rc, v[0].why.text);
	ck_assert_str_eq(v[0].why.text, codes[_i].why);
	ck_assert(!v[0].untried && v[1].untried == (codes[_i].sent == 1));
	ck_assert_msg(codes[_i].sent == 0 || strstr(v[1].why.text, "not tried: ") == v[1].why.text,
	              "%s", v[1].why.text);
	sink.ops->close(sink.self);
	ck_assert(waitpid(-1, NULL, WNOHANG) < 0); /* nobody is left */
}
END_TEST

START_TEST(given)
{
	struct mail_sink sink = open_sink("ls -l /proc/self/fd | grep -c -- '-> ' >&2; exit 75",
	                                  PATIENCE);
	struct mail_sending v[3] = { sending("bob@example.org"), sending("-odx@example.org"),
		                     sending("bob") };
	int extra = open("/dev/null", O_RDONLY); /* not close-on-exec */

	v[0].from = "";
	ck_assert_int_eq(sink.ops->send(sink.self, v, 3, NULL), 0);
	ck_assert_int_eq(v[0].rc, ERR_TEMP);
	/* 0, 1, 2, and the folder that ls reads. */
	ck_assert_str_eq(v[0].why.text, "try later (exit code 75): 4");
	ck_assert_int_eq(v[1].rc, ERR_PERM);
	ck_assert_int_eq(v[2].rc, ERR_PERM);
	char *args = util_read(dir, "args"), *mail = util_read(dir, "mail");
	ck_assert_str_eq(args, "-i\n-f\n<>\n--\nbob@example.org\n");
	ck_assert_str_eq(mail, "From: pbm@example.org\n\n.\n..x\na\rb\n");
	free(args);
	free(mail);
	close(extra);
	sink.ops->close(sink.self);
}
END_TEST

/* A mail whose time is over before it is begun. */
START_TEST(late)
{
	struct mail_sink sink = open_sink("exit 0", PATIENCE);
	struct mail_sending v[2] = { sending("bob@example.org"), sending("carol@example.org") };

	v[0].until = clock_ms();
	v[1].until = clock_ms() + 600000;
	ck_assert_int_eq(sink.ops->send(sink.self, v, 2, NULL), 0);
	ck_assert_int_eq(v[0].rc, ERR_TEMP);
	ck_assert(v[0].untried && v[1].rc == 0 && !v[1].untried);
	char *args = util_read(dir, "args");
	ck_assert(strstr(args, "carol") && !strstr(args, "bob"));
	free(args);
	sink.ops->close(sink.self);
}
END_TEST

START_TEST(not_there)
{
	struct mail_sink sink;
	struct mail_sending v = sending("bob@example.org");
	struct err e = { 0 };

	ck_assert_int_eq(sink_sendmail_open(program, 1, &sink, &e), ERR_SYSTEM);
	sink = open_sink("exit 0", 1);
	ck_assert_int_eq(remove(program), 0);
	err_clear(&e);
	ck_assert_int_eq(sink.ops->send(sink.self, &v, 1, &e), 1);
	ck_assert_int_eq(e.code, ERR_PERM);
	ck_assert_msg(strstr(e.text, "No such file") != NULL, "%s", e.text);
	ck_assert(v.rc == ERR_TEMP && v.untried);
	sink.ops->close(sink.self);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("sendmail");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, code, 0, ROWS(codes));
	tcase_add_test(t, given);
	tcase_add_test(t, not_there);
	tcase_add_test(t, late);
	return util_main(t);
}
