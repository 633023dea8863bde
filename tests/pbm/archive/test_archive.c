/* The archive's lists: what is published piece by piece is, byte for byte, what
 * a rebuild writes. */
#include <check.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/archive/archive.h"
#include "pbm/base/log.h"
#include "pbm/commands/command_list.h"
#include "pbm/record/match.h"
#include "store/check/store_reindex.h"
#include "store/store_documents.h"
#include "store/store_marks.h"
#include "store/store_work.h"
#include "tests/util/folder.h"
#include "tests/util/simulated.h"
#include "tests/util/suite.h"

static char folder[64], dir[80];
static struct site site;

static void setup(void)
{
	struct err e = { 0 };

	log_threshold(LOG_LEVEL_ERROR);
	snprintf(folder, sizeof folder, "%s/pbm-archive-XXXXXX", folder_parent());
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(dir, sizeof dir, "%s/site", folder);
	ck_assert_msg(site_create(dir, "localhost", &e) == 0 && site_open(dir, &site, &e) == 0 &&
	                      site_open_store(&site, STORE_WRITE, &e) == 0,
	              "%s", e.text);
}

/* $D is the folder.  A light transaction that was left open would lock other programs out. */
static void shell(const char *command)
{
	if (site.store)
		ck_assert_int_eq(store_end(site.store, store_begin(site.store, NULL), NULL), 0);
	setenv("D", folder, 1);
	ck_assert_msg(system(command) == 0, "%s", command);
}

static void teardown(void)
{
	site_close(&site);
	shell("rm -rf $D");
}

static struct archive_report report; /* of the last publish() or rebuild() */

static void publish(void)
{
	struct err e = { 0 };

	report = (struct archive_report){ 0 };
	ck_assert_msg(archive_publish(&site, &report, &e) == 0, "%s", e.text);
}

static void rebuild(void)
{
	struct err e = { 0 };

	report = (struct archive_report){ 0 };
	ck_assert_msg(archive_rebuild(&site, &report, &e) == 0, "%s", e.text);
	ck_assert_msg(report.failed == 0, "%s", report.first);
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

	ck_assert_msg(simulate(&site, &sim, &e) == 0, "%s", e.text);
	publish();
	ck_assert_uint_eq(report.failed, 0);
}

/* Players that never end a game, lists that fill a page, lists of many pages. */
START_TEST(piecemeal_is_the_same_as_whole)
{
	static const int64_t rounds[] = { 7, 1, 40, 90, 3, 260, 1, 1, 200 };

	for (int i = 0; i < (int)(sizeof rounds / sizeof rounds[0]); i++)
		play_and_publish(rounds[i], i % 4 == 3 ? 40 : 2, i);
	shell("mv $D/site/archive $D/piecemeal && mkdir $D/site/archive");
	rebuild();
	ck_assert_uint_gt(report.games, 500);
	shell("diff -r $D/piecemeal $D/site/archive");
	shell("test -e $D/site/archive/player/p0/1.html && test -e $D/site/archive/players/p.html");
	shell("test -e $D/site/archive/game/suicide/black-won/index.html");
}
END_TEST

/* Changes the result of a game that has ended, as a moderator. */
static void change_result(int64_t board, const char *result)
{
	struct arena a = { 0 };
	struct game_doc d;
	struct match m;
	struct err e = { 0 };

	int rc = store_begin(site.store, &e);
	if (rc == 0)
		rc = store_game_get(site.store, &a, board, &d, &e);
	if (rc == 0)
		rc = match_load(&a, &d, &m, &e);
	ck_assert_msg(rc == 0, "%s", e.text);
	if (m.doc.state == GAME_FINISHED) {
		match_change_result(&m, "carol", result, "why", d.ended + 5);
		rc = store_game_put(site.store, &m.doc, &e);
		if (rc == 0)
			rc = store_work_add(site.store, WORK_GAME, board, 0, &e);
	}
	ck_assert_msg(rc == 0, "%s", e.text);
	ck_assert_msg(store_commit(site.store, &e) == 0, "%s", e.text);
	arena_release(&a);
}

/* Other results, and games that no longer count: no page of them is left. */
START_TEST(results_are_changed)
{
	static const char *const results[] = { "*", "1-0", "0-1", "1/2-1/2", "*" };

	play_and_publish(130, 3, 1);
	for (int64_t board = 2; board < 130; board += 13)
		change_result(board, results[board % 5]);
	publish();
	ck_assert_msg(report.failed == 0, "%s", report.first);
	shell("mv $D/site/archive $D/piecemeal && mkdir $D/site/archive");
	rebuild();
	shell("diff -r $D/piecemeal $D/site/archive");
}
END_TEST

