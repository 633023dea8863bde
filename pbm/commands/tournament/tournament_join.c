#include "pbm/commands/tournament/tournament_join.h"

#include <strings.h>

#include "pbm/base/clock.h"
#include "pbm/commands/lobby/censor.h"
#include "pbm/commands/proof/suspension.h"
#include "pbm/commands/tournament/tournament_entry.h"
#include "pbm/commands/tournament/tournament_find.h"
#include "pbm/commands/tournament/tournament_mail.h"
#include "pbm/people/consent.h"
#include "pbm/people/mail_limits.h"
#include "pbm/people/naming.h"
#include "pbm/request/request_player.h"
#include "pbm/tournament/tournament_roster.h"
#include "pbm/tournament/tournament_teams.h"
#include "store/document/keys.h"
#include "store/store_documents.h"
#include "store/store_questions.h"

#define MEMBERS_A_BOARD 3
#define INVITATION_DAYS 7 /* so long no other team can invite the player */

/* The effect of a join. */
enum joining { JOIN_REFUSED, JOIN_FOUND, JOIN_ENTER, JOIN_ASK };
struct join {
	enum joining what;
	const char *name; /* of the team */
	int team;         /* 0: a new one */
};

/* The greatest number of players in a team, invited ones among them. */
static size_t tournament_join_most(const struct tournament_doc *t)
{
	return (size_t)tournament_boards(t) * MEMBERS_A_BOARD;
}

static bool has_room(const struct tournament_doc *t, int team)
{
	return tournament_members(t, team, ENTRY_PLAYS) +
	               tournament_members(t, team, ENTRY_INVITED) <
	       tournament_join_most(t);
}

/* The words after the tournament: "team tigers" or "tigers"; NULL: there are none, or too many. */
static const char *said_name(struct request *q, const struct call *c)
{
	size_t i = c->argc > 1 && strcasecmp(c->argv[1], "team") == 0 ? 2 : 1;

	return c->argc == i + 1 ? tournament_find_word(q, c, i) : NULL;
}

/* The team whose name looks like this one; 0: there is none. */
static int team_like(const struct tournament_doc *t, const char *name)
{
	for (size_t i = 0; i < t->team_count; i++)
		if (key_is_alike(name, t->teams[i].name))
			return (int)i + 1;
	return 0;
}

/* Can a new team have this name?  If not, says why. */
static bool is_free_name(struct request *q, const struct tournament_doc *t, const char *name)
{
	const char *player = NULL;
	int like = team_like(t, name);

	if (like)
		return !request_refused(
			q, 0,
			"There is a team %s, and its name looks the same.  To play in it, write: join %s team %s",
			t->teams[like - 1].name, t->name, t->teams[like - 1].name);
	if (store_player_like(q->site->store, q->arena, name, &player, NULL) != 0)
		return !request_refused(
			q, 0,
			"%s is the name of a player, or looks like one: choose another name for the team.",
			name);
	return true;
}

/* Has the player a place in a team already, or is he waiting for an answer?  Then says so. */
static bool is_settled(struct request *q, const struct tournament_doc *t, int number,
                       const char *name)
{
	const struct tournament_entry *n = number ? &t->entries[number - 1] : NULL;
	const char *own = n && n->team ? t->teams[n->team - 1].name : "";

	if (n && n->standing == ENTRY_PLAYS)
		return request_refused(
			q, 0,
			"You play in the team %s of the tournament %s already.  To leave it, write: leave %s",
			own, t->name, t->name);
	if (n && n->standing == ENTRY_ASKS && (!name || strcasecmp(own, name) == 0))
		return request_refused(
			q, 0,
			"You have asked the captain of the team %s, who has not answered yet.  To take that back, write: leave %s",
			own, t->name);
	return false;
}

/* Refuses a word that means something else in commands and tables. */
static bool is_name(const char *name)
{
	static const char *const words[] = { "team", "bye", "nobody", NULL };

	return name && !str_is_any(name, words) && key_is_userid(name);
}

/* Founds a team with a name that no team has, or says why it can't. */
static enum joining new_team(struct request *q, const struct tournament_doc *t, const char *name)
{
	if (!is_name(name)) {
		request_refuse(
			q, 0,
			"%s is played by teams of %d, and you say in which one you play.  Its name is one word of at most %d letters, digits, \"-\" and \"_\".  For example: join %s team tigers",
			t->name, tournament_boards(t), KEY_USERID_MAX, t->name);
		return JOIN_REFUSED;
	}
	return naming_may(q, NAMING_TEAM, name) && is_free_name(q, t, name) ? JOIN_FOUND
	                                                                    : JOIN_REFUSED;
}

/* Decides about a player who has no place in a team yet. */
static enum joining decide(struct request *q, const struct tournament_doc *t, bool invited,
                           const struct join *j)
{
	if (!j->team)
		return new_team(q, t, j->name);
	if (invited)
		return JOIN_ENTER;
	if (has_room(t, j->team))
		return JOIN_ASK;
	request_refuse(q, 0, "The team %s has no place left.", t->teams[j->team - 1].name);
	return JOIN_REFUSED;
}

