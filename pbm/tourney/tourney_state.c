#include "pbm/tourney/tourney_state.h"

#include <string.h>

#define RESULT_TEXT 5 /* bytes of one game in tourney_round.from */

_Static_assert((int)TOURNEY_SWISS == (int)TOURNAMENT_SWISS &&
                       (int)TOURNEY_ROUND_ROBIN == (int)TOURNAMENT_ROUND_ROBIN &&
                       (int)TOURNEY_DOUBLE == (int)TOURNAMENT_DOUBLE &&
                       (int)TOURNEY_KNOCKOUT == (int)TOURNAMENT_KNOCKOUT,
               "the kinds of the document are those of the pairing");

static void add_games(struct arena *a, const struct tourney_doc *t, struct tournament *out)
{
	struct tournament_game *games = arena_alloc(a, (t->game_count + 1) * sizeof *games);

	for (size_t i = 0; i < t->game_count; i++) {
		const struct tourney_game *g = &t->games[i];

		games[i] = (struct tournament_game){
			.round = g->round,
			.white = g->white - 1,
			.black = g->black ? g->black - 1 : TOURNAMENT_BYE,
			.points = { g->over ? g->points[0] : -1, g->over ? g->points[1] : -1 },
			.played = g->played,
			.annulled = g->annulled,
		};
	}
	out->games = games;
	out->n_games = (int)t->game_count;
}

void tourney_pure(struct arena *a, const struct tourney_doc *t, struct tournament *out)
{
	struct tournament_entry *entries = arena_alloc(a, (t->entry_count + 1) * sizeof *entries);

	bool ladder = t->kind == TOURNEY_LADDER;

	*out = (struct tournament){ .kind = ladder ? TOURNAMENT_ROUND_ROBIN
		                                   : (enum tournament_kind)t->kind,
		                    .rounds = t->rounds,
		                    .best_of = t->best_of ? t->best_of : 1,
		                    .lot = (uint32_t)t->lot,
		                    .entries = entries,
		                    .n = (int)t->entry_count };
	for (size_t i = 0; i < t->entry_count; i++) {
		const struct tourney_entry *n = &t->entries[i];

		entries[i] = (struct tournament_entry){
			.rating = n->rating,
			.lot = (uint32_t)n->lot,
			.first_round = n->first_round ? n->first_round : 1,
			.withdrawn = n->standing != ENTRY_PLAYS,
			.absent = n->missed > 0,
			.void_results = n->void_games,
			.seed_points = n->seed_points,
		};
	}
	add_games(a, t, out);
}

/* On a ladder the places say the order. */
static struct tournament_row *by_entry(struct arena *a, const struct tourney_doc *t,
                                       const struct tournament_row *rows)
{
	struct tournament_row *v = arena_alloc(a, (t->entry_count + 1) * sizeof *v);

	for (size_t i = 0; i < t->entry_count; i++) {
		v[rows[i].entry] = rows[i];
		v[rows[i].entry].place = rows[i].entry + 1;
		v[rows[i].entry].shared = false;
	}
	return v;
}

struct tournament_row *tourney_rows(struct arena *a, const struct tourney_doc *t)
{
	struct tournament pure;
	struct tournament_row *rows = NULL;

	tourney_pure(a, t, &pure);
	tournament_table(&pure, a, &rows);
	return t->kind == TOURNEY_LADDER ? by_entry(a, t, rows) : rows;
}

bool tourney_is_all_at_once(const struct tourney_doc *t)
{
	return t->kind == TOURNEY_ROUND_ROBIN || t->kind == TOURNEY_DOUBLE;
}

size_t tourney_open_games(const struct tourney_doc *t)
{
	bool all = tourney_is_all_at_once(t);
	size_t n = 0;

	for (size_t i = 0; i < t->game_count; i++)
		n += (all || t->games[i].round == (int)t->round_count) && !t->games[i].over;
	return n;
}

const char *tourney_results_text(struct arena *a, const struct tourney_doc *t)
{
	struct str s;

	str_init(&s, t->game_count * RESULT_TEXT + 1);
	for (size_t i = 0; i < t->game_count; i++) {
		const struct tourney_game *g = &t->games[i];

		str_add(&s, i ? " " : "");
		if (!g->over)
			str_add_char(&s, '?');
		else if (g->annulled)
			str_add_char(&s, '*');
		else
			str_addf(&s, "%d%d", g->points[0], g->points[1]);
		str_add(&s, g->over && !g->played ? "f" : "");
	}
	const char *text = arena_strdup(a, s.data);
	str_release(&s);
	return text;
}

struct tourney_game *tourney_game_of(const struct tourney_doc *t, int64_t board)
{
	for (size_t i = 0; board && i < t->game_count; i++)
		if (t->games[i].board == board)
			return &t->games[i];
	return NULL;
}

bool tourney_take_result(struct tourney_game *g, const struct game_doc *d)
{
	struct tourney_game now = *g;
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

bool tourney_is_undecided(struct arena *a, const struct tourney_doc *t)
{
	struct tournament pure;
	struct tournament_pair *pairs = NULL;
	int round = (int)t->round_count, n = 0;

	if (tourney_open_games(t) > 0)
		return true;
	tourney_pure(a, t, &pure);
	if (t->kind != TOURNEY_KNOCKOUT || tournament_pair(&pure, round, a, &pairs, &n) < 0)
		return false;
	for (int i = 0; i < n; i++)
		if (tournament_knockout_next(&pure, round, &pairs[i]).state !=
		    TOURNAMENT_MATCH_DECIDED)
			return true;
	return false;
}

bool tourney_is_followed(const struct tourney_doc *t, const struct tourney_game *g)
{
	if (t->kind == TOURNEY_LADDER)
		return g->over;
	if (t->kind != TOURNEY_SWISS && t->kind != TOURNEY_KNOCKOUT)
		return false;
	if ((size_t)g->round < t->round_count)
		return true;
	for (const struct tourney_game *next = g + 1; next < t->games + t->game_count; next++)
		if (next->round == g->round && (next->white == g->white || next->white == g->black))
			return true;
	return false;
}

bool tourney_takes_entries(const struct tourney_doc *t)
{
	return t->state == TOURNEY_OPEN ||
	       (t->state == TOURNEY_RUNNING && t->kind == TOURNEY_SWISS && t->round_count < 3 &&
	        (int)t->round_count < t->rounds);
}

void tourney_share(const struct tourney_doc *t, int number, int *over, int *all)
{
	*over = 0;
	*all = ((int)t->entry_count - 1) * (t->kind == TOURNEY_DOUBLE ? 2 : 1);
	for (size_t i = 0; i < t->game_count; i++) {
		const struct tourney_game *g = &t->games[i];

		*over += (g->white == number || g->black == number) && g->over && g->board &&
		         !g->annulled;
	}
}
