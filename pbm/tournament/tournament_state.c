#include "pbm/tournament/tournament_state.h"

#include <string.h>

#include "pbm/tournament/tournament_teams.h"

#define RESULT_TEXT 5 /* bytes of one game in tournament_round.from */

_Static_assert((int)TOURNAMENT_SWISS == (int)PAIRING_SWISS &&
                       (int)TOURNAMENT_ROUND_ROBIN == (int)PAIRING_ROUND_ROBIN &&
                       (int)TOURNAMENT_DOUBLE == (int)PAIRING_DOUBLE &&
                       (int)TOURNAMENT_KNOCKOUT == (int)PAIRING_KNOCKOUT &&
                       (int)HOST_WHITE == (int)PAIRING_WHITE &&
                       (int)HOST_BLACK == (int)PAIRING_BLACK,
               "the kinds and colours of the document are those of the pairing");

static void add_games(const struct tournament_doc *t, struct pairing_game *games)
{
	for (size_t i = 0; i < t->game_count; i++) {
		const struct tournament_game *g = &t->games[i];
		int bye = g->black ? 1 : tournament_boards(t);

		games[i] = (struct pairing_game){
			.round = g->round,
			.white = g->white - 1,
			.black = g->black ? g->black - 1 : PAIRING_BYE,
			.points = { g->over ? g->points[0] * bye : -1,
			            g->over ? g->points[1] : -1 },
			.played = g->played,
			.annulled = g->annulled,
		};
	}
}

/* The matches of teams, each as one game.  Returns how many there are. */
static int add_matches(const struct tournament_doc *t, int round, struct pairing_game *games)
{
	struct tournament_pairing p;
	int n = 0;

	for (size_t at = 0; tournament_next_pairing(t, round, &at, &p);)
		games[n++] = (struct pairing_game){
			.round = p.round,
			.white = p.white - 1,
			.black = p.black ? p.black - 1 : PAIRING_BYE,
			.points = { p.open ? -1 : p.points[0], p.open ? -1 : p.points[1] },
			.played = p.played && p.black,
			.annulled = p.annulled,
			.boards = { p.boards[0], p.boards[1] },
		};
	return n;
}

/* unit: a tournament_entry or a tournament_team. */
#define PAIRING_ENTRY(unit, away)                                                                  \
	(struct pairing_entry)                                                                     \
	{                                                                                          \
		.rating = (unit)->rating, .lot = (uint32_t)(unit)->lot,                            \
		.first_round = (unit)->first_round ? (unit)->first_round : 1,                      \
		.withdrawn = (unit)->standing != ENTRY_PLAYS, .absent = (away),                    \
		.void_results = (unit)->void_games, .seed_points = (unit)->seed_points,            \
	}

static void add_players(const struct tournament_doc *t, struct pairing_entry *entries)
{
	for (size_t i = 0; i < t->entry_count; i++) {
		const struct tournament_entry *n = &t->entries[i];

		entries[i] = PAIRING_ENTRY(n, n->missed > 0 || n->asks_bye);
	}
}

static void add_teams(const struct tournament_doc *t, struct pairing_entry *entries)
{
	for (size_t i = 0; i < t->team_count; i++)
		entries[i] = PAIRING_ENTRY(&t->teams[i], !tournament_is_present(t, (int)i + 1));
}

enum pairing_kind tournament_pairing_kind(const struct tournament_doc *t)
{
	return t->kind == TOURNAMENT_LADDER  ? PAIRING_ROUND_ROBIN
	       : t->kind == TOURNAMENT_SIMUL ? PAIRING_SIMUL
	                                     : (enum pairing_kind)t->kind;
}

void tournament_pure(struct arena *a, const struct tournament_doc *t, int round,
                     struct pairing *out)
{
	bool knockout = t->kind == TOURNAMENT_KNOCKOUT;
	size_t units = (size_t)tournament_unit_count(t);
	struct pairing_entry *entries = arena_alloc(a, (units + 1) * sizeof *entries);
	struct pairing_game *games = arena_alloc(a, (t->game_count + 1) * sizeof *games);

	*out = (struct pairing){ .kind = tournament_pairing_kind(t),
		                 .rounds = t->rounds,
		                 .best_of = knockout && t->best_of ? t->best_of
		                            : t->by_teams          ? 1
		                                                   : tournament_boards(t),
		                 .lot = (uint32_t)t->lot,
		                 .colour = (enum pairing_colour)t->colour,
		                 .entries = entries,
		                 .n = (int)units,
		                 .games = games,
		                 .n_games = (int)t->game_count };
	if (t->by_teams) {
		add_teams(t, entries);
		out->n_games = add_matches(t, round, games);
	} else {
		add_players(t, entries);
		add_games(t, games);
	}
}

/* On a ladder the places say the order. */
static struct pairing_row *by_entry(struct arena *a, const struct tournament_doc *t,
                                    const struct pairing_row *rows)
{
	struct pairing_row *v = arena_alloc(a, (t->entry_count + 1) * sizeof *v);

	for (size_t i = 0; i < t->entry_count; i++) {
		v[rows[i].entry] = rows[i];
		v[rows[i].entry].place = rows[i].entry + 1;
		v[rows[i].entry].shared = false;
	}
	return v;
}

