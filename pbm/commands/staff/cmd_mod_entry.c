#include "pbm/commands/staff/cmd_mod_entry.h"

#include <string.h>
#include <strings.h>

#include "games/variants/registry.h"
#include "pbm/base/str.h"
#include "pbm/commands/staff/moderate.h"
#include "pbm/commands/tournament/tournament_entry.h"
#include "pbm/commands/tournament/tournament_find.h"
#include "pbm/commands/tournament/tournament_join.h"
#include "pbm/commands/tournament/tournament_round.h"
#include "pbm/people/computer.h"
#include "pbm/people/consent.h"
#include "pbm/tournament/tournament_state.h"
#include "pbm/tournament/tournament_teams.h"
#include "store/store_acts.h"
#include "store/store_documents.h"

#define INVITE_DAYS 7
#define INVITE_TIMES 5 /* in so many days, by one director */
#define INVITE_MOST 20 /* by all: one director must not use up the others' */

int cmd_mod_entry_record(struct request *q, const struct call *c, const struct tournament_doc *t,
                         const char *what, const char *players, const char *why, struct err *e)
{
	const struct act act = {
		.at = q->now,
		.by = c->actor->userid,
		.what = "tournament",
		.players = players,
		.detail = arena_printf(q->arena, "%s %s", t->name, what),
		.reason = why,
	};

	q->done_count++;
	return store_act_add(q->site->store, &act, e);
}

static bool find_player(struct request *q, const char *name, struct player_doc *p)
{
	if (store_player_get(q->site->store, q->arena, name, p, NULL) == 0 && !p->deleted)
		return true;
	return !request_refused(q, 0, "There is no player \"%.40s\".", name);
}

/* The team named at that argument, "team" before it or not. 0: there is none; *behind: the
 * number of arguments before the rest. */
static int find_team(const struct call *c, const struct tournament_doc *t, size_t at,
                     size_t *behind)
{
	if (c->argc > at + 1 && strcasecmp(c->argv[at], "team") == 0 &&
	    tournament_find_team(t, c->argv[at + 1])) {
		*behind = at + 2;
		return tournament_find_team(t, c->argv[at + 1]);
	}
	*behind = at + 1;
	return c->argc > at ? tournament_find_team(t, c->argv[at]) : 0;
}

/* ---- add ---- */

static const char *const links[] = { "and", "&", "und", "y", "e", "et", NULL };

/* The players of the line "add alice, bob and carol": at least one, perhaps "".  With teams it names
 * one player, and the team. */
struct invited {
	size_t n;
	const char *v[CALL_WORDS_MAX];
};

static struct invited names_of(struct request *q, const struct call *c,
                               const struct tournament_doc *t)
{
	struct invited out = { 0 };
	const char *s = c->argc > 2 ? c->argv[2] : "";

	for (size_t i = 3; i < c->argc && !t->by_teams; i++)
		if (!str_is_any(c->argv[i], links))
			s = arena_printf(q->arena, "%s,%s", s, c->argv[i]);
	for (s += strspn(s, ","); *s && out.n < CALL_WORDS_MAX; s += strspn(s, ",")) {
		/* too many: the rest is the name of nobody */
		size_t n = out.n + 1 < CALL_WORDS_MAX ? strcspn(s, ",") : strlen(s);

		out.v[out.n++] = arena_strndup(q->arena, s, n);
		s += n;
	}
	if (out.n == 0)
		out.v[out.n++] = "";
	return out;
}

