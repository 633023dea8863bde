/* Commands of players in tournaments: join, leave, skip, tournament, tournaments. */
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/commands/play/withhold.h"
#include "pbm/commands/proof/hold.h"
#include "pbm/commands/proof/suspension.h"
#include "pbm/commands/tournament/tournament_entry.h"
#include "pbm/commands/tournament/tournament_find.h"
#include "pbm/commands/tournament/tournament_join.h"
#include "pbm/commands/tournament/tournament_mail.h"
#include "pbm/commands/tournament/tournament_round.h"
#include "pbm/commands/tournament/tournament_skip.h"
#include "pbm/commands/tournament/tournament_tables.h"
#include "pbm/commands/tournament/tournament_tell.h"
#include "pbm/people/mail_limits.h"
#include "pbm/tournament/tournament_state.h"
#include "store/store_documents.h"
#include "store/store_tournaments.h"

#define LISTED 40 /* tournaments of each state in the list */
#define LISTED_OVER 10

/* ---- join ---- */

/* A ladder has commands of its own. */
static bool is_ladder(struct request *q, const struct tournament_doc *t)
{
	if (t->kind == TOURNAMENT_LADDER)
		request_refuse(
			q, 0,
			"%s is a ladder.  You can write: ladder %s, ladder join %s, ladder leave %s",
			t->name, t->terms.game, t->terms.game, t->terms.game);
	return t->kind == TOURNAMENT_LADDER;
}

/* "join ladder suicide": the words in another order.  true: refused. */
static bool refuse_ladder(struct request *q, const struct call *c)
{
	struct tournament_doc t;
	const char *game = c->argc > 1 ? c->argv[1] : NULL;
	const struct rules *r = game ? rules_find(game, strlen(game), NULL) : c->rules;

	if (!c->argc || strcasecmp(c->argv[0], "ladder") != 0 ||
	    store_tournament_get(q->site->store, q->arena, "ladder", &t, NULL) == 0)
		return false;
	if (r)
		request_refuse(q, 0, "For a ladder write: ladder %s %s", c->command->word, r->name);
	else
		request_refuse(
			q, 0,
			"For a ladder write: ladder %s, and the name of its game, as in: ladder %s suicide",
			c->command->word, c->command->word);
	return true;
}

/* Is there no place left?  A tournament that has begun has no waiting list; an invited player
 * has an entry already. */
static bool is_full(const struct tournament_doc *t, int number)
{
	return (t->state == TOURNAMENT_RUNNING &&
	        tournament_count(t, ENTRY_PLAYS) >= (size_t)t->most) ||
	       (!number && t->entry_count >= TOURNAMENT_PLAYERS_MAX);
}

/* May somebody enter this tournament now?  If not, says why. */
static bool is_open(struct request *q, const struct call *c, const struct tournament_doc *t)
{
	int number = tournament_find(t, c->actor->userid);
	enum tournament_standing standing = number ? t->entries[number - 1].standing
	                                           : ENTRY_INVITED;

	if (is_ladder(q, t))
		return false;
	if (c->argc > 2 &&
	    strcasecmp(c->argv[1], "team") != 0) /* a misspelt password, perhaps of somebody else */
		return !request_refused(
			q, 0,
			"You have not entered: text after the name goes to nobody.  To enter, write only: join %s",
			t->name);
	if (t->state == TOURNAMENT_FINISHED || t->state == TOURNAMENT_CANCELLED)
		return !request_refused(q, 0, "The tournament %s is over.", t->name);
	if (standing == ENTRY_WITHDRAWN)
		return !request_refused(
			q, 0,
			"You have left the tournament %s, or were taken out of it, and can't come back.",
			t->name);
	if (standing == ENTRY_WAITS)
		return !request_refused(
			q, 0,
			"You wait for a place in the tournament %s.  To give it up, write: leave %s",
			t->name, t->name);
	if (standing == ENTRY_PLAYS)
		return !request_refused(q, 0, "You play in the tournament %s already.", t->name);
	if (c->argc > 1 && strcasecmp(c->argv[1], "team") == 0)
		return !request_refused(
			q, 0,
			"The tournament %s is not played by teams.  To enter it, write: join %s",
			t->name, t->name);
	if (!tournament_takes_entries(t))
		return !request_refused(
			q, 0, "The tournament %s has begun, and takes no more players.", t->name);
	if (is_full(t, number))
		return !request_refused(q, 0, "The tournament %s is full.", t->name);
	return true;
}

