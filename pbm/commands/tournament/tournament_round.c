#include "pbm/commands/tournament/tournament_round.h"

#include "pbm/base/clock.h"
#include "pbm/commands/tournament/tournament_games.h"
#include "pbm/commands/tournament/tournament_season.h"
#include "pbm/commands/tournament/tournament_seed.h"
#include "pbm/commands/tournament/tournament_tell.h"
#include "pbm/people/computer.h"
#include "pbm/tournament/tournament_ladder.h"
#include "pbm/tournament/tournament_roster.h"
#include "pbm/tournament/tournament_state.h"
#include "pbm/tournament/tournament_teams.h"
#include "store/store_documents.h"

#define OUT_MAX 8000 /* bytes of tournament_round.out */

/* ---- rounds ---- */

/* Can mail of a pairing reach the player?  <0: the store failed. */
static int is_present(struct request *q, const char *userid, struct err *e)
{
	struct player_doc p;
	int rc = err_found(store_player_get(q->site->store, q->arena, userid, &p, e), ERR_DAMAGED,
	                   e);

	if (rc <= 0)
		return rc;
	return !p.deleted && !p.signed_off && !p.banned && p.suspended <= q->now &&
	       computer_or_reachable(&p);
}

/* Notes whether the player can be paired in this round; if not, adds the number to out. */
static int mark_one(struct request *q, struct tournament_doc *t, int number, struct str *out,
                    struct err *e)
{
	struct tournament_entry *n = &t->entries[number - 1];
	int rc = is_present(q, n->userid, e);

	if (rc < 0)
		return rc;
	n->missed = rc && !n->silent ? 0 : n->missed + 1;
	if (n->missed > TOURNAMENT_MISSED_MAX)
		tournament_roster_leave(t, number);
	if (n->missed)
		str_addf(out, "%s%d", out->len ? " " : "", number);
	return 0;
}

/* The same of all players; those who have asked for the round off miss nothing. */
static int mark_absent(struct request *q, struct tournament_doc *t, struct str *out, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < t->entry_count; i++)
		if (t->entries[i].standing == ENTRY_PLAYS && !t->entries[i].asks_bye)
			rc = mark_one(q, t, (int)i + 1, out, e);
	return rc;
}

/* Writes down a round and the results from which it is paired. */
static void add_round(struct request *q, struct tournament_doc *t, const char *out)
{
	const char *from = tournament_results_text(q->arena, t);
	struct tournament_round *r = tournament_add_round(q->arena, t);

	r->at = q->now;
	r->from = from;
	r->out = out;
	t->due = q->now + t->round_days * CLOCK_DAY;
}

/* Gives half a point to those who have asked for the round off. */
static void give_byes(struct request *q, struct tournament_doc *t)
{
	for (size_t i = 0; i < t->entry_count; i++) {
		struct tournament_entry *n = &t->entries[i];

		if (n->asks_bye && n->standing == ENTRY_PLAYS)
			*tournament_add_game(q->arena, t) = (struct tournament_game){
				.round = (int)t->round_count,
				.white = (int)i + 1,
				.over = true,
				.points = { 1, 0 }
			};
		n->asks_bye = false;
	}
}

/* Starts a round of these pairs; out: those who can't be paired. */
static int start_round(struct request *q, struct tournament_doc *t, const char *out,
                       const struct tournament_pair *pairs, size_t n, struct err *e)
{
	size_t from = t->game_count;
	int rc = 0;

	add_round(q, t, out);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = tournament_start_pairing(q, t, (int)t->round_count, pairs[i].white,
		                              pairs[i].black, e);
	give_byes(q, t);
	if (rc == 0)
		rc = store_tournament_put(q->site->store, t, e);
	return rc == 0 ? tournament_tell_games(q, t, from, true, e) : rc;
}

/* Pairs the next round.  false: it can't be paired. */
static bool find_pairs(struct request *q, const struct tournament_doc *t,
                       struct tournament_pair *list, size_t *count)
{
	struct pairing_pair *pairs = NULL;
	int round = (int)t->round_count + 1, n = 0;
	struct pairing pure;

