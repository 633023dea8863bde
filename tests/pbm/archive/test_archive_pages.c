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
	{ "game.html", "game.json", "string(//h1)", "alice against bob" },
	{ "game.html", "game.json", "string(//title)", "alice against bob, Suicide, board 17" },
	{ "game.html", "game.json", "string(//p[@class='result'])",
	  "bob won: alice had to take bob's last man" },
	{ "game.html", "game.json", "string(//p[@class='facts'])",
	  "Suicide, rated, 20 November 2026. White: alice. Black: bob." },
	{ "game.html", "game.json", "string(//p[@class='facts']/time/@datetime)",
	  "2026-11-20T10:00:00Z" },
	{ "game.html", "game.json", "string(//nav/a/@href)", "../../index.html" },
	{ "game.html", "game.json", "string(//a[@download][1]/@href)", "17.pgn" },
	{ "game.html", "game.json", "string(//a[@download][2]/@href)", "17.json" },
	{ "game.html", "game.json", "normalize-space(//div[@id='player-bottom'])",
	  "White alice 1500 → 1338?" },
	{ "game.html", "game.json", "string(//div[@id='player-top']//a/@href)",
	  "../../player/bob/index.html" },
	{ "game.html", "game.json", "string(count(//ol/li))", "2" },
	{ "game.html", "game.json", "string(//ol/li[1]/span[@class='turn'][2]/a/@href)", "#2" },
	{ "game.html", "game.json", "string(//ol/li[1]/span[@class='turn'][2]/a/@data-ply)", "2" },
	{ "game.html", "game.json", "normalize-space(//ol/li[1])",
	  "1. e4 alice offered a draw. b5 bob gave alice 1 day. bob got 2 days more: the server was "
	  "away." },
	{ "game.html", "game.json", "normalize-space(//ol/li[2])",
	  "2. Bxb5 removed: ♟b5 ♘c3 bob: <b>&\"well\"</b>" },
	{ "game.html", "game.json", "string(//blockquote[1])", "alice: good luck" },
	{ "game.html", "game.json", "string(//dt[.='Proved']/following-sibling::dd/a/@href)",
	  "#2" },
	{ "game.html", "game.json", "string(//dt[.='Game']/following-sibling::dd/a[2]/@href)",
	  "../../rules/suicide.html" },
	{ "game.html", "game.json", "string(//dt[.='Time']/following-sibling::dd)",
	  "7 days a move, 30 in reserve, weekends don't count. alice used 3 days 4 hours, bob used 5 "
	  "hours." },
	{ "game.html", "game.json", "string(count(//nav[@class='beside']/a))", "5" },
	{ "game.html", "game.json", "string(//nav[@class='beside']/a[3])",
	  "This pair's game before" },
	{ "game.html", "game.json", "string(//nav[@class='beside']/a[4]/@href)",
	  "../../index.html#q=alice%20bob" },
	{ "game.html", "game.json", "string(//nav[@class='beside']/a[5])",
	  "This tournament's next game" },
	{ "game.html", "game.json", "string(//nav[@class='beside']/a[5]/@href)",
	  "../../games/000/18.html" },
	{ "game.html", "game-unplayed.json", "string(//nav[@class='beside']/a[last()])",
	  "This ladder's game before" },
	{ "game.html", "game.json", "string(//nav[@class='beside']/a[@rel='prev']/@href)",
	  "../../games/000/16.html" },
	{ "game.html", "game.json", "string(//nav[@class='beside']/a[@rel='next'])",
	  "bob's next game" },
	{ "game.html", "game.json", "string(//script)", "{\"board\":17}" },
	{ "game.html", "game-unplayed.json", "string(//h1)",
	  "<script>alert(1)</script> against \" onclick=\"x" },
	{ "game.html", "game-unplayed.json", "string(//dt[.='Game']/following-sibling::dd)",
	  "Avalanche <b>&\"', -balanced (<i>): the rules" },
	{ "game.html", "game-unplayed.json", "string(//dt[.='Began with']/following-sibling::dd)",
	  "\"<fen>" },
	{ "game.html", "game-unplayed.json", "string(//p[@class='end'])",
	  "*: no result: </script>" },
	{ "game.html", "game-unplayed.json", "string(//div[@id='moves']/p[1])",
	  "No move was made." },
	{ "game.html", "game-unplayed.json", "string(//blockquote)", "<i>: </blockquote><script>" },
	{ "game.html", "game-unplayed.json", "string(count(//li))", "0" },
	{ "index.html", "index.json", "string(//h2[1])", "Played last" },
	{ "index.html", "index.json", "normalize-space(//ul[@class='cards']/li)",
	  "carol against aliceAvalanche Chess: carol won: checkmate21 November 2026" },
	{ "index.html", "index.json", "string(//ul[@class='cards']/li/a/@href)",
	  "games/000/23.html" },
	{ "index.html", "index.json", "string(//tbody/tr[1])",
	  "20 November 2026Suicide #17alicebobbob won: alice had to take bob's last man33" },
	{ "index.html", "index.json", "string(//tbody/tr[1]/td/time/@datetime)",
	  "2026-11-20T10:00:00Z" },
	{ "index.html", "index.json", "string(//tbody/tr[2]/td[3])", "<script>alert(1)</script>" },
	{ "index.html", "index.json", "string(//tbody/tr[2]/td[4]/a)", "\" onclick=\"x" },
	{ "index.html", "index.json", "string(//tbody/tr[2]/td[5])", "a draw: </td>&" },
	{ "index.html", "index.json", "string(//ul[@class='kinds']/li[2])", "Suicide: 201" },
	{ "index.html", "index.json", "string(//ul[@class='kinds']/li[2]/a/@href)",
	  "game/suicide/index.html" },
	{ "index.html", "index.json", "string(//p[@class='letters']/a[2]/@href)",
	  "players/b.html" },
	{ "index.html", "index.json", "string(//ul[@class='months']/li[1])", "December 2026: 1" },
	{ "index.html", "index.json", "string(//ul[@class='months']/li[1]/a/@href)",
	  "month/2026-12/index.html" },
	{ "index.html", "index.json", "string(//h2[@id='join']/following-sibling::p/a[1]/@href)",
	  "mailto:pbm@mail.example.org?subject=signup%20" },
	{ "index.html", "index.json", "string(//meta[@http-equiv]/@content)",
	  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
	  "connect-src 'self'; base-uri 'none'; form-action 'none'" },
	{ "index.html", "index-empty.json", "string(//main/p[2])", "No game has ended yet." },
	{ "list.html", "list.json", "string(//h1)", "Suicide: 1. e3 b5" },
	{ "list.html", "list.json", "string(//title)",
	  "Suicide: 1. e3 b5: finished games, page 3" },
	{ "list.html", "list.json", "string(count(//tbody/tr))", "2" },
	{ "list.html", "list.json", "string(//tbody/tr[2]/td/a/@href)",
	  "../../../../games/000/9.html" },
	{ "list.html", "list.json", "string(//tbody/tr[1]/td[3]/a/@href)",
	  "../../../../player/carol/index.html" },
	{ "list.html", "list.json", "string(//ul[@class='openings']/li/details/a/@href)",
	  "../../../../game/suicide/opening/e3_b5_Bxb5/index.html" },
	{ "list.html", "list.json", "string(//ul[@class='openings']/li/details/ul/li)",
	  "2. …<b>, <script>alert(1)</script>: 1; White won 1, Black 0, drawn 0" },
	{ "list.html", "list.json", "string(//nav[@class='pager'])", "Newer games Older games" },
	{ "list.html", "list.json", "string(//nav[@class='pager']/a[2]/@href)", "2.html" },
	{ "list.html", "list.json", "string(//main/p/a/@href)",
	  "../../../../game/suicide/index.html" },
	{ "player.html", "player.json", "string(//h1)", "<script>alert(1)</script>" },
	{ "player.html", "player.json", "string(//main/p[1])",
	  "12 finished games: 6 won, 5 lost, 1 drawn." },
	{ "player.html", "player.json", "string(//table[1]/tbody/tr[1])", "Suicide1534?10541" },
	{ "player.html", "player.json", "string(//table[1]/tbody/tr[2])", "Chess2110" },
	{ "player.html", "player.json", "string(//figure/figcaption)",
	  "Suicide: the rating over the last 9 rated games" },
	{ "player.html", "player.json", "string(//table[2]/tbody/tr/th/a/@href)",
	  "../../player/bob/index.html" },
	{ "player.html", "player.json", "string(//table[3]/tbody/tr)",
	  "Suicide, White: 1. e3 b53120" },
	{ "player.html", "player.json", "string(//nav[@class='pager'])", "Older games" },
	{ "kind.html", "kind.json", "string(//main/p[3])",
	  "203 finished games: White won 90, Black won 113, none drawn." },
	{ "kind.html", "kind.json", "string(//main/p[3]/a[2]/@href)", "black-won/index.html" },
	{ "kind.html", "kind.json", "string(//main/p[2]/a/@href)",
	  "mailto:?subject=seek%20suicide" },
	/* Narrow screens show no heads of columns, so each cell but the first has a label. */
	{ "tournament.html", "tournament.json",
	  "string(count(//td[not(@data-label) and not(@class='self') and position() > 1]))", "0" },
	{ "tournament.html", "tournament.json", "string(//tbody/tr[1]/td[2]/@data-label)",
	  "Rating" },
	{ "tournament.html", "tournament.json", "string(//tbody/tr[1]/td[last()]/@data-label)",
	  "Round 2" },
	{ "tournament.html", "tournament.json", "string(//td[@class='self'])", "×" },
	{ "tournament.html", "tournament.json", "string(//td[@data-label='White'])", "jan" },
	{ "tournament.html", "tournament.json", "string(//header//a[4]/@href)",
	  "../../index.html#tournaments" },
	{ "kind.html", "kind.json", "string(//tbody/tr[2])",
	  "2<b> computer17124020 November 2026" },
	{ "kind.html", "kind.json", "string(//tbody/tr[1]/td/a/@href)",
	  "../../player/alice/index.html" },
	{ "kind.html", "kind.json", "string(//ul[@class='openings']/li/details/summary)",
	  "1. e3: 200 games; White won 90, Black 110, drawn 0" },
	{ "kind.html", "kind.json", "string(//ul[@class='openings']/li/details/ul/li/a/@href)",
	  "../../game/suicide/opening/e3_b5/index.html" },
	{ "kind.html", "kind.json", "string(//link[@type='application/atom+xml']/@href)",
	  "feed.xml" },
	{ "kind.html", "kind-empty.json", "string(//h2[1]/following-sibling::p)",
	  "Nobody's rating is settled yet: that takes some rated games." },
	{ "months.html", "months.json", "string(//main/ul/li)", "December: 3" },
	{ "months.html", "months.json", "string(//main/ul/li/a/@href)", "2026-12/index.html" },
	{ "moved.html", "moved.json", "string(//a/@href)", "../player/alice/index.html" },
	{ "moved.html", "moved.json", "string(//a)", "<script>alert(1)</script>" },
	{ "players.html", "players.json", "string(//li[2]/a/@href)", "../player/alina.html" },
	{ "players.html", "players.json", "string(//li[2]/a)", "alina" },
	{ "players.html", "players.json", "string(//li[3]/a)", "als…" },
	{ "players.html", "players.json", "string(//li[3]/a/@href)", "als.html" },
	{ "feed.xml", "feed.json", "string(/*/*[local-name()='title'])",
	  "<script>alert(1)</script>" },
	{ "feed.xml", "feed.json", "string(//*[local-name()='entry']/*[local-name()='title'])",
	  "Chess: <script>alert(1)</script> against \" onclick=\"x" },
	{ "feed.xml", "feed.json", "string(//*[local-name()='entry']/*[local-name()='id'])",
	  "tag:mail.example.org,2026-11-20:board/9" },
	{ "feed.xml", "feed.json", "string(//*[local-name()='summary'])",
	  "a draw: ]]></summary>&" },
	{ "feed.xml", "feed.json", "string(//*[local-name()='entry']/*[local-name()='link']/@href)",
	  "games/000/9.html" },
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

/* An attribute such as " onclick=", outside of text, where the quotes are entities. */
static const char *find_handler(const char *page)
{
	const char *at = page;

	while ((at = strstr(at, " on"))) {
		const char *end = at + 3;

		while (*end >= 'a' && *end <= 'z')
			end++;
		if (end > at + 3 && *end == '=' && end[1] == '"')
			return at;
		at = end;
	}
	return NULL;
}

START_TEST(is_passive)
{
	static const char *const bad[] = { "<script>", "<style", "style=",  "http:",
		                           "https:",   "//",     "@import", "url(" };
	struct str page;

	render(_i, &page);
	if (strstr(rows[_i].template, ".xml")) { /* its namespace is an address */
		str_release(&page);
		return;
	}
	for (const char *at = page.data; (at = strstr(at, "src=\"")); at++)
		ck_assert_msg(strncmp(at + 5, "static/", 7) == 0 || strncmp(at + 5, "../", 3) == 0,
		              "%s: %.40s", rows[_i].template, at);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert_msg(!strstr(page.data, bad[i]), "%s: %.40s", rows[_i].template,
		              strstr(page.data, bad[i]));
	ck_assert_ptr_null(find_handler(page.data));
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