/* The entry of a player who is asked whether he still plays, or NULL. */
static struct tournament_entry *silent_entry(const struct tournament_doc *t, const char *userid)
{
	int number = tournament_find(t, userid);
	struct tournament_entry *n = number ? &t->entries[number - 1] : NULL;

	return n && n->silent && n->standing == ENTRY_PLAYS && t->state == TOURNAMENT_RUNNING
	               ? n
	               : NULL;
}

/* 1: the player can't enter. */
static int read_join(struct request *q, struct call *c, struct err *e)
{
	struct tournament_doc *t = c->read = arena_alloc(q->arena, sizeof *t);

	if (refuse_ladder(q, c) || !suspension_actor_may_play(q, c))
		return 1;
	int rc = tournament_find_named(q, c, t, e);
	if (rc != 0)
		return rc;
	if (t->by_teams)
		return !tournament_join_check(q, c, t);
	return !silent_entry(t, c->actor->userid) && !is_open(q, c, t);
}

static int say_joined(struct request *q, const struct tournament_doc *t, const char *userid,
                      struct err *e)
{
	const struct tournament_entry *n = &t->entries[tournament_find(t, userid) - 1];
	const char *text;

	if (n->standing == ENTRY_WAITS)
		text = arena_printf(
			q->arena,
			"All places in the tournament %s are taken.  You wait for one, and are told when you have it.  To give it up, write: leave %s",
			t->name, t->name);
	else if (t->state == TOURNAMENT_RUNNING)
		text = arena_printf(
			q->arena,
			"You play in the tournament %s from round %d on, and get half a point for the rounds before.  To leave it, write: leave %s",
			t->name, n->first_round, t->name);
	else
		text = arena_printf(
			q->arena,
			"You have entered the tournament %s.  You are told when it begins.  To leave it, write: leave %s",
			t->name, t->name);
	return tournament_entry_say(q, t, userid, text, e);
}

/* Answers "do you still play?", which is asked after a game that was lost without a move. */
static int play_on(struct request *q, struct tournament_doc *t, struct tournament_entry *n,
                   struct err *e)
{
	n->silent = false;
	q->done_count++;
	request_say(
		q,
		(int)t->round_count < t->rounds
			? "You play on in the tournament %s, and are paired from its next round on."
			: "The last round of the tournament %s is paired already, so you get no more games in it.  You keep your place in its table.",
		t->name);
	return store_tournament_put(q->site->store, t, e);
}

static int run_join(struct request *q, struct call *c, struct err *e)
{
	struct tournament_doc *t = c->read;
	const char *me = c->actor->userid;
	struct tournament_entry *silent = silent_entry(t, me);

	if (t->by_teams)
		return tournament_join_run(q, c, t, e);
	if (silent)
		return play_on(q, t, silent, e);
	int rc = tournament_entry_admits(q, t, c->actor, e);
	if (rc <= 0)
		return rc;
	q->done_count++;
	rc = tournament_entry_add(q, t, me, e);
	if (rc == 0 && t->state == TOURNAMENT_RUNNING)
		tournament_tell_moved(q, t, me, true);
	return rc == 0 ? say_joined(q, t, me, e) : rc;
}

/* ---- leave ---- */

static const char *leave_question(const struct tournament_doc *t)
{
	if (t->state == TOURNAMENT_OPEN)
		return NULL;
	if (t->by_teams)
		return t->kind == TOURNAMENT_SWISS
		               ? "The tournament has begun.  You leave your team and can't come back; your running game goes on."
		               : "The tournament has begun.  You leave your team and can't come back; your open games are lost.";
	return t->kind == TOURNAMENT_SWISS
	               ? "The tournament has begun.  You are paired no more, and can't come back; your running game goes on."
	               : "The tournament has begun.  Your open games in it are lost, and you can't come back.";
}

/* An entry that its player gives up. */
struct own_entry {
	struct tournament_doc t;
	int number;
};

