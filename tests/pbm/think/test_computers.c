/* Games against computers by mail: each level in each game.  The person's turns are drawn by lot
 * and mailed, pbm tick reads them, and pbm think answers. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/base/clock.h"
#include "pbm/commands/command_list.h"
#include "pbm/people/computer.h"
#include "pbm/record/match.h"
#include "pbm/site/site.h"
#include "store/store_documents.h"
#include "tests/util/util.h"

#define BEGIN 1796119200
#define ROUND 21600 /* seconds */
#define ROUNDS 200
#define GAMES_FULL 20 /* of each level in each game, with FULL=1 */

/* From this ply on the person resigns: the higher levels think for long. */
static const unsigned plies[PLAYER_LEVEL_MAX + 1] = { 0, 30, 30, 20, 12, 4, 1 };

struct club {
	char *site;
	int level, games;
	unsigned plies;
	int64_t now;
	unsigned mails;
	uint32_t seed;
	int running, won, lost; /* the computer's */
};

static void run(struct club *c, const char *input, const char *word, const char *rest[])
{
	char now[CLOCK_ISO_SIZE];
	const char *program = getenv("PBM");
	const char *argv[16] = {
		program ? program : "build/pbm", "-C", c->site, "--now", now, "-q", word
	};
	int status;

	clock_write_iso(c->now, now);
	for (size_t i = 0; rest && rest[i]; i++)
		argv[7 + i] = rest[i];
	char *out = util_pbm(argv, input, &status);
	ck_assert_msg(status == 0, "pbm %s gave %d: %s", word, status, out);
	free(out);
}

/* Finished games are not analysed, which would take longer than the games. */
static void set_up(struct club *c)
{
	struct str conf;
	char *was = util_read(c->site, "pbm.conf");

	str_init(&conf, 1 << 20);
	str_addf(&conf, "%s\nanalysis-nodes = 0\n", was);
	util_write(c->site, "pbm.conf", conf.data);
	str_release(&conf);
	free(was);
}

/* carol, a moderator, starts the games; alice has each colour in turn. */
static void start_games(struct club *c)
{
	char level[2] = { (char)('0' + c->level), '\0' }, name[20] = "";
	struct str lines;

	str_init(&lines, 1 << 20);
	for (const struct rules *const *r = rules_all; *r; r++) {
		/* An answer of the highest level takes a second of work. */
		if (c->level == PLAYER_LEVEL_MAX && !getenv("FULL") && (r - rules_all) % 4)
			continue;
		for (int i = 0; i < c->games; i++, c->running++) {
			if (c->running % COMPUTER_GAMES_OF_ONE == 0) {
				snprintf(name, sizeof name, "robot%d",
				         c->running / COMPUTER_GAMES_OF_ONE);
				run(c, NULL, "computer",
				    (const char *[]){ "add", name, "all", level, NULL });
			}
			str_addf(&lines, "%s challenge %s %s -days=30\n", (*r)->name,
			         c->running % 2 ? "alice" : name, c->running % 2 ? name : "alice");
		}
	}
	run(c, lines.data, "talk", (const char *[]){ "carol", NULL });
	str_release(&lines);
}

/* Some legal turn, but none of which the server asks whether it is meant. */
static void choose(struct club *c, const struct match *m, struct str *san)
{
	static struct moves legal;
	const struct pos *p = match_position(m);
	const struct move *turn;
	char why[200];

	game_legal(&m->game, p, &legal);
	for (int tries = 0; tries < 200; tries++) {
		struct str s = STR_FIXED(why);

		c->seed = c->seed * 1664525u + 1013904223u;
		turn = &legal.v[(c->seed >> 8) % legal.n];
		if (!game_blunder(&m->game, p, turn, &s))
			break;
	}
	game_write_san(&m->game, p, turn, san);
}

/* alice's mail about a board, if it is her turn. */
static void look_at(struct club *c, struct store *s, int64_t board)
{
	struct arena a = { 0 };
	struct game_doc d;
	struct match m;
	char turn[100] = "", subject[200], name[20];
	struct str san = STR_FIXED(turn);

	ck_assert_int_eq(store_game_get(s, &a, board, &d, NULL), 0);
	ck_assert_int_eq(match_load(&a, &d, &m, NULL), 0);
	uint8_t robot = strcmp(d.players[0], "alice") == 0 ? SEAT_BLACK : SEAT_WHITE;
	if (d.state == GAME_FINISHED) {
		c->won += strcmp(d.result, robot == SEAT_WHITE ? "1-0" : "0-1") == 0;
		c->lost += strcmp(d.result, robot == SEAT_WHITE ? "0-1" : "1-0") == 0;
	} else {
		c->running++;
		ck_assert_msg(match_to_move(&m) == !robot, "%s: level %d did not answer: %s",
		              d.game, c->level, d.fen);
		if (m.ply < c->plies)
			choose(c, &m, &san);
		snprintf(subject, sizeof subject, "%s %lld alice alice-pw %s",
		         *turn ? "move" : "resign", (long long)board, turn);
		snprintf(name, sizeof name, "%u.mail", 100000 + c->mails++);
		util_mail(c->site, name, "alice@example.org", "pbm@pbm.example.org", subject, "",
		          NULL);
	}
	arena_release(&a);
}

static void write_mails(struct club *c, int boards)
{
	struct site s;

	c->running = c->won = c->lost = 0;
	ck_assert_int_eq(site_open(c->site, &s, NULL), 0);
	ck_assert_int_eq(site_open_store(&s, STORE_READ, NULL), 0);
	for (int board = 1; board <= boards; board++)
		look_at(c, s.store, board);
	site_close(&s);
}

START_TEST(each_game_is_played_to_its_end)
{
	struct club c = { .site = util_site(),
		          .level = _i,
		          .games = getenv("FULL") ? GAMES_FULL : 1,
		          .plies = plies[_i],
		          .now = BEGIN,
		          .seed = (uint32_t)_i };

	set_up(&c);
	start_games(&c);
	int boards = c.running;
	for (int round = 0; c.running && round < ROUNDS; round++) {
		run(&c, NULL, "think", (const char *[]){ "--seconds", "3600", NULL });
		write_mails(&c, boards);
		c.now += ROUND;
		run(&c, NULL, "tick", NULL);
	}
	ck_assert_int_eq(c.running, 0);
	ck_assert_msg(c.level < 3 || c.lost == 0, "level %d lost %d games to chance", c.level,
	              c.lost);
	ck_assert_int_gt(c.won, boards / 2);
	run(&c, NULL, "fsck", NULL);
	util_drop(c.site);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("computers");

	command_use(command_list);
	tcase_add_loop_test(t, each_game_is_played_to_its_end, 1, PLAYER_LEVEL_MAX + 1);
	tcase_set_timeout(t, 0);
	return util_main(t);
}
