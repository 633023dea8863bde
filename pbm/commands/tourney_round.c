#include "pbm/commands/tourney_round.h"

#include "pbm/commands/tourney_games.h"
#include "pbm/commands/tourney_seed.h"
#include "pbm/commands/tourney_tell.h"
#include "pbm/tourney/tourney_ladder.h"
#include "pbm/tourney/tourney_roster.h"
#include "pbm/tourney/tourney_state.h"
#include "pbm/tourney/tourney_teams.h"
#include "store/store_documents.h"

#define DAY INT64_C(86400)
#define MISSED_MAX 2 /* rounds in succession; then the player is withdrawn */

/* ---- rounds ---- */

/* Can mail of a pairing reach the player?  <0: the store failed. */
static int is_present(struct request *q, const char *userid, struct err *e)
{
	struct player_doc p;
	struct err why = { 0 };
	int rc = store_player_get(q->site->store, q->arena, userid, &p, &why);

	if (rc == ERR_NOT_FOUND || rc == ERR_DAMAGED)
		return 0;
	if (rc < 0)
		return err_set(e, why.code, "%s", why.text);
	return !p.deleted && !p.signed_off && !p.banned && p.suspended <= q->now &&
	       player_is_reachable(&p);
}

/* Notes the players who can't be paired in this round; *out lists them. */
static int mark_absent(struct request *q, struct tourney_doc *t, const char **out, struct err *e)
{
	char text[8000];
	struct str s = STR_FIXED(text);

	for (size_t i = 0; i < t->entry_count; i++) {
		struct tourney_entry *n = &t->entries[i];

		if (n->standing != ENTRY_PLAYS)
			continue;
		int rc = is_present(q, n->userid, e);
		if (rc < 0)
			return rc;
		n->missed = rc && !n->silent ? 0 : n->missed + 1;
		if (n->missed > MISSED_MAX)
			tourney_roster_leave(t, (int)i + 1);
		if (n->missed)
			str_addf(&s, "%s%zu", s.len ? " " : "", i + 1);
	}
	*out = arena_strdup(q->arena, text);
	return 0;
}

/* Writes down a round and the results from which it is paired. */
static void add_round(struct request *q, struct tourney_doc *t, const char *out)
{
	const char *from = tourney_results_text(q->arena, t);
	struct tourney_round *r = tourney_add_round(q->arena, t);

	r->at = q->now;
	r->from = from;
	r->out = out;
	t->due = q->now + t->round_days * DAY;
}

static int pair_swiss(struct request *q, struct tourney_doc *t, struct err *e)
{
	int round = (int)t->round_count + 1, n = 0;
	size_t from = t->game_count;
	const char *out = "";
	struct tournament_pair *pairs = NULL;
	struct tournament pure;
	int rc = mark_absent(q, t, &out, e);

	if (rc < 0)
		return rc;
	tourney_pure(q->arena, t, round, &pure);
	if (tournament_pair(&pure, round, q->arena, &pairs, &n) < 0)
		return tourney_finish(q, t, "no further round can be paired", e);
	add_round(q, t, out);
	for (int i = 0; rc == 0 && i < n; i++)
		rc = tourney_start_pairing(q, t, round, pairs[i].white + 1, pairs[i].black + 1, e);
	if (rc == 0)
		rc = store_tourney_put(q->site->store, t, e);
	return rc == 0 ? tourney_tell_games(q, t, from, true, e) : rc;
}

/* The next round of a knockout, with its first games. */
static int next_knockout(struct request *q, struct tourney_doc *t, struct err *e)
{
	int round = (int)t->round_count + 1, n = 0, rc = 0;
	size_t from = t->game_count;
	struct tournament_pair *pairs = NULL;
	struct tournament pure;

	tourney_pure(q->arena, t, round, &pure);
	if (tournament_pair(&pure, round, q->arena, &pairs, &n) < 0)
		return tourney_finish(q, t, "no further round can be paired", e);
	add_round(q, t, "");
	for (int i = 0; rc == 0 && i < n; i++)
		if (pairs[i].black == TOURNAMENT_BYE)
			rc = tourney_start_pairing(q, t, round, pairs[i].white + 1, 0, e);
	if (rc == 0)
		rc = tourney_knockout(q, t, e);
	if (rc == 1) /* nothing but byes and forfeits: look again at once */
		t->due = q->now;
	if (rc >= 0)
		rc = store_tourney_put(q->site->store, t, e);
	return rc == 0 ? tourney_tell_games(q, t, from, true, e) : rc;
}

static int next_round(struct request *q, struct tourney_doc *t, struct err *e)
{
	if ((int)t->round_count >= t->rounds)
		return tourney_finish(q, t, NULL, e);
	return t->kind == TOURNEY_KNOCKOUT ? next_knockout(q, t, e) : pair_swiss(q, t, e);
}

static int go_on_robin(struct request *q, struct tourney_doc *t, struct err *e)
{
	size_t from = t->game_count;
	int rc = tourney_robin(q, t, e);

	if (rc == 1)
		return tourney_finish(q, t, NULL, e);
	t->due = 0;
	if (rc == 0)
		rc = store_tourney_put(q->site->store, t, e);
	return rc == 0 && t->game_count > from ? tourney_tell_games(q, t, from, from == 0, e) : rc;
}

static int go_on_knockout(struct request *q, struct tourney_doc *t, struct err *e)
{
	size_t from = t->game_count;
	int rc = tourney_knockout(q, t, e);

	if (rc == 1)
		return next_round(q, t, e);
	if (rc == 0 && t->due <= q->now)
		t->due = t->round[t->round_count - 1].at + t->round_days * DAY;
	if (rc == 0 && t->due <= q->now)
		t->due = q->now + t->round_days * DAY;
	if (rc == 0)
		rc = store_tourney_put(q->site->store, t, e);
	return rc == 0 ? tourney_tell_games(q, t, from, false, e) : rc;
}

