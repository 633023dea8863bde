/* Help pages on the web: each built-in page is well-formed, its positions are drawn, its
 * links lead somewhere. */
#include <check.h>
#include <fcntl.h>
#include <libxml/parser.h>

#include "games/variants/registry.h"
#include "pbm/archive/help_pages.h"
#include "pbm/archive/pages/help_html.h"
#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/commands/command_list.h"
#include "pbm/record/match.h"
#include "pbm/text/template.h"
#include "tests/util/suite.h"
#include "tests/util/util.h"

#define PAGE_MAX (1 << 20)
#define KINGS "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n"

static char *dir;
static struct site site;
static struct err e;

static void setup(void)
{
	log_threshold(LOG_LEVEL_ERROR);
	dir = util_folder();
	ck_assert_msg(site_create(dir, "pbm.example.org", &e) == 0 &&
	                      site_open(dir, &site, &e) == 0,
	              "%s", e.text);
}

static void teardown(void)
{
	site_close(&site);
	util_drop(dir);
}

static const struct {
	const char *game, *language, *markdown;
	const char *holds; /* a part of the HTML */
	bool drawn;
	unsigned games;
} rows[] = {
	{ NULL, NULL, "a *b*", "<p>a <em>b</em></p>", false, 0 },
	{ NULL, NULL, "<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;", false,
	  0 },
	{ NULL, NULL, "a <b onclick=\"x\">c</b>", "&lt;b onclick=&quot;x&quot;&gt;c", false, 0 },
	{ NULL, NULL, "[x](javascript:y)\n\n| a |\n|---|\n| b |\n", "<td>b</td>", false, 0 },
	/* links */
	{ NULL, NULL, "see `help draw`.",
	  "<a href=\"../help/draw.html\"><code>help draw</code></a>.", false, 0 },
	{ NULL, NULL, "`help suicide`", "href=\"../rules/suicide.html\"", false, 0 },
	{ NULL, NULL, "`help connected`", "href=\"../rules/connectedchess.html\"", false, 0 },
	{ NULL, NULL, "`help automove`", "href=\"../help/set-automove.html\"", false, 0 },
	{ NULL, NULL, "`help index`", "href=\"../help/index.html\"", false, 0 },
	{ NULL, NULL, "`help games`", "href=\"../help/index.html#rules\"", false, 0 },
	{ NULL, "de", "`help draw`", "href=\"../help/de/draw.html\"", false, 0 },
	{ NULL, "de", "`help chess`", "href=\"../rules/de/chess.html\"", false, 0 },
	{ NULL, NULL, "`help nothing` `help draw now` `help ../x`",
	  "<code>help nothing</code> <code>help draw now</code> <code>help ../x</code>", false, 0 },
	/* positions */
	{ "chess", NULL, "```fen\n" KINGS "```\n", "<figure class=\"example\"><svg", true, 0 },
	{ "chess", NULL, "```fen\n" KINGS "e4\n```\n", "class=\"mark\"", true, 0 },
	{ NULL, NULL, "x\n\n```board suicide\n" KINGS "```\n\ny", "<p>x</p>\n<figure", true, 0 },
	{ "chess", NULL, "```fen\nx\n```\n", "<pre><code class=\"language-fen\">x", false, 0 },
	{ "chess", NULL, "```\ncode\n```\n", "<pre><code>code", false, 0 },
	{ "chess", NULL, "- a\n\n  ```fen\n  " KINGS "  ```\n", "<pre>", false, 0 },
	{ "chess", NULL, "```fen\n" KINGS, "<pre>", false, 0 },
	{ "connectedchess", NULL,
	  "```\n  +---+\n8 | r | k | q | r | 8\n7 | n | b | b | n | 7\n6 |   |   |   |   | 6\n"
	  "5 |   |   |   |   | 5\n4 |   |   |   |   | 4\n3 |   |   |   |   | 3\n"
	  "2 | N | B | B | N | 2\n1 | R | K | Q | R | 1\n```\n",
	  "class=\"board w4\"", true, 0 },
	{ "connectedchess", NULL, "```\n8 | r | k | q |*r*| 8\n7 | n | b | b | n | 7\n```\n",
	  "<pre>", false, 0 },
	{ "crazyhouse", NULL, "```fen\n4k3/8/8/8/8/8/8/4K3[Qpp] w - - 0 1\n```\n",
	  "aria-label=\"Black's pocket: 2 pawns\"><svg viewBox=\"0 0 45 45\"><use "
	  "href=\"#bP\"/></svg><svg",
	  true, 0 },
	{ "crazyhouse", NULL, "```fen\n4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1\nQ@a8\n```\n",
	  "<figure class=\"example\"><svg", true, 0 },
	{ "crazyhouse", NULL,
	  "```fen\n4k3/8/8/8/8/8/8/4K3[QR] w - - 0 1\n```\n```game fen\n1. R@a8+ *\n```\n",
	  "id=\"taken-bottom\" role=\"img\" aria-label=\"White's pocket: queen\"", true, 1 },
	/* games */
	{ "chess", NULL, "```game\n1. e4 e5 *\n```\n", "\"san\":\"e5\"", true, 1 },
	{ "chess", NULL, "```game\n1. e4 e5 *\n```\n", "href=\"#2\" data-ply=\"2\"", true, 1 },
	{ "chess", NULL, "```game\n1. e4 *\n```\n```game\n1. d4 *\n```\n", "id=\"board-2\"", true,
	  2 },
	{ "chess", NULL, "```fen\n" KINGS "```\n```game fen\n1. e3 *\n```\n", "\"start\":\"4k3/",
	  true, 1 },
	{ "chess", NULL, "```game\n1. e5 *\n```\n", "<pre>", false, 0 },
	{ "chess", NULL, "```game -half\n1. e4 *\n```\n", "<pre>", false, 0 },
	{ "chess", NULL, "```game fen\n1. e4 *\n```\n", "<pre>", false, 0 },
	{ NULL, NULL, "```game\n1. e4 *\n```\n", "<pre>", false, 0 },
};

