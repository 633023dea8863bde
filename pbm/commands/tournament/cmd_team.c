/* Acts of the captain of a team in a tournament: "team" with its name and an act. */
#include <string.h>
#include <strings.h>

#include "pbm/commands/proof/hold.h"
#include "pbm/commands/proof/suspension.h"
#include "pbm/commands/tournament/tournament_entry.h"
#include "pbm/commands/tournament/tournament_find.h"
#include "pbm/commands/tournament/tournament_join.h"
#include "pbm/commands/tournament/tournament_mail.h"
#include "pbm/commands/tournament/tournament_tables.h"
#include "pbm/commands/words/did_you_mean.h"
#include "pbm/people/mail_limits.h"
#include "pbm/request/tournament_follow.h"
#include "pbm/tournament/tournament_roster.h"
#include "pbm/tournament/tournament_teams.h"
#include "store/store_documents.h"

/* The captain's team, and what the line is about. */
struct captaincy {
	const struct team_act *act;
	struct tournament_doc t;
	int team;
	struct player_doc player; /* add */
	int number;               /* remove, captain: an entry of the team */
};

struct team_act {
	const char *word;
	bool (*check)(struct request *q, struct call *c, struct captaincy *own);
	int (*run)(struct request *q, struct call *c, struct captaincy *own, struct err *e);
};

static const char *team_name(const struct captaincy *own)
{
	return own->t.teams[own->team - 1].name;
}

static bool is_open(struct request *q, const struct captaincy *own)
{
	if (own->t.state == TOURNAMENT_OPEN)
		return true;
	return !request_refused(
		q, 0, "The tournament %s has begun, and its teams stay as they are.", own->t.name);
}

/* The player that the line names, "" if there is none; NULL: more than one, and refused. */
static const char *said_player(struct request *q, const struct call *c)
{
	if (c->argc > 3) {
		request_refuse(q, 0, "Name one player in a line, as in: team %.40s %.20s bob",
		               c->argv[0], c->argv[1]);
		return NULL;
	}
	return tournament_find_word(q, c, 2);
}

/* The entry of the player in the captain's own team; 0: refused. */
static int find_own(struct request *q, const struct call *c, const struct captaincy *own)
{
	const char *name = said_player(q, c);
	int number = name && *name ? tournament_find(&own->t, name) : 0;

	if (!name)
		return 0;
	if (number && own->t.entries[number - 1].team == own->team &&
	    own->t.entries[number - 1].standing != ENTRY_WITHDRAWN)
		return number;
	return !request_refused(q, 0, "\"%.40s\" is not in your team %s.", name, team_name(own));
}

/* ---- add ---- */

/* Can the player be invited, or accepted after asking?  If not, says why. */
static bool is_free(struct request *q, const struct captaincy *own, const struct player_doc *p)
{
	int number = tournament_find(&own->t, p->userid);
	const struct tournament_entry *n = number ? &own->t.entries[number - 1] : NULL;

	if (n && n->standing == ENTRY_PLAYS)
		return !request_refused(q, 0, "%s plays in the team %s already.", p->userid,
		                        own->t.teams[n->team - 1].name);
	if (n && n->standing == ENTRY_INVITED && n->team == own->team)
		return !request_refused(q, 0, "%s is invited to your team %s already.", p->userid,
		                        team_name(own));
	if (n && n->standing == ENTRY_ASKS && n->team != own->team)
		return !request_refused(q, 0, "%s has asked to play in the team %s.", p->userid,
		                        own->t.teams[n->team - 1].name);
	if (!n && own->t.entry_count >= TOURNAMENT_PLAYERS_MAX)
		return !request_refused(q, 0, "The tournament %s is full.", own->t.name);
	return tournament_join_is_free(q, &own->t, own->team, p->userid);
}

static bool can_add(struct request *q, struct call *c, struct captaincy *own)
{
	struct player_doc *p = &own->player;
	const char *name = said_player(q, c);

	if (!name || !is_open(q, own))
		return false;
	if (store_player_get(q->site->store, q->arena, name, p, NULL) == 0 && !p->deleted)
		return is_free(q, own, p);
	return !request_refused(q, 0, "There is no player \"%.40s\".", name);
}

static int run_add(struct request *q, struct call *c, struct captaincy *own, struct err *e)
{
	int number = tournament_find(&own->t, own->player.userid);
	const char *why = NULL;

	if (!number || own->t.entries[number - 1].standing != ENTRY_ASKS) {
		int rc = tournament_join_invite(q, c, &own->t, own->team, &own->player, e);
		q->done_count += rc > 0;
		return rc < 0 ? rc : 0;
	}
	int rc = tournament_entry_may(q, &own->t, &own->player, &why, e);
	if (rc < 0)
		return rc;
	if (why || !suspension_may_play(q, &own->player))
		return !request_refused(q, 0, "%s can't enter the tournament %s now.",
		                        own->player.userid, own->t.name);
	q->done_count++;
	return tournament_join_accept(q, &own->t, number, e);
}

