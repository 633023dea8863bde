/* Decides who may get an answer, and what the others are. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "mail/gate.h"
#include "mail/mail.h"
#include "mail/parse.h"
#include "mail/robots/robot.h"
#include "pbm/base/str.h"
#include "tests/util/corpus.h"
#include "tests/util/suite.h"

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
static const struct {
	const char *header, *envelope;
	bool robot;
} cases[] = {
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
	{ A "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n", NULL,
	  true },
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

	if (gate_check(bytes, len, NULL) < 0 || parse_mail(&arena, bytes, len, &m, NULL) < 0)
		return "refused";
	return robot_judge(&m, envelope, ours, self).why;
}

START_TEST(by_rule)
{
	const char *mail = arena_printf(&arena, "%s\nx\n", cases[_i].header);
	const char *why = judge(mail, strlen(mail), cases[_i].envelope);

	ck_assert_msg((why != NULL) == cases[_i].robot, "%s: %s", cases[_i].header,
	              why ? why : "a person");
}
END_TEST

/* Signs of robots, and which of them are certain. */
static const struct {
	const char *header, *envelope;
	enum robot_certainty want;
} certainties[] = {
	{ A, NULL, ROBOT_NO },
	{ A "List-Id: <x.example.org>\n", NULL, ROBOT_WEAK },
	{ A "List-Unsubscribe: <mailto:x@example.org>\n", NULL, ROBOT_WEAK },
	{ A "X-List-Name: x\n", NULL, ROBOT_WEAK },
	{ A "X-Loop: x\n", NULL, ROBOT_WEAK },
	{ A "Precedence: bulk\n", NULL, ROBOT_WEAK },
	{ A "Precedence: list\n", NULL, ROBOT_WEAK },
	{ A "Mailing-List: contact x\n", NULL, ROBOT_WEAK },
	{ A "X-Bounce-Id: 17\n", NULL, ROBOT_WEAK },
	{ A "X-ServiceNow-Generated: true\n", NULL, ROBOT_WEAK },
	{ A "RT-Ticket: example.org #17\n", NULL, ROBOT_WEAK },
	{ A "X-OTRS-Loop: x\n", NULL, ROBOT_WEAK },
	{ A "X-Mailer: Zendesk Mailer\n", NULL, ROBOT_WEAK },
	{ A "X-JIRA-FingerPrint: x\n", NULL, ROBOT_WEAK },
	{ A "X-Freshdesk-Ticket: x\n", NULL, ROBOT_WEAK },
	{ A "Sender: owner-chess@example.org\n", NULL, ROBOT_WEAK },
	{ A "Sender: chess-request@example.org\n", NULL, ROBOT_WEAK },
	{ A "Subject: Out of Office: x\n", NULL, ROBOT_WEAK },
	{ A "Subject: Undeliverable: x\n", NULL, ROBOT_WEAK },
	{ A, "bounce+17.x@relay.example", ROBOT_WEAK },
	{ A, "bounces+17-x@relay.example", ROBOT_WEAK },
	{ A "Return-Path: <alice-bounces@example.org>\n", NULL, ROBOT_WEAK },
	{ A "List-Id: <x>\nAuto-Submitted: auto-generated\n", NULL, ROBOT_CERTAIN },
	{ A "List-Id: <x>\nX-Pbm-Loop: x\n", NULL, ROBOT_CERTAIN },
	{ A "List-Id: <x>\n", "", ROBOT_CERTAIN },
	{ A "Precedence: list\nReturn-Path: <>\n", NULL, ROBOT_CERTAIN },
	{ A "Precedence: auto_reply\n", NULL, ROBOT_CERTAIN },
	{ A "Content-Type: multipart/report; boundary=b\n", NULL, ROBOT_CERTAIN },
	{ A "Content-Type: multipart/report; report-type=disposition-notification\n", NULL,
	  ROBOT_CERTAIN },
	{ A "X-Loop: x\nX-Autoreply: yes\n", NULL, ROBOT_CERTAIN },
	{ A "X-Failed-Recipients: x@example.org\n", NULL, ROBOT_CERTAIN },
	{ A, "mailer-daemon@example.org", ROBOT_CERTAIN },
	{ "From: no-reply@example.org\n", NULL, ROBOT_CERTAIN },
	{ "From: MAILER-DAEMON@example.org\nList-Id: <x>\n", NULL, ROBOT_CERTAIN },
	{ "From: pbm@example.org\nList-Id: <x>\n", NULL, ROBOT_CERTAIN },
	{ A "List-Id: <x>\n", "pbm@example.org", ROBOT_CERTAIN },
};

