/* The live pages of running games, as the program writes and removes them. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/mem.h"
#include "tests/util/util.h"

#define START "2026-12-01T10:00:00Z"

static char *site;
static struct arena arena;

/* Runs a command in the shell; $S is the site, $L its live pages. */
static bool shell(const char *command)
{
	setenv("S", site, 1);
	setenv("L", arena_printf(&arena, "%s/archive/live", site), 1);
	return system(command) == 0;
}

#define SHELL(command) ck_assert_msg(shell(command), "%s", command)

/* The output of pbm for these words after -C and --now. */
static const char *pbm(const char *now, const char *word, const char *more, const char *third,
                       const char *input)
{
	const char *program = getenv("PBM") ? getenv("PBM") : "build/pbm";
	const char *const argv[] = { program, "-C", site, "--now", now, word, more, third, NULL };
	int status = -1;
	char *out = util_pbm(argv, input, &status);
	const char *kept = arena_strdup(&arena, out);

	free(out);
	ck_assert_msg(status == 0, "%s %s: %d", word, more ? more : "", status);
	return kept;
}

static const char *talk(const char *who, const char *lines)
{
	return pbm(START, "talk", who, NULL, lines);
}

/* The mails of the beginning: alice is to move, so hers has the address of her page. */
static const char *begun;

static void setup(void)
{
	site = util_site();
	SHELL("echo 'archive-url = https://games.example.org/' >>$S/pbm.conf");
	talk("alice", "suicide challenge alice bob\n");
	begun = arena_strdup(&arena, talk("bob", "accept 1\n"));
}

static void teardown(void)
{
	util_drop(site);
	arena_release(&arena);
}

/* The path of the page of a player's last mail from talk. */
static const char *page_in(const char *mails, const char *who)
{
	const char *at = strstr(mails, arena_printf(&arena, "======== to %s@", who));
	const char *url = at ? strstr(at, "https://games.example.org/live/") : NULL;
	const char *next = at ? strstr(at + 1, "======== to ") : NULL;

	ck_assert_msg(url && (!next || url < next), "no page for %s in: %s", who, mails);
	url += strlen("https://games.example.org/");
	return arena_printf(&arena, "%s/archive/%.*s", site, (int)strcspn(url, "\n"), url);
}

static const char *text_of(const char *path)
{
	static char text[1 << 16];
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;

	if (f)
		fclose(f);
	text[n] = '\0';
	return f ? arena_strdup(&arena, text) : NULL;
}

static size_t count_pages(void)
{
	glob_t g;
	size_t n = 0;

	if (glob(arena_printf(&arena, "%s/archive/live/*/index.html", site), 0, NULL, &g) == 0)
		n = g.gl_pathc;
	globfree(&g);
	return n;
}

/* Alice moves; the path of her page. */
static const char *page_after_move(void)
{
	talk("alice", "move 1 e3\n");
	return page_in(begun, "alice");
}

START_TEST(each_seat_has_a_page)
{
	const char *mails = talk("alice", "move 1 e3\n");
	const char *white = page_in(begun, "alice"), *black = page_in(mails, "bob");
	const char *w = text_of(white), *b = text_of(black);

	ck_assert_str_ne(white, black);
	ck_assert_uint_eq(strlen(white) - strlen(site), strlen("/archive/live//index.html") + 32);
	ck_assert_msg(w && b, "no pages");
	ck_assert(strstr(w, "g1.w.") && !strstr(w, "g1.b."));
	ck_assert(strstr(b, "g1.b.") && !strstr(b, "g1.w."));
	ck_assert(strstr(b, "b7b5 b5") && !strstr(w, "id=\"live\""));
	ck_assert_ptr_nonnull(strstr(w, "name=\"robots\" content=\"noindex\""));
	ck_assert_ptr_nonnull(strstr(w, "name=\"referrer\" content=\"no-referrer\""));
	ck_assert_ptr_nonnull(strstr(w, "default-src 'none'; script-src 'self'"));
	ck_assert_uint_eq(count_pages(), 2);
	/* A secret of bob's own is not on his page either. */
	talk("bob", "note 1 my deep secret\n");
	SHELL("! grep -rq 'deep secret' $S/archive");
	/* Nothing else knows of these pages, and nobody can list them. */
	pbm(START, "archive", NULL, NULL, NULL);
	SHELL("! grep -rlE 'live/|[a-z2-7]{32}' --include='*.html' --include='*.xml' --include='*.txt'"
	      " --include='*.json' $S/archive | grep -v archive/live/");
	SHELL("test \"$(stat -c %a $L)\" = 711 && test -s $L/index.html");
}
END_TEST