/* ---- remove ---- */

static bool can_remove(struct request *q, struct call *c, struct captaincy *own)
{
	if (!is_open(q, own))
		return false;
	own->number = find_own(q, c, own);
	if (own->number && own->t.entries[own->number - 1].captain)
		return !request_refused(
			q, 0,
			"To leave your team, write: leave %s.  To withdraw the whole team, write: team %s withdraw",
			own->t.name, own->t.name);
	return own->number > 0;
}

static int run_remove(struct request *q, struct call *c, struct captaincy *own, struct err *e)
{
	const struct tournament_entry n = own->t.entries[own->number - 1];
	const struct tournament_letter l = tournament_letter(
		q, 0, "out",
		arena_printf(q->arena, "you don't play in the team %s", team_name(own)),
		n.standing == ENTRY_ASKS
			? "%s, the captain of the team %s, has not taken you into it.  You can enter the tournament %s with another team."
		: n.standing == ENTRY_INVITED
			? "%s, the captain of the team %s, has taken back the invitation to play in it in the tournament %s."
			: "%s, the captain of the team %s, has taken you out of it.  You can enter the tournament %s with another team.",
		c->actor->userid, team_name(own), own->t.name);

	q->done_count++;
	tournament_roster_drop(&own->t, own->number);
	store_tournament_put(q->site->store, &own->t, e);
	/* An invitation is a mail, and so is taking it back. */
	int rc = n.standing == ENTRY_INVITED ? mail_limits_may_offer(q, c->actor, n.userid, e) : 1;
	if (rc > 0)
		rc = tournament_send(q, &own->t, n.userid, &l, e);
	if (rc == 0)
		request_say(q, "%s is out of the team %s.", n.userid, team_name(own));
	return rc;
}

/* ---- captain ---- */

static bool can_hand_over(struct request *q, struct call *c, struct captaincy *own)
{
	own->number = find_own(q, c, own);
	if (!own->number)
		return false;
	const struct tournament_entry *n = &own->t.entries[own->number - 1];
	if (n->captain)
		return !request_refused(q, 0, "You are the captain of the team %s already.",
		                        team_name(own));
	if (n->standing != ENTRY_PLAYS)
		return !request_refused(q, 0, "%s does not play in your team %s yet.", n->userid,
		                        team_name(own));
	return true;
}

static int run_hand_over(struct request *q, struct call *c, struct captaincy *own, struct err *e)
{
	struct tournament_entry *n = &own->t.entries[own->number - 1];
	const struct tournament_letter l = tournament_letter(
		q, 0, "captain",
		arena_printf(q->arena, "you are the captain of %s", team_name(own)),
		"%s has made you the captain of your team %s in the tournament %s.  What you can do is told by: help teams",
		c->actor->userid, team_name(own), own->t.name);

	q->done_count++;
	own->t.entries[tournament_captain(&own->t, own->team) - 1].captain = false;
	n->captain = true;
	store_tournament_put(q->site->store, &own->t, e);
	int rc = tournament_send(q, &own->t, n->userid, &l, e);
	if (rc == 0)
		request_say(q, "%s is the captain of the team %s now.", n->userid, team_name(own));
	return rc;
}

/* ---- withdraw ---- */

static bool can_withdraw(struct request *q, struct call *, struct captaincy *own)
{
	if (own->t.state != TOURNAMENT_OPEN && own->t.state != TOURNAMENT_RUNNING)
		return !request_refused(q, 0, "The tournament %s is over.", own->t.name);
	if (!q->confirming)
		q->held.why =
			own->t.state == TOURNAMENT_OPEN
				? "Your whole team leaves the tournament, and its players are told.  The answer is good for an hour."
			: own->t.kind == TOURNAMENT_SWISS
				? "Your whole team is paired no more, and can't come back.  Its running games go on.  The answer is good for an hour."
				: "Your whole team leaves the tournament, and can't come back.  Its open games are lost.  The answer is good for an hour.";
	return true;
}

