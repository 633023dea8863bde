/* Small functions from text to text, a row a case. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "mail/address.h"
#include "mail/flowed.h"
#include "mail/html.h"
#include "mail/mail.h"
#include "mail/mime.h"
#include "mail/plain.h"
#include "mail/reply/reply.h"
#include "mail/subject.h"
#include "pbm/base/str.h"
#include "tests/util/suite.h"

static struct arena arena;

static void release(void)
{
	arena_release(&arena);
}

static const struct {
	const char *subject, *want;
} subjects[] = {
	{ "", "" },
	{ "move 17 Nf3", "move 17 Nf3" },
	{ "  x  ", "x" },
	{ "Re: x", "x" },
	{ "RE : x", "x" },
	{ "re:x", "x" },
	{ "Re: Fwd: AW: x", "x" },
	{ "Re[2]: x", "x" },
	{ "[EXTERNAL] Re: x", "x" },
	{ "Re: [EXT] AW: x", "x" },
	{ "EXTERNAL: Re: x", "x" },
	{ "EXT: x", "x" },
	{ "extra: x", "extra: x" },
	{ "Re(3): x", "x" },
	{ "Re^4: x", "x" },
	{ "Re [2] : x", "x" },
	{ "Antw: x", "x" },
	{ "SV: x", "x" },
	{ "Odp: x", "x" },
	{ "R: I: x", "x" },
	{ "YNT: x", "x" },
	{ "İLT: x", "x" },
	{ "Vá: x", "x" },
	{ "Отв: x", "x" },
	{ "Ответ: x", "x" },
	{ "НА: x", "x" },
	{ "ΑΠ: x", "x" },
	{ "ΣΧΕΤ: x", "x" },
	{ "תשובה: x", "x" },
	{ "הועבר: x", "x" },
	{ "رد: x", "x" },
	{ "回复：x", "x" },
	{ "回复: x", "x" },
	{ "転送: x", "x" },
	{ "RE\u00a0: x", "x" },
	{ "[pbm] x", "x" },
	{ "Re: [pbm] Re: [list] x", "x" },
	{ "[pbm]", "[pbm]" },
	{ "[pbm] Suicide #17 alice-bob: your move **", "Suicide #17 alice-bob: your move" },
	{ "x **", "x" },
	{ "x ** **", "x" },
	{ "x**", "x**" },
	{ "x (fwd)", "x" },
	{ "[Fwd: Re: x]", "x" },
	{ "Fwd:", "" },
	{ "Re:", "" },
	{ "Reply: x", "Reply: x" },
	{ "resign", "resign" },
	{ "Regarding x: y", "Regarding x: y" },
	{ "Atb: x", "x" },
	{ "Odg: Bls: x", "x" },
	{ "TR : RE\u00a0: x", "x" },
	{ "Re：回复：x", "x" },
	{ "ΠΡΘ: x", "x" },
	{ "Пер: x", "x" },
	{ "Trả lời: x", "x" },
	{ "RES: ENC: x", "x" },
	{ "Re: [a] Fwd: [b] AW: x **", "x" },
	{ "Re[12]: Re[2]: x", "x" },
	{ "re : re: RE:x", "x" },
	{ "TR: [Fwd: Re: x]", "x" },
	{ "17: Nf3", "17: Nf3" },
	{ "Re: 17: Nf3", "17: Nf3" },
	{ "if: x", "if: x" },
	{ "Re[x]: y", "Re[x]: y" },
	{ "[[x]] y", "[[x]] y" },
};

START_TEST(subject)
{
	ck_assert_str_eq(subject_base(&arena, subjects[_i].subject), subjects[_i].want);
}
END_TEST

static const struct {
	const char *line, *want;
} lines[] = {
	{ "", "" },
	{ "Nf3", "Nf3" },
	{ " \tNf3 \u00a0", "Nf3" },
	{ "\ufeffNf3", "Nf3" },
	{ "N\u200bf3\u200e", "Nf3" },
	{ "0\u20130\u20110", "0-0-0" },
	{ "e2\u2014e4", "e2-e4" },
	{ "say \u201chello\u201d it\u2019s", "say \"hello\" it's" },
	{ "e4\u2026", "e4..." },
	{ "\uff2e\uff46\uff13", "Nf3" },
	{ "\u00bd\u2212\u00bd", "1/2-1/2" },
	{ "N\u00d7d5", "Nxd5" },
	{ "\u2658f3 \u265d\ufe0eb4 \u2659e4", "Nf3 Bb4 e4" },
	{ "na\u00efve \u4f60", "na\u00efve \u4f60" },
	{ "\"Nf3\"", "Nf3" },
	{ "*Nf3*", "Nf3" },
	{ "**Nf3**", "Nf3" },
	{ "`e4`", "e4" },
	{ "\u00abe4\u00bb", "e4" },
	{ "\u201ee4\u201c", "e4" },
	{ "*Nf3* and *d4*", "*Nf3* and *d4*" },
	{ "***", "***" },
	{ "**", "**" },
	{ "*", "*" },
	{ "\"\"", "\"\"" },
	{ "\"x", "\"x" },
	{ "*Nf3**", "*Nf3**" },
	{ "1\u20130", "1-0" },
	{ "\u200b\u200c\u200d", "" },
	{ "\uff10\uff0d\uff10", "0-0" },
	{ "e2\u2192e4", "e2\u2192e4" },
	{ "N\u00adf3", "Nf3" },
	{ "a\u3000b", "a b" },
	{ "a\nb", "a b" },
	/* characters that nobody sees: joiners, fillers, tags, objects */
	{ "\u034fNf3\u115f\u1160", "Nf3" },
	{ "\u17b4N\u17b5f3\U000e0100", "Nf3" },
	{ "\u3164Nf3\uffa0", "Nf3" },
	{ "\ufffcNf3\U000e0020\U000e007f", "Nf3" },
	{ "\u180bNf3\U0001d173\ufff9", "Nf3" },
	{ "\u1680Nf3\u2800", "Nf3" },
	{ "\ufffc", "" },
	/* Cyrillic letters of a square */
	{ "\u04354", "e4" },
	{ "N\u04413 \u04305", "Nc3 a5" },
	{ "\u0435\u0445d5", "exd5" },
	{ "\u0435x\u04415 R\u0445\u04308", "exc5 Rxa8" },
	{ "\u0441 \u0435\u043c\u0443 9 \u04359 \u0445\u043e",
	  "\u0441 \u0435\u043c\u0443 9 \u04359 \u0445\u043e" },
};