/* The path of a file in the folder to which a live page leads. */
static const char *turns_file(const char *page, const char *file)
{
	const char *text = text_of(page), *at = text ? strstr(text, "href=\"../") : NULL;

	while (at && !strstr(arena_printf(&arena, "%.60s", at), "turns.xml"))
		at = strstr(at + 1, "href=\"../");
	ck_assert_msg(at, "no feed in %s", page);
	at += strlen("href=\"../");
	return arena_printf(&arena, "%s/archive/live/%.*s/%s", site, (int)strcspn(at, "/"), at,
	                    file);
}

static size_t count_in(const char *text, const char *words)
{
	size_t n = 0;

	for (const char *at = text; (at = strstr(at, words)); at++)
		n++;
	return n;
}

START_TEST(feed_and_calendar)
{
	SHELL("echo 'name = A, B; C & <i>\"q\"' >>$S/pbm.conf");
	const char *mails = talk("alice", "move 1 e3\nchess challenge alice bob\n");
	const char *white = page_in(begun, "alice"), *black = page_in(mails, "bob");
	const char *hers = turns_file(white, "turns.xml"), *his = turns_file(black, "turns.xml");
	const char *dates = turns_file(black, "deadlines.ics");
	const char *feed = text_of(his), *calendar = text_of(dates);

	ck_assert_str_ne(hers, his);
	ck_assert_uint_eq(count_in(text_of(hers), "<entry>"), 0);
	ck_assert_uint_eq(count_in(feed, "<entry>"), 1);
	ck_assert_ptr_nonnull(
		strstr(feed, "<title>Your turn at A, B; C &amp; &lt;i&gt;&quot;q&quot;</title>"));
	ck_assert_ptr_nonnull(
		strstr(feed, "<title>Your move: Suicide, board 1, alice against bob</title>"));
	ck_assert_ptr_nonnull(strstr(feed, "There is time until Tue 8 Dec 2026"));
	ck_assert_ptr_nonnull(strstr(feed, "<updated>2026-12-01T10:00:00Z</updated>"));
	ck_assert_ptr_nonnull(strstr(feed, black + strlen(site) + strlen("/archive")));
	ck_assert_ptr_nonnull(strstr(calendar, "BEGIN:VEVENT\r\nUID:turn-1@"));
	ck_assert_ptr_nonnull(strstr(calendar, "\r\nDTSTART:20261208T100000Z\r\n"));
	ck_assert_ptr_nonnull(strstr(
		calendar, "\r\nSUMMARY:Your move: Suicide\\, board 1\\, alice against bob\r\n"));
	ck_assert_ptr_nonnull(
		strstr(calendar, "X-WR-CALNAME:Your turn at A\\, B\\; C & <i>\"q\"\r\n"));
	for (const char *line = calendar; *line; line = strstr(line, "\r\n") + 2)
		ck_assert_uint_le(strcspn(line, "\r"), 75);
	/* The same after a rebuild, and in the reader's language after a change. */
	pbm(START, "archive", NULL, NULL, NULL);
	ck_assert_str_eq(feed, text_of(his));
	ck_assert_str_eq(calendar, text_of(dates));
	talk("bob", "set language de\n");
	ck_assert_ptr_nonnull(
		strstr(text_of(his), "Du bist am Zug: Suicide, Brett 1, alice gegen bob"));
	ck_assert_ptr_nonnull(strstr(text_of(black), "deadlines.ics\">deine Fristen</a>"));
	/* The turn goes to her, with another id the next time. */
	talk("bob", "move 1 b5\n");
	ck_assert_uint_eq(count_in(text_of(his), "<entry>"), 0);
	ck_assert_uint_eq(count_in(text_of(hers), "<entry>"), 1);
	const char *now = text_of(hers);
	talk("alice", "move 1 Bxb5\n");
	talk("bob", "move 1 a6\n");
	ck_assert_str_ne(now, text_of(hers));
	/* Another game of his keeps his folder when this one ends. */
	talk("bob", "accept 2\n");
	talk("alice", "resign 1\n");
	ck_assert_ptr_nonnull(text_of(his));
	talk("alice", "set livepage off\n");
	ck_assert_ptr_null(text_of(hers));
	ck_assert_ptr_nonnull(text_of(his));
	talk("alice", "set livepage on\n");
	ck_assert_ptr_nonnull(text_of(hers));
	talk("alice", "resign 2\nok\n");
	ck_assert_ptr_null(text_of(hers));
	ck_assert_ptr_null(text_of(his));
}
END_TEST

