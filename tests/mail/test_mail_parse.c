/* One mail, one fact. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mail/gate.h"
#include "mail/header.h"
#include "mail/mail.h"
#include "mail/parse.h"
#include "pbm/base/str.h"
#include "tests/util/suite.h"

#define A "From: alice@example.org\n"
#define TEXT A "Content-Type: text/plain; charset="

static struct arena arena;

static void release(void)
{
	arena_release(&arena);
}

static int parse(const char *bytes, struct mail *m)
{
	struct err e = { 0 };
	int rc = gate_check(bytes, strlen(bytes), &e);

	return rc < 0 ? rc : parse_mail(&arena, bytes, strlen(bytes), m, &e);
}

/* want NULL: refused. */
static const struct {
	const char *field, *want, *name;
} froms[] = {
	{ "From: alice@example.org", "alice@example.org", "" },
	{ "From: <Alice@EXAMPLE.org>", "Alice@example.org", "" },
	{ "From: Alice A <alice@example.org>", "alice@example.org", "Alice A" },
	{ "From: \"A, Alice\" <alice@example.org>", "alice@example.org", "A, Alice" },
	{ "From: A, Alice <alice@example.org>", "alice@example.org", "A, Alice" },
	{ "From: alice@example.org (Alice)", "alice@example.org", "" },
	{ "From: 'alice@example.org' <alice@example.org>", "alice@example.org",
	  "'alice@example.org'" },
	{ "From: Alice @ Home <alice@example.org>", "alice@example.org", "Alice @ Home" },
	{ "From: 'bob@example.org' <alice@example.org>", NULL, NULL },
	{ "From: bob @ example.org <alice@example.org>", NULL, NULL },
	{ "From: bob@ home <alice@example.org>", NULL, NULL },
	{ "From:\n alice@example.org", "alice@example.org", "" },
	{ "From: \"bob@example.org\" <alice@example.org>", "alice@example.org", "bob@example.org" },
	{ "From: =?utf-8?q?Ali=C3=A7?= =?utf-8?q?e?= <alice@example.org>", "alice@example.org",
	  "Aliçe" },
	{ "From: =?utf-8?q?=C3?= =?UTF-8?b?qQ==?= <a@example.org>", "a@example.org", "é" },
	{ "X: y", NULL, NULL },
	{ "From: a@example.org\nFrom: b@example.org", NULL, NULL },
	{ "From: a@example.org\nfrom : b@example.org", NULL, NULL },
	{ "From: a@example.org, b@example.org", NULL, NULL },
	{ "From: a@example.org b@example.org", NULL, NULL },
	{ "From: bob@example.org <alice@example.org>", NULL, NULL },
	{ "From: <a@example.org> <b@example.org>", NULL, NULL },
	{ "From: a@b@example.org", NULL, NULL },
	{ "From: alice", NULL, NULL },
	{ "From: <alice@example.org", NULL, NULL },
	{ "From: \"alice@example.org", NULL, NULL },
	{ "From: <alice@example.org> \"A", NULL, NULL },
	{ "From: \"a b\"@example.org", NULL, NULL },
	{ "From: -oX@example.org", NULL, NULL },
	{ "From: a@[192.0.2.1]", NULL, NULL },
	{ "From: (a@example.org)", NULL, NULL },
	{ "From: Alice :-( <alice@example.org>", "alice@example.org", "Alice :-(" },
	{ "From: (a@example.org", NULL, NULL },
	{ "From: bob@example.org ( <alice@example.org>", NULL, NULL },
	{ "From: x ( bob@example.org <alice@example.org>", NULL, NULL },
	{ "From: x ( <bob@example.org> ) <alice@example.org>", "alice@example.org", "x" },
	{ "From: x ( <bob@example.org>, <alice@example.org>", NULL, NULL },
	{ "From: <>", NULL, NULL },
	{ "From: al\x01ice@example.org", NULL, NULL },
	{ "From: friends: a@example.org;", NULL, NULL },
	/* Two lines that one reader joins and another does not. */
	{ "X: y\n \nFrom: b@example.org\nFrom: a@example.org", NULL, NULL },
	{ "X: y\n \nFrom: a@example.org", "a@example.org", "" },
	{ "From bob@example.org Tue Dec  1 17:00:00 2026\nFrom: a@example.org", "a@example.org",
	  "" },
	{ "\nFrom: a@example.org", "a@example.org", "" },
	{ "no field at all\nFrom: a@example.org", NULL, NULL },
};

