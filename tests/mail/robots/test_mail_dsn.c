/* Reports of programs, and what their words mean for an address. */
#include <check.h>
#include <string.h>

#include "mail/gate.h"
#include "mail/mime_part.h"
#include "mail/parse.h"
#include "mail/robots/dsn.h"
#include "tests/util/corpus.h"
#include "tests/util/suite.h"

static struct arena arena;

static void release(void)
{
	arena_release(&arena);
}

#define HEAD "From: MAILER-DAEMON (Mail Delivery System)\nTo: pbm+b.x@example.org\n"
#define REPORT(type, body)                                                                         \
	HEAD "Content-Type: multipart/report; report-type=" type "; boundary=b\n\n"                \
	     "--b\n\nSorry.\n\n--b\nContent-Type: message/" type "\n\n" body "\n--b\n"             \
	     "Content-Type: text/rfc822-headers\n\n"                                               \
	     "Return-Path: <pbm+b.y@example.org>\nMessage-ID: <one@example.org>\nTo: alice@example.org\n--b--\n"
#define MTA "Reporting-MTA: dns; mx.example.net\n"

static const struct {
	const char *name, *mail;
	enum dsn_kind kind;
	size_t count;
	const char *address, *status;
	enum dsn_action action;
	enum dsn_weight weight;
} reports[] = {
	{ "plain",
	  REPORT("delivery-status",
	         MTA "\nFinal-Recipient: rfc822; alice@example.org\nAction: failed\n"
	             "Status: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 User unknown\n"),
	  DSN_STATUS, 1, "alice@example.org", "5.1.1", DSN_FAILED, DSN_HARD },
	{ "folded, with a comment",
	  REPORT("delivery-status", MTA
	         "\nFinal-Recipient: RFC822;\n <alice@example.org>\n"
	         "ACTION : Failed\nStatus: 5.2.2 (full)\nDiagnostic-Code: smtp;\n 552 quota\n exceeded\n"),
	  DSN_STATUS, 1, "alice@example.org", "5.2.2", DSN_FAILED, DSN_SOFT },
	{ "delayed",
	  REPORT("delivery-status",
	         MTA "\nFinal-Recipient: rfc822; alice@example.org\nAction: delayed\n"
	             "Status: 4.4.1\n"),
	  DSN_STATUS, 1, "alice@example.org", "4.4.1", DSN_DELAYED, DSN_NOTHING },
	{ "delivered",
	  REPORT("delivery-status",
	         MTA "\nFinal-Recipient: rfc822; alice@example.org\nAction: delivered\n"
	             "Status: 2.0.0\n"),
	  DSN_STATUS, 1, "alice@example.org", "2.0.0", DSN_SUCCESS, DSN_NOTHING },
	{ "two recipients",
	  REPORT("delivery-status", MTA
	         "\nFinal-Recipient: rfc822; alice@example.org\n"
	         "Action: failed\nStatus: 5.1.1\n\nFinal-Recipient: rfc822; bob@example.org\nAction: delivered\n"),
	  DSN_STATUS, 2, "alice@example.org", "5.1.1", DSN_FAILED, DSN_HARD },
	{ "no empty lines",
	  REPORT("delivery-status",
	         MTA "Action: failed\nFinal-Recipient: rfc822; alice@example.org\n"
	             "Status: 5.1.1\nFinal-Recipient: rfc822; bob@example.org\nStatus: 5.1.1\n"),
	  DSN_STATUS, 2, "alice@example.org", "5.1.1", DSN_FAILED, DSN_HARD },
	{ "empty lines inside",
	  REPORT("delivery-status", MTA
	         "\nOriginal-Recipient: rfc822; a@example.org\n\n"
	         "Final-Recipient: rfc822; alice@example.org\n\nAction: failed\n\nStatus: 5.1.1\n"),
	  DSN_STATUS, 1, "alice@example.org", "5.1.1", DSN_FAILED, DSN_HARD },
	{ "no action",
	  REPORT("delivery-status",
	         MTA "\nFinal-Recipient: rfc822; alice@example.org\nStatus: 5.7.1\n"
	             "Diagnostic-Code: smtp; 550 5.7.1 spam\n"),
	  DSN_STATUS, 1, "alice@example.org", "5.7.1", DSN_FAILED, DSN_SOFT },
	{ "original recipient alone",
	  REPORT("delivery-status", "Original-Recipient: rfc822;alice@example.org\n"
	                            "Action: failed\nStatus: 5.0.0\n"),
	  DSN_STATUS, 1, "alice@example.org", "5.0.0", DSN_FAILED, DSN_HARD },
	{ "international",
	  REPORT("global-delivery-status", MTA "\nFinal-Recipient: utf-8; alice@example.org\n"
	                                       "Action: failed\nStatus: 5.1.1\n"),
	  DSN_STATUS, 1, "alice@example.org", "5.1.1", DSN_FAILED, DSN_HARD },
	{ "the report in the text",
	  HEAD "\nIt failed.\n\nFinal-Recipient: rfc822; alice@example.org\nAction: failed\n"
	       "Status: 5.1.1\n",
	  DSN_STATUS, 1, "alice@example.org", "5.1.1", DSN_FAILED, DSN_HARD },
	{ "words in the prose",
	  HEAD
	  "Content-Type: multipart/report; boundary=b\n\n--b\n\n"
	  "alice@example.org: 552 mailbox full\n\n--b\nContent-Type: message/delivery-status\n\n" MTA
	  "\nFinal-Recipient: rfc822; alice@example.org\nAction: failed\nStatus: 5.0.0\n--b--\n",
	  DSN_STATUS, 1, "alice@example.org", "5.0.0", DSN_FAILED, DSN_SOFT },
	{ "complaint",
	  REPORT("feedback-report", "Feedback-Type: abuse\nVersion: 1\n"
	                            "Original-Mail-From: <pbm+b.z@example.org>\n"),
	  DSN_COMPLAINT, 0, "", "", DSN_UNSAID, DSN_NOTHING },
	{ "no complaint", REPORT("feedback-report", "Feedback-Type: not-spam\nVersion: 1\n"),
	  DSN_OTHER, 0, "", "", DSN_UNSAID, DSN_NOTHING },
	{ "DMARC report", REPORT("feedback-report", "Feedback-Type: auth-failure\nVersion: 1\n"),
	  DSN_OTHER, 0, "", "", DSN_UNSAID, DSN_NOTHING },
	{ "receipt",
	  REPORT("disposition-notification",
	         "Final-Recipient: rfc822; alice@example.org\n"
	         "Disposition: manual-action/MDN-sent-manually; displayed\n"),
	  DSN_OTHER, 0, "", "", DSN_UNSAID, DSN_NOTHING },
	{ "a person", "From: alice@example.org\n\nNf3\n", DSN_NONE, 0, "", "", DSN_UNSAID,
	  DSN_NOTHING },
	{ "an empty report", REPORT("delivery-status", "\n"), DSN_NONE, 0, "", "", DSN_UNSAID,
	  DSN_NOTHING },
};