/* Games of players, months and kinds that have no other: nothing of them is left. */
START_TEST(annulled)
{
	play_and_publish(40, 300, 1);
	for (int64_t board = 1; board <= 40; board++)
		if (board % 4)
			change_result(board, "*");
	publish();
	ck_assert_msg(report.failed == 0, "%s", report.first);
	shell("mv $D/site/archive $D/piecemeal && mkdir $D/site/archive");
	rebuild();
	shell("diff -r $D/piecemeal $D/site/archive");
}
END_TEST

/* The documents alone give the same lists, ladders and pages. */
START_TEST(from_the_files_alone)
{
	struct err e = { 0 };

	play_and_publish(300, 9, 0);
	site_close(&site);
	shell("cd $D && sqlite3 site/pbm.db 'SELECT * FROM games; SELECT * FROM lists; SELECT * FROM counts;"
	      " SELECT * FROM ratings' >before && rm site/pbm.db* && mv site/archive old && mkdir site/archive");
	ck_assert_int_eq(store_reindex(dir, NULL, NULL, &e), 0);
	shell("cd $D && sqlite3 site/pbm.db 'SELECT * FROM games; SELECT * FROM lists; SELECT * FROM counts;"
	      " SELECT * FROM ratings' >after && cmp before after && grep -q '|suicide|' after");
	ck_assert_msg(site_open(dir, &site, &e) == 0 &&
	                      site_open_store(&site, STORE_WRITE, &e) == 0,
	              "%s", e.text);
	rebuild();
	shell("diff -r $D/old $D/site/archive && grep -q '>1</td>' $D/site/archive/game/*/index.html");
}
END_TEST

/* Every link of every page leads to a page. */
static void check_links(void)
{
	shell("tests/pbm/archive/broken_links.py $D/site/archive");
}

START_TEST(links)
{
	play_and_publish(400, 4, 0);
	check_links();
}
END_TEST

/* Hundreds of players come in ones and in crowds; their names begin with the same letter,
 * some with the same long word.  A page that became too long stays when it is no longer
 * led to. */
START_TEST(players_of_one_letter)
{
	static const int64_t rounds[] = { 60, 50, 1, 1, 1, 120, 1, 3, 1, 160 };

	for (int i = 0; i < (int)(sizeof rounds / sizeof rounds[0]); i++) {
		play_and_publish(rounds[i], i % 4 == 2 ? 2000 : 20 + 150 * i, i);
		check_links();
	}
	shell("mv $D/site/archive $D/piecemeal && mkdir $D/site/archive");
	rebuild();
	shell("diff -r $D/piecemeal $D/site/archive");
	shell("cd $D/site/archive/players && grep -q '>p1…<' p.html && test -e p1.html &&"
	      " cat *.html | grep -o '../player/[^\"]*' | sort -u | wc -l > $D/linked &&"
	      " ls ../player | grep -c '^p[0-9]*$' | cmp - $D/linked");
}
END_TEST

/* 100,000 players whose names begin with the same letter, or with the same word: no page
 * grows with them, and neither does the work of a game's end. */
START_TEST(a_crowd)
{
	static const char *const words[] = { "p", "player_number_", "p1" };
	char command[400];

	play_and_publish(40, 4, 0);
	snprintf(command, sizeof command,
	         "sqlite3 $D/site/pbm.db \"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1"
	         " FROM n WHERE i < 99999) INSERT INTO counts SELECT 'player:%s' ||"
	         " printf('x%%05d', i), 1 FROM n\"",
	         words[_i]);
	shell(command);
	play_and_publish(4, 300, 1); /* new players: now the pages of the crowd are written */
	shell("test $(find $D/site/archive/players -name '*.html' | wc -l) -gt 500 &&"
	      " test -z \"$(find $D/site/archive -size +64k)\"");
	shell("find $D/site/archive -name '*.html' -exec touch -d 2020-01-01 {} +");
	play_and_publish(1, 900, 2);
	shell("n=$(find $D/site/archive -name '*.html' -newermt 2021-01-01 | wc -l);"
	      " test $n -ge 8 && test $n -le 40");
}
END_TEST

/* A page that cannot be written stops no other page; it is written as soon as it can be. */
static const char *const in_the_way[] = { "player/p0/index.html",
	                                  "player/p1/index.html",
	                                  "players/p.html",
	                                  "game/suicide/index.html",
	                                  "index.html",
	                                  "game/chess/white-won/index.html",
	                                  "feed.xml",
	                                  "search/player/p0.js" };

