/* Who may get an answer.  The named mails of the example folders are people;
 * the folder of bounces and what carries list headers are not. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "mail/mail.h"
#include "pbm/base/str.h"
#include "tests/corpus.h"
#include "tests/suite.h"

static struct arena arena;

static void release(void)
{
	arena_release(&arena);
}

static bool ours(void *arg, const char *addr)
{
	return strcmp(addr, arg) == 0;
}

#define A "From: alice@example.org\n"
static const struct { const char *header, *envelope; bool robot; } cases[] = {
	{ A, "alice@example.org", false },
	{ A, NULL, false },
	{ A "Auto-Submitted: no\n", NULL, false },
	{ A "Auto-Submitted: No (really)\n", NULL, false },
	{ A "X-Auto-Response-Suppress: All\n", NULL, false },
	{ A "Precedence: first-class\n", NULL, false },
	{ A "Subject: Re: automatic\n", NULL, false },
	{ A "Subject: vacation 1 Dec 8 Dec\n", NULL, false },
	{ A "Content-Type: multipart/mixed; boundary=b\n", NULL, false },
	{ "From: ownership@example.org\n", NULL, false },
	{ "From: requesting@example.org\n", NULL, false },
	{ A, "", true },
	{ A, "<>", true },
	{ A "Return-Path: <>\n", NULL, true },
	{ A "Auto-Submitted: auto-replied\n", NULL, true },
	{ A "auto-submitted: auto-generated; x=y\n", NULL, true },
	{ A "List-Id: <x.example.org>\n", NULL, true },
	{ A "List-Unsubscribe: <mailto:x@example.org>\n", NULL, true },
	{ A "Precedence: bulk\n", NULL, true },
	{ A "Precedence: Junk\n", NULL, true },
	{ A "Precedence: list\n", NULL, true },
	{ A "Precedence: auto_reply\n", NULL, true },
	{ A "X-Autoreply: yes\n", NULL, true },
	{ A "X-Autorespond: yes\n", NULL, true },
	{ A "X-Loop: x\n", NULL, true },
	{ A "X-Pbm-Loop: pbm@example.org\n", NULL, true },
	{ A "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n", NULL, true },
	{ A "Content-Type: message/delivery-status\n", NULL, true },
	{ A "Subject: Out of Office: Re: x\n", NULL, true },
	{ A "Subject: Automatische Antwort: x\n", NULL, true },
	{ A "Subject: =?utf-8?q?R=C3=A9ponse_automatique?=\n", NULL, true },
	{ A "Subject: Undelivered Mail Returned to Sender\n", NULL, true },
	{ "From: MAILER-DAEMON@example.org\n", NULL, true },
	{ "From: Postmaster@example.org\n", NULL, true },
	{ "From: no-reply@example.org\n", NULL, true },
	{ "From: noreply+x@example.org\n", NULL, true },
	{ "From: owner-chess@example.org\n", NULL, true },
	{ "From: chess-request@example.org\n", NULL, true },
	{ "From: chess-bounces@example.org\n", NULL, true },
	{ A, "chess-bounces@example.org", true },
	{ "From: pbm@example.org\n", NULL, true },
	{ A, "pbm@example.org", true },
};

static const char *judge(const char *bytes, size_t len, const char *envelope)
{
	char self[] = "pbm@example.org";
	struct mail m;

	if (mail_gate(bytes, len, NULL) < 0 || mail_parse(&arena, bytes, len, &m, NULL) < 0)
		return "refused";
	return mail_automatic(&m, envelope, ours, self);
}

START_TEST(by_rule)
{
	const char *mail = arena_printf(&arena, "%s\nx\n", cases[_i].header);
	const char *why = judge(mail, strlen(mail), cases[_i].envelope);

	ck_assert_msg((why != NULL) == cases[_i].robot, "%s: %s", cases[_i].header,
	              why ? why : "a person");
}
END_TEST

/* 30 hosts are a long way, 31 a loop. */
START_TEST(hops)
{
	struct str s;

	str_init(&s, 10000);
	str_add(&s, A);
	for (int i = 0; i < 30; i++)
		str_add(&s, "Received: from x by y\n");
	str_add(&s, "\n");
	ck_assert_ptr_null(judge(s.data, s.len, NULL));
	s.len--;
	str_add(&s, "Received: from x by y\n\n");
	ck_assert_ptr_nonnull(judge(s.data, s.len, NULL));
	str_release(&s);
}
END_TEST

static void must_be_robot(void *arg, const char *path)
{
	size_t len;
	char *bytes = corpus_read(path, &len);

	if (!judge(bytes, len, NULL)) {
		printf("%s: taken for a person\n", path);
		++*(int *)arg;
	}
	free(bytes);
}

/* Only what says in its header that it came through a list. */
static void list_must_be_robot(void *arg, const char *path)
{
	size_t len;
	char *bytes = corpus_read(path, &len);
	const char *body = strstr(bytes, "\n\n");
	const char *list = strcasestr(bytes, "\nList-"), *bulk = strcasestr(bytes, "\nPrecedence:");
	bool said = (list && list < body) || (bulk && bulk < body);

	free(bytes);
	if (said)
		must_be_robot(arg, path);
}

START_TEST(robots_of_the_corpus)
{
	int bad = 0;

	corpus_walk("sisimai+set-of-emails", ".eml", must_be_robot, &bad);
	corpus_walk("notmuch+notmuch", "", list_must_be_robot, &bad);
	ck_assert_int_eq(bad, 0);
}
END_TEST

static const char *const people[] = {
	"cpython/msg_35.txt", "cpython/msg_23.txt",
	"mailgun+talon/tests_fixtures_standard_replies_yahoo.eml",
	"mailgun+talon/tests_fixtures_standard_replies_sparrow.eml",
	"mailgun+talon/tests_fixtures_standard_replies_apple_mail.eml",
	"mailgun+flanker/tests_fixtures_messages_outlook-express.eml",
	"mailgun+flanker/tests_fixtures_messages_multipart.eml",
	"mikel+mail/spec_fixtures_emails_rfc2822_example01.eml",
	"notmuch+notmuch/test_corpora_default_cur_52_2_",
	"notmuch+notmuch/test_corpora_default_cur_53_2_",
	"dinhvh+libetpan/unittest_mime-parser_data_input_mbox_simple_2",
	"stalwartlabs+mail-parser/resources_eml_legacy_000.eml",
};

START_TEST(people_of_the_corpus)
{
	char path[1024];
	size_t len;

	snprintf(path, sizeof path, "%s/%s", CORPUS, people[_i]);
	char *bytes = corpus_read(path, &len);
	if (!bytes) {
		printf("skipped: no %s\n", path);
		return;
	}
	const char *why = judge(bytes, len, NULL);
	ck_assert_msg(!why, "%s: %s", path, why);
	free(bytes);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("mail robot");
	TCase *t = tcase_create("robot");

	tcase_add_checked_fixture(t, NULL, release);
	tcase_add_loop_test(t, by_rule, 0, (int)(sizeof cases / sizeof *cases));
	tcase_add_test(t, hops);
	tcase_add_test(t, robots_of_the_corpus);
	tcase_add_loop_test(t, people_of_the_corpus, 0, (int)(sizeof people / sizeof *people));
	suite_add_tcase(s, t);
	return suite_run(s);
}