START_TEST(plain)
{
	ck_assert_str_eq(plain_line(&arena, lines[_i].line), lines[_i].want);
}
END_TEST

static const struct {
	const char *html, *want;
} pages[] = {
	{ "", "" },
	{ "Nf3", "Nf3" },
	{ "<p>Nf3</p>", "Nf3\n" },
	{ "<p>a</p><p>b</p>", "a\n\nb\n" },
	{ "<div>a</div><div>b</div>", "a\nb\n" },
	{ "a<br>b<br><br>c", "a\nb\n\nc" },
	{ "a\n  b", "a b" },
	{ "<b>a</b> <i>b</i>", "a b" },
	{ "<b>a</b>b", "ab" },
	{ "a&amp;b &lt;c&gt; &eacute;&#128512;", "a&b <c> é😀" },
	{ "a&nbsp;b", "a b" },
	{ "a&unknown;b", "a&unknown;b" },
	{ "<ul><li>a<li>b</ul>", "- a\n- b\n" },
	{ "<pre>a  b\n c</pre>", "a  b\n c\n" },
	{ "<table><tr><td>a<td>b<tr><td>c</table>", "a b\nc\n" },
	{ "<script>x</script><style>y</style><title>z</title>a", "a" },
	{ "<html><head><style>x</style></head><body>a</body></html>", "a" },
	{ "a<select><option>x</select><textarea>x</textarea><button>x</button><datalist><option>x</datalist>",
	  "a" },
	{ "<div style=\"Display : none\">hidden</div>a", "a" },
	{ "<span style='font-size:0px;color:red'>hidden</span>a", "a" },
	{ "<b style='font-size:0pt'>x</b><b style='font-size: 0.0em !important'>x</b><b style='opacity:0.0'>x</b>a",
	  "a" },
	{ "<p style='overflow:hidden;color:red;height:0'>x</p><p style='width:0px;overflow:hidden'>x</p>a",
	  "a" },
	{ "<b style='visibility:collapse'>x</b><b style='display/**/:none'>x</b><b style='font:0/0 a'>x</b>a",
	  "a" },
	{ "<b style='color:#FFF;background-color:white'>x</b><noscript>x</noscript><iframe>x</iframe>a",
	  "a" },
	{ "<b style='font-size:0.5em;opacity:0.05'>a</b><p style='height:10px;overflow:hidden'>b</p>",
	  "a\n\nb\n" },
	{ "<b style='color:#fff'>a</b><b style='color:#fff;background:#000'>b</b><b style='left:-9px'>c</b>",
	  "abc" },
	{ "<div hidden>hidden<div>more</div></div>a", "a" },
	{ "<!-- x -->a", "a" },
	{ "a<blockquote>b<blockquote>c</blockquote></blockquote>d", "a\n> b\n>> c\nd" },
	{ "<div>a</div><blockquote style=\"margin:0 0 0 40px;border:none;padding:0px\">b<br>c</blockquote>d",
	  "a\n    b\n    c\nd" },
	{ "<div>a</div><div class=\"gmail_quote\"><div class=\"gmail_attr\">On x wrote:<br></div>"
	  "<blockquote class=\"gmail_quote\">b</blockquote>c</div>",
	  "a\n> On x wrote:\n> b\nc\n" },
	{ "a<div class=gmail_quote>On x wrote:<br><blockquote>b</blockquote></div>d",
	  "a\n> On x wrote:\n> b\nd" },
	{ "a<div class=gmail_quote>---- Forwarded<br>b</div>", "a\n> ---- Forwarded\n> b\n" },
	{ "a<div id=divRplyFwdMsg>From: b</div>c", "a\n-----Original Message-----\nFrom: b\nc" },
	{ "a<hr id=stopSpelling>Date: x", "a\n-----Original Message-----\nDate: x" },
	{ "a<hr>b", "a\n--------------------------------\nb" },
	{ "a<div class=gmail_signature>b</div>", "a\n-- \nb\n" },
	{ "<p>unclosed <b>a<p>b", "unclosed a\n\nb\n" },
	{ "</div></p>a", "a" },
	{ "<img src=\"http://example.org/x\" alt=\"x\">a", "a" },
	{ "<a href=\"x\">a</a>", "a" },
	{ "<meta charset=euc-kr><meta http-equiv=Content-Type content='text/html; charset=iso-8859-1'>é",
	  "é" },
	{ "<?xml version='1.0' encoding='utf-16'?>é", "é" },
	{ "<![CDATA[x]]>a", "<![CDATA[x]]>a" },
};

