/* pbm computer: the accounts that the server itself plays for.  pbm think: one run of them. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "games/variants/registry.h"
#include "pbm/base/log.h"
#include "pbm/commands/words/command.h"
#include "pbm/external/external_line.h"
#include "pbm/people/account_name.h"
#include "pbm/people/computer.h"
#include "pbm/people/player_change.h"
#include "pbm/people/settings.h"
#include "pbm/program/prog_user.h"
#include "pbm/text/word_list.h"
#include "pbm/think/think.h"
#include "store/document/schema.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define STORE_WAIT 4 /* seconds for another run to finish */
#define COUNTED 1000000

/* The turns of the highest level take seconds, so all other computers come first. */
static void set_level(struct player_doc *p, int level)
{
	p->level = level;
	if (level == PLAYER_LEVEL_MAX)
		p->pace = PACE_SLOW;
}

static int read_level(struct request *, const char *text, struct player_doc *p, struct err *e)
{
	uint64_t n = 0;
	int rc = prog_number("the level", text, 1, PLAYER_LEVEL_MAX, &n, e);

	if (rc == 0)
		set_level(p, (int)n);
	return rc;
}

/* "suicide,antichess", or "all". */
static int read_games(struct request *q, const char *text, struct player_doc *p, struct err *e)
{
	const char *list = "";

	p->plays = NULL;
	for (size_t n; strcmp(text, "all") != 0 && *text; text += n + (text[n] == ',')) {
		n = strcspn(text, ",");
		const struct rules *r = rules_find(text, n, e);

		if (!r)
			return ERR_BAD;
		list = word_list_with(q->arena, list, r->name);
	}
	p->plays = *list ? list : NULL;
	return 0;
}

static int read_pace(struct request *, const char *text, struct player_doc *p, struct err *e)
{
	int i = 0;

	while (player_paces[i] && strcmp(text, player_paces[i]) != 0)
		i++;
	if (!player_paces[i])
		return err_set(e, ERR_BAD, "the pace is now, human or slow, not \"%.40s\"", text);
	if (p->level == PLAYER_LEVEL_MAX && i != PACE_SLOW)
		return err_set(e, ERR_BAD, "level %d plays with pace slow only", p->level);
	p->pace = (enum player_pace)i;
	return 0;
}

static int read_yes(const char *text, bool *out, struct err *e)
{
	*out = strcmp(text, "yes") == 0;
	return *out || strcmp(text, "no") == 0
	               ? 0
	               : err_set(e, ERR_BAD, "say yes or no, not \"%.40s\"", text);
}

static int read_rated(struct request *, const char *text, struct player_doc *p, struct err *e)
{
	int rc = read_yes(text, &p->rated, e);

	if (rc == 0 && p->rated && p->pace == PACE_NOW)
		p->pace = PACE_HUMAN;
	return rc;
}

static int read_open(struct request *q, const char *text, struct player_doc *p, struct err *e)
{
	bool open;
	int rc = read_yes(text, &open, e);

	if (rc == 0)
		player_change_set(q->arena, p, "open", text);
	return rc;
}

/* A line of pbm.conf that can be read, or "own". */
static int read_engine(struct request *q, const char *text, struct player_doc *p, struct err *e)
{
	const struct site_engine *from = site_engine_find(q->site, text);
	struct external_line line;

	p->engine = from ? from->name : NULL;
	if (strcmp(text, "own") == 0)
		return 0;
	return from ? external_line_read(from, q->arena, &line, e)
	            : err_set(e, ERR_NOT_FOUND, "pbm.conf has no line engine-%.40s", text);
}

static int read_paused(struct request *q, const char *text, struct player_doc *p, struct err *e)
{
	bool paused;
	int rc = read_yes(text, &paused, e);

	p->paused = paused ? q->now : 0;
	return rc;
}

static const struct {
	const char *word;
	int (*read)(struct request *q, const char *text, struct player_doc *p, struct err *e);
} settable[] = {
	{ "level", read_level },   { "games", read_games }, { "pace", read_pace },
	{ "rated", read_rated },   { "open", read_open },   { "engine", read_engine },
	{ "paused", read_paused },
};
#define SETTABLE (sizeof settable / sizeof *settable)

static int need_computer(const struct prog_call *c, struct err *e)
{
	return computer_is(&c->p)
	               ? 0
	               : err_set(e, ERR_BAD, "the server does not play for %s", c->p.userid);
}

/* One new computer. */
static int make(struct request *q, const struct player_doc *p, struct err *e)
{
	struct err why = { 0 };
	int rc = account_name_check_server(q->site->store, q->arena, p->userid, command_is_word,
	                                   &why, e);

	if (rc == 1)
		return err_set(e, why.code, "%s", why.text);
	if (rc == 0)
		rc = store_player_put(q->site->store, p, e);
	return rc == 0 ? act_record(q, &(struct act_by){ "operator", NULL }, "add", p->userid,
	                            p->role, e)
	               : rc;
}

static struct player_doc new_computer(const struct request *q, const char *userid)
{
	return (struct player_doc){ .userid = userid, .role = "computer", .created = q->now };
}