/* Could the player be invited to a tournament of teams, and to the team that is named? */
static bool can_add_to_team(struct request *q, const struct call *c, const struct tournament_doc *t,
                            const struct player_doc *p)
{
	int number = tournament_find(t, p->userid);
	const struct tournament_entry *n = number ? &t->entries[number - 1] : NULL;
	size_t behind;
	int team = find_team(c, t, 3, &behind);

	if (n && n->standing == ENTRY_PLAYS)
		return !request_refused(q, 0, "%s plays in the team %s already.", p->userid,
		                        t->teams[n->team - 1].name);
	if (c->argc > 3 && !team)
		return !request_refused(q, 0, "There is no team \"%.40s\" in the tournament %s.",
		                        c->argv[c->argc - 1], t->name);
	if (c->argc <= 3 && n)
		return !request_refused(q, 0, "%s is in the list of the tournament %s already.",
		                        p->userid, t->name);
	return !team || tournament_join_is_free(q, t, team, p->userid);
}

/* Says what a director can do for a player who comes too late. */
static void refuse_late(struct request *q, const struct tournament_doc *t, bool full)
{
	if (full || t->state != TOURNAMENT_RUNNING)
		request_refuse(q, 0, "The tournament %s takes no more players.", t->name);
	else
		request_refuse(
			q, 0,
			"The tournament %s has begun, and takes no more players: only a Swiss tournament does, before its third round.  For another tournament, write: mod tournament new <name> %s -players=2-8",
			t->name, t->terms.game);
}

/* Could the player be invited, as one of n? */
static bool can_add(struct request *q, const struct call *c, const struct tournament_doc *t,
                    const char *name, size_t n)
{
	struct player_doc p;

	if (!find_player(q, name, &p))
		return false;
	bool full = t->entry_count + n > TOURNAMENT_PLAYERS_MAX && !tournament_find(t, p.userid);
	if (t->by_teams && t->state == TOURNAMENT_OPEN && !full)
		return can_add_to_team(q, c, t, &p);
	if (!tournament_takes_entries(t) || full) {
		refuse_late(q, t, full);
		return false;
	}
	int number = tournament_find(t, p.userid);
	if (number)
		request_refuse(
			q, 0,
			t->entries[number - 1].standing == ENTRY_WITHDRAWN
				? "%s has left the tournament %s, or was taken out of it.  Nobody comes back into a tournament that has begun."
				: "%s is in the list of the tournament %s already.",
			p.userid, t->name);
	return !number;
}

bool cmd_mod_entry_can_add(struct request *q, struct call *c, struct tournament_doc *t)
{
	const struct invited names = names_of(q, c, t);
	bool can = true;

	for (size_t i = 0; can && i < names.n; i++)
		can = can_add(q, c, t, names.v[i], names.n);
	return can;
}

/* 1: the player may enter; 0: refused. */
static int may_enter(struct request *q, const struct tournament_doc *t, const struct player_doc *p,
                     struct err *e)
{
	const char *why = NULL;
	int rc = tournament_entry_may(q, t, p, &why, e);

	if (rc == 0 && why)
		request_refuse(q, 0, "%s can't enter: %s", p->userid, why);
	return rc < 0 ? rc : !why;
}

/* The letter that asks a player to enter. */
static int send_invitation(struct request *q, const struct tournament_doc *t, const char *userid,
                           struct err *e)
{
	struct tournament_letter l = tournament_letter(
		q, TOURNAMENT_CONDITIONS, "invite",
		arena_printf(q->arena, "you are invited to %s", t->name),
		"%s invites you to the tournament %s.  To play in it, answer this mail with: join %s",
		t->director, t->name, t->name);
	int number = tournament_find(t, userid);

	if (number && t->entries[number - 1].host)
		l.headline = arena_printf(
			q->arena,
			"%s asks you to give the simul %s: you play all who enter.  To agree, answer this mail with: join %s",
			t->director, t->name, t->name);
	else if (t->after)
		l.headline = arena_printf(
			q->arena,
			"%s is the season after %s.  To play in it, answer this mail with: join %s",
			t->name, t->after, t->name);
	if (t->by_teams)
		l.headline = arena_printf(
			q->arena,
			"%s invites you to the tournament %s of teams.  To found a team or to play in one, answer this mail with: join %s team, and its name",
			t->director, t->name, t->name);
	return tournament_send(q, t, userid, &l, e);
}

