/* Each row is refused for one reason, or is let through though it is near. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "mail/gate.h"
#include "mail/mail.h"
#include "mail/transport/transport.h"
#include "pbm/base/str.h"
#include "tests/util/suite.h"

#define FROM "From: alice@example.org\n"
#define TYPE "Content-Type: multipart/mixed; boundary="

static const struct {
	const char *name, *mail;
	int want;
} cases[] = {
	{ "plain", FROM "\nNf3\n", 0 },
	{ "CRLF", "From: alice@example.org\r\nSubject: x\r\n\r\nNf3\r\n", 0 },
	{ "only CR", "From: alice@example.org\rSubject: x\r\rNf3\r", 0 },
	{ "empty", "", 0 },
	{ "bare CR in the header", "Subject: x\rFrom: bob@example.org\n" FROM "\nx", ERR_BAD },
	{ "bare CR in the body", FROM "\na\rb\n", 0 },
	{ "boundary", FROM TYPE "\"=_a b'()+_,-./:=?0\"\n\n", 0 },
	{ "boundary of odd characters", FROM TYPE "\"--=_Active!Hunter@x*&;#\"\n\n", 0 },
	{ "boundary without quotes", FROM TYPE "----=_Part_1; charset=x\n\n", 0 },
	{ "escaped quote", FROM TYPE "\"\\\"\"\n\n", ERR_BAD },
	{ "a header quoted in a text", FROM "\nContent-Type: multipart/mixed; boundary=3D\"x=\n",
	  0 },
	{ "two quotes", FROM TYPE "\"\"\n\n", ERR_BAD },
	{ "empty boundary", FROM TYPE "\n\n", ERR_BAD },
	{ "ends with a space", FROM TYPE "\"a \"\n\n", ERR_BAD },
	{ "folded boundary", FROM TYPE "\"a\n b\"\n\n", ERR_BAD },
	{ "boundary on the next line",
	  FROM "Content-Type: multipart/mixed;\n\tboundary = \"a\"\n\n", 0 },
	{ "comment before it", FROM "Content-Type: multipart/mixed; boundary (x) = \"\\\"\"\n\n",
	  ERR_BAD },
	{ "comment behind the sign", FROM TYPE "(x) \"\\\"\"\n\n", ERR_BAD },
	{ "in the header of a part", FROM TYPE "a\n\n--a\n" TYPE "\"\\\"\"\n\n", ERR_BAD },
	{ "in any case", FROM "CONTENT-TYPE : multipart/mixed; BOUNDARY=\"\\\"\"\n\n", ERR_BAD },
	{ "a word in a text", FROM "\nThe boundary=\"\\\"\" is bad.\n", 0 },
	{ "another parameter", FROM "Content-Type: text/plain; name=\"boundary of \\\"x\\\"\"\n\n",
	  0 },
};

START_TEST(small)
{
	struct err e = { 0 };
	int rc = gate_check(cases[_i].mail, strlen(cases[_i].mail), &e);

	ck_assert_msg(rc == cases[_i].want, "%s: %d %s", cases[_i].name, rc, e.text);
	ck_assert_int_eq(e.code, rc);
}
END_TEST

/* head, then n times unit, then tail. */
static const struct {
	const char *name, *head, *unit, *tail;
	size_t n;
	int want;
} large[] = {
	{ "500 fields", "", "X: y\n", "\n", 500, 0 },
	{ "501 fields", "", "X: y\n", "\n", 501, ERR_LIMIT },
	{ "100 parentheses", "X: ", "(", "\n\n", 100, 0 },
	{ "101 parentheses", "X: ", "(", "\n\n", 101, ERR_LIMIT },
	{ "101 pairs", "X: ", "()", "\n\n", 101, ERR_LIMIT },
	{ "101 open ones in a part", FROM "\n--a\nX: ", "(", "\n\n", 101, ERR_LIMIT },
	{ "101 escaped ones in a part", FROM "\n--a\nX: ", "(\\)", "\n\n", 101, ERR_LIMIT },
	{ "pairs in a part", FROM "\n--a\nX: ", "()", "\n\n", 5000, 0 },
	{ "parentheses in a text", FROM "\n", "(", "\n", 100000, 0 },
	{ "field of 16 KiB", "X: ", "y", "\n\n", 16 * 1024 - 4, 0 },
	{ "field of more", "X: ", "y", "\n\n", 16 * 1024 - 3, ERR_LIMIT },
	{ "folded field of more", "X: ", "y\n ", "\n\n", 6 * 1024, ERR_LIMIT },
	{ "type of a part, 16 KiB", FROM "\n--a\nContent-Type: text/plain; x=", "y", "\n\n",
	  16 * 1024 - 29, 0 },
	{ "type of a part, more", FROM "\n--a\nContent-Type: text/plain; x=", "y", "\n\n",
	  16 * 1024 - 28, ERR_LIMIT },
	{ "header of more than 64 KiB", "",
	  "Xxxxxxxx: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
	  "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n",
	  "\n", 490, ERR_LIMIT },
	{ "100 parts", FROM "\n", "Content-Type: text/plain\n", "", 100, 0 },
	{ "101 parts", FROM "\n", "Content-Type: text/plain\n", "", 101, ERR_LIMIT },
	{ "boundary of 100", FROM TYPE, "a", "\n\n", 100, 0 },
	{ "boundary of 101", FROM TYPE, "a", "\n\n", 101, ERR_LIMIT },
	{ "whole mail", FROM "\n", "x", "", MAIL_MAX_BYTES - 25, 0 },
	{ "one byte more", FROM "\n", "x", "", MAIL_MAX_BYTES - 24, ERR_LIMIT },
	{ "folds without end", FROM "\nX: y", "\n ", "", 100000, 0 },
};

START_TEST(counted)
{
	struct err e = { 0 };
	struct str s;

	str_init(&s, 4 * MAIL_MAX_BYTES);
	str_add(&s, large[_i].head);
	for (size_t i = 0; i < large[_i].n; i++)
		str_add(&s, large[_i].unit);
	str_add(&s, large[_i].tail);
	int rc = gate_check(s.data, s.len, &e);
	ck_assert_msg(rc == large[_i].want, "%s: %d %s", large[_i].name, rc, e.text);
	str_release(&s);
}
END_TEST

START_TEST(nul)
{
	static const char header[] = "From: a@exam\0ple.org\n\nx";
	static const char body[] = "From: a@example.org\n\nx\0y";

	ck_assert_int_eq(gate_check(header, sizeof header - 1, NULL), ERR_BAD);
	ck_assert_int_eq(gate_check(body, sizeof body - 1, NULL), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("mail gate");
	TCase *t = tcase_create("gate");

	tcase_add_loop_test(t, small, 0, (int)(sizeof cases / sizeof *cases));
	tcase_add_loop_test(t, counted, 0, (int)(sizeof large / sizeof *large));
	tcase_add_test(t, nul);
	suite_add_tcase(s, t);
	return suite_run(s);
}