static int run_add(struct prog_call *c, struct err *e)
{
	struct player_doc p = new_computer(c->q, c->argv[0]);
	int rc = read_games(c->q, c->argv[1], &p, e);

	if (rc == 0)
		rc = read_level(c->q, c->argv[2], &p, e);
	if (rc == 0)
		rc = make(c->q, &p, e);
	if (rc == 0)
		printf("%s plays %s at level %d, each time pbm think runs\n", p.userid,
		       p.plays ? p.plays : "every game", p.level);
	return rc;
}

static int run_set(struct prog_call *c, struct err *e)
{
	const char *what = c->argv[1], *value = c->argv[2];
	int rc = need_computer(c, e);
	size_t i = 0;

	if (rc < 0)
		return rc;
	while (i < SETTABLE && strcmp(what, settable[i].word) != 0)
		i++;
	if (i == SETTABLE)
		return err_set(
			e, ERR_BAD,
			"what can be set is level, games, pace, rated, open, engine and paused");
	rc = settable[i].read(c->q, value, &c->p, e);
	if (rc == 0)
		rc = store_player_put(c->store, &c->p, e);
	if (rc == 0)
		printf("%s: %s is %s\n", c->p.userid, what, value);
	return rc;
}

static int run_remove(struct prog_call *c, struct err *e)
{
	int rc = need_computer(c, e);

	if (rc == 0)
		rc = prog_user_end(c->q, &c->p, false, &(struct act_by){ "operator", NULL }, e);
	if (rc == 0)
		printf("%s plays no more, and its running games are over\n", c->argv[0]);
	return rc;
}

static int list_one(const struct player_doc *p, void *arg, struct err *e)
{
	const struct prog_call *c = arg;
	size_t running = 0;
	int rc = store_games(c->store, p->userid, NULL, GAMES_OPEN, COUNTED, 0, store_count_row,
	                     &running, e);

	if (rc == 0)
		printf("%-20s  level %d  pace %s  engine %s  %s%s  %zu running  %s\n", p->userid,
		       p->level, player_paces[p->pace], p->engine ? p->engine : "own",
		       p->rated ? "rated  " : "",
		       p->paused                      ? "paused"
		       : settings_is(p, "open", "no") ? "takes no games "
		                                      : "takes games",
		       running, p->plays ? p->plays : "all games");
	return rc;
}

static int run_list(struct prog_call *c, struct err *e)
{
	return computer_each(c->store, c->q->arena, list_one, c, e);
}

static const struct prog_act acts[] = {
	{ "add", "USERID GAME[,GAME]|all LEVEL", 3, 3, .writes = true, .run = run_add },
	{ "set", "USERID level|games|pace|rated|open|engine|paused VALUE", 3, 3,
	  .whom = PROG_ANYBODY, .writes = true, .run = run_set },
	{ "list", "", 0, 0, .run = run_list },
	{ "remove", "USERID", 1, 1, .whom = PROG_ANYBODY, .writes = true, .run = run_remove },
	{ .word = NULL },
};

int prog_computer(const struct prog_options *o, int argc, char **argv)
{
	return prog_act(o, argc, argv, acts, STORE_WAIT);
}

int prog_computer_make_all(const char *dir, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	AUTO(site_close) struct site s = { 0 };
	int rc = site_open(dir, &s, e);

	if (rc < 0)
		return rc;
	rc = site_open_store(&s, STORE_WRITE, e);
	if (rc == 0)
		rc = store_begin(s.store, e);
	struct request *q = prog_request(&s, &a);
	for (int level = 1; rc == 0 && level <= PLAYER_LEVEL_MAX; level++) {
		struct player_doc p = new_computer(q, arena_printf(&a, "robot%d", level));

		set_level(&p, level);
		rc = make(q, &p, e);
	}
	if (s.store)
		rc = store_end(s.store, rc, e);
	return rc;
}

/* ---- pbm think ---- */

#define SECONDS 50 /* cron comes each minute */
#define GAMES_MOST 1000000

static void say(const struct think_report *r, bool person)
{
	const char *later = r->later ? "; more in the next run" : "";

	if (person)
		printf("%zu answers of computers, %zu seeks taken, %zu games analysed, %zu puzzles found%s.\n",
		       r->moves, r->seeks, r->analysed, r->puzzles, later);
	else if (r->moves || r->seeks || r->wrong || r->late || r->analysed || r->puzzles)
		log_info(
			"%zu answers of computers, %zu seeks taken, %zu games analysed, %zu puzzles found; %zu games changed meanwhile, %zu turns not found%s",
			r->moves, r->seeks, r->analysed, r->puzzles, r->late, r->wrong, later);
}

int prog_think(const struct prog_options *o, int argc, char **argv)
{
	uint64_t seconds = SECONDS, games = GAMES_MOST;
	bool person = isatty(STDOUT_FILENO);
	struct think_report r = { 0 };
	struct err e = { 0 };
	const struct prog_word words[] = {
		{ "--seconds", .number = &seconds, .least = 1, .most = 86400 },
		{ "--games", .number = &games, .least = 1, .most = GAMES_MOST },
		{ .name = NULL },
	};
	int code = prog_read(argc, argv, words);

	if (code)
		return code;
	struct think_limits l = { (int)seconds, (size_t)games };
	int rc = think_run(o->dir, &l, &r, &e);
	if (rc == ERR_BUSY) {
		log_info("%s; this run does nothing", e.text);
		return 0;
	}
	if (rc < 0)
		return prog_fail(&e);
	say(&r, person);
	return 0;
}
