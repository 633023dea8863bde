#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "pbm/text/markdown.h"

#define OUT_MAX 400000

struct row {
	size_t width;
	const char *md, *expected;
};

static const struct row text_rows[] = {
	{ 72, "", "" },
	{ 72, "one\ntwo  three", "one two three\n" },
	{ 20, "aaaa bbbb cccc dddd eeee", "aaaa bbbb cccc dddd\neeee\n" },
	{ 1, "aaaa bbbb cccc dddd eeee", "aaaa bbbb cccc dddd\neeee\n" },
	{ 20, "x\naverylongwordthatdoesnotfit\ny", "x\naverylongwordthatdoesnotfit\ny\n" },
	/* Columns are characters, not bytes. */
	{ 20,
	  "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 "
	  "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4x",
	  "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 "
	  "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4x\n" },
	{ 72, "a  \nb", "a\nb\n" },
	{ 72, "a\n\nb", "a\n\nb\n" },
	{ 72, "# Title\ntext", "Title\n=====\n\ntext\n" },
	{ 72, "text\n\n## Part `x`\ntext", "text\n\nPart x\n------\ntext\n" },
	{ 72, "### Small\ntext", "Small\ntext\n" },
	{ 72, "an *emphasis*, a **strong** word", "an emphasis, a strong word\n" },
	{ 72, "write `draw`", "write \"draw\"\n" },
	{ 72, "write `-fen=\"x\"`", "write -fen=\"x\"\n" },
	{ 20, "now you write `resign 17` here", "now you write\n\"resign 17\" here\n" },
	{ 72, "[page](http://x.org/a)", "page <http://x.org/a>\n" },
	{ 72, "[`code` page](http://x.org/a%20b)", "\"code\" page <http://x.org/a%20b>\n" },
	{ 72, "[a](<http://x.org/a b>)", "a <http://x.org/a%20b>\n" },
	{ 72, "<http://x.org/a>", "<http://x.org/a>\n" },
	{ 72, "<pbm@mail.example.org>", "<pbm@mail.example.org>\n" },
	{ 72, "[x](http://x.org/?a=1&amp;b=2)", "x <http://x.org/?a=1&b=2>\n" },
	{ 72, "![board](board.png)", "board\n" },
	{ 72, "&lt;b&gt; &frac12; &#8212; &#x41; &#7; &unknown;",
	  "<b> \xc2\xbd \xe2\x80\x94 A \xef\xbf\xbd &unknown;\n" },
	{ 72, "<b>raw</b>", "<b>raw</b>\n" },
	{ 72, "a\x1b[31mb", "a [31mb\n" },
	{ 72, "- a\n- b\n\nend", "- a\n- b\n\nend\n" },
	{ 72, "before\n\n* a\n\n* b", "before\n\n- a\n\n- b\n" },
	{ 72, "9. a\n10. b", "9. a\n10. b\n" },
	/* Moves at the start of a line make a list; each keeps its own number. */
	{ 72, "1. d4 d5\n2. c4", "1. d4 d5\n2. c4\n" },
	{ 72, "1. d4 loses\n1. e4 loses", "1. d4 loses\n1. e4 loses\n" },
	{ 72, "5. Nf3\n7. Bc4\n3. e4", "5. Nf3\n7. Bc4\n3. e4\n" },
	{ 72, "1. d4\n\n1. e4", "1. d4\n\n1. e4\n" },
	{ 72, "1) a\n3) b", "1) a\n3) b\n" },
	{ 72, "007. a", "007. a\n" },
	{ 72, "2.  **d4** wins\n12. `x`", "2. d4 wins\n12. \"x\"\n" },
	{ 72, "- 1. e3 wins\n- 1. d4 loses", "- 1. e3 wins\n- 1. d4 loses\n" },
	{ 72, "> 4. a\n> 4. b", "> 4. a\n> 4. b\n" },
	{ 72, "3. 2. a\n1. 7. b", "3. 2. a\n1. 7. b\n" },
	{ 72, "4. a\n   1. b\n   6. c\n4. d", "4. a\n   1. b\n   6. c\n4. d\n" },
	{ 72, "4.\n   a\n4.\n   b", "4. a\n4. b\n" },
	{ 72, "6. ```\n   2. x\n   ```", "6.     2. x\n" },
	{ 72, "7. 999999999. a\n1. 1234567890. b", "7. 999999999. a\n1. 1234567890. b\n" },
	/* A number stays beside its move. */
	{ 20, "the first is it: 1. d4 or 1... e5 or 1.",
	  "the first is it:\n1. d4 or 1... e5 or\n1.\n" },
	{ 20, "it happened in 2016. Then they left", "it happened in 2016.\nThen they left\n" },
	/* A command to copy stays on one line, if it is short. */
	{ 30, "To offer a game, write: match bob chess",
	  "To offer a game, write:\nmatch bob chess\n" },
	{ 30, "Then write: draw. More is not to be done",
	  "Then write: draw. More is not\nto be done\n" },
	{ 20, "write: a command that is longer than a line",
	  "write: a command\nthat is longer than\na line\n" },
	/* A list ends a paragraph only by a blank line of the author's. */
	{ 72, "Best is\n1. d4 for\nWhite.", "Best is\n1. d4 for White.\n" },
	{ 72, "Best is\n\n1. d4 for\nWhite.", "Best is\n\n1. d4 for White.\n" },
	{ 72, "Two:\n1. a\n1. b\n\nend", "Two:\n1. a\n1. b\n\nend\n" },
	{ 72, "> Two:\n> 1. a\n>\n> 1. b", "> Two:\n> 1. a\n>\n> 1. b\n" },
	{ 72, "# T\n1. d4", "T\n=\n\n1. d4\n" },
	/* In a table, code is quoted inside a sentence and bare when it is alone. */
	{ 72, "| `a`, `b` | c |\n|---|---|\n| `x y` | write `x` |",
	  "a, b  c\n----  ---------\nx y   write \"x\"\n" },
	{ 72, "| a |\n|---|\n| 1. d4 |\n| 1. e4 |", "a\n-----\n1. d4\n1. e4\n" },
	{ 20, "- aaaa bbbb cccc dddd eeee", "- aaaa bbbb cccc\n  dddd eeee\n" },
	{ 72, "- a\n  - b\n  - c\n- d", "- a\n  - b\n  - c\n- d\n" },
	{ 72, "- a\n\n  b", "- a\n\n  b\n" },
	{ 72, "-\n- b", "-\n- b\n" },
	{ 72, "1. a\n\n   ```\n   code\n   ```", "1. a\n\n       code\n" },
	{ 72, "> a\n> b\n>\n> c", "> a b\n>\n> c\n" },
	{ 72, "a\n\n---\n\nb", "a\n\n----\n\nb\n" },
	{ 20, "a\n\n```fen\n8/8  8/8/8/8/8/8 w - - 0 1 x\n\n\tb\n```\nc",
	  "a\n\n    8/8  8/8/8/8/8/8 w - - 0 1 x\n\n        b\n\nc\n" },
	{ 72, "| a | b | c |\n|---|--:|:-:|\n| one | 2 | `x` |\n| three | 10 | yyy |",
	  "a       b   c\n-----  --  ---\none     2   x\nthree  10  yyy\n" },
	{ 20, "| a | b |\n|---|---|\n| x | one two three four five |\n| y | z |",
	  "a  b\n-  -----------------\nx  one two three\n   four five\ny  z\n" },
};

