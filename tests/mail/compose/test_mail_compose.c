/* A mail that goes out is well-formed whatever goes in, and comes back the same. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "mail/compose/compose.h"
#include "mail/compose/encode.h"
#include "mail/gate.h"
#include "mail/header.h"
#include "mail/mail.h"
#include "mail/parse.h"
#include "mail/robots/robot.h"
#include "tests/util/suite.h"

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

static struct arena arena;

static void release(void)
{
	arena_release(&arena);
}

static struct compose base(void)
{
	return (struct compose){
		.from_name = "pbm",
		.from = "pbm@example.org",
		.to_name = "Alice",
		.to = "alice@example.org",
		.subject = "hello",
		.message_id = "g17.1@example.org",
		.auto_submitted = "auto-generated",
		.date = 1796144400,
		.text = "Your move.\n",
	};
}

/* The message, checked line by line. */
static const char *composed(const struct compose *c)
{
	bool printable = false;
	struct err e = { 0 };
	struct str s;

	str_init(&s, 1024 * 1024);
	ck_assert_msg(compose_mail(c, &s, &e) == 0, "%s", e.text);
	const char *m = arena_strdup(&arena, s.data);
	ck_assert_uint_eq(strlen(m), s.len);
	str_release(&s);
	for (const char *p = m; *p;) {
		size_t n = strcspn(p, "\r\n");

		ck_assert_msg(n <= 78, "a line of %zu: %.*s", n, (int)n, p);
		ck_assert_msg(p[n] == '\r' && p[n + 1] == '\n', "no CRLF: %.*s", (int)n, p);
		ck_assert_msg(strncmp(p, "From ", 5) != 0 && !(n == 1 && *p == '.'),
		              "fragile: %.20s", p);
		for (size_t i = 0; i < n; i++)
			ck_assert_msg((p[i] >= ' ' && p[i] < 0x7f) || p[i] == '\t', "byte %d",
			              p[i]);
		printable = printable || strstr(p, "Transfer-Encoding: quoted") == p + 8;
		ck_assert_msg(!printable || n == 0 || p[n - 1] != ' ', "space at the end: %.*s",
		              (int)n, p);
		p += n + 2;
	}
	for (const char *w = strstr(m, "=?"); w; w = strstr(w, "=?")) {
		const char *end = strstr(w + 10, "?=");

		ck_assert_msg(end && end + 2 - w <= 75, "a word too long: %.80s", w);
		w = end;
	}
	return m;
}

static void parsed(const char *bytes, struct mail *m)
{
	struct err e = { 0 };

	ck_assert_msg(gate_check(bytes, strlen(bytes), &e) == 0, "%s", e.text);
	ck_assert_msg(parse_mail(&arena, bytes, strlen(bytes), m, &e) == 0, "%s", e.text);
}

START_TEST(header)
{
	static const char *const references[] = { "a@example.org", "b@example.org", NULL };
	struct compose c = base();

	c.reply_to = "pbm+t@example.org";
	c.in_reply_to = "b@example.org";
	c.references = references;
	c.list_id = "Suicide games <suicide.example.org>";
	ck_assert_str_eq(
		composed(&c),
		"From: pbm <pbm@example.org>\r\nTo: Alice <alice@example.org>\r\n"
		"Reply-To: <pbm+t@example.org>\r\nSubject: hello\r\n"
		"Date: Tue, 1 Dec 2026 17:00:00 +0000\r\nMessage-ID: <g17.1@example.org>\r\n"
		"In-Reply-To: <b@example.org>\r\nReferences: <a@example.org> <b@example.org>\r\n"
		"List-Id: Suicide games <suicide.example.org>\r\nAuto-Submitted: auto-generated\r\n"
		"X-Auto-Response-Suppress: All\r\nX-Pbm-Loop: pbm@example.org\r\nMIME-Version: 1.0\r\n"
		"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n"
		"Your move.\r\n");
}
END_TEST

