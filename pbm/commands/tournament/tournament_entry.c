#include "pbm/commands/tournament/tournament_entry.h"

#include <math.h>
#include <strings.h>

#include "pbm/commands/tournament/tournament_round.h"
#include "pbm/commands/tournament/tournament_seed.h"
#include "pbm/commands/tournament/tournament_tell.h"
#include "pbm/people/consent.h"
#include "pbm/people/roles.h"
#include "pbm/rating/rating.h"
#include "pbm/tournament/tournament_roster.h"
#include "pbm/tournament/tournament_state.h"
#include "pbm/tournament/tournament_teams.h"
#include "store/store_documents.h"
#include "store/store_tournaments.h"

/* Is another account of the same person entered? */
static const char *other_account(struct request *q, const struct tournament_doc *t,
                                 const struct player_doc *p)
{
	for (size_t i = 0; i < t->entry_count; i++) {
		struct player_doc other;

		if (strcasecmp(t->entries[i].userid, p->userid) != 0 &&
		    store_player_get(q->site->store, q->arena, t->entries[i].userid, &other,
		                     NULL) == 0 &&
		    consent_shares_mailbox(p, &other))
			return t->entries[i].userid;
	}
	return NULL;
}

static const char *computers_text(struct request *q, const struct tournament_doc *t)
{
	if (t->kind == TOURNAMENT_LADDER)
		return "Computers can't stand on a ladder.";
	return arena_printf(q->arena, "Computers can't enter the tournament %s.", t->name);
}

static const char *other_text(struct request *q, const struct tournament_doc *t, const char *other)
{
	if (t->kind == TOURNAMENT_LADDER)
		return arena_printf(
			q->arena,
			"Each person can stand on a ladder once, and %s, who gets mail at the same address, stands on this one.",
			other);
	return arena_printf(
		q->arena,
		"Each person can enter once, and %s, who gets mail at the same address, has entered the tournament %s.",
		other, t->name);
}

int tournament_entry_may(struct request *q, const struct tournament_doc *t,
                         const struct player_doc *p, const char **why, struct err *e)
{
	struct rating r;
	int rc = rating_get(q->site->store, p->userid, t->terms.game, q->now, &r, e);

	*why = NULL;
	if (rc < 0)
		return rc;
	int rating = r.games ? (int)lround(r.now.rating) : SEED_NO_RATING;
	const char *other = other_account(q, t, p);
	if (roles_is_computer(p) && !t->computers)
		*why = computers_text(q, t);
	else if (t->settled && (!r.games || r.now.deviation >= RATING_PROVISIONAL))
		*why = arena_printf(
			q->arena,
			"Only players whose rating in this game is settled can enter %s.  Yours is not yet.",
			t->name);
	else if (t->rating_max && (rating < t->rating_min || rating > t->rating_max))
		*why = arena_printf(
			q->arena,
			"Only ratings from %d to %d can enter the tournament %s; yours is %d.",
			t->rating_min, t->rating_max, t->name, rating);
	else if (other)
		*why = other_text(q, t, other);
	return 0;
}

int tournament_entry_admits(struct request *q, const struct tournament_doc *t,
                            const struct player_doc *p, struct err *e)
{
	const char *why;
	int rc = tournament_entry_may(q, t, p, &why, e);

	if (rc == 0 && why)
		request_refuse(q, 0, "%s", why);
	return rc < 0 ? rc : !why;
}

int tournament_entry_say(struct request *q, const struct tournament_doc *t, const char *userid,
                         const char *text, struct err *e)
{
	struct note *note = request_note(q, userid, 0, 0);

	note->subject = arena_printf(q->arena, "your entry for %s", t->name);
	note->headline = text;
	note->body = tournament_text(q, t, userid, TOURNAMENT_CONDITIONS, e);
	return note->body ? 0 : (int)e->code;
}

int tournament_entry_add(struct request *q, struct tournament_doc *t, const char *userid,
                         struct err *e)
{
	bool begun = t->state == TOURNAMENT_RUNNING;
	bool full = !begun && tournament_count(t, ENTRY_PLAYS) >= (size_t)t->most;

