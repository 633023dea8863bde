#include "pbm/pairing/scorecard.h"

#include <stdlib.h>

static void add_colour(struct scorecard *s, int colour)
{
	s->colour[s->n++] = (signed char)colour;
	s->difference += colour;
}

/* A bye of half a point was asked for, and is none that the pairing gives. */
static void add_bye(const struct pairing *t, struct scorecard *s, const struct pairing_game *g)
{
	s->points += g->points[0];
	s->free_point |= g->points[0] > (t->best_of > 1 ? t->best_of : 1);
}

static void add_game(struct scorecards *s, const struct pairing_game *g)
{
	struct scorecard *white = &s->v[g->white], *black = &s->v[g->black];
	bool open = g->points[0] < 0;

	if (g->played || open) {
		s->met[g->white * s->n + g->black] = s->met[g->black * s->n + g->white] = true;
		add_colour(white, COLOUR_WHITE);
		add_colour(black, COLOUR_BLACK);
	}
	if (g->annulled)
		return;
	white->points += open ? 1 : g->points[0];
	black->points += open ? 1 : g->points[1];
	if (!g->played) {
		white->free_point |= g->points[0] > g->points[1];
		black->free_point |= g->points[1] > g->points[0];
	}
}

struct scorecards scorecard_before(const struct pairing *t, int round, struct arena *a)
{
	size_t n = (size_t)t->n;
	struct scorecards s = { t->n, arena_alloc(a, n * sizeof *s.v),
		                arena_alloc(a, n * n * sizeof *s.met) };
	int *games = arena_alloc(a, n * sizeof *games);

	for (int i = 0; i < t->n_games; i++) {
		const struct pairing_game *g = &t->games[i];

		games[g->white]++;
		if (g->black != PAIRING_BYE)
			games[g->black]++;
	}
	for (size_t i = 0; i < n; i++) {
		s.v[i].points = t->entries[i].seed_points;
		s.v[i].colour = arena_alloc(a, (size_t)games[i] + 1);
	}
	for (int r = 1; r < round; r++)
		for (int i = 0; i < t->n_games; i++) {
			const struct pairing_game *g = &t->games[i];

			if (g->round == r && g->black == PAIRING_BYE)
				add_bye(t, &s.v[g->white], g);
			else if (g->round == r)
				add_game(&s, g);
		}
	return s;
}

bool scorecard_met(const struct scorecards *s, int x, int y)
{
	return s->met[x * s->n + y];
}

/* The colour of the last two games, 0 if they differ or are fewer. */
static int running(const struct scorecard *s)
{
	return s->n > 1 && s->colour[s->n - 1] == s->colour[s->n - 2] ? s->colour[s->n - 1] : 0;
}

static bool breaks_rules(const struct scorecard *s, int colour)
{
	return running(s) == colour || s->difference * colour >= 2;
}

int scorecard_breaches(const struct scorecard *white, const struct scorecard *black)
{
	return breaks_rules(white, COLOUR_WHITE) + breaks_rules(black, COLOUR_BLACK);
}

int scorecard_least_breaches(const struct scorecard *x, const struct scorecard *y)
{
	int a = scorecard_breaches(x, y), b = scorecard_breaches(y, x);

	return a < b ? a : b;
}

/* The wishes below are numbers: the sign is the colour that somebody has had too often, the
 * size how much he wants the other one.  Returns the colour of the first, 0: undecided. */
static int stronger(int first, int second)
{
	if (first == second || (abs(first) == abs(second) && !first))
		return 0;
	if (abs(first) >= abs(second))
		return first < 0 ? COLOUR_WHITE : COLOUR_BLACK;
	return second < 0 ? COLOUR_BLACK : COLOUR_WHITE;
}

/* The colour of the first that undoes the latest difference, or his last colour, or else the
 * last colour of the second. */
static int alternate(const struct scorecard *first, const struct scorecard *second)
{
	for (int i = 1; i <= first->n && i <= second->n; i++)
		if (first->colour[first->n - i] != second->colour[second->n - i])
			return -first->colour[first->n - i];
	if (first->n)
		return -first->colour[first->n - 1];
	return second->n ? second->colour[second->n - 1] : 0;
}

bool scorecard_higher_has_white(const struct scorecard *higher, const struct scorecard *lower,
                                int board, uint32_t lot)
{
	int colour = scorecard_breaches(lower, higher) - scorecard_breaches(higher, lower);

	if (!colour)
		colour = stronger(higher->difference, lower->difference);
	if (!colour)
		colour = stronger(running(higher), running(lower));
	if (!colour)
		colour = alternate(higher, lower);
	if (!colour)
		return ((lot ^ (uint32_t)board) & 1) == 0;
	return colour > 0;
}