static int invite(struct request *q, struct tournament_doc *t, const char *userid, struct err *e)
{
	int rc = 0;

	if (t->state == TOURNAMENT_OPEN) {
		*tournament_add_entry(q->arena, t) = (struct tournament_entry){
			.userid = userid, .standing = ENTRY_INVITED, .at = q->now
		};
		rc = store_tournament_put(q->site->store, t, e);
	}
	return rc == 0 ? send_invitation(q, t, userid, e) : rc;
}

/* Invites the player to a team, or agrees to his wish. */
static int add_to_team(struct request *q, const struct call *c, struct tournament_doc *t,
                       const struct player_doc *p, struct err *e)
{
	size_t behind;
	int team = find_team(c, t, 3, &behind), number = tournament_find(t, p->userid);

	if (number && t->entries[number - 1].standing == ENTRY_ASKS &&
	    t->entries[number - 1].team == team)
		return tournament_join_accept(q, t, number, e);
	int rc = tournament_join_invite(q, c, t, team, p, e);
	return rc < 0 ? rc : 0;
}

/* 1: the player was not invited too often, to any tournament; 0: refused. */
static int may_invite(struct request *q, const char *by, const char *userid, struct err *e)
{
	int64_t count = 0, all = 0, window = INVITE_DAYS * INT64_C(86400);
	int rc = request_count_event(q, "invited", arena_printf(q->arena, "%s %s", userid, by),
	                             window, &count, e);

	if (rc == 0 && count > INVITE_TIMES) /* a refused one is none of all */
		return !request_refused(
			q, 0,
			"You have invited %s %d times in the last %d days, and can't do it again so soon.",
			userid, INVITE_TIMES, INVITE_DAYS);
	if (rc == 0)
		rc = request_count_event(q, "invited", userid, window, &all, e);
	if (rc == 0 && all > INVITE_MOST)
		return !request_refused(
			q, 0,
			"%s has been invited %d times in the last %d days, and is not invited again so soon.",
			userid, INVITE_MOST, INVITE_DAYS);
	return rc < 0 ? rc : 1;
}

/* 1: the actor may ask the player to enter; 0: refused. */
static int may_ask(struct request *q, const struct call *c, const struct tournament_doc *t,
                   const struct player_doc *p, struct err *e)
{
	int rc = may_enter(q, t, p, e);

	if (rc <= 0)
		return rc;
	if (computer_is(p) && (t->by_teams || !computer_plays(p, t->terms.game)))
		return !request_refused(q, 0,
		                        t->by_teams
		                                ? "%s is a computer, and plays in no team."
		                                : "%s is a computer that does not play this game.",
		                        p->userid);
	if (consent_has_person(q, p, CONSENT_CENSOR, c->actor))
		return !request_refused(q, 0, "%s wants no mails from you.", p->userid);
	return may_invite(q, c->actor->userid, p->userid, e);
}

/* 1: the entry is asked, or needs not be. */
static int may_ask_entry(struct request *q, const struct call *c, const struct tournament_doc *t,
                         const struct tournament_entry *n, struct err *e)
{
	struct player_doc p;

	if (n->standing != ENTRY_INVITED)
		return 1;
	int rc = store_player_get(q->site->store, q->arena, n->userid, &p, e);
	if (rc == ERR_NOT_FOUND || (rc == 0 && (p.deleted || p.signed_off)))
		return 0;
	return rc == 0 ? may_ask(q, c, t, &p, e) : rc;
}