static void read_mail(const char *text, struct mail *m)
{
	struct err e = { 0 };

	ck_assert_msg(gate_check(text, strlen(text), &e) == 0, "%s", e.text);
	ck_assert_msg(parse_any(&arena, text, strlen(text), m, &e) == 0, "%s", e.text);
}

START_TEST(report)
{
	struct mail m;
	struct dsn d;

	read_mail(reports[_i].mail, &m);
	dsn_read(&arena, &m, &d);
	ck_assert_msg(d.kind == reports[_i].kind, "%s: kind %d", reports[_i].name, d.kind);
	ck_assert_msg(d.count == reports[_i].count, "%s: %zu recipients", reports[_i].name,
	              d.count);
	if (d.count) {
		ck_assert_str_eq(d.recipients[0].address, reports[_i].address);
		ck_assert_str_eq(d.recipients[0].status, reports[_i].status);
		ck_assert_int_eq(d.recipients[0].action, reports[_i].action);
		ck_assert_msg(d.recipients[0].weight == reports[_i].weight, "%s: weight %d",
		              reports[_i].name, d.recipients[0].weight);
	}
	if (strstr(reports[_i].mail, "Message-ID: <one"))
		ck_assert_str_eq(d.message_id, "one@example.org");
}
END_TEST

/* A report's own word on the sender counts before the returned header's. */
START_TEST(envelope_sender)
{
	struct mail m;
	struct dsn d;

	read_mail(REPORT("feedback-report",
	                 "Feedback-Type: abuse\nOriginal-Mail-From: pbm+b.z@example.org\n"),
	          &m);
	dsn_read(&arena, &m, &d);
	ck_assert_str_eq(d.sender, "pbm+b.z@example.org");
	read_mail(REPORT("feedback-report", "Feedback-Type: abuse\n"), &m);
	dsn_read(&arena, &m, &d);
	ck_assert_str_eq(d.sender, "pbm+b.y@example.org");
}
END_TEST