START_TEST(text)
{
	const struct row *row = &text_rows[_i];
	struct str out;
	struct err e = { 0 };

	str_init(&out, OUT_MAX);
	str_add(&out, "^");
	ck_assert_msg(markdown_text(row->md, row->width, &out, &e) == 0, "%s", e.text);
	ck_assert_str_eq(out.data + 1, row->expected);
	str_release(&out);
}
END_TEST

/* Text that must be refused when it is repeated this often. */
static const struct {
	const char *part;
	int times;
	int text;
} limits[] = {
	{ "> ", 12, 0 },
	{ "> ", 13, ERR_LIMIT },
	{ "- ", 13, ERR_LIMIT },
	{ "> ", 5000, ERR_LIMIT },
	{ "long ", 14000, ERR_LIMIT },
	{ "paragraph\n\n", 50000, ERR_LIMIT },
	{ "| a |\n|---|\n", 2, 0 },
	{ "0123456789", 110000, ERR_LIMIT },
};

START_TEST(limited)
{
	struct str md, out;
	struct err e = { 0 };

	str_init(&md, 2000000);
	for (int i = 0; i < limits[_i].times; i++)
		str_add(&md, limits[_i].part);
	str_add(&md, "x");
	str_init(&out, OUT_MAX);
	ck_assert_int_eq(markdown_text(md.data, 72, &out, &e), limits[_i].text);
	ck_assert_msg(!limits[_i].text || out.len == 0, "something was left");
	str_release(&md);
	str_release(&out);
}
END_TEST

/* A table of n columns and rows below the heading. */
static int table_of(size_t columns, size_t rows)
{
	static const char *const cells[] = { "|a", "|---" };
	struct str md, out;

	str_init(&md, OUT_MAX);
	str_init(&out, OUT_MAX);
	for (size_t row = 0; row < rows + 2; row++) {
		for (size_t c = 0; c < columns; c++)
			str_add(&md, cells[row == 1]);
		str_add(&md, "|\n");
	}
	int rc = markdown_text(md.data, 72, &out, NULL);
	str_release(&md);
	str_release(&out);
	return rc;
}

START_TEST(limits_tables)
{
	ck_assert_int_eq(table_of(12, 99), 0);
	ck_assert_int_eq(table_of(12, 100), ERR_LIMIT);
	ck_assert_int_eq(table_of(13, 1), ERR_LIMIT);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("markdown");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, text, 0, sizeof text_rows / sizeof *text_rows);
	tcase_add_loop_test(tc, limited, 0, sizeof limits / sizeof *limits);
	tcase_add_test(tc, limits_tables);
	suite_add_tcase(s, tc);
	SRunner *sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