int cmd_mod_entry_ask(struct request *q, const struct call *c, struct tournament_doc *t,
                      struct err *e)
{
	size_t n = 0;
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < t->entry_count; i++) {
		rc = may_ask_entry(q, c, t, &t->entries[i], e);
		if (rc == 1)
			t->entries[n++] = t->entries[i];
		else if (rc == 0 && t->entries[i].host)
			return 1;
	}
	if (rc < 0)
		return rc;
	t->entry_count = n;
	for (size_t i = 0; i < n; i++)
		if (t->entries[i].standing == ENTRY_INVITED &&
		    computer_is_name(q, t->entries[i].userid))
			t->entries[i].standing = ENTRY_PLAYS;
	rc = store_tournament_put(q->site->store, t, e);
	for (size_t i = 0; rc == 0 && i < n; i++)
		if (t->entries[i].standing == ENTRY_INVITED)
			rc = send_invitation(q, t, t->entries[i].userid, e);
	return rc;
}

/* A computer enters at once: it reads no invitation. */
static int enter_computer(struct request *q, struct tournament_doc *t, const char *userid,
                          struct err *e)
{
	int rc = tournament_entry_add(q, t, userid, e);

	if (rc == 0)
		request_say(q, "%s has entered the tournament %s.", userid, t->name);
	return rc;
}

/* One of the players whom the line names. */
static int add(struct request *q, const struct call *c, struct tournament_doc *t, const char *name,
               struct err *e)
{
	struct player_doc p;

	if (!find_player(q, name, &p) || (!t->by_teams && tournament_find(t, p.userid)))
		return 0; /* the name stands in the line twice */
	int rc = may_ask(q, c, t, &p, e);
	if (rc <= 0)
		return rc;
	rc = cmd_mod_entry_record(q, c, t, "add", p.userid, NULL, e);
	if (rc == 0 && t->by_teams && c->argc > 3)
		return add_to_team(q, c, t, &p, e);
	if (rc == 0 && computer_is(&p))
		return enter_computer(q, t, p.userid, e);
	if (rc == 0)
		rc = invite(q, t, p.userid, e);
	if (rc == 0)
		request_say(
			q, "%s is invited to the tournament %s, and plays after answering: join %s",
			p.userid, t->name, t->name);
	return rc;
}

int cmd_mod_entry_add(struct request *q, struct call *c, struct tournament_doc *t, struct err *e)
{
	const struct invited names = names_of(q, c, t);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < names.n; i++)
		rc = add(q, c, t, names.v[i], e);
	return rc;
}

/* ---- remove ---- */

/* The name in "remove alice, she asked for it"; or the word as it is, "alice,bob". */
static const char *removed_name(struct request *q, const struct call *c)
{
	const char *name = c->argc > 2 ? c->argv[2] : "";
	size_t n = strcspn(name, ",");

	return name[n + strspn(name + n, ",")] ? name : arena_strndup(q->arena, name, n);
}

/* Are several players named: "alice bob", "alice and bob", "alice, bob", "alice,bob"? */
static bool names_several(struct request *q, const struct call *c, const struct tournament_doc *t)
{
	const char *comma = c->argc > 2 ? strchr(c->argv[2], ',') : NULL;
	const char *next = c->argc > 3 ? c->argv[3] : "";

	if (comma && comma[1])
		return tournament_find(t,
		                       arena_strndup(q->arena, comma + 1, strcspn(comma + 1, ",")));
	if (c->argc > 4 && str_is_any(next, links))
		return tournament_find(t, c->argv[4]);
	return (comma || c->argc == 4) &&
	       tournament_find(t, arena_strndup(q->arena, next, strcspn(next, ",")));
}

/* 0: refused. */
static int find_entry(struct request *q, const struct call *c, const struct tournament_doc *t)
{
	const char *name = removed_name(q, c);
	int number = *name ? tournament_find(t, name) : 0;

	if (number && t->entries[number - 1].standing != ENTRY_WITHDRAWN)
		return number;
	return !request_refused(q, 0, "\"%.40s\" does not play in the tournament %s.", name,
	                        t->name);
}

/* The team that is to be removed: "team tigers", or "tigers" if no player is called so; 0: a
 * player. */