/* A name that is given up takes the files that are under it along. */
START_TEST(feed_of_a_new_name)
{
	const char *hers = turns_file(page_after_move(), "turns.xml");

	ck_assert_ptr_nonnull(text_of(hers));
	SHELL("${PBM:-build/pbm} -C $S --now 2026-12-01T10:00:00Z user rename alice anna by wish >/dev/null");
	pbm(START, "tick", NULL, NULL, NULL);
	ck_assert_ptr_null(text_of(hers));
	ck_assert_ptr_nonnull(text_of(turns_file(page_in(begun, "alice"), "turns.xml")));
}
END_TEST

/* The page of a game that has ended follows a name, and goes with an account. */
START_TEST(ended_pages_have_no_old_name)
{
	const char *mails = talk("alice", "move 1 e3\n");
	const char *white = page_in(begun, "alice"), *black = page_in(mails, "bob");

	talk("bob", "move 1 b5\n");
	talk("alice", "move 1 Bxb5\n");
	talk("bob", "move 1 Bb7\n");
	talk("alice", "resign 1\n");
	ck_assert_ptr_nonnull(strstr(text_of(black), "alice"));
	SHELL("${PBM:-build/pbm} -C $S --now 2026-12-01T10:00:00Z user rename alice anna by wish >/dev/null");
	pbm(START, "tick", NULL, NULL, NULL);
	ck_assert_ptr_nonnull(strstr(text_of(black), "anna"));
	ck_assert_ptr_null(strstr(text_of(black), "alice"));
	SHELL("${PBM:-build/pbm} -C $S --now 2026-12-01T10:00:00Z user delete anna --anonymous by wish >/dev/null");
	pbm(START, "tick", NULL, NULL, NULL);
	ck_assert_ptr_null(strstr(text_of(black), "anna"));
	ck_assert_ptr_null(text_of(white));
}
END_TEST

/* A player's lines are on the page of the same seat, and nowhere else. */
START_TEST(lines_of_analysis)
{
	const char *mails = talk("alice", "move 1 e3\n");
	const char *white = page_in(begun, "alice"), *black = page_in(mails, "bob");

	talk("alice", "line 1 b6 a4 Ba6 Bxa6\n");
	const char *w = text_of(white), *b = text_of(black);
	ck_assert_ptr_nonnull(strstr(w, "Your lines"));
	ck_assert_ptr_nonnull(strstr(w, "1... b6 2. a4 Ba6 3. Bxa6"));
	ck_assert_ptr_null(strstr(b, "Your lines"));
	ck_assert_ptr_null(strstr(b, "Bxa6"));
	talk("alice", "set lines public\n");
	talk("bob", "move 1 b6\n");
	pbm(START, "archive", NULL, NULL, NULL);
	SHELL("test \"$(grep -rl --exclude-dir=help --exclude-dir=rules Bxa6 $S/archive | wc -l)\" = 1");
	ck_assert_ptr_null(strstr(text_of(black), "Bxa6"));
}
END_TEST

START_TEST(pages_follow_the_game)
{
	const char *white = page_after_move();
	const char *waits = text_of(white);

	talk("bob", "move 1 b5\n");
	const char *moves = text_of(white);
	ck_assert_str_ne(waits, moves);
	ck_assert(strstr(moves, "f1b5 Bxb5") && strstr(moves, "It is your move, alice."));
	/* A page that has not changed is not written again. */
	SHELL("rm -r $L/*/");
	pbm(START, "tick", NULL, NULL, NULL);
	ck_assert_uint_eq(count_pages(), 0);
	pbm(START, "archive", NULL, NULL, NULL);
	ck_assert_str_eq(text_of(white), moves);
	talk("bob", "draw 1\n");
	ck_assert_ptr_nonnull(strstr(text_of(white), "bob offers a draw."));
	talk("alice", "move 1 Bxb5\n");
	talk("bob", "move 1 Bb7\n");
}
END_TEST

