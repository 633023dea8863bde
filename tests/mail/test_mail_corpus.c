/* Real and broken mails of many mail libraries go the whole way: none may
 * crash, hang, or be taken for what it is not. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mail/address.h"
#include "mail/gate.h"
#include "mail/html.h"
#include "mail/mail.h"
#include "mail/parse.h"
#include "mail/plain.h"
#include "mail/reply/reply.h"
#include "mail/robots/robot.h"
#include "mail/subject.h"
#include "mail/transport/transport.h"
#include "pbm/base/utf8.h"
#include "tests/util/corpus.h"
#include "tests/util/suite.h"

#define MAX_SECONDS 1.0 /* of the processor; a hundredth is usual */

struct tally {
	int files, refused, robots, persons;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Everything that comes out is UTF-8 without carriage returns. */
static void check_text(const char *path, const char *what, const char *text)
{
	ck_assert_msg(utf8_valid(text, strlen(text)), "%s: %s is no UTF-8", path, what);
	ck_assert_msg(!strchr(text, '\r'), "%s: %s has a CR", path, what);
}

static const char *one_mail(struct arena *a, const char *path, const char *bytes, size_t len,
                            struct err *e)
{
	struct mail m;

	if (gate_check(bytes, len, e) < 0 || parse_mail(a, bytes, len, &m, e) < 0)
		return NULL;
	ck_assert(address_valid(m.from));
	check_text(path, "subject", m.subject);
	check_text(path, "name", m.from_name);
	check_text(path, "text", m.text);
	check_text(path, "reply", reply_read(a, m.text, NULL).text);
	check_text(path, "base subject", subject_base(a, m.subject));
	check_text(path, "line", plain_line(a, m.text));
	for (size_t i = 0; i < m.field_count; i++)
		check_text(path, "field", m.fields[i].value);
	const char *why = robot_judge(&m, NULL, NULL, NULL).why;

	return why ? why : "";
}

static void run(void *arg, const char *path)
{
	struct tally *t = arg;
	struct arena a = { 0 };
	struct err e = { 0 };
	size_t len;
	char *bytes = corpus_read(path, &len);

	ck_assert_msg(bytes != NULL, "%s cannot be read", path);
	/* An exact copy, so that the sanitizer sees a read past the end. */
	char *exact = malloc(len ? len : 1);
	memcpy(exact, bytes, len);
	free(bytes);
	double start = now();
	const char *why = one_mail(&a, path, exact, len, &e);
	ck_assert_msg(now() - start < MAX_SECONDS, "%s took %.1f s", path, now() - start);
	t->files++;
	t->refused += why == NULL;
	t->persons += why && !*why;
	t->robots += why && *why;
	free(exact);
	arena_release(&a);
}

START_TEST(everything)
{
	struct dirent **names = NULL;
	struct tally t = { 0 };
	int n = scandir(CORPUS, &names, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		if (names[i]->d_name[0] != '.' && strchr(names[i]->d_name, '+'))
			corpus_walk(names[i]->d_name, "", run, &t);
		free(names[i]);
	}
	free(names);
	corpus_walk("cpython", "", run, &t);
	printf("%d mails: %d refused, %d automatic, %d from people\n", t.files, t.refused, t.robots,
	       t.persons);
}
END_TEST

/* Replies that people wrote with real mail programs. */
static const struct {
	const char *name, *want;
} replies[] = {
	{ "mailgun+talon/tests_fixtures_standard_replies_yahoo.eml", "Hello" },
	{ "mailgun+talon/tests_fixtures_standard_replies_sparrow.eml", "Hello" },
	{ "mailgun+talon/tests_fixtures_standard_replies_apple_mail.eml", "Hello" },
	{ "mailgun+talon/tests_fixtures_html_replies_hotmail.html",
	  "Hi. I am fine.\n\nThanks,\nAlex" },
	{ "mailgun+talon/tests_fixtures_OLK_SRC_BODY_SECTION.html", "Reply" },
};

START_TEST(real_replies)
{
	struct arena a = { 0 };
	struct mail m;
	char path[1024];
	size_t len;

	snprintf(path, sizeof path, "%s/%s", CORPUS, replies[_i].name);
	char *bytes = corpus_read(path, &len);
	if (!bytes) {
		printf("skipped: no %s\n", path);
		return;
	}
	const char *text = strstr(path, ".html") ? html_text(&a, bytes, len) : NULL;
	if (!text && parse_mail(&a, bytes, len, &m, NULL) == 0)
		text = m.text;
	ck_assert_ptr_nonnull(text);
	const char *got = plain_line(&a, reply_read(&a, text, NULL).text);
	ck_assert_str_eq(got, plain_line(&a, replies[_i].want));
	free(bytes);
	arena_release(&a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("mail corpus");
	TCase *t = tcase_create("corpus");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, everything);
	tcase_add_loop_test(t, real_replies, 0, (int)(sizeof replies / sizeof *replies));
	suite_add_tcase(s, t);
	return suite_run(s);
}