START_TEST(from)
{
	char *mail = arena_printf(&arena, "%s\n\nNf3\n", froms[_i].field);
	struct mail m;
	int rc = parse(mail, &m);

	ck_assert_msg((rc == 0) == (froms[_i].want != NULL), "%s: %d", froms[_i].field, rc);
	if (rc == 0) {
		ck_assert_str_eq(m.from, froms[_i].want);
		ck_assert_str_eq(m.from_name, froms[_i].name);
	}
}
END_TEST

static const struct {
	const char *name, *mail, *want;
} texts[] = {
	{ "plain", A "\nNf3\n", "Nf3\n" },
	{ "a type without a subtype", A "Content-Type: text\n\nNf3\n", "Nf3\n" },
	{ "Markdown", A "Content-Type: text/markdown; charset=utf-8\n\nNf3\n", "Nf3\n" },
	{ "no body", A, "" },
	{ "CRLF", "From: a@example.org\r\n\r\nNf3\r\nx\r\n", "Nf3\nx\n" },
	{ "only CR", "From: a@example.org\r\rNf3\rx\r", "Nf3\nx\n" },
	{ "latin 1", TEXT "iso-8859-1\n\n\xe9\x80\n", "é€\n" },
	{ "latin 2", TEXT "\"ISO-8859-2\"\n\n\xb3\n", "ł\n" },
	{ "no charset, UTF-8", A "\n\xc3\xa9\n", "é\n" },
	{ "no charset, not UTF-8", A "\n\xe9\n", "é\n" },
	{ "a charset that nobody knows", TEXT "x-klingon\n\n\xe9\n", "é\n" },
	{ "utf-7 is not decoded", TEXT "utf-7\n\n+AGE-\n", "+AGE-\n" },
	{ "iconv's own words", TEXT "\"utf-16//IGNORE\"\n\nab\n", "ab\n" },
	{ "cut character", TEXT "utf-8\n\na\xc3\n", "aÃ\n" },
	{ "control characters", A "\na\x01\x1b[31mb\n", "a[31mb\n" },
	{ "quoted-printable", A "Content-Transfer-Encoding: quoted-printable\n\nN=66=\n3\n",
	  "Nf3\n" },
	{ "quoted-printable, cut", A "Content-Transfer-Encoding: quoted-printable\n\nNf3=", "Nf3" },
	{ "base64", A "Content-Transfer-Encoding: BASE64\n\nTmYz\n", "Nf3" },
	{ "lines that a list put above and below base64",
	  A
	  "Content-Transfer-Encoding: base64\n\nA list, run by volunteers:\n\nTmYz\n\nIts address: below\n",
	  "Nf3" },
	{ "lines below padded base64",
	  A "Content-Transfer-Encoding: base64\n\nTmYzIQ==\nvolunteers\n", "Nf3!" },
	{ "no base64 at all", A "Content-Transfer-Encoding: base64\n\nA list: Nf3, please\n",
	  "A list: Nf3, please\n" },
	{ "flowed", TEXT "utf-8; format=flowed\n\na \nb\n\n> q \n> r\n  x\n-- \nsig\n",
	  "a b\n\n> q r\n x\n-- \nsig\n" },
	{ "flowed, delsp", TEXT "utf-8; format=flowed; delsp=yes\n\na \nb\n", "ab\n" },
	{ "plain parts of a mixed mail",
	  A
	  "Content-Type: multipart/mixed; boundary=b\n\npreamble\n--b\n\none\n--b\n\ntwo\n--b--\nepilogue\n",
	  "one\ntwo" },
	{ "text around a picture",
	  A
	  "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\nContent-Type: image/png; name=x.png\nContent-Disposition: inline; filename=x.png\n\nx\n--b\n\ntwo\n--b--\n",
	  "one\ntwo" },
	{ "HTML around a picture",
	  A
	  "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>one</p>\n--b\nContent-Type: image/png\n\nx\n--b\nContent-Type: text/html\n\n<p>two</p>\n--b--\n",
	  "one\n\ntwo\n" },
	{ "text, and an attachment",
	  A
	  "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\nContent-Disposition: attachment\n\ntwo\n--b\nContent-Type: text/plain; name=x.txt\n\nthree\n--b--\n",
	  "one" },
	{ "first plain part of alternatives",
	  A "Content-Type: multipart/alternative; boundary=b\n\n--b\n\none\n--b\n\ntwo\n--b--\n",
	  "one" },
	{ "no last boundary", A "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n",
	  "one" },
	{ "an empty part first",
	  A
	  "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n \n--b\n\ntwo\n--b--\n",
	  "two" },
	{ "first part without header",
	  A "Content-Type: multipart/mixed; boundary=\"b\"\n\n--b \n\n17: Nf3\n18: e4\n--b--\n",
	  "17: Nf3\n18: e4" },
	{ "first part empty",
	  A "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n\n--b\n\ntwo\n--b--\n", "two" },
	{ "attachment first",
	  A
	  "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Disposition: attachment\n\none\n--b\n\ntwo\n--b--\n",
	  "two" },
	{ "named inline part first",
	  A
	  "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Disposition: inline; filename=x.txt\n\none\n--b\n\ntwo\n--b--\n",
	  "two" },
	{ "plain wins over HTML",
	  A
	  "Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>h\n--b\nContent-Type: text/plain\n\np\n--b--\n",
	  "p" },
	{ "HTML when there is nothing else",
	  A
	  "Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n\n--b\nContent-Type: text/html\n\n<p>h&eacute;</p>\n--b--\n",
	  "hé\n" },
	{ "calendar is no text", A "Content-Type: text/calendar\n\nBEGIN:VCALENDAR\n", "" },
	{ "mail in a mail is not read",
	  A
	  "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\nFrom: bob@example.org\n\nresign\n--b--\n",
	  "" },
	{ "hidden behind a comment",
	  A
	  "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message (;) / rfc822\n\nFrom: bob@example.org\n\nresign\n--b--\n",
	  "" },
	{ "digest is not read",
	  A
	  "Content-Type: multipart/digest; boundary=b\n\n--b\n\nFrom: bob@example.org\n\nresign\n--b--\n",
	  "" },
	{ "the word in a boundary",
	  A "Content-Type: multipart/mixed; boundary=digest\n\n--digest\n\nNf3\n--digest--\n",
	  "Nf3" },
	{ "multipart without boundary", A "Content-Type: multipart/mixed\n\nNf3\n", "" },
	{ "nonsense type", A "Content-Type: ;;;\n\nNf3\n", "Nf3\n" },
	{ "nested",
	  A
	  "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\nNf3\n--c--\n--b--\n",
	  "Nf3" },
};