/* The same text comes back. */
static const char *const texts[] = {
	"",
	"Your move.\n",
	"one\n\ntwo\n",
	"From here\n",
	".\n",
	".x\n..\n",
	"caf\u00e9 \u265e\n",
	"trailing space \nand tab\t\n",
	"-- \nsignature\n",
	"a=b\n=\n=3D\n",
	"--=_a0_\n",
	"a line that is much longer than seventy-eight columns and has therefore to be folded in transit\n",
	"From a line that is long enough to be folded, so that From is not at the start: From here and From there\n",
	"012345678901234567890123456789012345678901234567890123456789012345678901234From here\n",
	"012345678901234567890123456789012345678901234567890123456789012345678901234.\n",
	"\u00e9 trailing \n",
	"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\n",
	"  +---+---+\n  | R |   |\n  +---+---+\n",
	"........................................................................................\n",
};

START_TEST(text_round_trip)
{
	struct compose c = base();
	struct mail m;

	c.text = texts[_i];
	parsed(composed(&c), &m);
	ck_assert_str_eq(m.text, texts[_i]);
	c.html = "<p>\u00e9</p>";
	parsed(composed(&c), &m);
	/* The line end before a boundary belongs to the boundary. */
	if (*texts[_i])
		ck_assert_str_eq(arena_printf(&arena, "%s", m.text), texts[_i]);
}
END_TEST

#define LONG_WORD "01234567890123456789012345678901234567890123456789"

static const char *const subjects[] = {
	"hello",
	"[pbm] Suicide #17 alice\u2013bob: your move (12. exd4)",
	"\u00e9",
	"a  b",
	"=?utf-8?q?x?=",
	"a \u00e9 b",
	"Z\u00fcge \u265e \u4f60\u597d \U0001f600",
	"a subject of many words that has to be folded because it does not fit into one line of the header",
	"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 \u4f60\u597d\u4f60\u597d\u4f60\u597d\u4f60\u597d\u4f60\u597d",
	LONG_WORD LONG_WORD LONG_WORD LONG_WORD,
	"awordthatislongerthanalineoftheheadermaybewithoutanyspaceatwhichitcouldbefoldedanywhereatall",
	"a_b?c=d",
};

START_TEST(subject_round_trip)
{
	struct compose c = base();
	struct mail m;

	c.subject = subjects[_i];
	c.from_name = subjects[_i];
	parsed(composed(&c), &m);
	ck_assert_str_eq(m.subject, subjects[_i]);
	ck_assert_str_eq(m.from_name, subjects[_i]);
	ck_assert_str_eq(m.from, "pbm@example.org");
}
END_TEST

/* No text becomes a header field. */
static const char *const evil[] = {
	"x\r\nBcc: mallory@example.org",
	"x\nBcc: mallory@example.org",
	"x\rBcc: mallory@example.org",
	"x\n\nBcc: mallory@example.org",
	"\r\n\r\nBcc: mallory@example.org",
	"x\v\f\b\x7f\x01 Bcc: y",
	"\xff\xfe\nBcc: y",
	"x\u2028Bcc: y",
	"x\"\r\n <mallory@example.org>",
	"x> <mallory@example.org",
	"\\",
	"x\\\"",
	"(",
	"x, y <mallory@example.org>",
};

START_TEST(injection)
{
	const char *ids[] = { evil[_i], "a@example.org", NULL };
	const struct compose_attachment attached[] = {
		{ .name = evil[_i], .type = evil[_i], .text = evil[_i] },
		{ .name = evil[_i], .type = evil[_i], .base64 = "AAEC\r\n" },
	};
	struct compose c = base();
	struct mail m;

	c.subject = c.from_name = c.to_name = c.in_reply_to = c.list_id = c.auto_submitted =
		evil[_i];
	c.references = ids;
	c.text = c.html = evil[_i];
	c.attachments = attached;
	c.attachment_count = 2;
	const char *bytes = composed(&c);
	parsed(bytes, &m);
	ck_assert_ptr_null(header_field(&m, "Bcc"));
	ck_assert_str_eq(m.from, "pbm@example.org");
	ck_assert_uint_eq(m.to.n, 1);
	ck_assert_str_eq(header_field(&m, "References"), "<a@example.org>");
}
END_TEST

