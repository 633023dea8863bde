#include "pbm/pairing/swiss.h"

#include <string.h>

#include "pbm/pairing/matching.h"
#include "pbm/pairing/scorecard.h"

/* A round while it is being paired.  Players are called by their rank: 0 has the most points,
 * among equal ones the best seed. */
struct round {
	const struct pairing *t;
	struct scorecards s;
	struct arena *scratch;
	int n;
	int left;      /* unpaired */
	int *entry;    /* by rank */
	int *opponent; /* by rank: a rank, PAIRING_BYE, or UNPAIRED */
};
#define UNPAIRED (-2)

/* The players who aren't paired yet, and the matching that gives each of them an opponent:
 * its vertices are places in rank[].  Those before size are the bracket that is being paired:
 * floats and a score group. */
struct bracket {
	int *rank;
	int n, size;
	struct matching *m;
	int most; /* the most that the matching may cost */
	struct arena scratch;
};

static const struct scorecard *card_of(const struct round *r, int rank)
{
	return &r->s.v[r->entry[rank]];
}

static void rank_players(struct round *r, int round)
{
	r->entry = arena_alloc(r->scratch, (size_t)r->t->n * sizeof *r->entry);
	for (int i = 0; i < r->t->n; i++) {
		const struct pairing_entry *e = &r->t->entries[i];

		if (e->withdrawn || e->absent || e->first_round > round)
			continue;
		int at = r->n++;
		for (; at > 0 && card_of(r, at - 1)->points < r->s.v[i].points; at--)
			r->entry[at] = r->entry[at - 1];
		r->entry[at] = i;
	}
	r->opponent = arena_alloc(r->scratch, (size_t)r->n * sizeof *r->opponent);
	for (int i = 0; i < r->n; i++)
		r->opponent[i] = UNPAIRED;
	r->left = r->n;
}

/* Gives a bye to the lowest who may have it and without whom the others can be paired. */
static bool give_bye(struct round *r)
{
	int bye = r->n;
	struct matching *m = matching_new(r->n + 1, r->scratch);
	bool *allowed = arena_alloc(r->scratch, (size_t)r->n + 1);

	for (int i = 0; i < r->n; i++) {
		for (int j = 0; j < i; j++)
			if (!scorecard_met(&r->s, r->entry[i], r->entry[j]))
				matching_cost(m, i, j, 0);
		if (!card_of(r, i)->free_point)
			matching_cost(m, i, bye, 0);
	}
	if (matching_find(m, 0) == MATCHING_NO)
		return false;
	/* Players tried in vain stay allowed: with them there is no matching. */
	for (int i = r->n - 1; i >= 0; i--) {
		allowed[i] = true;
		if (matching_narrow(m, bye, allowed, 0))
			break;
	}
	r->opponent[matching_mate(m, bye)] = PAIRING_BYE;
	r->left--;
	return true;
}

/* The graph of a bracket.  A breach of the colour rules costs more than all floats together;
 * a float, a pair with one player outside of the bracket, costs 1. */
static struct matching *graph(const struct round *r, struct bracket *b)
{
	struct matching *m = matching_new(b->n, &b->scratch);

	for (int i = 0; i < b->n; i++)
		for (int j = 0; j < i; j++) {
			int x = b->rank[i], y = b->rank[j], floats = j < b->size && i >= b->size;

			if (!scorecard_met(&r->s, r->entry[x], r->entry[y]))
				matching_cost(m, i, j,
				              floats + (b->n + 1) * scorecard_least_breaches(
									    card_of(r, x),
									    card_of(r, y)));
		}
	return m;
}

/* Keeps as many players as possible inside of the bracket, the highest first.  Returns those
 * who stay, in order. */
static int *choose_floats(struct bracket *b, int *n_stay)
{
	bool *inside = arena_alloc(&b->scratch, (size_t)b->n);
	int *stay = arena_alloc(&b->scratch, (size_t)b->size * sizeof *stay), n = 0;

	memset(inside, true, (size_t)b->size);
	for (int i = 0; i < b->size; i++)
		if (matching_narrow(b->m, i, inside, b->most))
			stay[n++] = i;
	*n_stay = n;
	return stay;
}