static int named_team(const struct call *c, const struct tournament_doc *t, size_t *behind)
{
	int team = find_team(c, t, 2, behind);

	if (team && *behind == 3 && tournament_find(t, c->argv[2]))
		team = 0;
	return team && t->teams[team - 1].standing == ENTRY_PLAYS ? team : 0;
}

bool cmd_mod_entry_can_remove(struct request *q, struct call *c, struct tournament_doc *t)
{
	if (t->state != TOURNAMENT_OPEN && t->state != TOURNAMENT_RUNNING)
		return tournament_find_refuse_state(q, t);
	size_t behind;
	if (named_team(c, t, &behind))
		return moderate_reason(q, c, behind) != NULL;
	if (t->by_teams && c->argc > 3 && strcasecmp(c->argv[2], "team") == 0)
		return !request_refused(q, 0, "There is no team \"%.40s\" in the tournament %s.",
		                        c->argv[3], t->name);
	if (t->state == TOURNAMENT_RUNNING && t->kind != TOURNAMENT_LADDER && !q->confirming)
		q->held.why = "Who is taken out of a tournament that has begun can't come back.";
	if (names_several(q, c, t))
		return !request_refused(
			q, 0,
			"Name one player in a line, and say why after the name: mod tournament %s remove %s why",
			t->name, arena_strndup(q->arena, c->argv[2], strcspn(c->argv[2], ",")));
	return find_entry(q, c, t) && moderate_reason(q, c, 3);
}

static int remove_team(struct request *q, const struct call *c, struct tournament_doc *t, int team,
                       size_t behind, struct err *e)
{
	const char *name = t->teams[team - 1].name, *why = moderate_reason(q, c, behind);
	const char *by = c->actor->userid;
	/* The Subject is also for those who are invited, and never heard of the name. */
	struct tournament_letter l = tournament_letter(
		q, 0, "removed",
		arena_printf(q->arena, "your team is taken out of %s by %s", t->name, by),
		"%s, the director, has taken your team %s out of the tournament %s.  Your answer goes to %s, unless it is a command.",
		by, name, t->name, by);
	l.by = by;
	l.reason = why;
	const char *act = arena_printf(q->arena, "remove team %s", name);

	cmd_mod_entry_record(q, c, t, act, NULL, why, e);
	int rc = tournament_entry_drop_team(q, t, team, by, &l, e);
	if (rc == 0)
		request_say(q, "The team %s is out of the tournament %s.", name, t->name);
	return rc;
}

int cmd_mod_entry_remove(struct request *q, struct call *c, struct tournament_doc *t, struct err *e)
{
	size_t behind;
	int team = named_team(c, t, &behind);
	if (team)
		return remove_team(q, c, t, team, behind, e);
	int number = find_entry(q, c, t);
	const char *who = t->entries[number - 1].userid, *why = moderate_reason(q, c, 3);
	const char *by = c->actor->userid; /* the Subject ends with it, for answers */
	struct tournament_letter l = {
		.cause = tournament_cause(q, "removed"),
		.subject = arena_printf(q->arena, "you are taken out of %s by %s", t->name, by),
		.headline = arena_printf(
			q->arena,
			"%s, the director, has taken you out of the tournament %s.  Your answer goes to %s, unless it is a command.",
			by, t->name, by),
		.by = by,
		.reason = why
	};
	if (t->kind == TOURNAMENT_LADDER)
		l.headline = arena_printf(
			q->arena,
			"%s, a moderator, has taken you off the ladder of %s.  Your answer goes to %s, unless it is a command.",
			by, rules_title(t->terms.game), by);
	int rc = cmd_mod_entry_record(q, c, t, "remove", who, why, e);

	if (rc == 0)
		rc = t->state == TOURNAMENT_OPEN ? tournament_entry_drop(q, t, number, e)
		                                 : tournament_withdraw(q, t, number, e);
	if (rc == 0)
		rc = tournament_send(q, t, who, &l, e);
	if (rc == 0)
		request_say(q, "%s is out of the tournament %s.", who, t->name);
	return rc;
}
