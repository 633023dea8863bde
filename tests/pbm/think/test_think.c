/* Computers: the answer of each level in every game, games that change meanwhile, runs that are
 * killed. */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/commands/command_list.h"
#include "pbm/external/external_line.h"
#include "pbm/record/match.h"
#include "pbm/site/site.h"
#include "pbm/think/think.h"
#include "store/store_documents.h"
#include "tests/util/util.h"

#define NOW 1796119200
#define TIME "2026-12-01T10:00:00Z"
#define KILLS 40
#define KILLS_FULL 500 /* with FULL=1 */
#define DAY "86400"    /* s; a run that ends early has not judged all games */

static struct arena arena;

static void begin(struct match *m, const char *game, const char *fen)
{
	struct game_doc d = { .board = 7,
		              .game = game,
		              .options = "",
		              .start_fen = fen,
		              .players = { "robot", "bob" },
		              .days = 7,
		              .reserve = 30,
		              .created = NOW };
	struct err e = { 0 };

	ck_assert_msg(match_create(&arena, &d, m, &e) == 0, "%s: %s", game, e.text);
	match_start(m, NOW);
}

static struct player_doc robot(int level)
{
	return (struct player_doc){ .userid = "robot", .role = "computer", .level = level };
}

static const char *answer_of(const struct match *m, int level)
{
	struct player_doc p = robot(level);
	struct think_task t = { .board = 7 };
	uint64_t nodes = 0;

	think_about(NULL, m, &p, &t, &nodes);
	ck_assert_msg(!t.mistake, "%s: no turn", m->doc.game);
	ck_assert_uint_gt(nodes, 0);
	ck_assert_uint_eq(t.events, m->doc.event_count);
	return arena_strdup(&arena, t.line);
}

START_TEST(each_level_answers_in_every_game)
{
	for (const struct rules *const *r = rules_all; *r; r++) {
		struct match m;
		const char *said, *turn;
		struct move mv;

		begin(&m, (*r)->name, NULL);
		for (int level = 1; level <= 4; level++) {
			said = answer_of(&m, level);
			ck_assert_str_eq(said, answer_of(&m, level));
			ck_assert_msg(strncmp(said, "move 7 ", 7) == 0, "%s", said);
			turn = said + 7;
			ck_assert_msg(game_read_move(&m.game, match_position(&m), turn,
			                             strcspn(turn, "#"), &mv, NULL, NULL) == 0,
			              "%s: %s", (*r)->name, said);
			ck_assert_str_eq(strchr(turn, '#'), "#1");
		}
	}
}
END_TEST

START_TEST(a_lost_position_is_given_up_by_those_who_see_it)
{
	struct match m;

	/* White gives both rooks to the pawn or to the man that it becomes. */
	begin(&m, "suicide", "8/8/8/8/8/2p5/8/RR6 b - - 0 1");
	ck_assert_str_eq(answer_of(&m, 5), "resign 7");
	ck_assert_ptr_nonnull(strstr(answer_of(&m, 2), "move 7 c3c2#1"));
}
END_TEST

START_TEST(a_draw_is_accepted_where_nobody_is_better)
{
	struct match m;

	begin(&m, "chess", "7k/7p/8/8/8/8/7P/7K w - - 0 1");
	ck_assert_ptr_nonnull(strstr(answer_of(&m, 3), "move 7 "));
	match_offer_draw(&m, SEAT_BLACK, NOW);
	ck_assert_str_eq(answer_of(&m, 3), "accept 7 draw");
	begin(&m, "chess", "7k/7p/8/8/8/8/7P/1Q5K w - - 0 1");
	match_offer_draw(&m, SEAT_BLACK, NOW);
	ck_assert_ptr_nonnull(strstr(answer_of(&m, 3), "move 7 "));
}
END_TEST

/* ---- with the program ---- */

static void pbm(const char *site, const char *const *words)
{
	const char *argv[16] = { "pbm", "-C", site, "--now", TIME, "-q" };
	int status;

	for (size_t i = 0; words[i]; i++)
		argv[6 + i] = words[i];
	char *out = util_pbm(argv, NULL, &status);
	ck_assert_int_eq(status, 0);
	free(out);
}

#define PBM(site, ...) pbm(site, (const char *const[]){ __VA_ARGS__, NULL })

/* Nobody thinks while the test holds the lock. */
static int hold_lock(const char *site)
{
	char path[300];

	snprintf(path, sizeof path, "%s/think.lock", site);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	return fd;
}