START_TEST(a_page_fails)
{
	char command[200];

	snprintf(command, sizeof command, "mkdir -p $D/site/archive/%s/x", in_the_way[_i]);
	shell(command);
	for (int round = 0; round < 3; round++) {
		struct simulation sim = { .games = 60, /* some of each kind */
			                  .players = 6,
			                  .running = 10,
			                  .seed = (uint64_t)round + 1,
			                  .from = 1700000000 + round * 2000000,
			                  .to = 1702000000 + round * 2000000,
			                  .publish = true };
		ck_assert_int_eq(simulate(&site, &sim, NULL), 0);
		publish();
		ck_assert_uint_eq(report.failed, 1);
		ck_assert_uint_gt(report.games, 12);
	}
	shell("test -e $D/site/archive/player/p2/index.html && test -e $D/site/archive/month/2023-11/index.html &&"
	      " test $(ls $D/site/archive/games/000/*.html | wc -l) -gt 50");
	/* A failure beside a page does not stop the page. */
	if (strstr(in_the_way[_i], ".js") || strstr(in_the_way[_i], ".xml"))
		shell("test -e $D/site/archive/player/p0/index.html && test -f $D/site/archive/index.html");
	/* The games of other lists are done with. */
	if (_i < 2)
		shell("test $(sqlite3 $D/site/pbm.db \"SELECT count(*) FROM work WHERE kind = 'game'\") -lt 140");
	snprintf(command, sizeof command, "rm -r $D/site/archive/%s", in_the_way[_i]);
	shell(command);
	publish();
	ck_assert_uint_eq(report.failed, 0);
	shell("test $(sqlite3 $D/site/pbm.db \"SELECT count(*) FROM work WHERE kind = 'game'\") = 0");
	for (int run = 0; run < 20; run++) /* until all pages have the look */
		publish();
	shell("mv $D/site/archive $D/piecemeal && mkdir $D/site/archive");
	rebuild();
	shell("diff -r $D/piecemeal $D/site/archive");
}
END_TEST

/* A game that cannot be published stops no other game, in a rebuild too. */
START_TEST(a_game_fails)
{
	struct err e = { 0 };

	play_and_publish(30, 3, 0);
	shell("rm -r $D/site/archive && board=$(sqlite3 $D/site/pbm.db"
	      " 'SELECT max(board) FROM games WHERE state = 2') &&"
	      " echo broken > $D/site/games/000/$board.json && echo $board > $D/board");
	report = (struct archive_report){ 0 };
	ck_assert_int_eq(archive_rebuild(&site, &report, &e), 0);
	ck_assert_uint_eq(report.failed, 1);
	ck_assert_ptr_nonnull(strstr(report.first, "board "));
	shell("cd $D/site/archive && test ! -e games/000/$(cat $D/board).html && test -e index.html"
	      " && test $(ls games/000/*.html | wc -l) -gt 20 && test -e player/p0/index.html");
}
END_TEST

/* A game's end writes its own pages and the newest ones of its lists alone. */
START_TEST(touches_little)
{
	play_and_publish(500, 2, 0);
	shell("find $D/site/archive -name '*.html' -exec touch -d 2020-01-01 {} +");
	play_and_publish(1, 2, 1);
	/* The game and its neighbours, the front page, the lists by month, game, result, player
	 * and opening (up to four), and two pages of each list that has just filled. */
	shell("n=$(find $D/site/archive -name '*.html' -newermt 2021-01-01 | wc -l);"
	      " test $n -ge 8 && test $n -le 33");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("archive");
	TCase *t = tcase_create("lists");

	command_use(command_list);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 240);
	tcase_add_test(t, piecemeal_is_the_same_as_whole);
	tcase_add_test(t, results_are_changed);
	tcase_add_test(t, annulled);
	tcase_add_test(t, from_the_files_alone);
	tcase_add_test(t, links);
	tcase_add_test(t, touches_little);
	suite_add_tcase(s, t);
	t = tcase_create("failures");
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 240);
	tcase_add_loop_test(t, a_page_fails, 0, (int)(sizeof in_the_way / sizeof in_the_way[0]));
	tcase_add_test(t, a_game_fails);
	suite_add_tcase(s, t);
	t = tcase_create("crowds");
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 240);
	tcase_add_test(t, players_of_one_letter);
	tcase_add_loop_test(t, a_crowd, 0, 3);
	suite_add_tcase(s, t);
	return suite_run(s);
}
