/* The archive's lists: what is published piece by piece is, byte for byte, what
 * a rebuild writes. */
#include <check.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/archive/archive.h"
#include "pbm/base/log.h"
#include "store/store_reindex.h"
#include "tests/util/simulated.h"
#include "tests/util/suite.h"

static char folder[64], dir[80];
static struct site site;

static void setup(void)
{
	struct err e = { 0 };

	log_threshold(LOG_LEVEL_ERROR);
	snprintf(folder, sizeof folder, "/tmp/pbm-archive-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(dir, sizeof dir, "%s/site", folder);
	ck_assert_msg(site_create(dir, "localhost", &e) == 0 && site_open(dir, &site, &e) == 0 &&
	                      site_open_store(&site, STORE_WRITE, &e) == 0,
	              "%s", e.text);
}

/* $D is the folder. */
static void shell(const char *command)
{
	setenv("D", folder, 1);
	ck_assert_msg(system(command) == 0, "%s", command);
}

static void teardown(void)
{
	site_close(&site);
	shell("rm -rf $D");
}

/* So many games end, then everything due is published. */
static void play_and_publish(int64_t games, int64_t players, int round)
{
	struct simulation sim = {
		.games = games,
		.players = players,
		.running = 10,
		.seed = (uint64_t)round + 1,
		.from = 1700000000 + round * 2000000,
		.to = 1702000000 + round * 2000000,
		.publish = true,
	};
	struct err e = { 0 };
	size_t n = 0;

	ck_assert_msg(simulate(&site, &sim, &e) == 0, "%s", e.text);
	ck_assert_msg(archive_publish(&site, &n, &e) == 0, "%s", e.text);
}

/* Players that never end a game, lists that fill a page, lists of many pages. */
START_TEST(piecemeal_is_the_same_as_whole)
{
	static const int64_t rounds[] = { 7, 1, 40, 90, 3, 260, 1, 1, 200 };
	struct err e = { 0 };
	size_t n = 0;

	for (int i = 0; i < (int)(sizeof rounds / sizeof rounds[0]); i++)
		play_and_publish(rounds[i], i % 4 == 3 ? 40 : 2, i);
	shell("mv $D/site/archive $D/piecemeal && mkdir $D/site/archive");
	ck_assert_msg(archive_rebuild(&site, &n, &e) == 0, "%s", e.text);
	ck_assert_uint_gt(n, 500);
	shell("diff -r $D/piecemeal $D/site/archive");
	shell("test -e $D/site/archive/player/p0.1.html && test -e $D/site/archive/players/p.html");
	shell("test -e $D/site/archive/standings/suicide.html");
}
END_TEST

/* The documents alone give the same lists, ladders and pages. */
START_TEST(from_the_files_alone)
{
	struct err e = { 0 };
	size_t n = 0;

	play_and_publish(2500, 9, 0);
	site_close(&site);
	shell("cd $D && sqlite3 site/pbm.db 'SELECT * FROM games; SELECT * FROM lists; SELECT * FROM counts;"
	      " SELECT * FROM ratings' >before && rm site/pbm.db* && mv site/archive old && mkdir site/archive");
	ck_assert_int_eq(store_reindex(dir, NULL, NULL, &e), 0);
	shell("cd $D && sqlite3 site/pbm.db 'SELECT * FROM games; SELECT * FROM lists; SELECT * FROM counts;"
	      " SELECT * FROM ratings' >after && cmp before after && grep -q '|suicide|' after");
	ck_assert_msg(site_open(dir, &site, &e) == 0 &&
	                      site_open_store(&site, STORE_WRITE, &e) == 0,
	              "%s", e.text);
	ck_assert_int_eq(archive_rebuild(&site, &n, &e), 0);
	shell("diff -r $D/old $D/site/archive && grep -q '<td>1</td>' $D/site/archive/standings/*.html");
}
END_TEST

/* Every link of every page leads to a page. */
START_TEST(links)
{
	play_and_publish(400, 4, 0);
	shell("cd $D/site/archive && find . -name '*.html' | while read -r f; do d=${f%/*};"
	      " grep -o 'href=\"[^\"#]*\"' \"$f\" | cut -d'\"' -f2 | sort -u | while read -r to; do"
	      " test -e \"$d/$to\" || echo \"$f: $to\"; done; done > ../broken; ! grep . ../broken");
}
END_TEST

/* A game's end writes its own pages and the newest ones of its lists alone. */
START_TEST(touches_little)
{
	play_and_publish(500, 2, 0);
	shell("find $D/site/archive -name '*.html' -exec touch -d 2020-01-01 {} +");
	play_and_publish(1, 2, 1);
	/* The game, month, game and its ladder, two players, the front page, and at
	 * most one page of each list that has just filled. */
	shell("n=$(find $D/site/archive -name '*.html' -newermt 2021-01-01 | wc -l);"
	      " test $n -ge 7 && test $n -le 12");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("archive");
	TCase *t = tcase_create("lists");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, piecemeal_is_the_same_as_whole);
	tcase_add_test(t, from_the_files_alone);
	tcase_add_test(t, links);
	tcase_add_test(t, touches_little);
	suite_add_tcase(s, t);
	return suite_run(s);
}
