/* The pages of the archive, rendered from example contexts: well-formed (they
 * are written so that XML tools can read them too), nothing active, nothing
 * from elsewhere, and what players call themselves stays text. */
#include <check.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/text/template.h"

#define DATA "tests/data/archive/"
#define PAGE_MAX 100000

static const struct {
	const char *template, *context;
	const char *xpath, *expected; /* a string of the page */
} rows[] = {
	{ "game.html", "game.json", "string(//h1)", "alice against bob: 0-1" },
	{ "game.html", "game.json", "string(//title)", "alice against bob, Suicide, board 17" },
	{ "game.html", "game.json", "string(//nav/a/@href)", "../../index.html" },
	{ "game.html", "game.json", "string(//dd/a[1]/@href)", "17.pgn" },
	{ "game.html", "game.json", "string(//dd/a[2]/@href)", "17.json" },
	{ "game.html", "game.json", "string(count(//tbody/tr))", "17" },
	{ "game.html", "game.json", "string(//tbody/tr[1])", "1.e4b5" },
	{ "game.html", "game.json", "string(//tbody/tr[17])", "17.Nxa3" },
	{ "game.html", "game.json", "string(//dd[1])", "Suicide" },
	{ "game.html", "game.json", "string(//dd[4])", "0-1, Black has lost all men" },
	{ "game.html", "game.json", "string(contains(//pre[1], '| B |'))", "true" },
	{ "game.html", "game-unplayed.json", "string(//h1)",
	  "<script>alert(1)</script> against \" onclick=\"x: *" },
	{ "game.html", "game-unplayed.json", "string(//dd[1])", "Avalanche <b>&\"' -balanced" },
	{ "game.html", "game-unplayed.json", "string(//dd[4])", "*" },
	{ "game.html", "game-unplayed.json", "string(//p[1])", "No move was made." },
	{ "game.html", "game-unplayed.json", "string(count(//tbody))", "0" },
	{ "index.html", "index.json", "string(//h2[1])", "The newest of 203" },
	{ "index.html", "index.json", "string(//tbody/tr[2])",
	  "2026-11-2017Suicidealicebob0-1, Black has lost all men" },
	{ "index.html", "index.json", "string(//tbody/tr[1]/td/a/@href)", "games/000/23.html" },
	{ "index.html", "index.json", "string(//ul[1]/li[2])", "Suicide (201), standings" },
	{ "index.html", "index.json", "string(//ul[1]/li[2]/a[1]/@href)", "game/suicide.html" },
	{ "index.html", "index.json", "string(//ul[1]/li[2]/a[2]/@href)",
	  "standings/suicide.html" },
	{ "index.html", "index.json", "string(//p[@class='letters']/a[2]/@href)",
	  "players/b.html" },
	{ "index.html", "index.json", "string(//ul[2]/li[1])", "2026-12 (1)" },
	{ "game.html", "game.json", "string(//dt[text()='Ratings']/following-sibling::dd)",
	  "alice 1500 -> 1338?, bob 1500 -> 1662?" },
	{ "standings.html", "standings.json", "string(//tbody/tr[2])", "2<b>1712402026-11-20" },
	{ "standings.html", "standings.json", "string(//tbody/tr[1]/td/a/@href)",
	  "../player/alice.html" },
	{ "standings.html", "standings-empty.json", "string(//main/p)",
	  "Nobody's rating is settled yet: that takes some rated games." },
	{ "players.html", "players.json", "string(//li[2]/a/@href)", "../player/alina.html" },
	{ "players.html", "players.json", "string(//li[2]/a)", "alina" },
	{ "players.html", "players.json", "string(//li[3]/a)", "als…" },
	{ "players.html", "players.json", "string(//li[3]/a/@href)", "als.html" },
	{ "list.html", "list.json", "string(//nav[2])", "Newer games Older games" },
	{ "list.html", "list.json", "string(//nav[2]/a[2]/@href)", "alice-2.html" },
	{ "index.html", "index-empty.json", "string(//main/p)", "No game has ended yet." },
	{ "list.html", "list.json", "string(//h1)", "alice" },
	{ "list.html", "list.json", "string(count(//tbody/tr))", "2" },
	{ "list.html", "list.json", "string(//tbody/tr[2]/td/a/@href)", "../games/000/17.html" },
};

static void render(int i, struct str *out)
{
	char template[100], path[100];
	struct err e = { 0 };

	snprintf(template, sizeof template, "archive/%s", rows[i].template);
	snprintf(path, sizeof path, DATA "%s", rows[i].context);
	json_t *context = json_load_file(path, 0, NULL);
	ck_assert_msg(context != NULL, "%s", path);
	str_init(out, PAGE_MAX);
	ck_assert_msg(template_render(NULL, template, context, out, &e) == 0, "%s", e.text);
	json_decref(context);
}

START_TEST(says)
{
	struct str page;

	render(_i, &page);
	xmlDocPtr doc = xmlReadMemory(page.data, (int)page.len, rows[_i].template, "UTF-8",
	                              XML_PARSE_NONET);
	ck_assert_msg(doc != NULL, "%s with %s is not well-formed", rows[_i].template,
	              rows[_i].context);
	xmlXPathContextPtr at = xmlXPathNewContext(doc);
	xmlXPathObjectPtr found = xmlXPathEvalExpression((const xmlChar *)rows[_i].xpath, at);
	ck_assert_ptr_nonnull(found);
	ck_assert_str_eq((const char *)found->stringval, rows[_i].expected);
	xmlXPathFreeObject(found);
	xmlXPathFreeContext(at);
	xmlFreeDoc(doc);
	str_release(&page);
}
END_TEST

START_TEST(is_passive)
{
	static const char *const bad[] = { "<script>", "<style", "style=", "src=",    "http:",
		                           "https:",   "//",     " on",    "@import", "url(" };
	struct str page;

	render(_i, &page);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *found = strstr(page.data, bad[i]);

		/* As text of a name it is harmless: the quotes are entities there. */
		ck_assert_msg(!found || strncmp(found, " onclick=&quot;x", 16) == 0, "%s: %.40s",
		              rows[_i].template, found);
	}
	str_release(&page);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("archive_pages");
	TCase *tc = tcase_create("all");
	int n = sizeof rows / sizeof *rows;

	tcase_add_loop_test(tc, says, 0, n);
	tcase_add_loop_test(tc, is_passive, 0, n);
	suite_add_tcase(s, tc);
	SRunner *sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