/* Asks the director what to do about a long round. */
static int ask_director(struct request *q, struct tourney_doc *t, struct err *e)
{
	t->due = q->now + t->round_days * DAY;
	int rc = store_tourney_put(q->site->store, t, e);
	return rc == 0 ? tourney_tell_slow(q, t, e) : rc;
}

int tourney_go_on(struct request *q, struct tourney_doc *t, bool force, struct err *e)
{
	if (tourney_is_all_at_once(t))
		return go_on_robin(q, t, e);
	if (tourney_open_games(t) == 0 || force)
		return t->kind == TOURNEY_KNOCKOUT ? go_on_knockout(q, t, e) : next_round(q, t, e);
	bool late = t->round_count &&
	            q->now >= t->round[t->round_count - 1].at + t->round_days * DAY;
	if (late && t->due && t->due <= q->now && t->kind == TOURNEY_SWISS)
		return ask_director(q, t, e);
	if (t->kind == TOURNEY_KNOCKOUT)
		return go_on_knockout(q, t, e);
	t->due = t->round[t->round_count - 1].at + t->round_days * DAY;
	return store_tourney_put(q->site->store, t, e);
}

int tourney_start(struct request *q, struct tourney_doc *t, struct err *e)
{
	int rc = tourney_seed(q, t, e);

	if (rc < 0)
		return rc;
	t->state = TOURNEY_RUNNING;
	t->started = q->now;
	t->lot = tourney_seed_lot(q, t, "");
	t->rounds = tournament_round_count((enum tournament_kind)t->kind, tourney_unit_count(t),
	                                   t->rounds);
	if (!tourney_is_all_at_once(t))
		return next_round(q, t, e);
	for (int i = 0; i < t->rounds; i++)
		add_round(q, t, "");
	return go_on_robin(q, t, e);
}

int tourney_finish(struct request *q, struct tourney_doc *t, const char *why, struct err *e)
{
	bool again = t->state == TOURNEY_FINISHED;
	bool begun = again || (t->state == TOURNEY_RUNNING && t->round_count > 0);

	t->state = begun ? TOURNEY_FINISHED : TOURNEY_CANCELLED;
	t->reason = again ? t->reason : why;
	t->ended = again ? t->ended : q->now;
	t->due = 0;
	int rc = store_tourney_put(q->site->store, t, e);
	return rc < 0  ? rc
	       : begun ? tourney_tell_end(q, t, again, e)
	               : tourney_tell_cancelled(q, t, e);
}

static int leave_ladder(struct request *q, struct tourney_doc *t, const char *userid, int number,
                        struct err *e)
{
	int rc = tourney_lose_games(q, t, number, e);

	if (rc < 0)
		return rc;
	tourney_ladder_remove(t, tourney_find(t, userid));
	return store_tourney_put(q->site->store, t, e);
}

/* Makes the open games of a player who has left losses; then the tournament goes on. */
static int lose_games(struct request *q, struct tourney_doc *t, int number, int team, struct err *e)
{
	int rc = team ? tourney_lose_team(q, t, team, e) : tourney_lose_games(q, t, number, e);

	if (rc == 0 && t->state == TOURNEY_RUNNING) {
		t->due = q->now;
		rc = store_tourney_put(q->site->store, t, e);
	}
	return rc;
}

/* Do the results of a unit that leaves a round robin count for nobody? */
static bool is_void(const struct tourney_doc *t, int unit)
{
	int over = 0, all = 0;

	tourney_share(t, unit, &over, &all);
	return tourney_is_all_at_once(t) && 2 * over < all;
}

int tourney_withdraw_team(struct request *q, struct tourney_doc *t, int team, struct err *e)
{
	struct tourney_team *m = &t->teams[team - 1];

	m->standing = ENTRY_WITHDRAWN;
	for (size_t i = 0; i < t->entry_count; i++)
		if (t->entries[i].team == team && t->entries[i].standing == ENTRY_PLAYS)
			t->entries[i].standing = ENTRY_WITHDRAWN;
	if (t->kind == TOURNEY_SWISS)
		return store_tourney_put(q->site->store, t, e);
	m->void_games = is_void(t, team);
	return lose_games(q, t, 0, team, e);
}

/* Withdraws a member; the others of the team go on, and a team without players is withdrawn. */
static int withdraw_member(struct request *q, struct tourney_doc *t, int number, struct err *e)
{
	int team = t->entries[number - 1].team;

	if (t->entries[number - 1].standing != ENTRY_PLAYS)
		return 0;
	if (tourney_members(t, team, ENTRY_PLAYS) == 1)
		return tourney_withdraw_team(q, t, team, e);
	int captain = tourney_roster_leave(t, number);
	int rc = t->kind == TOURNEY_SWISS ? store_tourney_put(q->site->store, t, e)
	                                  : lose_games(q, t, number, 0, e);
	return rc == 0 ? tourney_tell_left(q, t, number, captain, e) : rc;
}

int tourney_withdraw(struct request *q, struct tourney_doc *t, int number, struct err *e)
{
	struct tourney_entry *n = &t->entries[number - 1];

	if (t->kind == TOURNEY_LADDER)
		return leave_ladder(q, t, n->userid, number, e);
	if (t->by_teams)
		return withdraw_member(q, t, number, e);
	n->standing = ENTRY_WITHDRAWN;
	if (t->kind == TOURNEY_SWISS)
		return store_tourney_put(q->site->store, t, e);
	n->void_games = is_void(t, number);
	return lose_games(q, t, number, 0, e);
}