/* 1: there is no such entry. */
static int read_leave(struct request *q, struct call *c, struct err *e)
{
	struct own_entry *own = c->read = arena_alloc(q->arena, sizeof *own);
	const struct tournament_doc *t = &own->t;

	if (c->argc == 0) {
		request_refuse(
			q, 0,
			"Say which tournament you leave: leave, and its name.  To get no more mails of this server, write: stop")
			->body = tournament_find_lines(q, c);
		return 1;
	}
	if (refuse_ladder(q, c))
		return 1;
	int rc = tournament_find_named(q, c, &own->t, e);
	if (rc != 0 || is_ladder(q, t))
		return rc < 0 ? rc : 1;
	own->number = tournament_find(t, c->actor->userid);
	if (!own->number || t->entries[own->number - 1].standing == ENTRY_WITHDRAWN)
		return request_refused(q, 0, "You don't play in the tournament %s.", t->name);
	if (t->state != TOURNAMENT_OPEN && t->state != TOURNAMENT_RUNNING)
		return request_refused(q, 0, "The tournament %s is over.", t->name);
	if (!c->proved)
		q->held.why = leave_question(t);
	return 0;
}

/* "leave spring, I am ill": the reason on the line belongs to the text below it, but for a password. */
static int take_reason(struct request *q, const struct call *c, const char *name, struct err *e)
{
	const char *at = strcasestr(c->rest, name), *kept = NULL;
	const char *reason = at ? at + strlen(name) : "";
	struct withheld w;

	int rc = withhold_lines(q, reason + strspn(reason, " ,.;:-"), NULL, &kept, &w, e);
	if (rc == 0 && kept)
		q->comment = q->comment ? arena_printf(q->arena, "%s\n%s", kept, q->comment) : kept;
	if (rc == 0)
		withhold_tell(q, &w);
	return rc;
}

static int run_leave(struct request *q, struct call *c, struct err *e)
{
	struct own_entry *own = c->read;
	struct tournament_doc *t = &own->t;
	const struct tournament_entry n = t->entries[own->number - 1];
	bool begun = t->state == TOURNAMENT_RUNNING;
	bool asked = !begun && (n.standing == ENTRY_INVITED || n.standing == ENTRY_ASKS);

	int rc = take_reason(q, c, t->name, e);
	if (rc < 0 || (begun && hold_ask(q, c, arena_printf(q->arena, "leave %s", t->name),
	                                 leave_question(t))))
		return rc;
	rc = begun ? tournament_withdraw(q, t, own->number, e)
	           : tournament_entry_drop(q, t, own->number, e);
	q->done_count++;
	if (rc == 0 && asked)
		return tournament_tell_declined(q, t, &n, c->actor, e);
	if (rc == 0)
		tournament_tell_moved(q, t, c->actor->userid, false);
	if (rc == 0 && t->by_teams)
		request_say(q, "You have left your team and the tournament %s.", t->name);
	else if (rc == 0)
		request_say(q,
		            begun ? "You have left the tournament %s and are paired no more."
		                  : "You have left the tournament %s.",
		            t->name);
	return rc;
}

/* ---- reading ---- */

static const char *state_text(struct request *q, const struct tournament_doc *t)
{
	int own = q->who.known ? tournament_find(t, request_userid(q)) : 0;

	if (t->state == TOURNAMENT_OPEN && own && t->entries[own - 1].standing == ENTRY_PLAYS)
		return arena_printf(
			q->arena,
			"You have entered the tournament %s.  It takes entries.  To leave it, write: leave %s",
			t->name, t->name);
	if (t->state == TOURNAMENT_OPEN && t->by_teams)
		return arena_printf(
			q->arena,
			"The tournament %s takes entries of teams.  To found one or to play in it, write: join %s team, and its name",
			t->name, t->name);
	if (t->state == TOURNAMENT_OPEN)
		return arena_printf(q->arena,
		                    "The tournament %s takes entries.  To enter, write: join %s",
		                    t->name, t->name);
	if (t->state == TOURNAMENT_RUNNING && tournament_takes_entries(t))
		return arena_printf(
			q->arena,
			"The tournament %s is being played.  Late entries are possible: join %s",
			t->name, t->name);
	if (t->kind == TOURNAMENT_LADDER)
		return arena_printf(q->arena,
		                    "This is the ladder of %s.  To enter it, write: ladder join %s",
		                    rules_title(t->terms.game), t->terms.game);
	return arena_printf(q->arena,
	                    t->state == TOURNAMENT_RUNNING ? "The tournament %s is being played."
	                    : t->state == TOURNAMENT_FINISHED
	                            ? "The tournament %s is over."
	                            : "The tournament %s did not take place.",
	                    t->name);
}