static const struct {
	const char *addr;
} bad[] = {
	{ "x\r\nBcc: y@example.org" }, { "" }, { "x" }, { "a@example.org>\r\nX: y" },
	{ "a b@example.org" },
};

START_TEST(bad_address)
{
	struct str s;
	struct compose c = base();

	str_init(&s, 10000);
	c.from = bad[_i].addr;
	ck_assert_int_eq(compose_mail(&c, &s, NULL), ERR_BAD);
	c = base();
	c.to = bad[_i].addr;
	ck_assert_int_eq(compose_mail(&c, &s, NULL), ERR_BAD);
	c = base();
	c.reply_to = bad[_i].addr;
	ck_assert_int_eq(compose_mail(&c, &s, NULL), ERR_BAD);
	ck_assert_uint_eq(s.len, 0);
	str_release(&s);
}
END_TEST

START_TEST(many_references)
{
	const char *ids[41] = { 0 };
	struct compose c = base();
	struct mail m;

	for (int i = 0; i < 40; i++)
		ids[i] = arena_printf(&arena, "g17.%d.b.move.0123456789abcdef@example.org", i);
	c.references = ids;
	parsed(composed(&c), &m);
	ck_assert_uint_eq(m.references.n, 20);
	ck_assert_str_eq(m.references.v[0], ids[39]);
	ck_assert_str_eq(m.references.v[18], ids[21]);
	ck_assert_str_eq(m.references.v[19], ids[0]);
}
END_TEST

START_TEST(parts)
{
	static const struct compose_attachment files[] = {
		{ .name = "17.pgn",
		  .type = "application/vnd.chess-pgn",
		  .text = "[White \"\u00e9\"]\n\n1. e4\n" },
		{ .name = "17.gif", .type = "image/gif", .base64 = "R0lG\r\n" },
	};
	struct compose c = base();
	struct mail m;

	c.html = "<p>h</p>\n";
	c.attachments = files;
	c.attachment_count = 2;
	const char *bytes = composed(&c);
	parsed(bytes, &m);
	ck_assert_ptr_nonnull(strstr(bytes,
	                             "Content-Disposition: attachment; filename=\"17.gif\"\r\n"
	                             "Content-Type: image/gif;\r\n name=\"17.gif\"\r\n"
	                             "Content-Transfer-Encoding: base64\r\n\r\nR0lG\r\n"));
	ck_assert_str_eq(m.text, "Your move.\n");
	ck_assert_ptr_nonnull(strstr(bytes, "multipart/mixed"));
	ck_assert_ptr_nonnull(strstr(bytes, "multipart/alternative"));
	ck_assert_ptr_nonnull(
		strstr(bytes, "Content-Disposition: attachment; filename=\"17.pgn\"\r\n"));
	ck_assert_ptr_nonnull(strstr(
		bytes,
		"Content-Type: application/vnd.chess-pgn; charset=utf-8;\r\n name=\"17.pgn\"\r\n"));
	ck_assert_str_eq(composed(&c), bytes);
	ck_assert_int_ne(robot_judge(&m, NULL, NULL, NULL).kind, MAIL_PERSON);
}
END_TEST

/* A text that knows the boundary cannot end a part. */
START_TEST(boundary_in_the_text)
{
	struct compose c = base();
	struct mail m;

	c.html = "h";
	const char *at = strstr(composed(&c), "boundary=\"") + strlen("boundary=\"");
	c.text = arena_printf(&arena, "--%.*s\nx\n", (int)strcspn(at, "\""), at);
	parsed(composed(&c), &m);
	ck_assert_str_eq(m.text, c.text);
}
END_TEST