/* The pages lead to the archive, and go after two weeks; a rebuild keeps them so long. */
START_TEST(the_end)
{
	const char *mails = talk("alice", "move 1 e3\n");
	const char *white = page_in(begun, "alice"), *black = page_in(mails, "bob");

	talk("bob", "move 1 b5\nset language de\n");
	talk("alice", "move 1 Bxb5\n");
	talk("bob", "move 1 Bb7\n");
	talk("alice", "resign 1\n");
	const char *w = text_of(white), *b = text_of(black);
	ck_assert_msg(w && strstr(w, "Board 1 is over: bob wins (0-1): you resigned."), "%s", w);
	ck_assert_msg(b && strstr(b, "Diese Partie ist zu Ende."), "%s", b);
	ck_assert(strstr(w, "\"../../games/000/1.html\"") && !strstr(w, "mailto:"));
	SHELL("test -e $S/archive/games/000/1.html");
	pbm(START, "archive", NULL, NULL, NULL);
	ck_assert_str_eq(text_of(white), w);
	pbm("2026-12-14T10:00:00Z", "tick", NULL, NULL, NULL);
	ck_assert_uint_eq(count_pages(), 2);
	pbm("2026-12-17T10:00:00Z", "tick", NULL, NULL, NULL);
	ck_assert_uint_eq(count_pages(), 0);
}
END_TEST

START_TEST(games_without_a_result)
{
	talk("alice", "suicide challenge alice bob -private\nsuicide challenge alice alice\n");
	talk("bob", "accept 2\nchess challenge bob alice\n");
	/* Of the two sides of one player one has a page; an offer has none. */
	talk("alice", "accept 3\n");
	ck_assert_uint_eq(count_pages(), 5);
	talk("alice", "move 3 e3\n");
	ck_assert_uint_eq(count_pages(), 5);
	talk("alice", "abort 2\nabort 3\n");
	talk("bob", "abort 2\n");
	ck_assert_uint_eq(count_pages(), 2);
}
END_TEST

START_TEST(the_setting)
{
	const char *mails = talk("bob", "set livepage off\n");

	ck_assert_uint_eq(count_pages(), 1);
	mails = talk("alice", "move 1 e3\n");
	ck_assert_uint_eq(count_pages(), 1);
	ck_assert_ptr_null(strstr(strstr(mails, "to bob@"), "/live/"));
	ck_assert_ptr_nonnull(text_of(page_in(begun, "alice")));
	talk("bob", "set livepage on\n");
	ck_assert_uint_eq(count_pages(), 2);
	talk("bob", "set language de\n");
	SHELL("grep -rq 'Du bist am Zug, bob' $L");
}
END_TEST

/* Watchers, and people who claim to be a player, are told no address. */
START_TEST(addresses_are_secret)
{
	talk("carol", "watch 1\n");
	talk("alice", "move 1 e3\nchat 1 hello\n");
	SHELL("grep -l '^To: .*carol' $S/sent/new/* | xargs grep -L '/live/' | grep -q . &&"
	      " ! grep -l '^To: .*carol' $S/sent/new/* | xargs grep -q '/live/'");
	ck_assert_ptr_null(strstr(talk("carol", "show 1\nboard 1\n"), "/live/"));
	ck_assert_ptr_null(strstr(text_of(page_in(begun, "alice")), "hello"));
}
END_TEST

/* Another user who may write into the archive's folder puts a folder of his own, or a link, in
 * place of live/: no page comes into it, and nothing is removed there. */
static const struct {
	const char *trap, *holds;
} traps[] = {
	{ "mkdir live && chown 1:1 live && chmod 777 live", "test -z \"$(ls live)\"" },
	{ "mkdir $S/trap && chmod 777 $S/trap && ln -s $S/trap live", "test -z \"$(ls $S/trap)\"" },
	{ "mkdir -p $S/trap/x && ln -s $S/trap live && touch $S/trap/x/mine",
	  "test -e $S/trap/x/mine && test \"$(ls $S/trap)\" = x" },
	/* one of pbm's own folders, which everybody can list */
	{ "mv games live", "test $(stat -c %a live) = 711 && test $(ls live | wc -l) -ge 3" },
};

START_TEST(a_folder_in_place_of_live)
{
	char command[400];

	if (geteuid() != 0) {
		printf("skipped: only root can play another user\n");
		return;
	}
	SHELL("mkdir -p $S/archive/games && chmod 777 $S/archive");
	SHELL("cd $S/archive && mv live caught && cp -rp caught $S/before");
	snprintf(command, sizeof command, "cd $S/archive && %s", traps[_i].trap);
	SHELL(command);
	talk("alice", "move 1 e3\n");
	talk("bob", "e6\n");
	snprintf(command, sizeof command, "cd $S/archive && %s", traps[_i].holds);
	SHELL(command);
	SHELL("diff -r $S/archive/caught $S/before");
	SHELL("rm -rf $S/archive/live");
	pbm(START, "archive", NULL, NULL, NULL);
	SHELL("test $(stat -c %a $L) = 711 && test $(ls $L | wc -l) -ge 3");
}
END_TEST