static void talk(const char *site, const char *who, const char *lines)
{
	const char *argv[] = { "pbm", "-C", site, "--now", TIME, "-q", "talk", who, NULL };
	int status;
	char *out = util_pbm(argv, lines, &status);

	ck_assert_msg(status == 0, "%s: %s: %s", who, lines, out);
	free(out);
}

/* carol starts these games; a computer plays them, or both do. */
static char *site_with_games(const char *lines)
{
	char *site = util_site();
	int lock = hold_lock(site);

	PBM(site, "computer", "add", "robot2", "all", "2");
	PBM(site, "computer", "add", "robot3", "all", "3");
	talk(site, "carol", lines);
	close(lock);
	return site;
}

static struct think_task task_of(const char *site, int64_t board)
{
	struct think_tasks all = { 0 };
	struct think_task found = { 0 };
	struct player_doc p;
	struct game_doc d;
	struct match m;
	struct site s;
	uint64_t nodes = 0;

	ck_assert_int_eq(site_open(site, &s, NULL), 0);
	ck_assert_int_eq(site_open_store(&s, STORE_READ, NULL), 0);
	ck_assert_int_eq(think_list(&s, NOW, &all, NULL), 0);
	for (size_t i = 0; i < all.n; i++)
		if (all.v[i].board == board)
			found = all.v[i];
	ck_assert_int_eq(found.board, board);
	ck_assert_int_eq(store_game_get(s.store, &arena, board, &d, NULL), 0);
	ck_assert_int_eq(store_player_get(s.store, &arena, found.computer, &p, NULL), 0);
	ck_assert_int_eq(match_load(&arena, &d, &m, NULL), 0);
	think_about(&s, &m, &p, &found, &nodes);
	ck_assert(!found.mistake);
	site_close(&s);
	free(all.v);
	return found;
}

static struct think_report play(const char *site, struct think_task *t)
{
	struct think_report r = { 0 };
	struct think_tasks one = { .n = 1, .v = t };
	struct err e = { 0 };
	struct site s;

	ck_assert_int_eq(site_open(site, &s, NULL), 0);
	ck_assert_int_eq(site_open_store(&s, STORE_WRITE, NULL), 0);
	ck_assert_msg(think_play(&s, &one, NOW, &r, &e) == 0, "%s", e.text);
	site_close(&s);
	return r;
}

/* News of board 1 that the thinking did not know, and what the game then says. */
static const struct {
	const char *who, *line, *game;
} news[] = {
	{ "alice", "draw 1\n", "\"kind\": \"draw-offer\"" },
	{ "alice", "resign 1\n", "\"result\": \"1-0\"" },
	{ "carol", "mod pause 1 she is ill\n", "\"kind\": \"pause\"" },
	{ "carol", "mod pause 1 she is ill\nmod resume 1\n", "\"kind\": \"resume\"" },
	{ "carol", "mod adjudicate 1 draw it is late\n", "\"result\": \"1/2-1/2\"" },
	{ "carol", "mod annul 1 a mistake\nok\n", "\"result\": \"*\"" },
	{ "carol", "mod rollback 1 #1 a wrong turn\nok\n", "\"kind\": \"undo\"" },
};

START_TEST(a_game_that_went_on_is_left_alone)
{
	char *site = site_with_games("suicide challenge robot2 alice\n");
	int lock = hold_lock(site);
	struct think_task t = task_of(site, 1);
	struct think_report r = play(site, &t);

	ck_assert_uint_eq(r.moves, 1);
	r = play(site, &t); /* once more: as after a crash */
	ck_assert_uint_eq(r.late, 1);
	talk(site, "alice", "move 1 h6\n");
	t = task_of(site, 1);
	talk(site, news[_i].who, news[_i].line);
	char *before = util_read(site, "games/000/1.json");
	r = play(site, &t);
	char *after = util_read(site, "games/000/1.json");
	ck_assert_uint_eq(r.late, 1);
	ck_assert_uint_eq(r.moves, 0);
	ck_assert_msg(strstr(after, news[_i].game) != NULL, "%s: %s", news[_i].line, after);
	ck_assert_str_eq(before, after);
	free(before);
	free(after);
	close(lock);
	util_drop(site);
}
END_TEST

