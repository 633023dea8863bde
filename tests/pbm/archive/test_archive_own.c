/* An operator's changes in the site's folder: templates, style sheet, scripts, pictures and the
 * name; and the words of a site with a single game. */
#include <check.h>
#include <unistd.h>

#include "pbm/archive/archive.h"
#include "pbm/base/log.h"
#include "pbm/commands/command_list.h"
#include "pbm/text/language.h"
#include "tests/util/simulated.h"
#include "tests/util/suite.h"

static char folder[64], dir[80];
static struct site site;
static struct err err;

#define must(call) ck_assert_msg((call) == 0, "%s", err.text)

/* $S is the site, $A the archive. */
static void shell(const char *command)
{
	char archive[100];

	snprintf(archive, sizeof archive, "%s/archive", dir);
	setenv("S", dir, 1);
	setenv("A", archive, 1);
	ck_assert_msg(system(command) == 0, "%s", command);
}

static void open_site(void)
{
	must(site_open(dir, &site, &err));
	must(site_open_store(&site, STORE_WRITE, &err));
}

static void play(int64_t games, int64_t seconds)
{
	struct simulation sim = {
		.games = games,
		.players = 2,
		.seed = 1,
		.from = 1700000000,
		.to = 1700000000 + seconds,
		.publish = true,
	};

	must(simulate(&site, &sim, &err));
}

