#include "pbm/commands/tournament/tournament_season.h"

#include "pbm/base/array.h"
#include "pbm/commands/tournament/tournament_find.h"
#include "pbm/tournament/tournament_league.h"
#include "store/store_documents.h"

struct season {
	struct tournament_doc *v;
	size_t n, cap;
};

/* The groups of a season, from the one that is called name downwards. */
static int read_groups(struct request *q, const char *name, struct season *s, struct err *e)
{
	int rc = 0;

	for (; rc == 0 && name && s->n < TOURNAMENT_PLAYERS_MAX; name = s->v[s->n - 1].below) {
		s->v = array_room(q->arena, s->v, s->n, &s->cap, sizeof *s->v);
		rc = store_tournament_get(q->site->store, q->arena, name, &s->v[s->n], e);
		if (rc < 0)
			return rc;
		s->n++;
	}
	return 0;
}

/* The first group of the season in which the tournament of that name is a group. */
static int find_first(struct request *q, const char *name, struct tournament_doc *out,
                      struct err *e)
{
	int rc = store_tournament_get(q->site->store, q->arena, name, out, e);

	for (int i = 0; rc == 0 && out->above && i < TOURNAMENT_PLAYERS_MAX; i++)
		rc = store_tournament_get(q->site->store, q->arena, out->above, out, e);
	return rc;
}

int tournament_season_follow(struct request *q, const char *name, struct tournament_doc *t,
                             struct err *e)
{
	struct season s = { 0 };
	struct tournament_doc first;
	int rc = find_first(q, name, &first, e);

	if (rc == ERR_NOT_FOUND || (rc == 0 && !first.group_size))
		return request_refused(
			q, 0, "There is no season of a league that is called \"%.40s\".", name);
	if (rc == 0)
		rc = read_groups(q, first.name, &s, e);
	for (size_t i = 0; rc == 0 && i < s.n; i++)
		if (s.v[i].state != TOURNAMENT_FINISHED)
			return request_refused(
				q, 0,
				"The season %s is not over: %s is not finished.  The next season can be made after it.",
				first.name, s.v[i].name);
	*t = (struct tournament_doc){ .kind = first.kind,
		                      .terms = game_doc_terms(&first.terms),
		                      .group_size = first.group_size,
		                      .promoted = first.promoted,
		                      .after = first.name,
		                      .boards = first.boards,
		                      .at_once = first.at_once,
		                      .least = first.least,
		                      .most = first.most,
		                      .rating_min = first.rating_min,
		                      .rating_max = first.rating_max,
		                      .settled = first.settled,
		                      .computers = first.computers,
		                      .undo = first.undo,
		                      .round_days = first.round_days };
	return rc;
}

int tournament_season_order(struct request *q, const struct tournament_doc *t, const char ***out,
                            size_t *n, struct err *e)
{
	struct season s = { 0 };
	int rc = read_groups(q, t->after, &s, e);

	*n = rc == 0 ? tournament_league_order(q->arena, s.v, s.n, out) : 0;
	return rc;
}

/* "league-1-2"; if that is taken, "league-1-2b" and so on. */
static const char *group_name(struct request *q, const char *season, int group)
{
	const char *name = arena_printf(q->arena, "%s-%d", season, group);

	for (char c = 'b'; c <= 'z' && tournament_name_refused(q, name); c++)
		name = arena_printf(q->arena, "%s-%d%c", season, group, c);
	return name;
}

/* Numbers the entries, from 0, in the order in which the groups take them: the players of the
 * season before first, then new ones by their seeds. */
static int number_entries(struct request *q, const struct tournament_doc *t, int *number,
                          struct err *e)
{
	const char **order = NULL;
	size_t n = 0;
	int next = 0, rc = t->after ? tournament_season_order(q, t, &order, &n, e) : 0;

	for (size_t i = 0; i < t->entry_count; i++)
		number[i] = -1;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		int at = tournament_find(t, order[i]);

		if (at && number[at - 1] < 0)
			number[at - 1] = next++;
	}
	for (size_t i = 0; i < t->entry_count; i++)
		if (number[i] < 0)
			number[i] = next++;
	return rc;
}

/* The entries of a group, which have the numbers from `from` on, in the order of their seeds. */
static void take_entries(struct request *q, const struct tournament_doc *t, const int *number,
                         int from, int size, struct tournament_doc *group)
{
	group->entries = NULL;
	group->entry_count = group->entry_cap = 0;
	for (size_t i = 0; i < t->entry_count; i++)
		if (number[i] >= from && number[i] < from + size)
			*tournament_add_entry(q->arena, group) = t->entries[i];
}

int tournament_season_cut(struct request *q, struct tournament_doc *t,
                          struct tournament_doc **lower, size_t *n, struct err *e)
{
	int players = (int)t->entry_count, from = 0;
	int groups = tournament_league_groups(players, t->group_size);
	int *number = arena_alloc(q->arena, ((size_t)players + 1) * sizeof *number);
	struct tournament_doc *v = arena_alloc(q->arena, (size_t)groups * sizeof *v);
	int rc = number_entries(q, t, number, e);

	for (int g = 0; rc == 0 && g < groups; g++) {
		int size = tournament_league_size(players, groups, g);

		v[g] = *t;
		v[g].group = g + 1;
		v[g].groups = groups;
		v[g].name = g ? group_name(q, t->name, g + 1) : t->name;
		v[g].above = g ? v[g - 1].name : NULL;
		if (g)
			v[g - 1].below = v[g].name;
		take_entries(q, t, number, from, size, &v[g]);
		from += size;
	}
	if (rc < 0)
		return rc;
	*t = v[0];
	*lower = v + 1;
	*n = (size_t)groups - 1;
	return 0;
}
