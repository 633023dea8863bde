#include "pbm/commands/tournament/tournament_seed.h"

#include <math.h>
#include <stdlib.h>

#include "pbm/commands/tournament/tournament_tell.h"
#include "pbm/rating/rating.h"
#include "pbm/tournament/tournament_teams.h"

static int by_seed(const void *a, const void *b)
{
	const struct tournament_entry *x = a, *y = b;

	if (x->host != y->host)
		return x->host ? -1 : 1;
	if (x->team != y->team)
		return x->team < y->team ? -1 : 1;
	if (x->rating != y->rating)
		return x->rating > y->rating ? -1 : 1;
	return x->lot < y->lot ? -1 : x->lot > y->lot;
}

static int by_team_seed(const void *a, const void *b)
{
	const struct tournament_team *x = a, *y = b;

	if (x->rating != y->rating)
		return x->rating > y->rating ? -1 : 1;
	return x->lot < y->lot ? -1 : x->lot > y->lot;
}

/* Has the entry a place at the beginning? */
static bool has_place(const struct tournament_doc *t, const struct tournament_entry *n)
{
	if (n->standing != ENTRY_PLAYS)
		return false;
	return !t->by_teams || (n->team && tournament_is_complete(t, n->team) &&
	                        !tournament_team_waits(t, n->team));
}

/* Tells those who have no place, and takes them out. */
static int choose_entries(struct request *q, struct tournament_doc *t, struct err *e)
{
	size_t n = 0;
	int rc = 0;
	bool *stays = arena_alloc(q->arena, (t->entry_count + 1) * sizeof *stays);

	for (size_t i = 0; rc == 0 && i < t->entry_count; i++) {
		stays[i] = has_place(t, &t->entries[i]);
		if (!stays[i])
			rc = tournament_tell_left_out(q, t, (int)i + 1, e);
	}
	for (size_t i = 0; rc == 0 && i < t->entry_count; i++)
		if (stays[i])
			t->entries[n++] = t->entries[i];
	t->entry_count = n;
	return rc;
}

/* The mean rating of the team's first boards; its members are in their order. */
static int mean_rating(const struct tournament_doc *t, int team)
{
	int boards = tournament_boards(t), sum = boards / 2;
	int line[TOURNAMENT_BOARDS_MAX];

	tournament_lineup(t, team, line);
	for (int i = 0; i < boards; i++)
		sum += t->entries[line[i] - 1].rating;
	return sum / boards;
}

/* Orders the teams, and gives their members the new numbers. */
static void seed_teams(struct request *q, struct tournament_doc *t)
{
	int *moved = arena_alloc(q->arena, (t->team_count + 1) * sizeof *moved);
	size_t n = 0;

	for (size_t i = 0; i < t->team_count; i++) {
		struct tournament_team *m = &t->teams[i];

		if (tournament_members(t, (int)i + 1, ENTRY_PLAYS) == 0)
			continue;
		m->rating = mean_rating(t, (int)i + 1);
		m->lot = tournament_seed_lot(q, t, m->name);
		m->first_round = (int)i + 1; /* until it is ordered: its old number */
		t->teams[n++] = *m;
	}
	t->team_count = n;
	if (n)
		qsort(t->teams, n, sizeof *t->teams, by_team_seed);
	for (size_t i = 0; i < n; i++) {
		moved[t->teams[i].first_round] = (int)i + 1;
		t->teams[i].first_round = 1;
	}
	for (size_t i = 0; i < t->entry_count; i++)
		t->entries[i].team = moved[t->entries[i].team];
}

int tournament_seed(struct request *q, struct tournament_doc *t, struct err *e)
{
	int rc = choose_entries(q, t, e);

	for (size_t i = 0; rc == 0 && i < t->entry_count; i++) {
		t->entries[i].first_round = 1;
		rc = tournament_seed_freeze(q, t, &t->entries[i], e);
	}
	if (rc < 0 || t->entry_count == 0)
		return rc;
	qsort(t->entries, t->entry_count, sizeof *t->entries, by_seed);
	if (t->by_teams) {
		seed_teams(q, t);
		qsort(t->entries, t->entry_count, sizeof *t->entries, by_seed);
	}
	return 0;
}

int64_t tournament_seed_lot(struct request *q, const struct tournament_doc *t, const char *userid)
{
	return token_lot(
		q->site, "lot",
		arena_printf(q->arena, "%s %lld %s", t->name, (long long)t->created, userid));
}

int tournament_seed_freeze(struct request *q, const struct tournament_doc *t,
                           struct tournament_entry *n, struct err *e)
{
	struct rating r;
	int rc = rating_get(q->site->store, n->userid, t->terms.game, q->now, &r, e);

	n->rating = rc == 0 && r.games ? (int)lround(r.now.rating) : SEED_NO_RATING;
	n->lot = tournament_seed_lot(q, t, n->userid);
	return rc;
}