START_TEST(text)
{
	struct mail m;

	ck_assert_msg(parse(texts[_i].mail, &m) == 0, "%s", texts[_i].name);
	ck_assert_msg(strcmp(m.text, texts[_i].want) == 0, "%s: \"%s\"", texts[_i].name, m.text);
}
END_TEST

START_TEST(fields)
{
	struct mail m;

	ck_assert_int_eq(
		parse("Delivered-To: Third@EXAMPLE.org\n" A
	              "Subject: =?utf-8?q?Z=C3=BCge?=\n =?utf-8?q?_a?= b\n"
	              "X-Original-To: <second@example.org>\n"
	              "Envelope-to: first@example.org, other@example.org\n"
	              "To: \"x, y\" <x@example.org>, group: y@example.org, z@example.org;\n"
	              "Cc: bad, w@example.org\n"
	              "Message-Id:  <id@example.org> \n"
	              "In-Reply-To: <c@example.org>\n"
	              "References: <a@example.org>,<b@example.org>,\n\t<c@example.org>\n"
	              "Date: Tue, 1 Dec 2026 17:00:00 +0100 (CET)\n\nx",
	              &m),
		0);
	ck_assert_str_eq(m.subject, "Züge a b");
	ck_assert_str_eq(m.message_id, "id@example.org");
	ck_assert_int_eq(m.date, 1796140800);
	ck_assert_uint_eq(m.references.n, 3);
	ck_assert_str_eq(m.references.v[0], "c@example.org");
	ck_assert_str_eq(m.references.v[1], "b@example.org");
	ck_assert_str_eq(m.references.v[2], "a@example.org");
	ck_assert_ptr_null(m.references.v[3]);
	ck_assert_uint_eq(m.delivered_to.n, 4);
	ck_assert_str_eq(m.delivered_to.v[0], "Third@example.org");
	ck_assert_str_eq(m.delivered_to.v[3], "other@example.org");
	ck_assert_uint_eq(m.to.n, 4);
	ck_assert_str_eq(m.to.v[1], "y@example.org");
	ck_assert_str_eq(m.to.v[3], "w@example.org");
	ck_assert_str_eq(header_field(&m, "message-ID"), "<id@example.org>");
	ck_assert_ptr_null(header_field(&m, "Bcc"));
	ck_assert_str_eq(m.fields[0].name, "Delivered-To");
	ck_assert_uint_eq(m.field_count, 11);
}
END_TEST