static void setup(void)
{
	log_threshold(LOG_LEVEL_ERROR);
	err = (struct err){ 0 };
	snprintf(folder, sizeof folder, "/tmp/pbm-archive-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(dir, sizeof dir, "%s/site", folder);
	must(site_create(dir, "localhost", &err));
	open_site();
	play(1, 2000000);
}

static void teardown(void)
{
	site_close(&site);
	shell("rm -rf \"$(dirname $S)\"");
}

static void publish(void)
{
	struct archive_report r = { 0 };

	must(archive_publish(&site, &r, &err));
	ck_assert_msg(r.failed == 0, "%s", r.first);
}

START_TEST(a_single_game)
{
	publish();
	/* Web servers get the policy that the pages have. */
	shell("p=$(sed -n 's/.*-Policy\" content=\"\\([^\"]*\\).*/\\1/p' $A/index.html) &&"
	      " test \"${#p}\" -gt 100 && grep -qF \"$p\" share/nginx/pbm && grep -qF \"$p\" share/caddy/Caddyfile");
	shell("grep -q '>1 finished game in all' $A/index.html &&"
	      " grep -q '>1 finished game: ' $A/player/p0/index.html &&"
	      " grep -q '>1 finished game: ' $A/game/*/index.html &&"
	      " grep -q '>PGN of the month<' $A/month/*/index.html");
}
END_TEST

/* Feed and front page have the newest; ends of games and other names of a game can be searched for; a player
 * has ratings. */
START_TEST(many_months)
{
	play(40, 40000000);
	publish();
	shell("cd $A && test $(grep -c '<entry>' feed.xml) = 30 && test $(grep -c '\"month/2' index.html) = 12 &&"
	      " test $(grep -c '/index.html' month/index.html) -gt 12 && grep -rq '\"resigned\",[0-9]' search/game &&"
	      " grep -q '\"3check\":\"threecheck\"' search/manifest.js &&"
	      " grep -Eq 'data-label=\"Rating\">[12][0-9]{3}' player/p0/index.html");
}
END_TEST

START_TEST(a_name)
{
	publish();
	shell("grep -q '<h1>Games played by mail at localhost</h1>' $A/index.html");
	site_close(&site);
	shell("echo 'name = Rook & <b>Friends</b>' >> $S/pbm.conf");
	open_site();
	struct archive_report r = { 0 };
	must(archive_rebuild(&site, &r, &err));
	shell("grep -q '<h1>Games played by mail at Rook &amp; &lt;b&gt;Friends&lt;/b&gt;</h1>' $A/index.html &&"
	      " grep -q 'Rook &amp; &lt;b&gt;Friends' $A/feed.xml $A/help/start.html $A/games/000/1.html &&"
	      " ! grep -rq '<b>Friends' $A");
}
END_TEST

static void set_and_rebuild(const char *command)
{
	struct archive_report r = { 0 };

	site_close(&site);
	shell(command);
	open_site();
	must(archive_rebuild(&site, &r, &err));
	ck_assert_msg(r.failed == 0, "%s", r.first);
}

/* A card shows the game's picture only where its address is known; a moving one is wished for. */
START_TEST(pictures)
{
	publish();
	shell("cd $A/games/000 && head -c 4 1.png | grep -q PNG && grep -q 'href=\"1.png\"' 1.html &&"
	      " ! test -e 1.gif && ! grep -qE 'og:(image|url)|1.gif' 1.html");
	set_and_rebuild("echo 'archive-url = https://games.example.org' >> $S/pbm.conf &&"
	                " echo 'archive-gif = yes' >> $S/pbm.conf &&"
	                " echo 'name = \"><script>alert(1)</script>' >> $S/pbm.conf");
	shell("cd $A/games/000 && test $(head -c 6 1.gif) = GIF89a && grep -q 'href=\"1.gif\"' 1.html &&"
	      " grep -qF 'og:image\" content=\"https://games.example.org/games/000/1.png\"' 1.html &&"
	      " grep -qF 'og:url\" content=\"https://games.example.org/games/000/1.html\"' 1.html &&"
	      " grep -qF 'og:site_name\" content=\"&quot;&gt;&lt;script&gt;' 1.html &&"
	      " ! grep -q 'script>alert' 1.html");
	set_and_rebuild("sed -i /archive-gif/d $S/pbm.conf");
	shell("cd $A/games/000 && ! test -e 1.gif && ! grep -q 1.gif 1.html");
}
END_TEST

/* Each goes before the one of the program; what is named by its content gets a new name. */
START_TEST(files)
{
	shell("mkdir -p $S/templates/static/men $S/templates/archive $S/templates/help && cd $S/templates &&"
	      " echo 'body { color: teal }' > static/site.css && echo '/* own */' > static/game.js &&"
	      " echo '<svg id=\"own-logo\"/>' > static/logo.svg &&"
	      " echo '<svg id=\"own-pawn\"/>' > static/men/wP.svg &&"
	      " echo '<header>Own {{site}}</header>' > archive/top.html &&"
	      " printf '# Own start\\n\\nHello.\\n' > help/start.md");
	publish();
	shell("cd $A && for what in teal own own-logo own-pawn; do f=$(grep -lw $what static/*) &&"
	      " grep -q \"../../$f\" games/000/1.html || exit 1; done;"
	      " grep -q '<header>Own localhost</header>' index.html games/000/1.html help/index.html &&"
	      " grep -q '>Own start</h1>' help/start.html");
	/* Rebuilt, the pages have what was changed since. */
	shell("echo 'body { color: navy }' > $S/templates/static/site.css");
	struct archive_report r = { 0 };
	must(archive_rebuild(&site, &r, &err));
	shell("cd $A && grep -q \"../../$(grep -l navy static/*)\" games/000/1.html");
}
END_TEST

/* A folder is all that it takes.  Help pages are written where it has some. */
START_TEST(a_language)
{
	const struct language *l;

	shell("mkdir -p $S/templates/fr/static $S/templates/nl/help $S/templates/notes &&"
	      " cd $S/templates && echo '{\"names\": [\"Nederlands\"]}' > nl/sentences.json &&"
	      " echo '{\"names\": [\"Français\", \"French\"]}' > fr/sentences.json &&"
	      " echo 'pbmLanguage({\"Games\": \"Parties\"});' > fr/static/archive.js &&"
	      " echo '# Beginnen' > nl/help/start.md");
	publish();
	ck_assert(language_find(site.template_dir, "french", &l));
	ck_assert_str_eq(language_code(l), "fr");
	shell("cd $A && f=$(grep -l Parties static/*.js) && grep -q \"fr Français $f;\" index.html &&"
	      " grep -q \"fr Français $f;\" games/000/1.html && ! test -e help/fr &&"
	      " test -e help/de/start.html && grep -q '>Beginnen</h1>' help/nl/start.html &&"
	      " grep -q 'hreflang=\"nl\"' help/start.html");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("archive_own");
	TCase *t = tcase_create("own");

	command_use(command_list);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, a_single_game);
	tcase_add_test(t, many_months);
	tcase_add_test(t, a_name);
	tcase_add_test(t, pictures);
	tcase_add_test(t, files);
	tcase_add_test(t, a_language);
	suite_add_tcase(s, t);
	return suite_run(s);
}