START_TEST(certainty)
{
	char self[] = "pbm@example.org";
	const char *text = arena_printf(&arena, "%s\nx\n", certainties[_i].header);
	const char *envelope = certainties[_i].envelope;
	struct mail m;

	ck_assert_int_eq(parse_mail(&arena, text, strlen(text), &m, NULL), 0);
	struct robot_verdict v = robot_judge(&m, envelope, ours, self);
	ck_assert_msg(v.certainty == certainties[_i].want, "%s: %s", text,
	              envelope ? envelope : "");
	ck_assert((v.kind == MAIL_PERSON) == (certainties[_i].want == ROBOT_NO));
}
END_TEST

/* One mail as the server judges it: what it can't read it judges by the header. */
static const char *classify(const char *bytes, size_t len)
{
	static const char *const words[] = {
		[MAIL_PERSON] = "person", [MAIL_BOUNCE] = "bounce",   [MAIL_REPLY] = "reply",
		[MAIL_LIST] = "program",  [MAIL_MACHINE] = "program",
	};
	struct mail m;
	int rc = gate_check(bytes, len, NULL);

	if (rc == 0)
		rc = parse_any(&arena, bytes, len, &m, NULL);
	if (rc < 0)
		parse_header(&arena, bytes, len, &m);
	struct robot_verdict v = robot_judge(&m, NULL, NULL, NULL);
	ck_assert((v.kind == MAIL_PERSON) == (v.why == NULL));
	if (v.kind != MAIL_PERSON)
		return words[v.kind];
	return rc < 0 || m.fault ? "broken" : robot_has_looped(&m) ? "looped" : "person";
}

/* 30 hosts are a long way, 31 a loop. */
START_TEST(hops)
{
	struct str s;

	str_init(&s, 10000);
	str_add(&s, A);
	for (int i = 0; i < 30; i++)
		str_add(&s, "Received: from x by y\n");
	str_add(&s, "\n");
	ck_assert_str_eq(classify(s.data, s.len), "person");
	s.len--;
	str_add(&s, "Received: from x by y\n\n");
	ck_assert_str_eq(classify(s.data, s.len), "looped");
	str_release(&s);
}
END_TEST

/* All example mails, each what the table says. */
START_TEST(classes)
{
	FILE *f = fopen("tests/data/mail_classes.txt", "r");
	char line[1000], path[2000];
	int seen = 0, missing = 0, wrong = 0;

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof line, f)) {
		char *name = strchr(line, ' ');
		size_t len;

		line[strcspn(line, "\n")] = '\0';
		if (*line == '#' || !name)
			continue;
		*name++ = '\0';
		snprintf(path, sizeof path, "%s/%s", CORPUS, name);
		char *bytes = corpus_read(path, &len);
		if (!bytes) {
			missing++;
			continue;
		}
		const char *got = classify(bytes, len);
		seen++;
		if (strcmp(got, line) != 0) {
			printf("%s: a %s, not a %s\n", name, got, line);
			wrong++;
		}
		free(bytes);
		arena_release(&arena);
	}
	fclose(f);
	ck_assert_int_gt(seen + missing, 400);
	printf("%d example mails, %d not there\n", seen, missing);
	ck_assert_int_eq(wrong, 0);
}
END_TEST

