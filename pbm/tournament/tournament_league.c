#include "pbm/tournament/tournament_league.h"

#include "pbm/tournament/tournament_state.h"

static bool has_left(const struct tournament_doc *t, const struct pairing_row *row)
{
	return t->entries[row->entry].standing != ENTRY_PLAYS;
}

int tournament_league_move(const struct tournament_doc *t, const struct pairing_row *rows,
                           size_t line)
{
	size_t better = 0;

	for (size_t i = 0; i < line; i++)
		better += !has_left(t, &rows[i]);
	if (has_left(t, &rows[line]))
		return 0;
	if (t->group > 1 && better < (size_t)t->promoted)
		return -1;
	return t->group < t->groups && line + (size_t)t->promoted >= t->entry_count ? 1 : 0;
}

/* Appends those who play in group g next, and come to it by that move. */
static size_t add_movers(const struct tournament_doc *t, const struct pairing_row *rows, int move,
                         const char **out)
{
	size_t n = 0;

	for (size_t i = 0; i < t->entry_count; i++)
		if (!has_left(t, &rows[i]) && tournament_league_move(t, rows, i) == move)
			out[n++] = t->entries[rows[i].entry].userid;
	return n;
}

size_t tournament_league_order(struct arena *a, const struct tournament_doc *groups, size_t n,
                               const char ***out)
{
	const struct pairing_row **rows = arena_alloc(a, (n + 1) * sizeof(void *));
	size_t players = 0, count = 0;

	for (size_t g = 0; g < n; g++) {
		rows[g] = tournament_rows(a, &groups[g]);
		players += groups[g].entry_count;
	}
	*out = arena_alloc(a, (players + 1) * sizeof **out);
	for (size_t g = 0; g < n; g++)
		for (int move = 1; move >= -1; move--) {
			size_t from = g - (size_t)move; /* before the first: more than n */

			if (from < n)
				count += add_movers(&groups[from], rows[from], move, *out + count);
		}
	return count;
}

int tournament_league_groups(int players, int group_size)
{
	return players > group_size ? (players + group_size - 1) / group_size : 1;
}

int tournament_league_size(int players, int groups, int g)
{
	return players / groups + (g < players % groups);
}