/* The k-th choice of opponent for the first of n players: the lower half downwards, then the
 * upper half upwards. */
static int choice(int n, int k)
{
	return k < n / 2 ? n / 2 + k : n - 1 - k;
}

static void pair_first(struct round *r, struct bracket *b, int *stay, int n)
{
	bool *allowed = arena_alloc(&b->scratch, (size_t)b->n);
	int at = 0;

	for (int k = 0; k < n - 1; k++) {
		at = choice(n, k);
		allowed[stay[at]] = true;
		if (matching_narrow(b->m, stay[0], allowed, b->most))
			break;
	}
	int x = b->rank[stay[0]], y = b->rank[stay[at]];
	r->opponent[x] = y;
	r->opponent[y] = x;
	memmove(&stay[at], &stay[at + 1], (size_t)(n - 1 - at) * sizeof *stay);
	memmove(&stay[0], &stay[1], (size_t)(n - 2) * sizeof *stay);
}

/* The unpaired players; the bracket ends with those who have the same points as the first
 * who is not a float. */
static void fill_bracket(const struct round *r, struct bracket *b, int n_floats)
{
	b->rank = arena_alloc(&b->scratch, (size_t)r->n * sizeof *b->rank);
	for (int i = 0; i < r->n; i++)
		if (r->opponent[i] == UNPAIRED)
			b->rank[b->n++] = i;
	b->size = n_floats;
	while (b->size < b->n &&
	       card_of(r, b->rank[b->size])->points == card_of(r, b->rank[n_floats])->points)
		b->size++;
}

/* Pairs the floats with the next score group.  Returns the number of new floats, or an error. */
static int pair_bracket(struct round *r, struct bracket *b, int n_floats)
{
	int n;

	fill_bracket(r, b, n_floats);
	b->m = graph(r, b);
	b->most = matching_find(b->m, MATCHING_NO - 1);
	if (b->most == MATCHING_NO)
		return PAIRING_NO_PAIRING;
	int *stay = choose_floats(b, &n);
	n_floats = b->size - n;
	for (r->left -= n; n; n -= 2)
		pair_first(r, b, stay, n);
	return n_floats;
}

static bool pair_brackets(struct round *r)
{
	int n_floats = 0;

	while (r->left && n_floats >= 0) {
		struct bracket b = { 0 };

		n_floats = pair_bracket(r, &b, n_floats);
		arena_release(&b.scratch);
	}
	return !r->left;
}

static struct pairing_pair with_colours(const struct round *r, int higher, int lower, int board)
{
	int x = r->entry[higher], y = r->entry[lower];
	bool white = scorecard_higher_has_white(&r->s.v[x], &r->s.v[y], board, r->t->lot);

	return white ? (struct pairing_pair){ x, y } : (struct pairing_pair){ y, x };
}

static struct pairing_pair *list_pairs(const struct round *r, struct arena *a, int *n)
{
	struct pairing_pair *v = arena_alloc(a, (size_t)r->n * sizeof *v);
	int bye = UNPAIRED;

	*n = 0;
	for (int i = 0; i < r->n; i++)
		if (r->opponent[i] == PAIRING_BYE)
			bye = r->entry[i];
		else if (r->opponent[i] > i)
			v[*n] = with_colours(r, i, r->opponent[i], *n), ++*n;
	if (bye != UNPAIRED)
		v[(*n)++] = (struct pairing_pair){ bye, PAIRING_BYE };
	return v;
}

int swiss_pair(const struct pairing *t, int round, struct arena *a, struct pairing_pair **out,
               int *n)
{
	AUTO(arena_release) struct arena scratch = { 0 };
	struct round r = { .t = t, .scratch = &scratch };

	r.s = scorecard_before(t, round, &scratch);
	rank_players(&r, round);
	bool paired = r.n > 1 && (r.n % 2 == 0 || give_bye(&r)) && pair_brackets(&r);
	if (paired)
		*out = list_pairs(&r, a, n);
	return paired ? 0 : PAIRING_NO_PAIRING;
}