/* Subjects of people and of programs. */
static const struct {
	const char *subject;
	const char *want;
} subjects[] = {
	{ "Re: out of office chess", "person" },
	{ "Out of office chess, anyone?", "person" },
	{ "Absent next week", "person" },
	{ "vacation", "person" },
	{ "vacation 1 Dec 8 Dec", "person" },
	{ "Auto", "person" },
	{ "automove on", "person" },
	{ "Automatic pawn pushes", "person" },
	{ "Returned mail is piling up here", "person" },
	{ "Fwd: Returned mail: see transcript for details", "person" },
	{ "Re: Undelivered Mail Returned to Sender", "person" },
	{ "Delivery of the trophy", "person" },
	{ "Mail delivery is slow here", "person" },
	{ "Can't deliver mate", "person" },
	{ "Warning: your queen hangs", "person" },
	{ "Read the rules", "person" },
	{ "I am away next week", "person" },
	{ "Abwesend bis Montag, e4", "person" },
	{ "Unable to deliver checkmate", "person" },
	{ "Failure", "person" },
	{ "Out of Office: [pbm] your move", "reply" },
	{ "Out of office", "reply" },
	{ "OUT OF OFFICE AutoReply: [pbm]", "reply" },
	{ "Auto: [pbm] your move", "reply" },
	{ "AUTO: Bob is out of the office (returning 3.12.)", "reply" },
	{ "Bob Example/EX/Corp is out of the office.", "reply" },
	{ "Automatic reply: [pbm] your move", "reply" },
	{ "Abwesenheitsnotiz: [pbm] your move", "reply" },
	{ "Automatische Antwort: [pbm]", "reply" },
	{ "AUTOMATISCHE ANTWORT: [pbm]", "reply" },
	{ "=?utf-8?q?R=C3=89PONSE_automatique_=3A_x?=", "reply" },
	{ "=?utf-8?q?R=C3=A9ponse_automatique=C2=A0=3A_x?=", "reply" },
	{ "=?utf-8?b?0JDQstGC0L7QvtGC0LLQtdGCOiB4?=", "reply" },
	{ "=?utf-8?b?0JDQktCi0J7QntCi0JLQldCiOiB4?=", "reply" },
	{ "=?utf-8?b?6Ieq5Yqo5Zue5aSN77yaeA==?=", "reply" },
	{ "=?utf-8?q?Fr=C3=A5nvaro=3A_x?=", "reply" },
	{ "Abwesend bis Montag", "reply" },
	{ "I am out of the office Re: your move", "reply" },
	{ "Out of the office until Monday Re: your move", "reply" },
	{ "Annual leave", "reply" },
	{ "Je suis absent jusqu'au 5", "reply" },
	{ "Ausente hasta el lunes", "reply" },
	{ "Assente fino al 5", "reply" },
	{ "Ausente até segunda", "reply" },
	{ "Afwezig tot maandag", "reply" },
	{ "Semester till den 5", "reply" },
	{ "Jeg er ikke på kontoret", "reply" },
	{ "Olen lomalla", "reply" },
	{ "Nieobecny do poniedziałku", "reply" },
	{ "Dovolená do pondělí", "reply" },
	{ "Szabadságon vagyok", "reply" },
	{ "Я в отпуске до понедельника", "reply" },
	{ "Απουσιάζω", "reply" },
	{ "Yıllık izin", "reply" },
	{ "休暇中です", "reply" },
	{ "휴가 중입니다", "reply" },
	{ "Read: [pbm] your move", "reply" },
	{ "Not read: [pbm] your move", "reply" },
	{ "Gelesen: [pbm] your move", "reply" },
	{ "Lu : [pbm] your move", "reply" },
	{ "=?utf-8?q?Lu=C2=A0=3A_x?=", "reply" },
	{ "Leído: x", "reply" },
	{ "Letto: x", "reply" },
	{ "Lida: x", "reply" },
	{ "Gelezen: x", "reply" },
	{ "Läst: x", "reply" },
	{ "Przeczytane: x", "reply" },
	{ "Прочитано: x", "reply" },
	{ "已读: x", "reply" },
	{ "開封済み: x", "reply" },
	{ "Recall: [pbm] your move", "reply" },
	{ "Rückruf: x", "reply" },
	{ "Rappel : x", "reply" },
	{ "Message Recall Failure: x", "reply" },
	{ "Declined: chess on Friday", "reply" },
	{ "[Ticket received] your move", "reply" },
	{ "Please confirm your message to bob", "reply" },
	{ "Lu", "person" },
	{ "Recall how we played", "person" },
	{ "Accepted", "person" },
	{ "Undelivered Mail Returned to Sender", "bounce" },
	{ "Undeliverable: [pbm] your move", "bounce" },
	{ "Mail delivery failed: returning message to sender", "bounce" },
	{ "Returned mail: see transcript for details", "bounce" },
	{ "failure notice", "bounce" },
	{ "Unzustellbar: [pbm]", "bounce" },
	{ "=?utf-8?q?Non_remis_=3A_x?=", "bounce" },
	{ "=?utf-8?b?57O757uf6YCA5L+h?=", "bounce" },
};