START_TEST(writes)
{
	struct arena a = { 0 };
	struct help_source h = {
		.site = &site, .arena = &a, .up = "../", .markdown = rows[_i].markdown
	};
	struct str out;

	str_init(&out, PAGE_MAX);
	if (rows[_i].game)
		h.rules = rules_find(rows[_i].game, strlen(rows[_i].game), NULL);
	if (rows[_i].language)
		ck_assert(language_find(NULL, rows[_i].language, &h.language));
	ck_assert_msg(help_html(&h, &out, &e) == 0, "%s", e.text);
	ck_assert_msg(strstr(out.data, rows[_i].holds) != NULL, "%.400s", out.data);
	ck_assert_int_eq(h.drawn, rows[_i].drawn);
	ck_assert_uint_eq(h.games, rows[_i].games);
	str_release(&out);
	arena_release(&a);
}
END_TEST

START_TEST(refuses_its_own_marks)
{
	struct arena a = { 0 };
	struct help_source h = { .site = &site,
		                 .arena = &a,
		                 .up = "",
		                 .markdown = "\x01"
		                             "0\x01" };
	struct str out;

	str_init(&out, PAGE_MAX);
	ck_assert_int_eq(help_html(&h, &out, &e), ERR_BAD);
	str_release(&out);
}
END_TEST

static void write_pages(void)
{
	struct archive_report r = { 0 };

	ck_assert_msg(help_pages_write(&site, &r) == 0, "%s", r.first);
	ck_assert_uint_eq(r.failed, 0);
}

static char *read_page(const char *name)
{
	char path[300], *page = NULL;
	size_t n;

	snprintf(path, sizeof path, "%s/archive/%s", dir, name);
	ck_assert_msg(io_read_file(AT_FDCWD, path, PAGE_MAX, &page, &n, &e) == 0, "%s", e.text);
	return page;
}

static void check_page(const char *name)
{
	char *page = read_page(name);
	xmlDocPtr doc = xmlReadMemory(page, (int)strlen(page), name, "UTF-8", XML_PARSE_NONET);

	ck_assert_msg(doc != NULL, "%s", name);
	xmlFreeDoc(doc);
	ck_assert_msg(!strchr(page, '\x01') && !strstr(page, " style="), "%s", name);
	ck_assert_msg(!strstr(page, "language-fen") && !strstr(page, "language-board"),
	              "%s: a position is not drawn", name);
	/* Examples without a turn stay text. */
	if (strncmp(name, "rules/", 6) == 0)
		ck_assert_msg(strstr(page, "id=\"game\"") && !strstr(page, "+---+"), "%s", name);
	free(page);
}

START_TEST(writes_all_pages)
{
	char path[300];

	write_pages();
	for (size_t i = 0; rules_all[i]; i++) {
		snprintf(path, sizeof path, "rules/%s.html", rules_all[i]->name);
		check_page(path);
		snprintf(path, sizeof path, "rules/de/%s.html", rules_all[i]->name);
		check_page(path);
	}
	for (const struct embedded_file *f = embedded_files; f->name; f++) {
		if (strncmp(f->name, "help/", 5) != 0 || strchr(f->name + 5, '/'))
			continue;
		snprintf(path, sizeof path, "%.*shtml", (int)strlen(f->name) - 2, f->name);
		check_page(path);
	}
	check_page("help/index.html");
	check_page("help/commands.html");
	check_page("help/de/index.html");
	check_page("help/set-automove.html");
	char *page = read_page("help/de/commands.html");
	ck_assert_ptr_nonnull(strstr(page, "<title>Alle Befehle</title>"));
	free(page);
	page = read_page("help/de/set-automove.html");
	ck_assert_ptr_nonnull(strstr(page, "<p>Der übliche Wert: off.</p>"));
	free(page);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("help_pages");
	TCase *t = tcase_create("pages");

	command_use(command_list);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, writes, 0, ROWS(rows));
	tcase_add_test(t, refuses_its_own_marks);
	tcase_add_test(t, writes_all_pages);
	suite_add_tcase(s, t);
	return suite_run(s);
}