	tournament_pure(q->arena, t, round, &pure);
	if (pairing_make(&pure, round, q->arena, &pairs, &n) < 0)
		return false;
	for (int i = 0; i < n; i++)
		list[i] = (struct tournament_pair){ pairs[i].white + 1, pairs[i].black + 1 };
	*count = (size_t)n;
	return true;
}

static bool any_asks(const struct tournament_doc *t)
{
	for (size_t i = 0; i < t->entry_count; i++)
		if (t->entries[i].asks_bye && t->entries[i].standing == ENTRY_PLAYS)
			return true;
	return false;
}

/* Players who asked for the round off play in it, and are told. */
static int refuse_byes(struct request *q, struct tournament_doc *t, struct str *out, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < t->entry_count; i++) {
		bool asks = t->entries[i].asks_bye && t->entries[i].standing == ENTRY_PLAYS;

		t->entries[i].asks_bye = false;
		if (asks)
			rc = mark_one(q, t, (int)i + 1, out, e);
		if (rc == 0 && asks)
			rc = tournament_tell_no_bye(q, t, (int)i + 1, e);
	}
	return rc;
}

static int pair_swiss(struct request *q, struct tournament_doc *t, struct err *e)
{
	struct tournament_pair list[TOURNAMENT_PLAYERS_MAX];
	struct str out = STR_LOCAL(OUT_MAX);
	size_t n = 0;
	int rc = mark_absent(q, t, &out, e);
	bool paired = rc == 0 && find_pairs(q, t, list, &n);

	/* Rounds off must not end a tournament. */
	if (rc == 0 && !paired && any_asks(t)) {
		rc = refuse_byes(q, t, &out, e);
		paired = rc == 0 && find_pairs(q, t, list, &n);
	}
	if (rc < 0)
		return rc;
	if (!paired)
		return tournament_finish(q, t, "no further round can be paired", e);
	return start_round(q, t, arena_strdup(q->arena, out.data), list, n, e);
}

const char *tournament_pairs_refused(struct arena *a, const struct tournament_doc *t)
{
	if (!t->by_hand)
		return arena_printf(
			a,
			"The tournament %s pairs its rounds itself: it lacks the option -by-hand.",
			t->name);
	if ((int)t->round_count >= t->rounds)
		return arena_printf(a, "All %d rounds of the tournament %s are paired.", t->rounds,
		                    t->name);
	if (tournament_open_games(t) > 0)
		return arena_printf(
			a, "Round %zu of the tournament %s is not over: its open games are %zu.",
			t->round_count, t->name, tournament_open_games(t));
	return NULL;
}

int tournament_pair_round(struct request *q, struct tournament_doc *t,
                          const struct tournament_pair *pairs, size_t n, struct err *e)
{
	struct str out = STR_LOCAL(OUT_MAX);
	int rc = mark_absent(q, t, &out, e);

	return rc == 0 ? start_round(q, t, arena_strdup(q->arena, out.data), pairs, n, e) : rc;
}

/* Asks the director for the pairings of the next round. */
static int ask_pairings(struct request *q, struct tournament_doc *t, struct err *e)
{
	t->due = 0;
	int rc = store_tournament_put(q->site->store, t, e);
	return rc == 0 ? tournament_tell_unpaired(q, t, e) : rc;
}

/* The next round of a knockout, with its first games. */
static int next_knockout(struct request *q, struct tournament_doc *t, struct err *e)
{
	int round = (int)t->round_count + 1, n = 0, rc = 0;
	size_t from = t->game_count;
	struct pairing_pair *pairs = NULL;
	struct pairing pure;

	tournament_pure(q->arena, t, round, &pure);
	if (pairing_make(&pure, round, q->arena, &pairs, &n) < 0)
		return tournament_finish(q, t, "no further round can be paired", e);
	add_round(q, t, "");
	for (int i = 0; rc == 0 && i < n; i++)
		if (pairs[i].black == PAIRING_BYE)
			rc = tournament_start_pairing(q, t, round, pairs[i].white + 1, 0, e);
	if (rc == 0)
		rc = tournament_knockout(q, t, e);
	if (rc == 1) /* nothing but byes and forfeits: look again at once */
		t->due = q->now;
	if (rc >= 0)
		rc = store_tournament_put(q->site->store, t, e);
	return rc == 0 ? tournament_tell_games(q, t, from, true, e) : rc;
}