/* Refusals of real servers. */
static const struct {
	const char *status, *text;
	enum dsn_weight want;
} refusals[] = {
	{ "5.1.1", "550 5.1.1 User unknown", DSN_HARD },
	{ "5.1.1", "552 5.2.2 Over quota", DSN_SOFT },
	{ "5.1.6", "550 5.1.6 recipient no longer on server", DSN_HARD },
	{ "5.1.8", "501 5.1.8 Domain of sender address does not exist", DSN_SOFT },
	{ "5.2.1", "550 5.2.1 The email account that you tried to reach is disabled", DSN_HARD },
	{ "5.2.2", "552 5.2.2 Mailbox full", DSN_SOFT },
	{ "5.2.3", "552 5.2.3 Message length exceeds limit", DSN_SOFT },
	{ "5.4.4", "Host or domain name not found", DSN_HARD },
	{ "5.4.1", "550 5.4.1 Recipient address rejected: Access denied", DSN_HARD },
	{ "5.4.6", "554 5.4.6 Hop count exceeded", DSN_SOFT },
	{ "5.4.7", "delivery time expired", DSN_SOFT },
	{ "5.5.0", "550 Requested action not taken: mailbox unavailable", DSN_HARD },
	{ "5.7.1", "550 5.7.1 likely unsolicited mail", DSN_SOFT },
	{ "5.7.1", "550 5.7.1 User unknown", DSN_HARD },
	{ "5.7.26", "550 5.7.26 does not pass authentication checks", DSN_SOFT },
	{ "5.0.0", "550 5.1.1 <alice@example.org>... User Unknown", DSN_HARD },
	{ "5.0.0", "554 delivery error: dd This user doesn't have an account", DSN_HARD },
	{ "5.0.0", "", DSN_HARD },
	{ "", "550 5.2.2 over quota", DSN_SOFT },
	{ "", "550 no such user", DSN_HARD },
	{ "", "451 try again", DSN_SOFT },
	{ "", "host 192.0.2.5 said: 450 busy", DSN_SOFT },
	{ "4.4.1", "connection timed out", DSN_SOFT },
	{ "4.2.2", "user unknown, says somebody", DSN_SOFT },
};

START_TEST(weight)
{
	enum dsn_weight got = dsn_weigh(refusals[_i].status, refusals[_i].text);

	ck_assert_msg(got == refusals[_i].want, "[%s] %s: %d", refusals[_i].status,
	              refusals[_i].text, got);
}
END_TEST

static const struct {
	const char *text, *code;
	enum dsn_weight want;
} prose[] = {
	{ "Hi. This is qmail.\n<alice@example.org>:\nSorry, no mailbox here by that name. (#5.1.1)\n",
	  "5.1.1", DSN_HARD },
	{ "I'm sorry.\nRemote host said: 552 disk quota exceeded\n", "", DSN_SOFT },
	{ "Unknown Recipient\n", "", DSN_HARD },
	{ "It was rejected.\n550 see our site\n", "", DSN_SOFT },
	{ "host mx [192.0.2.20]: 550 5.7.0 no\n", "5.7.0", DSN_SOFT },
	{ "Exim 4.80.1 on 5.1.1.1 gave up\n", "", DSN_SOFT },
	{ "Delivery has been delayed\n550 5.1.1 not yet\n", "", DSN_NOTHING },
	{ "a\nb\nc\nd\n--- Below is a copy of the message\nuser unknown\n", "", DSN_SOFT },
	{ "", "", DSN_SOFT },
};