START_TEST(html)
{
	const char *got = html_text(&arena, pages[_i].html, strlen(pages[_i].html));

	ck_assert_msg(strcmp(got, pages[_i].want) == 0, "%s\ngave \"%s\"\nnot  \"%s\"",
	              pages[_i].html, got, pages[_i].want);
}
END_TEST

/* The pages of mail programs, and the part left for the reader of moves. */
static const struct {
	const char *name, *html, *want;
} replies[] = {
	{ "gmail",
	  "<div dir=ltr>Nf3</div><br><div class=\"gmail_quote\"><div dir=ltr class=\"gmail_attr\">"
	  "On Tue, 1 Dec 2026 at 17:00, pbm &lt;<a href=\"x\">pbm@example.org</a>&gt; wrote:<br></div>"
	  "<blockquote class=\"gmail_quote\" style=\"margin:0\">Your move.<br>resign</blockquote></div>",
	  "Nf3" },
	{ "outlook on the web",
	  "<div>Nf3</div><div id=appendonsend></div><hr><div id=divRplyFwdMsg>"
	  "<b>From:</b> pbm<br><b>Sent:</b> x<br></div><div>resign</div>",
	  "Nf3" },
	{ "outlook",
	  "<p class=MsoNormal>Nf3<o:p></o:p></p><div style='border:none;border-top:solid #E1E1E1 1.0pt'>"
	  "<p class=MsoNormal><b>From:</b> pbm &lt;pbm@example.org&gt; <br><b>Sent:</b> Tuesday<br>"
	  "<b>To:</b> alice<br><b>Subject:</b> x<o:p></o:p></p></div><p>resign</p>",
	  "Nf3" },
	{ "thunderbird, below",
	  "<div class=\"moz-cite-prefix\">Am 01.12.26 um 17:00 schrieb pbm:<br></div>"
	  "<blockquote type=cite>Your move.<br>--<br>Reply above this line</blockquote><p>Nf3</p>",
	  "Nf3" },
	{ "apple",
	  "<body>Nf3<br><div><br><blockquote type=cite><div>On 1 Dec 2026, at 17:00, pbm wrote:</div>"
	  "<br><div>Your move.</div></blockquote></div></body>",
	  "Nf3" },
	{ "yahoo",
	  "<div>Nf3</div><div id=yahoo_quoted_1 class=yahoo_quoted><div>On Tuesday, pbm wrote:</div>resign</div>",
	  "Nf3" },
};

START_TEST(reply)
{
	const char *text = html_text(&arena, replies[_i].html, strlen(replies[_i].html));

	ck_assert_msg(strcmp(reply_read(&arena, text, NULL).text, replies[_i].want) == 0,
	              "%s: \"%s\" from\n%s", replies[_i].name, reply_read(&arena, text, NULL).text,
	              text);
}
END_TEST

/* A tower of elements, and a flood of closing tags, take no time. */
START_TEST(hostile_html)
{
	static char page[256 * 1024];

	for (size_t i = 0; i + 3 < sizeof page; i += 3)
		memcpy(page + i, "<b>", 3);
	html_text(&arena, page, sizeof page - 1);
	for (size_t i = sizeof page / 2; i + 4 < sizeof page; i += 4)
		memcpy(page + i, "</i>", 4);
	html_text(&arena, page, sizeof page - 1);
	memset(page, '<', sizeof page - 1);
	html_text(&arena, page, sizeof page - 1);
	memset(page, '&', sizeof page - 1);
	html_text(&arena, page, sizeof page - 1);
	for (size_t i = 0; i + 12 < sizeof page; i += 12)
		memcpy(page + i, "<blockquote>", 12);
	ck_assert_uint_le(strlen(html_text(&arena, page, sizeof page - 1)), MAIL_MAX_TEXT);
}
END_TEST