	/* An invited player has his place in the order from now on. */
	tournament_roster_put(q->arena, t, userid, 0, full ? ENTRY_WAITS : ENTRY_PLAYS, q->now);
	struct tournament_entry *n = &t->entries[t->entry_count - 1];
	if (begun) {
		n->first_round = (int)t->round_count + 1;
		n->seed_points = 1;
		int rc = tournament_seed_freeze(q, t, n, e);
		if (rc < 0)
			return rc;
	}
	return store_tournament_put(q->site->store, t, e);
}

static int tell_moved_up(struct request *q, const struct tournament_doc *t, const char *userid,
                         struct err *e)
{
	const struct tournament_letter l = tournament_letter(
		q, TOURNAMENT_CONDITIONS, "moved-up",
		arena_printf(q->arena, "you have a place in %s", t->name),
		"A place has become free, and you play in the tournament %s.  If you can't, write: leave %s",
		t->name, t->name);

	return tournament_send(q, t, userid, &l, e);
}

int tournament_entry_drop_team(struct request *q, struct tournament_doc *t, int team,
                               const char *by, const struct tournament_letter *l, struct err *e)
{
	const char **told = arena_alloc(q->arena, (t->entry_count + 1) * sizeof *told);
	size_t n = 0;

	for (size_t i = 0; i < t->entry_count; i++)
		if (t->entries[i].team == team && t->entries[i].standing != ENTRY_WITHDRAWN &&
		    strcasecmp(t->entries[i].userid, by) != 0)
			told[n++] = t->entries[i].userid;
	int rc = 0;
	if (t->state == TOURNAMENT_RUNNING) {
		rc = tournament_withdraw_team(q, t, team, e);
	} else {
		tournament_roster_drop_team(t, team);
		rc = store_tournament_put(q->site->store, t, e);
	}
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = tournament_send(q, t, told[i], l, e);
	return rc;
}

/* Dissolves a team without players, and tells those who have asked or are invited. */
static int dissolve(struct request *q, struct tournament_doc *t, int team, const char *by,
                    struct err *e)
{
	const char *name = t->teams[team - 1].name;
	const struct tournament_letter l = tournament_letter(
		q, 0, "dissolved", arena_printf(q->arena, "a team of %s is gone", t->name),
		"The last player of the team %s has left it, so it does not enter the tournament %s.  You can enter with another team.",
		name, t->name);

	return tournament_entry_drop_team(q, t, team, by, &l, e);
}

/* Takes a member out of a team, and tells its captain. */
static int drop_member(struct request *q, struct tournament_doc *t, int number, struct err *e)
{
	const struct tournament_entry n = t->entries[number - 1];
	const char *team = n.team ? t->teams[n.team - 1].name : "";

	if (n.captain && tournament_members(t, n.team, ENTRY_PLAYS) == 1)
		return dissolve(q, t, n.team, n.userid, e);
	tournament_roster_drop(t, number);
	int rc = store_tournament_put(q->site->store, t, e);
	return rc == 0 && n.standing == ENTRY_PLAYS
	               ? tournament_tell_dropped(q, t, n.userid, team, n.captain, e)
	               : rc;
}

int tournament_entry_drop(struct request *q, struct tournament_doc *t, int number, struct err *e)
{
	const char *up = NULL;

	if (t->by_teams)
		return drop_member(q, t, number, e);
	tournament_roster_drop(t, number);
	for (size_t i = 0; i < t->entry_count && !up; i++)
		if (t->entries[i].standing == ENTRY_WAITS &&
		    tournament_count(t, ENTRY_PLAYS) < (size_t)t->most) {
			t->entries[i].standing = ENTRY_PLAYS;
			up = t->entries[i].userid;
		}
	int rc = store_tournament_put(q->site->store, t, e);
	return rc == 0 && up ? tell_moved_up(q, t, up, e) : rc;
}

/* ---- who leaves the server ---- */

typedef int tournament_each_fn(struct request *q, struct tournament_doc *t, void *arg,
                               struct err *e);

struct tournament_walk {
	struct request *q;
	tournament_each_fn *fn;
	void *arg;
	int rc;
	struct err *err;
};

static int take_tournament(const char *key, int64_t, void *arg)
{
	struct tournament_walk *w = arg;
	struct tournament_doc t;
	struct err why = { 0 };

	w->rc = store_tournament_get(w->q->site->store, w->q->arena, key, &t, &why) == 0
	                ? w->fn(w->q, &t, w->arg, w->err)
	                : err_of_machine(w->err, &why);
	return w->rc;
}