struct pairing_row *tournament_rows(struct arena *a, const struct tournament_doc *t)
{
	struct pairing pure;
	struct pairing_row *rows = NULL;

	tournament_pure(a, t, (int)t->round_count, &pure);
	pairing_table(&pure, a, &rows);
	return t->kind == TOURNAMENT_LADDER ? by_entry(a, t, rows) : rows;
}

bool tournament_is_all_at_once(const struct tournament_doc *t)
{
	return t->kind == TOURNAMENT_ROUND_ROBIN || t->kind == TOURNAMENT_DOUBLE ||
	       t->kind == TOURNAMENT_SIMUL;
}

size_t tournament_open_games(const struct tournament_doc *t)
{
	bool all = tournament_is_all_at_once(t);
	size_t n = 0;

	for (size_t i = 0; i < t->game_count; i++)
		n += (all || t->games[i].round == (int)t->round_count) && !t->games[i].over;
	return n;
}

bool tournament_goes_on(const struct tournament_doc *t)
{
	for (size_t i = 0; i < t->game_count; i++)
		if (!t->games[i].over)
			return true;
	return false;
}

const char *tournament_results_text(struct arena *a, const struct tournament_doc *t)
{
	struct str s = str_in(a, t->game_count * RESULT_TEXT + 1);

	for (size_t i = 0; i < t->game_count; i++) {
		const struct tournament_game *g = &t->games[i];

		str_add(&s, i ? " " : "");
		if (!g->over)
			str_add_char(&s, '?');
		else if (g->annulled)
			str_add_char(&s, '*');
		else
			str_addf(&s, "%d%d", g->points[0], g->points[1]);
		str_add(&s, g->over && !g->played ? "f" : "");
	}
	return s.data;
}

struct tournament_game *tournament_game_of(const struct tournament_doc *t, int64_t board)
{
	for (size_t i = 0; board && i < t->game_count; i++)
		if (t->games[i].board == board)
			return &t->games[i];
	return NULL;
}

bool tournament_take_result(struct tournament_game *g, const struct game_doc *d)
{
	struct tournament_game now = *g;
	bool white = strcmp(d->result, "1-0") == 0, black = strcmp(d->result, "0-1") == 0;

	now.over = d->state == GAME_FINISHED || d->state == GAME_CLOSED;
	now.annulled = d->state == GAME_CLOSED;
	now.played = now.over && d->ply >= 2;
	now.points[0] = d->state != GAME_FINISHED ? 0 : white ? 2 : black ? 0 : 1;
	now.points[1] = d->state != GAME_FINISHED ? 0 : 2 - now.points[0];
	bool changed = now.over != g->over || now.annulled != g->annulled ||
	               now.played != g->played || now.points[0] != g->points[0] ||
	               now.points[1] != g->points[1];
	*g = now;
	return changed;
}

bool tournament_is_undecided(struct arena *a, const struct tournament_doc *t)
{
	struct pairing pure;
	struct pairing_pair *pairs = NULL;
	int round = (int)t->round_count, n = 0;

	if (tournament_open_games(t) > 0)
		return true;
	tournament_pure(a, t, round, &pure);
	if (t->kind != TOURNAMENT_KNOCKOUT || pairing_make(&pure, round, a, &pairs, &n) < 0)
		return false;
	for (int i = 0; i < n; i++)
		if (pairing_knockout_next(&pure, round, &pairs[i]).state != PAIRING_MATCH_DECIDED)
			return true;
	return false;
}

bool tournament_is_followed(const struct tournament_doc *t, const struct tournament_game *g)
{
	if (t->kind == TOURNAMENT_LADDER)
		return g->over;
	if (t->kind != TOURNAMENT_SWISS && t->kind != TOURNAMENT_KNOCKOUT)
		return false;
	if ((size_t)g->round < t->round_count)
		return true;
	bool behind = false;
	int unit = tournament_unit_of(t, g->white);
	struct tournament_pairing p;
	for (size_t at = 0; tournament_next_pairing(t, 0, &at, &p);) {
		if (behind && p.round == g->round && (p.white == unit || p.black == unit))
			return true;
		behind |= at > (size_t)(g - t->games);
	}
	return false;
}

bool tournament_is_entered(const struct tournament_doc *t, const char *userid)
{
	int number = tournament_find(t, userid);

	return number && t->entries[number - 1].standing != ENTRY_INVITED;
}

bool tournament_takes_entries(const struct tournament_doc *t)
{
	return t->state == TOURNAMENT_OPEN ||
	       (t->state == TOURNAMENT_RUNNING && t->kind == TOURNAMENT_SWISS && !t->by_teams &&
	        t->round_count < 3 && (int)t->round_count < t->rounds);
}

void tournament_share(const struct tournament_doc *t, int unit, int *over, int *all)
{
	*over = 0;
	*all = (tournament_unit_count(t) - 1) * (t->kind == TOURNAMENT_DOUBLE ? 2 : 1) *
	       tournament_boards(t);
	for (size_t i = 0; i < t->game_count; i++) {
		const struct tournament_game *g = &t->games[i];

		*over += (tournament_unit_of(t, g->white) == unit ||
		          tournament_unit_of(t, g->black) == unit) &&
		         g->over && g->board && !g->annulled;
	}
}
