/* The archive of a whole site: what must not be in it, names that leave it, what people wrote
 * stays text, and an archive of the older layout is brought over. */
#include <check.h>
#include <unistd.h>

#include "pbm/archive/archive.h"
#include "pbm/base/child_confine.h"
#include "pbm/base/log.h"
#include "pbm/commands/command_list.h"
#include "store/store_marks.h"
#include "store/store_questions.h"
#include "store/store_ratings.h"
#include "store/store_work.h"
#include "tests/util/simulated.h"
#include "tests/util/suite.h"

static char folder[64], dir[80];
static struct site site;
static struct err err;

#define must(call) ck_assert_msg((call) == 0, "%s", err.text)

/* The sanitizers need half of what takes long: it calls the same functions. */
/* $D is the folder, $A the archive. */
static void shell(const char *command)
{
	char archive[100];

	snprintf(archive, sizeof archive, "%s/archive", dir);
	setenv("D", folder, 1);
	setenv("A", archive, 1);
	ck_assert_msg(system(command) == 0, "%s", command);
}

static void setup(void)
{
	log_threshold(LOG_LEVEL_ERROR);
	err = (struct err){ 0 };
	snprintf(folder, sizeof folder, "/tmp/pbm-archive-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(dir, sizeof dir, "%s/site", folder);
	must(site_create(dir, "localhost", &err));
	shell("echo 'archive-url = https://games.example.org/' >> $D/site/pbm.conf");
	must(site_open(dir, &site, &err));
	must(site_open_store(&site, STORE_WRITE, &err));
}

static void teardown(void)
{
	site_close(&site);
	shell("rm -rf $D");
}

static struct archive_report publish(void)
{
	struct archive_report r = { 0 };

	must(archive_publish(&site, &r, &err));
	ck_assert_msg(r.failed == 0, "%s", r.first);
	return r;
}

static void play(int64_t games, int64_t players, uint64_t seed)
{
	struct simulation sim = {
		.games = games,
		.players = players,
		.running = 10,
		.seed = seed,
		.from = 1700000000 + (int64_t)seed * 2000000,
		.to = 1702000000 + (int64_t)seed * 2000000,
		.publish = true,
	};

	must(simulate(&site, &sim, &err));
}

/* A rebuild writes the same bytes to an empty folder. */
static void check_rebuild(void)
{
	struct archive_report r = { 0 };

	shell("mv $A $D/piecemeal && mkdir $A");
	must(archive_rebuild(&site, &r, &err));
	ck_assert_msg(r.failed == 0, "%s", r.first);
	shell("diff -r -x live $D/piecemeal $A && rm -r $D/piecemeal");
}

struct boards {
	size_t n;
	int64_t v[1000];
};

static int add_board(const struct game_row *row, void *arg)
{
	struct boards *b = arg;

	b->v[b->n++] = row->board;
	return b->n == 1000;
}

/* The command delete anonymous removes the name of an account from its games. */
static void leave(const char *userid, const char *as)
{
	struct boards boards = { .n = 0 };

	must(store_games(site.store, userid, NULL, GAMES_ALL, 1000, 0, add_board, &boards, &err));
	must(store_begin(site.store, &err));
	for (size_t i = 0; i < boards.n; i++) {
		struct arena a = { 0 };
		struct game_doc g;

		must(store_game_get(site.store, &a, boards.v[i], &g, &err));
		for (int seat = 0; seat < 2; seat++)
			if (strcmp(g.players[seat], userid) == 0)
				g.players[seat] = as;
		must(store_game_put(site.store, &g, &err));
		if (g.state == GAME_FINISHED)
			must(store_work_add(site.store, WORK_GAME, g.board, 0, &err));
		arena_release(&a);
	}
	must(store_ratings_forget(site.store, userid, &err));
	must(store_work_add_name(site.store, WORK_GONE, userid, &err));
	must(store_commit(site.store, &err));
}

/* The name is on no page any more, not on full ones either, nor in feeds, the index and PGN. */
START_TEST(a_name_leaves)
{
	play(250, 4, 1);
	publish();
	play(120, 6, 2);
	publish();
	shell("test -e $A/player/p3/1.html && grep -rqw p3 $A/month && grep -qw p3 $A/search/names/p.js &&"
	      " touch $A/player/p3.html $A/player/p3.1.html");
	leave("p3", "deleted-777");
	publish();
	shell("! grep -rIlw p3 $A && test ! -e $A/player/p3 && test ! -e $A/player/p3.html &&"
	      " test ! -e $A/player/p3.1.html && test ! -e $A/search/player/p3.js");
	/* A light transaction that was left open is not seen by other programs. */
	must(store_begin(site.store, &err));
	must(store_commit(site.store, &err));
	shell("grep -rqw deleted-777 $A/month && test -e $A/player/deleted-777/index.html &&"
	      " test $(sqlite3 $D/site/pbm.db \"SELECT count(*) FROM work WHERE kind = 'gone'\") = 0");
	check_rebuild();
}
END_TEST

static void change_game(int64_t board, void (*change)(struct game_doc *g))
{
	struct arena a = { 0 };
	struct game_doc g;

	must(store_begin(site.store, &err));
	must(store_game_get(site.store, &a, board, &g, &err));
	change(&g);
	must(store_game_put(site.store, &g, &err));
	must(store_work_add(site.store, WORK_GAME, board, 0, &err));
	must(store_commit(site.store, &err));
	arena_release(&a);
}

static void set_private(struct game_doc *g)
{
	g->private_game = true;
}

static void set_hostile(struct game_doc *g)
{
	g->reason = "</script><script>alert(1)</script>&\"'\x01 onload=x";
	g->events[g->event_count - 1].text = g->reason;
}

static int64_t first_board(enum game_filter f)
{
	struct boards b = { .n = 0 };

	must(store_games(site.store, NULL, NULL, f, 1, 0, add_board, &b, &err));
	ck_assert_uint_eq(b.n, 1);
	return b.v[0];
}

/* Running games are nowhere, private ones neither; a private game is there when it has
 * ended. */
START_TEST(only_what_has_ended)
{
	char command[400];

	play(300, 5, 1);
	int64_t running = first_board(GAMES_OPEN), finished = first_board(GAMES_FINISHED);
	change_game(finished, set_private);
	struct arena a = { 0 };
	struct game_doc g;
	must(store_begin(site.store, &err));
	must(store_game_get(site.store, &a, running, &g, &err));
	g.private_game = true;
	must(store_game_put(site.store, &g, &err));
	must(store_commit(site.store, &err));
	arena_release(&a);
	publish();
	snprintf(
		command, sizeof command,
		"sqlite3 $D/site/pbm.db 'SELECT board FROM games WHERE state != 2' > $D/open &&"
		" grep -qx %lld $D/open && for b in $(cat $D/open); do test ! -e $A/games/000/$b.html &&"
		" ! grep -rqE \"games/000/$b\\.|\\[$b,\" $A || exit 1; done &&"
		" test -e $A/games/000/%lld.html && grep -q 'games/000/%lld.html' $A/index.html",
		(long long)running, (long long)finished, (long long)finished);
	shell(command);
	check_rebuild();
}
END_TEST

/* A person's words are text in pages, feeds and scripts; feeds are XML. */
START_TEST(hostile_texts)
{
	play(60, 3, 1);
	change_game(first_board(GAMES_FINISHED), set_hostile);
	publish();
	shell("grep -rq 'alert(1)' $A/index.html && grep -q 'alert(1)' $A/feed.xml &&"
	      " ! grep -rl --include=*.html --include=*.xml --include=*.js '<script>alert' $A");
	shell("cd $A && python3 -c \"import glob, xml.etree.ElementTree as E\n"
	      "for f in glob.glob('**/*.xml', recursive=True) + glob.glob('**/*.html', recursive=True):\n"
	      "  E.parse(f)\"");
}
END_TEST

/* Feeds and maps have absolute addresses when the site knows its own. */
START_TEST(addresses)
{
	play(60, 3, 1);
	publish();
	shell("grep -q '<id>https://games.example.org/games/000/[0-9]*.html</id>' $A/feed.xml &&"
	      " grep -q 'rel=\"self\".*https://games.example.org/player/p0/feed.xml' $A/player/p0/feed.xml &&"
	      " grep -q '<loc>https://games.example.org/sitemap/000.xml</loc>' $A/sitemap.xml &&"
	      " test $(grep -c '<loc>' $A/sitemap/000.xml) = $(ls $A/games/000/*.html | wc -l) &&"
	      " grep -qx 'Sitemap: https://games.example.org/sitemap.xml' $A/robots.txt");
	shell("tests/pbm/archive/found_pages.py $A");
	/* Each game has a board for other pages, and its page has the line that shows it there. */
	shell("cd $A && for f in games/000/*.html; do grep -qF 'src=\"https://games.example.org/embed/'"
	      "${f#games/}'\"' $f && grep -qF \"href=\\\"../../$f\\\"\" embed/${f#games/} || exit 1; done");
	site_close(&site);
	shell("sed -i /^archive-url/d $D/site/pbm.conf && rm -r $A && mkdir $A");
	must(site_open(dir, &site, &err));
	must(site_open_store(&site, STORE_WRITE, &err));
	struct archive_report r = { 0 };
	must(archive_rebuild(&site, &r, &err));
	shell("grep -q '<id>tag:localhost,20..-..-..:board/[0-9]*</id>' $A/feed.xml && test ! -e $A/sitemap.xml"
	      " && ! grep -q Sitemap $A/robots.txt && ! grep -rl games.example.org $A");
}
END_TEST

/* The games of a month are its PGN, each once, whatever pages and parts they are on. */
START_TEST(months)
{
	play(700, 4, 1);
	publish();
	shell("test -e $A/month/2023-12.2.pgn && cat $A/month/*.pgn | grep -c '^.Event ' > $D/n &&"
	      " ls $A/games/000/*.pgn | wc -l | cmp - $D/n");
	/* An empty line stands between two games, and none before the first. */
	shell("for f in $A/month/*.pgn; do awk '/^.Event / && last { bad = 1 }"
	      " { last = $0 } NR == 1 && !/^.Event / { bad = 1 } END { exit bad }' $f || exit 1; done");
}
END_TEST

/* An archive of the older layout: its pages lead on, and some runs later all of the new ones
 * are there.  1: a run was killed when it had marked games, and had written nothing. */
START_TEST(an_older_layout)
{
	int runs = 0;

	play(450, 4, 1);
	publish();
	site_close(&site);
	shell("cd $A && rm -r player game month search *.xml && mkdir player game month standings &&"
	      " for f in player/p0 player/p0.1 player/p0.2 game/suicide game/suicide.1 month/2023-12"
	      " standings/suicide; do echo old > $f.html; done");
	shell("sqlite3 $D/site/pbm.db 'UPDATE games SET opening = NULL WHERE state = 2; DELETE FROM rated'");
	must(site_open(dir, &site, &err));
	must(site_open_store(&site, STORE_WRITE, &err));
	size_t marked = 1;
	while (_i && marked) {
		must(store_begin(site.store, &err));
		must(store_archive_renew(site.store, 200, true, &marked, &err));
		must(store_commit(site.store, &err));
	}
	while (publish().games)
		ck_assert_int_le(++runs, 4);
	ck_assert_int_eq(runs, _i ? 1 : 3);
	shell("cd $A && ! grep -rx old . && grep -q 'href=\"../player/p0/index.html\"' player/p0.2.html &&"
	      " grep -q 'href=\"../game/suicide/index.html\"' standings/suicide.html &&"
	      " grep -q 'href=\"../month/2023-12/index.html\"' month/2023-12.html");
	/* In the same folder a rebuild keeps them. */
	struct archive_report r = { 0 };
	shell("cp -r $A $D/before");
	must(archive_rebuild(&site, &r, &err));
	shell("diff -r -x live $D/before $A && test $(sqlite3 $D/site/pbm.db 'SELECT count(*) FROM rated') -gt 500");
}
END_TEST

/* Rows with four plies of the opening get the others, and the pages show how games went on. */
START_TEST(an_older_opening)
{
	play(60, 4, 3);
	publish();
	shell("cp -r $A $D/before && cd $D && echo 'SELECT board, opening FROM games' >list.sql &&"
	      " sqlite3 site/pbm.db <list.sql >all && grep -Eq '( [^ ]+){11}$' all");
	site_close(&site);
	shell("cd $D && sqlite3 site/pbm.db \"UPDATE games SET opening = (SELECT o1 || ' ' || o2 || ' '"
	      " || o3 || ' ' || o4 FROM opened o WHERE o.board = games.board) WHERE ply > 4 AND state = 2\""
	      " && sqlite3 site/pbm.db <list.sql >cut && ! cmp -s all cut");
	must(site_open(dir, &site, &err));
	must(site_open_store(&site, STORE_WRITE, &err));
	ck_assert_uint_gt(publish().games, 0);
	ck_assert_uint_eq(publish().games, 0);
	shell("cd $D && sqlite3 site/pbm.db <list.sql | cmp - all && diff -r -x live before $A &&"
	      " cd $A/game/suicide/opening && grep -q 'How the games went on' */index.html &&"
	      " ls | grep -E '(_.*){3}' | sed 's|$|/index.html|' | xargs grep -q '<li>3[.] '");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("archive_site");
	TCase *t = tcase_create("site");

	command_use(command_list);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 240);
	tcase_add_test(t, a_name_leaves);
	tcase_add_test(t, an_older_opening);
	tcase_add_test(t, only_what_has_ended);
	tcase_add_test(t, hostile_texts);
	tcase_add_test(t, addresses);
	tcase_add_loop_test(t, months, SANITIZED, 1);
	tcase_add_loop_test(t, an_older_layout, SANITIZED, 2);
	suite_add_tcase(s, t);
	return suite_run(s);
}