static int run_withdraw(struct request *q, struct call *c, struct captaincy *own, struct err *e)
{
	const char *name = team_name(own);
	const struct tournament_letter l = tournament_letter(
		q, 0, "withdrawn", arena_printf(q->arena, "your team has left %s", own->t.name),
		"%s, the captain, has withdrawn your team %s from the tournament %s.",
		c->actor->userid, name, own->t.name);

	if (hold_ask_final(q, c, arena_printf(q->arena, "%s %s", c->command->word, c->rest),
	                   q->held.why))
		return 0;
	q->done_count++;
	int rc = tournament_entry_drop_team(q, &own->t, own->team, c->actor->userid, &l, e);
	if (rc == 0)
		request_say(q, "The team %s has left the tournament %s.", name, own->t.name);
	return rc;
}

/* ---- the table ---- */

static const struct team_act acts[] = {
	{ "add", can_add, run_add },
	{ "invite", can_add, run_add },
	{ "accept", can_add, run_add },
	{ "remove", can_remove, run_remove },
	{ "decline", can_remove, run_remove },
	{ "captain", can_hand_over, run_hand_over },
	{ "withdraw", can_withdraw, run_withdraw },
};

static const struct team_act *act_of(const char *word)
{
	for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
		if (strcasecmp(acts[i].word, word) == 0)
			return &acts[i];
	return NULL;
}

static const struct team_act *find_act(struct request *q, const struct call *c)
{
	const struct team_act *act = act_of(c->argc > 1 ? c->argv[1] : "");

	if (act)
		return act;
	request_refuse(
		q, 0,
		"Say what is to be done with your team, as in: team %.40s add bob.  The others are: remove bob, captain bob, withdraw",
		c->argv[0]);
	return NULL;
}

/* The actor's team, which he leads; if there is none, says so. */
static bool find_team(struct request *q, const struct call *c, struct captaincy *own)
{
	int number = tournament_find(&own->t, c->actor->userid);
	const struct tournament_entry *n = number ? &own->t.entries[number - 1] : NULL;

	own->team = n ? n->team : 0;
	if (!own->t.by_teams)
		request_refuse(q, 0, "The tournament %s is not played by teams.", own->t.name);
	else if (!n || n->standing != ENTRY_PLAYS)
		request_refuse(
			q, 0,
			"You play in no team of the tournament %s.  To found one, write: join %s team, and its name",
			own->t.name, own->t.name);
	else if (!n->captain)
		request_refuse(q, 0, "Only the captain of the team %s can do this: %s",
		               team_name(own),
		               own->t.entries[tournament_captain(&own->t, own->team) - 1].userid)
			->body = did_you_mean_offer(
			q->arena, arena_printf(q->arena, "tournament %s", own->t.name));
	else
		return true;
	return false;
}

/* "team tigers add eva" by the captain of the tigers, or "team add eva": the tournament in which they
 * play. */
struct own_team {
	const char *team;       /* NULL: whatever its name */
	const char *tournament; /* NULL: none so far */
};

static void take_own_team(const struct tournament_doc *t, const struct tournament_entry *n,
                          void *arg)
{
	struct own_team *own = arg;

	if (n->captain && (!own->team || tournament_find_team(t, own->team) == n->team))
		own->tournament = t->name;
}

/* Writes the line with the tournament's name below the refusal of a team's name. */
static int guess_team(struct request *q, const struct call *c, struct err *e)
{
	bool act = act_of(c->argv[0]);
	struct own_team own = { .team = act ? NULL : c->argv[0] };
	int rc = tournament_each_own(q, c->actor->userid, take_own_team, &own, e);

	if (rc == 0 && own.tournament)
		q->notes[q->note_count - 1].body = did_you_mean_offer(
			q->arena,
			arena_printf(q->arena, "team %s%s%s", own.tournament, act ? " " : "",
		                     act ? c->rest : c->rest + strcspn(c->rest, " \t")));
	return rc;
}

/* 1: refused. */
static int read_lead(struct request *q, struct call *c, struct err *e)
{
	struct captaincy *own = c->read = arena_alloc(q->arena, sizeof *own);

	*own = (struct captaincy){ 0 };
	int rc = tournament_find_named(q, c, &own->t, e);
	if (rc == 1 && (rc = guess_team(q, c, e)) == 0)
		return 1;
	if (rc != 0 || !find_team(q, c, own))
		return rc < 0 ? rc : 1;
	own->act = find_act(q, c);
	return !own->act || !own->act->check(q, c, own);
}

static int run_lead(struct request *q, struct call *c, struct err *e)
{
	struct captaincy *own = c->read;

	return own->act->run(q, c, own, e);
}

const struct command cmd_team_table[] = {
	COMMAND("team", "team tournament add|remove|captain userid  or  withdraw",
	        "what the captain of a team in a tournament does", GROUP_GAMES,
	        CMD_PROOF | CMD_PAIR, .least = 1, .read = read_lead, .run = run_lead),
	{ .word = NULL }
};