/* Calls fn with each tournament in which the player has an entry, or, with NULL, with all.
 * Skips a damaged one.  A positive result of fn ends the walk. */
static int each(struct request *q, const char *userid, tournament_each_fn *fn, void *arg,
                struct err *e)
{
	struct store *s = q->site->store;
	struct tournament_walk w = { .q = q, .fn = fn, .arg = arg, .err = e };
	int rc = userid ? store_tournaments_of(s, userid, "", SIZE_MAX, take_tournament, &w, e)
	                : store_tournaments_after(s, "", SIZE_MAX, take_tournament, &w, e);

	return rc < 0 ? rc : w.rc;
}

static int forget_in(struct request *q, struct tournament_doc *t, void *arg, struct err *e)
{
	int number = tournament_find(t, arg);

	if (t->kind == TOURNAMENT_LADDER) /* leaves no trace */
		return tournament_withdraw(q, t, number, e);
	if (t->state == TOURNAMENT_OPEN)
		return tournament_entry_drop(q, t, number, e);
	if (t->state == TOURNAMENT_RUNNING && t->entries[number - 1].standing == ENTRY_PLAYS)
		return tournament_withdraw(q, t, number, e);
	return 0;
}

static int quit_ladder(struct request *q, struct tournament_doc *t, void *arg, struct err *e)
{
	if (t->kind != TOURNAMENT_LADDER)
		return 0;
	t->entries[tournament_find(t, arg) - 1].standing = ENTRY_WITHDRAWN;
	return store_tournament_put(q->site->store, t, e);
}

int tournament_entry_quit_ladders(struct request *q, const char *userid, struct err *e)
{
	return each(q, userid, quit_ladder, arena_strdup(q->arena, userid), e);
}

int tournament_entry_forget(struct request *q, const char *userid, struct err *e)
{
	return each(q, userid, forget_in, arena_strdup(q->arena, userid), e);
}

struct tournament_names {
	const char *from, *to;
};

static int rename_entry(struct request *q, struct tournament_doc *t, void *arg, struct err *e)
{
	const struct tournament_names *n = arg;

	/* On a ladder nobody stands twice. */
	if (tournament_find(t, n->to))
		return t->kind == TOURNAMENT_LADDER
		               ? tournament_withdraw(q, t, tournament_find(t, n->from), e)
		               : 0;
	t->entries[tournament_find(t, n->from) - 1].userid = n->to;
	return store_tournament_put(q->site->store, t, e);
}

static int rename_director(struct request *q, struct tournament_doc *t, void *arg, struct err *e)
{
	const struct tournament_names *n = arg;

	if (strcasecmp(t->director, n->from) != 0)
		return 0;
	t->director = n->to;
	return store_tournament_put(q->site->store, t, e);
}

int tournament_entry_rename(struct request *q, const char *from, const char *to, struct err *e)
{
	struct tournament_names n = { from, to };
	int rc = each(q, from, rename_entry, &n, e);

	return rc == 0 ? each(q, NULL, rename_director, &n, e) : rc;
}

struct tournament_meeting {
	const char *one;
	const struct player_doc *other;
	const char **name;
};

/* A player who has left a ladder is nobody's rival there.  One who has left a tournament may be:
 * its table still counts his games. */
static bool competes(const struct tournament_doc *t, const char *userid)
{
	return tournament_is_entered(t, userid) &&
	       (t->kind != TOURNAMENT_LADDER ||
	        t->entries[tournament_find(t, userid) - 1].standing == ENTRY_PLAYS);
}

static int meets_in(struct request *q, struct tournament_doc *t, void *arg, struct err *)
{
	const struct tournament_meeting *m = arg;
	bool played = m->one && (t->state == TOURNAMENT_OPEN || t->state == TOURNAMENT_RUNNING) &&
	              competes(t, m->one);

	for (size_t i = 0; played && i < t->entry_count; i++) {
		const char *userid = t->entries[i].userid;

		if (strcasecmp(userid, m->one) != 0 && competes(t, userid) &&
		    consent_is_person(q, m->other, userid)) {
			*m->name = t->name;
			return 1;
		}
	}
	return 0;
}

int tournament_entry_meets(struct request *q, const char *one, const struct player_doc *other,
                           const char **name, struct err *e)
{
	struct tournament_meeting m = { one, other, name };

	return each(q, one, meets_in, &m, e);
}