START_TEST(nothing_given)
{
	struct mail m;

	ck_assert_int_eq(parse(A "\n", &m), 0);
	ck_assert_str_eq(m.subject, "");
	ck_assert_str_eq(m.message_id, "");
	ck_assert_int_eq(m.date, 0);
	ck_assert_uint_eq(m.references.n + m.delivered_to.n + m.to.n, 0);
	ck_assert_ptr_null(m.to.v[0]);
}
END_TEST

static const struct {
	const char *text;
	int64_t want;
} dates[] = {
	{ "Tue, 1 Dec 2026 17:00:00 +0000", 1796144400 },
	{ "1 Dec 2026 17:00 -0100", 1796148000 },
	{ "Tue, 01 Dec 26 17:00:00 GMT", 1796144400 },
	{ "Tue, 1 Dec 2026 12:00:00 EST", 1796144400 },
	{ "Tue,  1  December  2026 17:00:00", 1796144400 },
	{ "Tue Dec  1 17:00:00 2026", 0 },
	{ "yesterday", 0 },
	{ "", 0 },
	{ "1 Foo 2026 17:00:00", 0 },
	{ "99 Dec 2026 17:00", 0 },
};

START_TEST(date)
{
	struct mail m;

	ck_assert_int_eq(parse(arena_printf(&arena, A "Date: %s\n\n", dates[_i].text), &m), 0);
	ck_assert_msg(m.date == dates[_i].want, "%s: %lld", dates[_i].text, (long long)m.date);
}
END_TEST

/* Mails that are deep or long, made on the spot. */
START_TEST(too_deep)
{
	struct str s;
	struct mail m;

	str_init(&s, 100000);
	str_add(&s, A "Content-Type: multipart/mixed; boundary=x00\n\np\n");
	for (int i = 0; i < 60; i++)
		str_addf(&s, "--x%02d\nContent-Type: multipart/mixed; boundary=x%02d\n\np\n", i,
		         i + 1);
	str_add(&s, "--x60\n\nNf3\n");
	ck_assert_int_eq(parse(s.data, &m), ERR_LIMIT);
	str_release(&s);
}
END_TEST

START_TEST(too_many)
{
	struct str s;
	struct mail m;

	str_init(&s, 200000);
	str_add(&s, A "Content-Type: multipart/mixed; boundary=b\n\n");
	for (int i = 0; i < 200; i++)
		str_add(&s, "--b\n\nNf3\n");
	ck_assert_int_eq(parse(s.data, &m), ERR_LIMIT);
	str_release(&s);
}
END_TEST

START_TEST(too_long)
{
	struct str s;
	struct mail m;

	str_init(&s, 200000);
	str_add(&s, A "\n");
	for (int i = 0; i < 60000; i++)
		str_add(&s, "é");
	ck_assert_int_eq(parse(s.data, &m), 0);
	ck_assert_uint_eq(strlen(m.text), 64 * 1024);
	str_release(&s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("mail parse");
	TCase *t = tcase_create("parse");

	tcase_add_checked_fixture(t, NULL, release);
	tcase_add_loop_test(t, from, 0, (int)(sizeof froms / sizeof *froms));
	tcase_add_loop_test(t, text, 0, (int)(sizeof texts / sizeof *texts));
	tcase_add_loop_test(t, date, 0, (int)(sizeof dates / sizeof *dates));
	tcase_add_test(t, fields);
	tcase_add_test(t, nothing_given);
	tcase_add_test(t, too_deep);
	tcase_add_test(t, too_many);
	tcase_add_test(t, too_long);
	suite_add_tcase(s, t);
	return suite_run(s);
}