START_TEST(two_runs_do_not_think_at_the_same_time)
{
	char *site = site_with_games("suicide challenge robot2 alice\n");
	struct think_limits l = { 5, 100 };
	struct think_report r = { 0 };
	int lock = hold_lock(site);

	ck_assert_int_eq(think_run(site, &l, &r, NULL), ERR_BUSY);
	close(lock);
	ck_assert_int_eq(think_run(site, &l, &r, NULL), 0);
	ck_assert_uint_eq(r.moves, 1);
	util_drop(site);
}
END_TEST

START_TEST(human_pace_takes_minutes_and_never_the_last_day)
{
	char *site = site_with_games("suicide challenge robot2 alice\n"
	                             "suicide challenge robot2 bob -days=1 -reserve=0\n");
	struct think_tasks all = { 0 };
	struct site s;

	PBM(site, "computer", "set", "robot2", "pace", "human");
	ck_assert_int_eq(site_open(site, &s, NULL), 0);
	ck_assert_int_eq(site_open_store(&s, STORE_READ, NULL), 0);
	ck_assert_int_eq(think_list(&s, NOW + 19 * 60, &all, NULL), 0);
	ck_assert_uint_eq(all.n, 1); /* a day at most is left on board 2 */
	ck_assert_int_eq(all.v[0].board, 2);
	all.n = 0;
	ck_assert_int_eq(think_list(&s, NOW + 8 * 3600, &all, NULL), 0);
	ck_assert_uint_eq(all.n, 2);
	site_close(&s);
	free(all.v);
	util_drop(site);
}
END_TEST

/* ---- other engines ---- */

/* The verdict, as pbm doctor --engines keeps it. */
static void pass(const char *site, const char *engine)
{
	struct external_line l;
	struct site s;

	ck_assert_int_eq(site_open(site, &s, NULL), 0);
	ck_assert_int_eq(site_open_store(&s, STORE_WRITE, NULL), 0);
	ck_assert_int_eq(external_line_read(site_engine_find(&s, engine), &arena, &l, NULL), 0);
	ck_assert_int_eq(store_begin(s.store, NULL), 0);
	ck_assert_int_eq(external_line_judge(s.store, &l, l.variants[0].rules, true, NULL), 0);
	ck_assert_int_eq(store_end(s.store, 0, NULL), 0);
	site_close(&s);
}

/* robot2 is to move on four boards, with this engine of tests/pbm/external/hostile_engine.py. */
static char *site_with_engine(const char *kind)
{
	char *site = site_with_games("suicide challenge robot2 alice\n"
	                             "suicide challenge robot2 bob\n"
	                             "suicide challenge robot2 carol\n"
	                             "suicide challenge robot2 alice\n");
	char folder[600], text[9000], *conf = util_read(site, "pbm.conf");

	ck_assert_ptr_nonnull(getcwd(folder, sizeof folder));
	snprintf(text, sizeof text,
	         "engine-x = %s/tests/pbm/external/hostile_engine.py variant=suicide Kind=%s\n%s",
	         folder, kind, conf);
	util_write(site, "pbm.conf", text);
	free(conf);
	PBM(site, "computer", "set", "robot2", "engine", "x");
	return site;
}

static struct think_report run(const char *site, size_t games)
{
	struct think_limits l = { 60, games };
	struct think_report r = { 0 };
	struct err e = { 0 };

	ck_assert_msg(think_run(site, &l, &r, &e) == 0, "%s", e.text);
	return r;
}

START_TEST(an_engine_that_has_not_passed_is_not_asked)
{
	char *site = site_with_engine("lies");
	struct think_report r = run(site, 100);

	ck_assert_uint_eq(r.moves, 4);
	ck_assert_uint_eq(r.wrong, 0);
	util_drop(site);
}
END_TEST

START_TEST(another_engine_plays)
{
	char *site = site_with_engine("good");

	pass(site, "x");
	struct think_report r = run(site, 100);
	char *game = util_read(site, "games/000/1.json");

	ck_assert_uint_eq(r.moves, 4);
	ck_assert_uint_eq(r.wrong, 0);
	ck_assert_uint_eq(r.nodes, 4 * 77);
	ck_assert_ptr_nonnull(strstr(game, "e2e3"));
	free(game);
	/* It is told the turns so far. */
	talk(site, "alice", "move 1 h6\n");
	ck_assert_uint_eq(run(site, 100).wrong, 0);
	game = util_read(site, "games/000/1.json");
	ck_assert_ptr_nonnull(strstr(game, "b2b3"));
	free(game);
	util_drop(site);
}
END_TEST