static int next_round(struct request *q, struct tournament_doc *t, struct err *e)
{
	if ((int)t->round_count >= t->rounds)
		return tournament_finish(q, t, NULL, e);
	if (t->by_hand)
		return ask_pairings(q, t, e);
	return t->kind == TOURNAMENT_KNOCKOUT ? next_knockout(q, t, e) : pair_swiss(q, t, e);
}

static int go_on_robin(struct request *q, struct tournament_doc *t, struct err *e)
{
	size_t from = t->game_count;
	int rc = tournament_robin(q, t, e);

	if (rc == 1)
		return tournament_finish(q, t, NULL, e);
	t->due = 0;
	if (rc == 0)
		rc = store_tournament_put(q->site->store, t, e);
	return rc == 0 && t->game_count > from ? tournament_tell_games(q, t, from, from == 0, e)
	                                       : rc;
}

static int go_on_knockout(struct request *q, struct tournament_doc *t, struct err *e)
{
	size_t from = t->game_count;
	int rc = tournament_knockout(q, t, e);

	if (rc == 1)
		return next_round(q, t, e);
	if (rc == 0 && t->due <= q->now)
		t->due = t->round[t->round_count - 1].at + t->round_days * CLOCK_DAY;
	if (rc == 0 && t->due <= q->now)
		t->due = q->now + t->round_days * CLOCK_DAY;
	if (rc == 0)
		rc = store_tournament_put(q->site->store, t, e);
	return rc == 0 ? tournament_tell_games(q, t, from, false, e) : rc;
}

/* Asks the director what to do about a long round. */
static int ask_director(struct request *q, struct tournament_doc *t, struct err *e)
{
	t->due = q->now + t->round_days * CLOCK_DAY;
	store_tournament_put(q->site->store, t, e);
	return tournament_tell_slow(q, t, e);
}

int tournament_go_on(struct request *q, struct tournament_doc *t, bool force, struct err *e)
{
	if (tournament_is_all_at_once(t))
		return go_on_robin(q, t, e);
	if (tournament_open_games(t) == 0 || force)
		return t->kind == TOURNAMENT_KNOCKOUT ? go_on_knockout(q, t, e)
		                                      : next_round(q, t, e);
	bool late = t->round_count &&
	            q->now >= t->round[t->round_count - 1].at + t->round_days * CLOCK_DAY;
	if (late && t->due && t->due <= q->now && t->kind == TOURNAMENT_SWISS)
		return ask_director(q, t, e);
	if (t->kind == TOURNAMENT_KNOCKOUT)
		return go_on_knockout(q, t, e);
	t->due = t->round[t->round_count - 1].at + t->round_days * CLOCK_DAY;
	return store_tournament_put(q->site->store, t, e);
}

static int begin(struct request *q, struct tournament_doc *t, struct err *e)
{
	t->state = TOURNAMENT_RUNNING;
	t->started = q->now;
	t->lot = tournament_seed_lot(q, t, "");
	t->rounds = pairing_round_count(tournament_pairing_kind(t), tournament_unit_count(t),
	                                t->rounds);
	if (!tournament_is_all_at_once(t))
		return next_round(q, t, e);
	for (int i = 0; i < t->rounds; i++)
		add_round(q, t, "");
	return go_on_robin(q, t, e);
}

int tournament_start(struct request *q, struct tournament_doc *t, struct err *e)
{
	struct tournament_doc *lower = NULL;
	size_t n = 0;
	int rc = tournament_seed(q, t, e);

	if (rc == 0 && t->group_size)
		rc = tournament_season_cut(q, t, &lower, &n, e);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = begin(q, &lower[i], e);
	return rc == 0 ? begin(q, t, e) : rc;
}