/* tournament NAME */
static int run_tournament(struct request *q, struct call *c, struct err *e)
{
	struct tournament_doc t;

	if (mail_limits_is_full(q))
		return 0;
	int rc = tournament_find_named(q, c, &t, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	const char *text = tournament_text(q, &t, request_userid(q),
	                                   TOURNAMENT_CONDITIONS | TOURNAMENT_ENTRIES |
	                                           TOURNAMENT_WHOLE | TOURNAMENT_PAIRINGS,
	                                   e);
	if (!text)
		return e->code;
	request_page(q,
	             t.kind == TOURNAMENT_LADDER
	                     ? arena_printf(q->arena, "the ladder of %s", rules_title(t.terms.game))
	                     : arena_printf(q->arena, "the tournament %s", t.name),
	             state_text(q, &t), text);
	return 0;
}

struct tournament_lines {
	struct str *out;
	size_t n;
};

static int add_line(const struct tournament_row *row, void *arg)
{
	static const char *const kinds[] = { "swiss",    "roundrobin", "double",
		                             "knockout", "ladder",     "simul" };
	static const char *const states[] = { "open", "running", "over", "cancelled" };
	struct tournament_lines *l = arg;
	char round[40] = "";
	struct str s = STR_FIXED(round);

	if (row->state == TOURNAMENT_RUNNING &&
	    (row->kind == TOURNAMENT_SWISS || row->kind == TOURNAMENT_KNOCKOUT))
		str_addf(&s, "round %d of %d", row->paired, row->rounds);
	str_addf(l->out, " %-20s %-16s %-10s %4d  %-8s %s\n", row->name, rules_title(row->game),
	         kinds[row->kind], row->players, states[row->state], round);
	l->n++;
	return 0;
}

/* tournaments; "tournaments spring" means that one */
static int run_tournaments(struct request *q, struct call *c, struct err *e)
{
	static const enum tournament_state states[] = { TOURNAMENT_OPEN, TOURNAMENT_RUNNING,
		                                        TOURNAMENT_FINISHED };
	struct tournament_lines l = { .n = 0 };
	struct tournament_doc named;
	int rc = 0;

	if (mail_limits_is_full(q))
		return 0;
	if (store_tournament_get(q->site->store, q->arena, tournament_find_word(q, c, 0), &named,
	                         NULL) == 0)
		return run_tournament(q, c, e);
	struct str s = str_in(q->arena, 65536);
	l.out = &s;
	str_add(&s, " name                 game             kind       players\n");
	for (size_t i = 0; rc == 0 && i < sizeof states / sizeof states[0]; i++)
		rc = store_tournaments(
			q->site->store, states[i], (struct tournament_place){ INT64_MAX, "" },
			states[i] == TOURNAMENT_FINISHED ? LISTED_OVER : LISTED, add_line, &l, e);
	if (rc == 0)
		request_page(
			q, "the tournaments",
			l.n ? "The tournaments.  To see one of them, write: tournament, and its name.  To enter an open one, write: join, and its name"
			    : "There is no tournament.",
			l.n ? s.data : NULL);
	return rc;
}

const struct command cmd_tournament_table[] = {
	COMMAND("tournaments", "tournaments", "the tournaments: open, running, and the last ones",
	        GROUP_READ, 0, .run = run_tournaments),
	COMMAND("tournament", "tournament name", "its conditions, table and pairings", GROUP_READ,
	        0, .least = 1, .run = run_tournament),
	COMMAND("join", "join tournament [team name]", "enters a tournament, alone or in a team",
	        GROUP_GAMES, CMD_PROOF | CMD_PAIR | CMD_KEPT, .read = read_join, .run = run_join),
	COMMAND("leave", "leave tournament", "leaves a tournament", GROUP_GAMES,
	        CMD_PROOF | CMD_PAIR | CMD_COMMENT, .read = read_leave, .run = run_leave),
	COMMAND("skip", "skip tournament [no]", "the next round off, for half a point", GROUP_GAMES,
	        CMD_PROOF | CMD_PAIR, .read = tournament_skip_read, .run = tournament_skip_run),
	{ .word = NULL }
};