static struct join read_join(struct request *q, const struct call *c,
                             const struct tournament_doc *t)
{
	int number = tournament_find(t, c->actor->userid);
	const struct tournament_entry *n = number ? &t->entries[number - 1] : NULL;
	int host = n && n->standing == ENTRY_INVITED ? n->team : 0;
	struct join j = { .name = said_name(q, c) };

	if (t->state != TOURNAMENT_OPEN)
		request_refuse(q, 0, "The tournament %s takes no more teams and players.", t->name);
	if (t->state != TOURNAMENT_OPEN || is_settled(q, t, number, j.name))
		return j;
	if (!j.name && host && c->argc == 1)
		j.name = t->teams[host - 1].name;
	j.team = j.name ? tournament_find_team(t, j.name) : 0;
	j.what = decide(q, t, host && host == j.team, &j);
	if (j.what != JOIN_REFUSED && !n && t->entry_count >= TOURNAMENT_PLAYERS_MAX) {
		request_refuse(q, 0, "The tournament %s is full.", t->name);
		j.what = JOIN_REFUSED;
	}
	return j;
}

bool tournament_join_check(struct request *q, const struct call *c, const struct tournament_doc *t)
{
	return read_join(q, c, t).what != JOIN_REFUSED;
}

/* ---- the answer ---- */

static int tell_captain(struct request *q, const struct tournament_doc *t, int team,
                        const char *cause, const char *subject, const char *text, struct err *e)
{
	const struct tournament_letter l = { .cause = tournament_cause(q, cause),
		                             .subject = subject,
		                             .headline = text };
	int captain = tournament_captain(t, team);

	return captain ? tournament_send(q, t, t->entries[captain - 1].userid, &l, e) : 0;
}

static int found(struct request *q, struct tournament_doc *t, const char *me, const char *name,
                 struct err *e)
{
	tournament_roster_found(q->arena, t, name, me, q->now);
	int rc = store_tournament_put(q->site->store, t, e);
	const char *text = arena_printf(
		q->arena,
		"You have founded the team %s, and are its captain.  It needs %d players: each of them writes: join %s team %s.  You agree, or invite them, with: team %s add userid",
		name, tournament_boards(t), t->name, name, t->name);
	return rc == 0 ? tournament_entry_say(q, t, me, text, e) : rc;
}

static int enter(struct request *q, struct tournament_doc *t, const char *me, int team,
                 struct err *e)
{
	const char *name = t->teams[team - 1].name;

	tournament_roster_put(q->arena, t, me, team, ENTRY_PLAYS, q->now);
	size_t have = tournament_members(t, team, ENTRY_PLAYS);
	store_tournament_put(q->site->store, t, e);
	int rc = tell_captain(
		q, t, team, "entered", arena_printf(q->arena, "%s plays in your team", me),
		arena_printf(
			q->arena,
			"%s plays in your team %s of the tournament %s.  Players so far: %zu, needed: %d.",
			me, name, t->name, have, tournament_boards(t)),
		e);
	const char *text = arena_printf(
		q->arena,
		"You play in the team %s of the tournament %s.  You are told when it begins.  To leave it, write: leave %s",
		name, t->name, t->name);
	return rc == 0 ? tournament_entry_say(q, t, me, text, e) : rc;
}

/* May the two write to each other in this matter?  1, or 0: refused. */
static int may_write(struct request *q, const struct player_doc *from, const struct player_doc *to,
                     struct err *e)
{
	const char *blocked = censor_suspended(q, from);

	if (!blocked)
		blocked = consent_blocked(q, from, to);
	if (blocked)
		return !request_refused(q, 0, "%s", blocked);
	if (to->signed_off || !player_is_reachable(to))
		return !request_refused(q, 0, "%s takes no mail at present.", to->userid);
	int rc = mail_limits_may_offer(q, from, to->userid, e);
	if (rc == 0)
		request_refuse(
			q, 0,
			"You have asked too many players today: %d times %s, or %d times in all.",
			MAIL_LIMITS_OFFERS_TO_A_DAY, to->userid, MAIL_LIMITS_OFFERS_A_DAY);
	return rc;
}

static int ask(struct request *q, const struct call *c, struct tournament_doc *t, int team,
               struct err *e)
{
	const char *me = c->actor->userid, *name = t->teams[team - 1].name;
	int captain = tournament_captain(t, team);
	struct player_doc p;
	int rc = captain ? store_player_get(q->site->store, q->arena,
	                                    t->entries[captain - 1].userid, &p, e)
	                 : 0;

	if (rc == 0)
		rc = captain ? may_write(q, c->actor, &p, e) : 1;
	if (rc <= 0)
		return rc;
	tournament_roster_put(q->arena, t, me, team, ENTRY_ASKS, q->now);
	store_tournament_put(q->site->store, t, e);
	rc = tell_captain(
		q, t, team, "asked",
		arena_printf(q->arena, "%s would like to play in your team", me),
		arena_printf(
			q->arena,
			"%s would like to play in your team %s of the tournament %s.  If you agree, answer this mail with: team %s add %s.  If not, with: team %s remove %s",
			me, name, t->name, t->name, me, t->name, me),
		e);
	const char *text = arena_printf(
		q->arena,
		"The captain of the team %s is asked whether you can play in it, and you are told the answer.  To take that back, write: leave %s",
		name, t->name);
	return rc == 0 ? tournament_entry_say(q, t, me, text, e) : rc;
}