int tournament_end(struct request *q, struct tournament_doc *t, const char *why,
                   const struct player_doc *by, struct err *e)
{
	bool again = t->state == TOURNAMENT_FINISHED;
	bool begun = again || (t->state == TOURNAMENT_RUNNING && t->round_count > 0);

	t->state = begun ? TOURNAMENT_FINISHED : TOURNAMENT_CANCELLED;
	t->reason = again ? t->reason : why;
	t->ended = again ? t->ended : q->now;
	t->due = 0;
	int rc = store_tournament_put(q->site->store, t, e);
	return rc < 0  ? rc
	       : begun ? tournament_tell_end(q, t, again, by, e)
	               : tournament_tell_cancelled(q, t, by, e);
}

int tournament_finish(struct request *q, struct tournament_doc *t, const char *why, struct err *e)
{
	return tournament_end(q, t, why, NULL, e);
}

static int leave_ladder(struct request *q, struct tournament_doc *t, const char *userid, int number,
                        struct err *e)
{
	t->entries[number - 1].standing = ENTRY_WITHDRAWN;
	int rc = store_tournament_put(q->site->store, t, e);

	if (rc == 0)
		rc = tournament_lose_games(q, t, number, e);
	if (rc < 0)
		return rc;
	tournament_ladder_remove(t, tournament_find(t, userid));
	return store_tournament_put(q->site->store, t, e);
}

/* Makes the open games of a player who has left losses; then the tournament goes on. */
static int lose_games(struct request *q, struct tournament_doc *t, int number, int team,
                      struct err *e)
{
	int rc = team ? tournament_lose_team(q, t, team, e)
	              : tournament_lose_games(q, t, number, e);

	if (rc == 0 && t->state == TOURNAMENT_RUNNING) {
		t->due = q->now;
		rc = store_tournament_put(q->site->store, t, e);
	}
	return rc;
}

/* Do the results of a unit that leaves a round robin count for nobody? */
static bool is_void(const struct tournament_doc *t, int unit)
{
	int over = 0, all = 0;

	tournament_share(t, unit, &over, &all);
	return tournament_is_all_at_once(t) && t->kind != TOURNAMENT_SIMUL && 2 * over < all;
}

int tournament_withdraw_team(struct request *q, struct tournament_doc *t, int team, struct err *e)
{
	struct tournament_team *m = &t->teams[team - 1];

	m->standing = ENTRY_WITHDRAWN;
	for (size_t i = 0; i < t->entry_count; i++)
		if (t->entries[i].team == team && t->entries[i].standing == ENTRY_PLAYS)
			t->entries[i].standing = ENTRY_WITHDRAWN;
	if (t->kind == TOURNAMENT_SWISS)
		return store_tournament_put(q->site->store, t, e);
	m->void_games = is_void(t, team);
	return lose_games(q, t, 0, team, e);
}

/* Withdraws a member; the others of the team go on, and a team without players is withdrawn. */
static int withdraw_member(struct request *q, struct tournament_doc *t, int number, struct err *e)
{
	int team = t->entries[number - 1].team;

	if (t->entries[number - 1].standing != ENTRY_PLAYS)
		return 0;
	if (tournament_members(t, team, ENTRY_PLAYS) == 1)
		return tournament_withdraw_team(q, t, team, e);
	int captain = tournament_roster_leave(t, number);
	int rc = t->kind == TOURNAMENT_SWISS ? store_tournament_put(q->site->store, t, e)
	                                     : lose_games(q, t, number, 0, e);
	return rc == 0 ? tournament_tell_left(q, t, number, captain, e) : rc;
}

int tournament_withdraw(struct request *q, struct tournament_doc *t, int number, struct err *e)
{
	struct tournament_entry *n = &t->entries[number - 1];

	if (t->kind == TOURNAMENT_LADDER)
		return leave_ladder(q, t, n->userid, number, e);
	if (t->by_teams)
		return withdraw_member(q, t, number, e);
	n->standing = ENTRY_WITHDRAWN;
	if (t->kind == TOURNAMENT_SWISS)
		return store_tournament_put(q->site->store, t, e);
	n->void_games = is_void(t, number);
	return lose_games(q, t, number, 0, e);
}