/* A character stays whole, wherever the page is cut for the parser. */
START_TEST(long_page)
{
	for (size_t shift = 0; shift < 3; shift++) {
		char page[30100], want[30100];

		memset(page, 'x', shift);
		for (size_t i = 0; i < 10000; i++)
			memcpy(page + shift + 3 * i, "\u20ac", 3);
		page[shift + 30000] = '\0';
		memcpy(want, page, sizeof want);
		ck_assert_str_eq(html_text(&arena, page, strlen(page)), want);
	}
}
END_TEST

static const struct {
	const char *text, *want;
	int delsp;
} flowed[] = {
	{ "", "", 0 },
	{ "a \nb", "a b", 0 },
	{ "a \nb", "ab", 1 },
	{ "a\nb\n", "a\nb\n", 0 },
	{ "> a \n> b\nc", "> a b\nc", 0 },
	{ "> a \nb", "> a \nb", 0 },
	{ " >x", ">x", 0 },
	{ ">>a \n> b\n", ">> a \n> b\n", 0 },
	{ "a \n-- \nb\n", "a \n-- \nb\n", 0 },
	{ "a ", "a ", 0 },
};

START_TEST(flow)
{
	ck_assert_str_eq(flowed_join(&arena, flowed[_i].text, flowed[_i].delsp), flowed[_i].want);
}
END_TEST

static const struct {
	const char *addr;
	bool want;
} addresses[] = {
	{ "a@example.org", true },
	{ "pbm+g17.w.k7q2@example.org", true },
	{ "a@localhost", true },
	{ "a.@example.org", true },
	{ "a@sub.example-2.org", true },
	{ "", false },
	{ "a", false },
	{ "@example.org", false },
	{ "a@", false },
	{ "a@b@c", false },
	{ "a b@example.org", false },
	{ "a@example.org\r\nRCPT TO:<b@example.org>", false },
	{ "a>@example.org", false },
	{ "<a@example.org>", false },
	{ "a@.org", false },
	{ "a@example..org", false },
	{ "a@example.org.", false },
	{ "a@-x.org", false },
	{ "\"a\"@example.org", false },
	{ "a,b@example.org", false },
	{ "-f@example.org", false },
	{ "\u00e9@example.org", false },
	{ "a@[192.0.2.1]", false },
	{ "=?utf-8?q?a?=@example.org", false },
	{ "1234567890123456789012345678901234567890123456789012345678901234@example.org", true },
	{ "12345678901234567890123456789012345678901234567890123456789012345@example.org", false },
};

START_TEST(address)
{
	ck_assert_msg(address_valid(addresses[_i].addr) == addresses[_i].want, "%s",
	              addresses[_i].addr);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

/* Words within one element: as many as the page has, up to more than any page has; prose after a
 * < that opens nothing is none of them. */
static const struct {
	const char *open;
	int words;
	const char *want;
} crowds[] = {
	{ "<a ", 2000, "one two\n" },
	{ "<a ", 4000, "one\n" },
	{ "< ", 4000, NULL },
};

START_TEST(crowded_element)
{
	struct str page;

	str_init(&page, 1 << 20);
	str_addf(&page, "<p>one %s", crowds[_i].open);
	for (int i = 0; i < crowds[_i].words; i++)
		str_addf(&page, "a%d ", i);
	str_add(&page, ">two");
	const char *got = html_text(&arena, page.data, page.len);
	if (crowds[_i].want)
		ck_assert_str_eq(got, crowds[_i].want);
	else
		ck_assert_ptr_nonnull(strstr(got, "two"));
	str_release(&page);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("mail text");
	TCase *t = tcase_create("text");

	tcase_add_checked_fixture(t, NULL, release);
	tcase_add_loop_test(t, subject, 0, ROWS(subjects));
	tcase_add_loop_test(t, plain, 0, ROWS(lines));
	tcase_add_loop_test(t, html, 0, ROWS(pages));
	tcase_add_loop_test(t, reply, 0, ROWS(replies));
	tcase_add_test(t, hostile_html);
	tcase_add_loop_test(t, crowded_element, 0, ROWS(crowds));
	tcase_add_test(t, long_page);
	tcase_add_loop_test(t, flow, 0, ROWS(flowed));
	tcase_add_loop_test(t, address, 0, ROWS(addresses));
	suite_add_tcase(s, t);
	return suite_run(s);
}