/* Text or HTML with its pictures, and a file beside both. */
START_TEST(pictures)
{
	static const struct compose_picture men[] = {
		{ .id = "wP.1@pbm",
		  .name = "wP.png",
		  .type = "image/png",
		  .base64 = "AAAA\r\n",
		  .len = 6 },
		{ .id = "bK.1@pbm",
		  .name = "bK.png",
		  .type = "image/png",
		  .base64 = "AAEC\r\n",
		  .len = 6 },
	};
	const struct compose_attachment pgn = { .name = "17.pgn",
		                                .type = "application/vnd.chess-pgn",
		                                .text = "1. e4 *\n" };
	static const char *const order[] = { "multipart/mixed",
		                             "multipart/alternative",
		                             "text/plain",
		                             "multipart/related",
		                             "text/html",
		                             "<wP.1@pbm>",
		                             "AAAA",
		                             "<bK.1@pbm>",
		                             "AAEC",
		                             "attachment" };
	struct compose c = base();
	struct mail m;

	c.html = "<p>\u00e4 <img src=\"cid:wP.1@pbm\"></p>";
	c.pictures = men;
	c.picture_count = 2;
	c.attachments = &pgn;
	c.attachment_count = 1;
	const char *at = composed(&c);
	ck_assert(strstr(at, "<p>&#228; <img src"));
	for (int i = 0; i < ROWS(order); i++) {
		at = strstr(at, order[i]);
		ck_assert_msg(at, "%s", order[i]);
	}
	parsed(composed(&c), &m);
	ck_assert_str_eq(m.text, c.text);
}
END_TEST

START_TEST(base64)
{
	static const char *const rows64[][2] = {
		{ "", "" }, { "f", "Zg==\r\n" }, { "fo", "Zm8=\r\n" }, { "foobar", "Zm9vYmFy\r\n" }
	};
	struct str s;

	str_init(&s, 1000);
	for (int i = 0; i < ROWS(rows64); i++) {
		str_clear(&s);
		encode_base64(&s, rows64[i][0], strlen(rows64[i][0]));
		ck_assert_str_eq(s.data, rows64[i][1]);
	}
	str_release(&s);
}
END_TEST

/* HTML with lines too long for SMTP, or that a server would change, is encoded. */
START_TEST(html_fits)
{
	char line[1200];

	memset(line, 'x', sizeof line);
	line[sizeof line - 1] = '\0';
	ck_assert(!encode_html_fits(line));
	ck_assert(encode_html_fits(line + 300));
	ck_assert(!encode_html_fits("a\nFrom here\n"));
	ck_assert(!encode_html_fits("a\n.\n"));
	ck_assert(!encode_html_fits("a\vb"));
	ck_assert(encode_html_fits("\u00e4\u265e"));
}
END_TEST

/* Every line ends with CR LF, also one without an end. */
START_TEST(html_lines)
{
	static const char *const rows[][2] = {
		{ "", "" },       { "a", "a\r\n" },         { "a\n", "a\r\n" },
		{ "\n", "\r\n" }, { "a\nb", "a\r\nb\r\n" }, { "\u00e4", "&#228;\r\n" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct str s = STR_LOCAL(100);

		encode_html(&s, rows[i][0]);
		ck_assert_str_eq(s.data, rows[i][1]);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("mail compose");
	TCase *t = tcase_create("compose");

	tcase_add_checked_fixture(t, NULL, release);
	tcase_add_test(t, header);
	tcase_add_loop_test(t, text_round_trip, 0, ROWS(texts));
	tcase_add_loop_test(t, subject_round_trip, 0, ROWS(subjects));
	tcase_add_loop_test(t, injection, 0, ROWS(evil));
	tcase_add_loop_test(t, bad_address, 0, ROWS(bad));
	tcase_add_test(t, many_references);
	tcase_add_test(t, parts);
	tcase_add_test(t, boundary_in_the_text);
	tcase_add_test(t, pictures);
	tcase_add_test(t, base64);
	tcase_add_test(t, html_fits);
	tcase_add_test(t, html_lines);
	suite_add_tcase(s, t);
	return suite_run(s);
}