START_TEST(new_addresses)
{
	const char *old = page_after_move(), *text = text_of(old);

	/* A new key changes no address; dropping the oldest one changes them all. */
	pbm(START, "key", "new", NULL, NULL);
	pbm(START, "tick", NULL, NULL, NULL);
	ck_assert_str_eq(text_of(old), text);
	pbm(START, "key", "drop", "1", NULL);
	pbm(START, "tick", NULL, NULL, NULL);
	ck_assert_ptr_null(text_of(old));
	ck_assert_uint_eq(count_pages(), 2);
	/* Without the setting there are none. */
	SHELL("sed -i '/^archive-url/d' $S/pbm.conf");
	pbm(START, "tick", NULL, NULL, NULL);
	ck_assert_uint_eq(count_pages(), 0);
	ck_assert_ptr_null(strstr(talk("bob", "move 1 b5\n"), "/live/"));
	SHELL("echo 'archive-url = https://games.example.org' >>$S/pbm.conf");
	pbm(START, "tick", NULL, NULL, NULL);
	ck_assert_uint_eq(count_pages(), 2);
}
END_TEST

/* The reply address in a page that nobody touches stays good. */
START_TEST(old_pages)
{
	static const char *const times[] = { "2027-01-20T10:00:00Z", "2027-03-20T10:00:00Z" };
	const char *path = page_in(talk("alice", "suicide challenge alice alice -days=365\n"
	                                         "accept 2\nmove 2 e3\n"),
	                           "alice");
	const char *before = text_of(path);

	for (int i = 0; i < ROWS(times); i++)
		pbm(times[i], "tick", NULL, NULL, NULL);
	ck_assert_str_ne(text_of(path), before);
}
END_TEST

START_TEST(made_from_the_documents)
{
	const char *path = page_after_move(), *before = text_of(path);

	SHELL("rm -r $S/archive/live $S/pbm.db*");
	pbm(START, "reindex", NULL, NULL, NULL);
	pbm(START, "tick", NULL, NULL, NULL);
	ck_assert_str_eq(text_of(path), before);
	/* A rebuild removes what should not be there. */
	SHELL("mkdir $L/abcdefghijklmnopqrstuvwxyz234567 &&"
	      " echo x >$L/abcdefghijklmnopqrstuvwxyz234567/index.html");
	pbm(START, "archive", NULL, NULL, NULL);
	ck_assert_uint_eq(count_pages(), 2);
	ck_assert_str_eq(text_of(path), before);
}
END_TEST

/* A page that can't be written stops nothing, and comes later. */
START_TEST(a_page_that_fails)
{
	const char *path = page_after_move();

	talk("alice", "suicide challenge alice bob\n");
	SHELL(arena_printf(&arena, "d=$(dirname %s) && rm -r $d && echo >$d", path));
	talk("bob", "move 1 b5\naccept 2\n");
	ck_assert_uint_eq(count_pages(), 3);
	SHELL("grep -q '\"ply\": 2' $S/games/000/1.json");
	SHELL(arena_printf(&arena, "rm $(dirname %s)", path));
	pbm(START, "tick", NULL, NULL, NULL);
	ck_assert_uint_eq(count_pages(), 4);
	ck_assert_ptr_nonnull(strstr(text_of(path), "It is your move, alice."));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("live pages");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, each_seat_has_a_page);
	tcase_add_test(t, feed_and_calendar);
	tcase_add_test(t, feed_of_a_new_name);
	tcase_add_test(t, ended_pages_have_no_old_name);
	tcase_add_test(t, lines_of_analysis);
	tcase_add_test(t, pages_follow_the_game);
	tcase_add_test(t, the_end);
	tcase_add_test(t, games_without_a_result);
	tcase_add_test(t, the_setting);
	tcase_add_test(t, addresses_are_secret);
	tcase_add_test(t, new_addresses);
	tcase_add_loop_test(t, a_folder_in_place_of_live, 0, ROWS(traps));
	tcase_add_test(t, old_pages);
	tcase_add_test(t, made_from_the_documents);
	tcase_add_test(t, a_page_that_fails);
	return util_main(t);
}
