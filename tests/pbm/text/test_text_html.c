/* The program's own layout as HTML: each kind of block, and what must not become one. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "pbm/text/text_html.h"
#include "tests/util/util.h"

static const struct {
	const char *text, *html;
} rows[] = {
	{ "", "" },
	{ "\n\n", "" },
	{ "One line.", "<p>One line.</p>\n" },
	{ "a < b & \"c\"", "<p>a &lt; b &amp; &quot;c&quot;</p>\n" },
	{ "Write one of these:\nmove 17 e4\n", "<p>Write one of these:<br>\nmove 17 e4</p>\n" },
	/* A line that was full flows on. */
	{ "The first line of this paragraph goes on until no more words would fit\nthere, and on.",
	  "<p>The first line of this paragraph goes on until no more words would fit\nthere, and "
	  "on.</p>\n" },
	{ "One.\n\nTwo.", "<p>One.</p>\n<p>Two.</p>\n" },
	{ "Draws\n=====\n\nText.", "<h3>Draws</h3>\n<p>Text.</p>\n" },
	{ "Aim\n---\nText.", "<h4>Aim</h4>\n<p>Text.</p>\n" },
	{ "----\n", "<hr>\n" },
	{ "  alice\n  bob\n", "<p style=\"margin-left:16px\">alice<br>\nbob</p>\n" },
	{ "Write:\n\n    set size small\n    set size large\n",
	  "<p>Write:</p>\n<pre>set size small\nset size large\n</pre>\n" },
	{ "  8 | r | n |\n    +---+---+\n", "<pre>8 | r | n |\n  +---+---+\n</pre>\n" },
	{ "- one\n- two, which\n  goes on\n",
	  "<ul>\n<li>one</li>\n<li>two, which<br>\ngoes on</li>\n</ul>\n" },
	{ "3. three\n\n4. four\n", "<ol>\n<li value=3>three</li>\n<li value=4>four</li>\n</ol>\n" },
	/* Numbers that are set to the right are one list. */
	{ "  9. Nf3\n 10. Bb5\n", "<ol>\n<li value=9>Nf3</li>\n<li value=10>Bb5</li>\n</ol>\n" },
	{ "1 move is none\n8  words\n", "<p>1 move is none<br>\n8  words</p>\n" },
	{ "-days=3 is no list\n", "<p>-days=3 is no list</p>\n" },
	{ "1... Nf6 is none\n", "<p>1... Nf6 is none</p>\n" },
	{ "  help [topic]\n      a page\n  signon\n      mails again\n",
	  "<p style=\"margin:0 0 8px\"><b>help [topic]</b><br>\na page</p>\n"
	  "<p style=\"margin:0 0 8px\"><b>signon</b><br>\nmails again</p>\n" },
	{ " board  game\n     4  Atomic\n    17  Chess\n",
	  "<table class=r cellpadding=4 cellspacing=0 border=0>\n"
	  "<tr><th valign=top align=right>board</th><th valign=top align=left>game</th></tr>\n"
	  "<tr><td valign=top align=right>4</td><td valign=top align=left>Atomic</td></tr>\n"
	  "<tr><td valign=top align=right>17</td><td valign=top align=left>Chess</td></tr>\n"
	  "</table>\n" },
	{ "option    the game\n-----     -----\n-half     four files,\n          no pawns\n",
	  "<table class=r cellpadding=4 cellspacing=0 border=0>\n"
	  "<tr><th valign=top align=left>option</th><th valign=top align=left>the game</th></tr>\n"
	  "<tr><td valign=top align=left>-half</td><td valign=top align=left>four files,\n"
	  "no pawns</td></tr>\n</table>\n" },
	/* A character of two bytes is one column. */
	{ "Zürich  ein\nBern    zwei\n", "<table class=r cellpadding=4 cellspacing=0 border=0>\n"
	                                 "<tr><td valign=top align=left>Zürich</td><td valign=top "
	                                 "align=left>ein</td></tr>\n"
	                                 "<tr><td valign=top align=left>Bern</td><td valign=top "
	                                 "align=left>zwei</td></tr>\n</table>\n" },
	/* Two blanks end a sentence. */
	{ "It ended.  He won.\nIt began.  We lost.\n",
	  "<p>It ended.  He won.<br>\nIt began.  We lost.</p>\n" },
	{ "| hello <b>\n| you\n",
	  "<blockquote style=\"border-left:3px solid #ccc;margin:0;padding-left:10px\">"
	  "hello &lt;b&gt;<br>\nyou<br>\n</blockquote>\n" },
	{ "| a    b\n| |\n",
	  "<blockquote style=\"border-left:3px solid #ccc;margin:0;padding-left:10px\"><pre>"
	  "a    b\n|\n</pre></blockquote>\n" },
};

START_TEST(a_block)
{
	struct str out;

	str_init(&out, 10000);
	text_html(rows[_i].text, NULL, NULL, &out);
	ck_assert_str_eq(out.data, rows[_i].html);
	str_release(&out);
}
END_TEST

static bool draw(const char *lines, size_t n, void *arg, struct str *out)
{
	const char *known = arg;

	if (n != strlen(known) || memcmp(lines, known, n) != 0)
		return false;
	str_add(out, "[drawn]");
	return true;
}

/* Whole drawings are offered, and one that is not known stays text. */
START_TEST(drawings)
{
	static char framed[] =
		"      a   b\n    +---+---+\n  1 | R |*N*| 1\n    +---+---+\n      a   b",
		    small[] = "  2  r*n .\n  1  R N .\n     a b c";
	char *const known[] = { framed, small };
	char text[200];
	struct str out;

	str_init(&out, 1000);
	for (int i = 0; i < 2; i++) {
		snprintf(text, sizeof text, "Setup\n\n%s\n\nEnd\n", known[i]);
		text_html(text, draw, known[i], &out);
		ck_assert_str_eq(out.data, "<p>Setup</p>\n[drawn]<p>End</p>\n");
		str_clear(&out);
		text_html(text, draw, known[!i], &out);
		ck_assert(strstr(out.data, "<pre>") && !strstr(out.data, "<table"));
		str_clear(&out);
	}
	str_release(&out);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("text html");

	tcase_add_loop_test(t, a_block, 0, ROWS(rows));
	tcase_add_test(t, drawings);
	return util_main(t);
}
