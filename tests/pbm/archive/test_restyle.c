/* The look of the pages: a new site has a front page, and when templates or the site's name
 * change, the runs bring all pages up, a part each. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/util/util.h"

#define START "2026-12-01T10:00:00Z"

static char *site;

/* $S is the site, $A its archive, $P the program. */
static void shell(const char *command)
{
	ck_assert_msg(system(command) == 0, "%s", command);
}

static void setup(void)
{
	char archive[200];

	site = util_site();
	snprintf(archive, sizeof archive, "%s/archive", site);
	setenv("S", site, 1);
	setenv("A", archive, 1);
	char *program = realpath(getenv("PBM") ? getenv("PBM") : "build/pbm", NULL);
	setenv("P", program, 1);
	free(program);
}

static void teardown(void)
{
	util_drop(site);
}

#define TALK "$P -C $S --now " START " talk "
/* Runs enough for all pages. */
#define TICK "{ for i in 1 2 3 4; do $P -C $S --now " START " tick || exit 1; done; } && "

START_TEST(a_new_site)
{
	shell("$P init $S-new >$S/said && cd $S-new/archive && grep -q 'No game has ended' index.html && grep -q rules/suicide.html index.html &&"
	      " test -s help/start.html && test -s rules/suicide.html && test -s help/de/start.html &&"
	      " for f in $(grep -o 'static/[0-9a-f]*[.a-z]*' index.html); do test -s $f || exit 1; done");
	/* The name that the operator gives it then. */
	shell("cd $S-new && echo 'name = Rook and Friends' >>pbm.conf && $P -C . tick &&"
	      " grep -q 'Rook and Friends' archive/index.html archive/help/start.html &&"
	      " ls -i archive/index.html >before && $P -C . tick && ls -i archive/index.html | cmp before;"
	      " e=$?; rm -r $S-new; exit $e");
}
END_TEST

/* Two games, to their ends. */
static void play(void)
{
	static const char *const lines[][2] = {
		{ "alice", "suicide challenge alice bob\\nchess challenge alice bob\\n" },
		{ "bob", "accept 1\\naccept 2\\n" },
		{ "alice", "move 1 e3\\nmove 2 e4\\n" },
		{ "bob", "move 1 b5\\nmove 2 e5\\n" },
		{ "alice", "move 1 Bxb5\\nmove 2 d4\\n" },
		{ "bob", "move 1 Bb7\\nmove 2 d5\\n" },
		{ "alice", "resign 1\\nresign 2\\n" },
	};
	char command[300];

	for (int i = 0; i < ROWS(lines); i++) {
		snprintf(command, sizeof command, "printf '%s' | " TALK "%s >$S/said", lines[i][1],
		         lines[i][0]);
		shell(command);
	}
}

/* The front page follows games that begin and end, and a rebuild writes the same. */
START_TEST(running_games_are_counted)
{
	shell("printf 'suicide challenge alice bob\\nchess challenge alice bob\\n' | " TALK
	      "alice >$S/said && echo accept 1 | " TALK "bob >$S/said && " TICK
	      " grep -q 'Now 1 game is being played' $A/index.html");
	shell("echo accept 2 | " TALK "bob >$S/said && " TICK
	      " grep -q 'Now 2 games are being played' $A/index.html && ls -i $A/index.html >$S/before && " TICK
	      " ls -i $A/index.html | cmp $S/before && cp $A/index.html $S/before && $P -C $S archive --rebuild &&"
	      " cmp $A/index.html $S/before");
	shell("printf 'abort 1\\nabort 2\\n' | " TALK "alice >$S/said && " TICK
	      " ! grep -q 'being played' $A/index.html");
}
END_TEST

START_TEST(an_old_look)
{
	play();
	shell("cd $A && ls static/*.css >$S/css && mkdir -p $S/templates/static &&"
	      " echo 'body { color: teal }' >$S/templates/static/site.css &&" TICK
	      " grep -q teal $(grep -o 'static/[0-9a-f]*.css' index.html) && new=$(grep -l teal static/*.css) &&"
	      " ! grep -rL $new --include='*.html' . | grep -v '^./live' | grep . &&"
	      " test $(grep -rl $new --include='*.html' . | wc -l) -gt 80");
	/* Nothing more to do. */
	shell("cd $A && ls -i games/000/1.html player/alice/index.html >$S/before &&" TICK
	      " ls -i games/000/1.html player/alice/index.html | cmp $S/before && grep -q '\"stage\":5' static/.look");
	/* The program's own look again. */
	shell("rm -r $S/templates/static && cd $A && " TICK
	      " ! grep -rq \"$(grep -l teal static/*.css)\" --include='*.html' .");
}
END_TEST

/* Feeds, sitemap and the pages of a site that gets an address. */
START_TEST(an_address)
{
	play();
	shell("cd $A && ! grep -rq games.example.net . && echo 'archive-url = https://games.example.net' >>$S/pbm.conf && " TICK
	      " for f in feed.xml player/alice/feed.xml game/chess/feed.xml sitemap/000.xml sitemap/pages.xml"
	      " sitemap.xml robots.txt; do grep -q https://games.example.net/ $f || exit 1; done");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("look");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, a_new_site);
	tcase_add_test(t, running_games_are_counted);
	tcase_add_test(t, an_old_look);
	tcase_add_test(t, an_address);
	return util_main(t);
}