START_TEST(by_subject)
{
	const char *mail = arena_printf(&arena,
	                                "%sSubject: %s\nX-Auto-Response-Suppress: All\n\nx\n", A,
	                                subjects[_i].subject);
	const char *got = classify(mail, strlen(mail));

	ck_assert_msg(strcmp(got, subjects[_i].want) == 0, "%s: a %s", subjects[_i].subject, got);
}
END_TEST

/* A report at a returning address means something else for each kind of robot. */
static const struct {
	const char *header, *want;
} kinds[] = {
	{ A "Return-Path: <>\nAuto-Submitted: auto-replied (vacation)\n", "reply" },
	{ A
	  "Return-Path: <>\nSubject: Automatic reply: x\nX-MS-Exchange-Inbox-Rules-Loop: a@example.org\n",
	  "reply" },
	{ A "Return-Path: <>\nX-Apple-Action: VACATION\n", "reply" },
	{ A "Content-Type: multipart/report; boundary=b; report-type=disposition-notification\n",
	  "reply" },
	{ A "X-TMDA-Fingerprint: x\n", "reply" },
	{ A "Content-Type: text/calendar; method=REPLY\n", "reply" },
	{ A "Return-Path: <>\n", "bounce" },
	{ "From: MAILER-DAEMON (Mail Delivery System)\nAuto-Submitted: auto-replied\n", "bounce" },
	{ "From: Mail Delivery System <Mailer-Daemon@example.org>\nAuto-Submitted: auto-replied\n",
	  "bounce" },
	{ "From: <>\nSubject: x\n", "bounce" },
	{ A "X-Failed-Recipients: bob@example.org\nAuto-Submitted: auto-replied\n", "bounce" },
	{ A "Return-Path: <chess-bounces+bob=example.org@example.net>\n", "program" },
	{ A "Return-Path: <x=y@bounce.example.net>\n", "program" },
	{ A "Return-Path: <bounce-md_1@example.net>\n", "program" },
	{ A "Sender: Chess <owner-chess@example.org>\n", "program" },
	{ "From: gmail-noreply@example.org\n", "program" },
	{ A "X-GitHub-Reason: mention\n", "program" },
	{ A "Auto-Submitted: none of your business\n", "program" },
	{ A "Return-Path: <prvs=1234abc=alice@example.org>\n", "person" },
	{ A "Return-Path: <SRS0=ab=cd=example.net=alice@example.org>\n", "person" },
	{ A "Sender: alice@example.org\nX-Auto-Response-Suppress: All\n", "person" },
	{ A "Content-Type: message/partial; id=x; number=1; total=2\n", "person" },
	{ A "Auto-Submitted: no; x=y\n", "person" },
	{ A "X-Mailer: Mail::Box\nFeedback-ID: x:Fastmail\n", "person" },
	{ A
	  "Disposition-Notification-To: alice@example.org\nReturn-Receipt-To: alice@example.org\n",
	  "person" },
};

START_TEST(by_kind)
{
	const char *mail = arena_printf(&arena, "%s\nx\n", kinds[_i].header);
	const char *got = classify(mail, strlen(mail));

	ck_assert_msg(strcmp(got, kinds[_i].want) == 0, "%s: a %s", kinds[_i].header, got);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("mail robot");
	TCase *t = tcase_create("robot");

	tcase_add_checked_fixture(t, NULL, release);
	tcase_add_loop_test(t, by_rule, 0, (int)(sizeof cases / sizeof *cases));
	tcase_add_test(t, hops);
	tcase_add_loop_test(t, certainty, 0, (int)(sizeof certainties / sizeof *certainties));
	tcase_add_loop_test(t, by_subject, 0, (int)(sizeof subjects / sizeof *subjects));
	tcase_add_loop_test(t, by_kind, 0, (int)(sizeof kinds / sizeof *kinds));
	tcase_add_test(t, classes);
	suite_add_tcase(s, t);
	return suite_run(s);
}
