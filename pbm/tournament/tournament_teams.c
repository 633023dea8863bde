#include "pbm/tournament/tournament_teams.h"

#include <strings.h>

int tournament_unit_count(const struct tournament_doc *t)
{
	return (int)(t->by_teams ? t->team_count : t->entry_count);
}

const char *tournament_unit_name(const struct tournament_doc *t, int unit)
{
	return t->by_teams ? t->teams[unit - 1].name : t->entries[unit - 1].userid;
}

int tournament_unit_rating(const struct tournament_doc *t, int unit)
{
	return t->by_teams ? t->teams[unit - 1].rating : t->entries[unit - 1].rating;
}

int tournament_boards(const struct tournament_doc *t)
{
	return t->boards ? t->boards : 1;
}

bool tournament_can_play(const struct tournament_doc *t, int number)
{
	const struct tournament_entry *n = &t->entries[number - 1];

	return n->standing == ENTRY_PLAYS && !n->missed;
}

int tournament_host(const struct tournament_doc *t)
{
	for (size_t i = 0; i < t->entry_count; i++)
		if (t->entries[i].host)
			return (int)i + 1;
	return 0;
}

/* Adds the members who can play, or who can't.  Returns how many boards are filled. */
static int fill(const struct tournament_doc *t, int team, bool can, int from, int *out)
{
	for (size_t i = 0; i < t->entry_count && from < tournament_boards(t); i++)
		if (t->entries[i].team == team && tournament_can_play(t, (int)i + 1) == can)
			out[from++] = (int)i + 1;
	return from;
}

void tournament_lineup(const struct tournament_doc *t, int unit, int out[TOURNAMENT_BOARDS_MAX])
{
	if (t->by_teams) {
		fill(t, unit, false, fill(t, unit, true, 0, out), out);
		return;
	}
	for (int i = 0; i < tournament_boards(t); i++)
		out[i] = unit;
}

int tournament_find_team(const struct tournament_doc *t, const char *name)
{
	for (size_t i = 0; i < t->team_count; i++)
		if (strcasecmp(t->teams[i].name, name) == 0)
			return (int)i + 1;
	return 0;
}

size_t tournament_members(const struct tournament_doc *t, int team,
                          enum tournament_standing standing)
{
	size_t n = 0;

	for (size_t i = 0; i < t->entry_count; i++)
		n += t->entries[i].team == team && t->entries[i].standing == standing;
	return n;
}

bool tournament_is_complete(const struct tournament_doc *t, int team)
{
	return tournament_members(t, team, ENTRY_PLAYS) >= (size_t)tournament_boards(t);
}

bool tournament_is_present(const struct tournament_doc *t, int team)
{
	for (size_t i = 0; i < t->entry_count; i++)
		if (t->entries[i].team == team && tournament_can_play(t, (int)i + 1))
			return true;
	return false;
}

int tournament_captain(const struct tournament_doc *t, int team)
{
	for (size_t i = 0; i < t->entry_count; i++)
		if (t->entries[i].team == team && t->entries[i].captain)
			return (int)i + 1;
	return 0;
}

bool tournament_team_waits(const struct tournament_doc *t, int team)
{
	int before = 0;

	for (int i = 1; i < team; i++)
		before += tournament_is_complete(t, i);
	return t->state == TOURNAMENT_OPEN && before >= t->most;
}

size_t tournament_ready(const struct tournament_doc *t)
{
	size_t n = 0;
	int host = tournament_host(t);

	if (t->kind == TOURNAMENT_SIMUL && (!host || !tournament_can_play(t, host)))
		return 0;
	if (!t->by_teams)
		return tournament_count(t, ENTRY_PLAYS);
	for (size_t i = 1; i <= t->team_count; i++)
		n += tournament_is_complete(t, (int)i) && !tournament_team_waits(t, (int)i);
	return n;
}

/* ---- pairings ---- */

/* Adds the game on that board, from 0: White is the first unit on the first, third ... */
static void add_board(const struct tournament_game *g, size_t board, bool drawn,
                      struct tournament_pairing *p)
{
	bool open = !g->over && !drawn;

	p->open |= open;
	p->played |= g->played || !g->over;
	p->annulled &= g->annulled;
	for (size_t side = 0; side < 2 && !open && !g->annulled; side++)
		p->boards[side] += g->over ? g->points[(side + board) % 2] : 1;
}

static void add_match_points(const struct tournament_doc *t, struct tournament_pairing *p)
{
	struct pairing_game boards[TOURNAMENT_BOARDS_MAX],
		match = { .black = p->black ? 0 : PAIRING_BYE };
	int n = tournament_boards(t);

	for (int i = 0; i < n && p->black; i++) {
		const struct tournament_game *g = &t->games[p->first + (size_t)i];
		bool open = !g->over;

		boards[i] = (struct pairing_game){ .points = { open ? 1 : g->points[0],
			                                       open ? 1 : g->points[1] } };
	}
	pairing_team_result(boards, n, &match);
	for (int side = 0; side < 2; side++) {
		p->boards[side] = p->open ? p->boards[side] : match.boards[side];
		p->points[side] = match.points[side];
	}
}

bool tournament_next_pairing(const struct tournament_doc *t, int round, size_t *at,
                             struct tournament_pairing *out)
{
	if (*at >= t->game_count)
		return false;
	const struct tournament_game *g = &t->games[*at];
	bool drawn = t->kind == TOURNAMENT_SWISS && g->round < round;

	*out = (struct tournament_pairing){ .round = g->round,
		                            .white = tournament_unit_of(t, g->white),
		                            .black = tournament_unit_of(t, g->black),
		                            .first = *at,
		                            .n = tournament_pairing_games(t, g),
		                            .annulled = true };
	for (size_t i = 0; i < out->n; i++)
		add_board(&g[i], i, drawn, out);
	if (t->by_teams)
		add_match_points(t, out);
	*at += out->n;
	return true;
}

void tournament_score_of(const struct tournament_doc *t, int number, int *points, int *games)
{
	*points = *games = 0;
	for (size_t i = 0; i < t->game_count; i++) {
		const struct tournament_game *g = &t->games[i];

		if ((g->white != number && g->black != number) || !g->over || g->annulled ||
		    !g->black)
			continue;
		*points += g->points[g->white != number];
		++*games;
	}
}

int tournament_open_pairings(const struct tournament_doc *t, int unit)
{
	struct tournament_pairing p;
	int n = 0;

	for (size_t at = 0; tournament_next_pairing(t, 0, &at, &p);)
		n += p.open && (p.white == unit || p.black == unit);
	return n;
}