int tournament_join_run(struct request *q, const struct call *c, struct tournament_doc *t,
                        struct err *e)
{
	const struct join j = read_join(q, c, t);
	const char *me = c->actor->userid;

	if (j.what == JOIN_REFUSED)
		return 0;
	int rc = tournament_entry_admits(q, t, c->actor, e);
	if (rc <= 0)
		return rc;
	q->done_count++;
	if (j.what == JOIN_FOUND)
		return found(q, t, me, j.name, e);
	return j.what == JOIN_ENTER ? enter(q, t, me, j.team, e) : ask(q, c, t, j.team, e);
}

/* ---- the other side ---- */

/* The invitation to another team that the player has not answered; NULL: there is none. */
static const struct tournament_entry *other_invitation(const struct tournament_doc *t, int team,
                                                       const char *userid)
{
	int number = tournament_find(t, userid);
	const struct tournament_entry *n = number ? &t->entries[number - 1] : NULL;

	return n && n->standing == ENTRY_INVITED && n->team && n->team != team ? n : NULL;
}

bool tournament_join_is_free(struct request *q, const struct tournament_doc *t, int team,
                             const char *userid)
{
	const struct tournament_entry *n = other_invitation(t, team, userid);

	return !n || n->at + INVITATION_DAYS * CLOCK_DAY <= q->now ||
	       !request_refused(
		       q, 0,
		       "%s has been invited by the team %s first.  You can invite %s after a no, when that team takes its invitation back, or when %d days have gone without an answer.",
		       userid, t->teams[n->team - 1].name, userid, INVITATION_DAYS);
}

/* Tells the captain whose invitation gives way to one of another team. */
static int tell_lapsed(struct request *q, const struct tournament_doc *t, int team,
                       const char *userid, struct err *e)
{
	return tell_captain(
		q, t, team, "lapsed",
		arena_printf(q->arena, "%s does not play in %s", userid, t->name),
		arena_printf(
			q->arena,
			"%s has not answered the invitation to your team %s of the tournament %s for %d days, and another team has invited %s.",
			userid, t->teams[team - 1].name, t->name, INVITATION_DAYS, userid),
		e);
}

int tournament_join_invite(struct request *q, const struct call *c, struct tournament_doc *t,
                           int team, const struct player_doc *p, struct err *e)
{
	const char *name = t->teams[team - 1].name;
	const struct tournament_entry *other = other_invitation(t, team, p->userid);
	int lapsed = other ? other->team : 0;

	if (!has_room(t, team))
		return !request_refused(
			q, 0,
			"A team of this tournament can have at most %zu players, those who are invited among them.",
			tournament_join_most(t));
	if (!suspension_may_play(q, p))
		return !request_refused(q, 0, "%s can't begin new games at present.", p->userid);
	int rc = may_write(q, c->actor, p, e);
	if (rc <= 0)
		return rc;
	tournament_roster_put(q->arena, t, p->userid, team, ENTRY_INVITED, q->now);
	rc = store_tournament_put(q->site->store, t, e);
	/* Any player names a team: the name stands in no Subject of those who are not in it. */
	const struct tournament_letter l = tournament_letter(
		q, TOURNAMENT_CONDITIONS, "invite",
		arena_printf(q->arena, "%s invites you to a team of %s", c->actor->userid, t->name),
		"%s invites you to the team %s of the tournament %s.  To play in it, answer this mail with: join %s team %s",
		c->actor->userid, name, t->name, t->name, name);
	if (rc == 0)
		rc = tournament_send(q, t, p->userid, &l, e);
	if (rc == 0 && lapsed)
		rc = tell_lapsed(q, t, lapsed, p->userid, e);
	if (rc == 0)
		request_say(
			q,
			"%s is invited to the team %s, and plays after answering: join %s team %s",
			p->userid, name, t->name, name);
	return rc < 0 ? rc : 1;
}

int tournament_join_accept(struct request *q, struct tournament_doc *t, int number, struct err *e)
{
	struct tournament_entry *n = &t->entries[number - 1];
	const char *name = t->teams[n->team - 1].name;
	const struct tournament_letter l = tournament_letter(
		q, TOURNAMENT_CONDITIONS, "accepted",
		arena_printf(q->arena, "you play in the team %s", name),
		"You play in the team %s of the tournament %s.  You are told when it begins.  To leave it, write: leave %s",
		name, t->name, t->name);

	n->standing = ENTRY_PLAYS;
	n->at = q->now;
	store_tournament_put(q->site->store, t, e);
	int rc = tournament_send(q, t, n->userid, &l, e);
	if (rc == 0)
		request_say(q, "%s plays in the team %s.  Players so far: %zu, needed: %d.",
		            n->userid, name, tournament_members(t, n->team, ENTRY_PLAYS),
		            tournament_boards(t));
	return rc;
}