START_TEST(guess)
{
	char code[DSN_CODE_SIZE];
	const char *line;
	enum dsn_weight got = dsn_guess(&arena, prose[_i].text, code, &line);

	ck_assert_msg(got == prose[_i].want, "%s: %d", prose[_i].text, got);
	if (got != DSN_NOTHING)
		ck_assert_str_eq(code, prose[_i].code);
}
END_TEST

/* Real bounces: the recipient's fate by the file's name. */
static const struct {
	const char *name;
	enum dsn_kind kind;
	const char *status;
	enum dsn_weight want;
} real[] = {
	{ "sisimai+set-of-emails/maildir_bsd_lhost-postfix-03.eml", DSN_STATUS, "5.0.0", DSN_HARD },
	{ "sisimai+set-of-emails/maildir_bsd_lhost-postfix-58.eml", DSN_STATUS, "5.7.1", DSN_SOFT },
	{ "sisimai+set-of-emails/maildir_bsd_lhost-sendmail-28.eml", DSN_STATUS, "5.1.1",
	  DSN_HARD },
	{ "sisimai+set-of-emails/maildir_bsd_lhost-opensmtpd-16.eml", DSN_STATUS, "4.4.7",
	  DSN_NOTHING },
	{ "sisimai+set-of-emails/maildir_bsd_lhost-qmail-07.eml", DSN_NONE, "4.4.1", DSN_SOFT },
	{ "sisimai+set-of-emails/maildir_bsd_lhost-exim-45.eml", DSN_NONE, "5.2.0", DSN_SOFT },
	{ "sisimai+set-of-emails/maildir_bsd_arf-20.eml", DSN_OTHER, "", DSN_NOTHING },
	{ "nodemailer+mailparser/test_fixtures_delivery-status.eml", DSN_STATUS, "5.1.1",
	  DSN_HARD },
};

START_TEST(real_mail)
{
	char path[1024], code[DSN_CODE_SIZE];
	const char *line;
	struct mail m;
	struct dsn d;
	size_t len;

	snprintf(path, sizeof path, "%s/%s", CORPUS, real[_i].name);
	char *bytes = corpus_read(path, &len);
	if (!bytes) {
		printf("skipped: no %s\n", path);
		return;
	}
	read_mail(bytes, &m);
	dsn_read(&arena, &m, &d);
	ck_assert_msg(d.kind == real[_i].kind, "%s: kind %d", path, d.kind);
	if (d.count) {
		ck_assert_str_eq(d.recipients[0].status, real[_i].status);
		ck_assert_int_eq(d.recipients[0].weight, real[_i].want);
	} else if (d.kind == DSN_NONE) {
		ck_assert_int_eq(dsn_guess(&arena, m.text, code, &line), real[_i].want);
		ck_assert_str_eq(code, real[_i].status);
	}
	free(bytes);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

START_TEST(types_of_reports)
{
	ck_assert(mime_part_is_report(""));
	ck_assert(mime_part_is_report("delivery-status"));
	ck_assert(mime_part_is_report("feedback-report"));
	ck_assert(!mime_part_is_report("plain"));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("mail dsn");
	TCase *t = tcase_create("dsn");

	tcase_add_checked_fixture(t, NULL, release);
	tcase_add_loop_test(t, report, 0, ROWS(reports));
	tcase_add_test(t, envelope_sender);
	tcase_add_test(t, types_of_reports);
	tcase_add_loop_test(t, weight, 0, ROWS(refusals));
	tcase_add_loop_test(t, guess, 0, ROWS(prose));
	tcase_add_loop_test(t, real_mail, 0, ROWS(real));
	suite_add_tcase(s, t);
	return suite_run(s);
}