START_TEST(three_mistakes_pause_a_computer_and_the_games_go_on)
{
	char *site = site_with_engine("lies");

	pass(site, "x");
	for (int i = 1; i < 3; i++) {
		struct think_report r = run(site, 1);
		ck_assert_uint_eq(r.moves, 1);
		ck_assert_uint_eq(r.wrong, 1);
	}
	char *player = util_read(site, "players/robot2.json");
	ck_assert_ptr_null(strstr(player, "paused"));
	free(player);
	ck_assert_uint_eq(run(site, 1).wrong, 1);
	player = util_read(site, "players/robot2.json");
	ck_assert_ptr_nonnull(strstr(player, "\"paused\": \"20"));
	free(player);
	/* It plays no more until the operator says so. */
	PBM(site, "computer", "set", "robot2", "engine", "own");
	ck_assert_uint_eq(run(site, 100).moves, 0);
	PBM(site, "computer", "set", "robot2", "paused", "no");
	ck_assert_uint_eq(run(site, 100).moves, 1);
	PBM(site, "fsck");
	util_drop(site);
}
END_TEST

START_TEST(a_seek_that_refuses_the_computer_is_no_task)
{
	char *site = site_with_games("seek atomic -unrated !computer\nseek suicide -unrated\n");
	struct think_tasks all = { 0 };
	struct site s;

	ck_assert_int_eq(site_open(site, &s, NULL), 0);
	ck_assert_int_eq(site_open_store(&s, STORE_READ, NULL), 0);
	ck_assert_int_eq(think_list(&s, NOW + 3600, &all, NULL), 0);
	ck_assert_uint_eq(all.n, 1);
	ck_assert_int_eq(all.v[0].board, 2);
	site_close(&s);
	free(all.v);
	util_drop(site);
}
END_TEST

/* A real start, which is killed after so many microseconds; 0: never. */
static void think_and_die(const char *site, useconds_t us)
{
	const char *program = getenv("PBM");
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		execl(program ? program : "build/pbm", "pbm", "-C", site, "--now", TIME, "-q",
		      "think", "--seconds", DAY, (char *)NULL);
		_exit(127);
	}
	if (us) {
		usleep(us);
		kill(pid, SIGKILL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(us || status == 0);
}

/* After any number of kills the games are those of a run that nobody disturbed. */
START_TEST(kills_change_nothing)
{
	static const char lines[] = "suicide challenge robot2 robot3\n"
				    "racingkings challenge robot3 robot2\n";
	char *calm = site_with_games(lines), *site = site_with_games(lines);

	useconds_t kills = getenv("FULL") ? KILLS_FULL : KILLS;

	think_and_die(calm, 0);
	for (useconds_t i = 0; i < kills; i++)
		think_and_die(site, 4000 + i * 7919 % 40000);
	think_and_die(site, 0);
	for (int board = 1; board <= 2; board++) {
		char name[40];

		snprintf(name, sizeof name, "games/000/%d.json", board);
		char *a = util_read(calm, name), *b = util_read(site, name);

		ck_assert_ptr_nonnull(strstr(a, "\"state\": \"finished\""));
		ck_assert_msg(strcmp(a, b) == 0, "%.1800s\nafter kills:\n%.1800s", a, b);
		free(a);
		free(b);
	}
	PBM(site, "fsck");
	util_drop(calm);
	util_drop(site);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("think");

	command_use(command_list);
	tcase_add_test(t, each_level_answers_in_every_game);
	tcase_add_test(t, a_lost_position_is_given_up_by_those_who_see_it);
	tcase_add_test(t, a_draw_is_accepted_where_nobody_is_better);
	tcase_add_loop_test(t, a_game_that_went_on_is_left_alone, 0, sizeof news / sizeof news[0]);
	tcase_add_test(t, two_runs_do_not_think_at_the_same_time);
	tcase_add_test(t, human_pace_takes_minutes_and_never_the_last_day);
	tcase_add_test(t, a_seek_that_refuses_the_computer_is_no_task);
	tcase_add_test(t, an_engine_that_has_not_passed_is_not_asked);
	tcase_add_test(t, another_engine_plays);
	tcase_add_test(t, three_mistakes_pause_a_computer_and_the_games_go_on);
	tcase_add_test(t, kills_change_nothing);
	return util_main(t);
}
