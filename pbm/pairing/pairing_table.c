#include "pbm/pairing/knockout.h"
#include "pbm/pairing/pairing.h"

struct crosstable {
	const struct pairing *t;
	int last_round;          /* of which there are games */
	struct pairing_row *row; /* by entry, until they are sorted */
	bool *met;               /* n times n */
	int *lowest;             /* by entry: the least part of his Buchholz sum, -1: none */
	bool *paired;            /* by round and entry: a game that is not annulled */
	struct encounter *pairing;
	int n_pairings;
	int *of; /* by round and entry, with several games a pairing: pairing of this number, from 1 */
};

/* The games of two entries in a round that count, together. */
struct encounter {
	int white, black; /* of the first */
	int points[2];    /* half points */
	bool met;         /* not all of them are forfeits */
};

static bool is_round_robin(const struct crosstable *b)
{
	return b->t->kind == PAIRING_ROUND_ROBIN || b->t->kind == PAIRING_DOUBLE;
}

static bool is_void(const struct crosstable *b, int entry)
{
	return entry != PAIRING_BYE && is_round_robin(b) && b->t->entries[entry].void_results;
}

static bool is_open(const struct pairing_game *g)
{
	return g->points[0] < 0;
}

/* Whether a game stands in the table. */
static bool counts(const struct crosstable *b, const struct pairing_game *g)
{
	bool drawn = b->t->kind == PAIRING_SWISS && g->round < b->last_round;

	return !g->annulled && !is_void(b, g->white) && !is_void(b, g->black) &&
	       (!is_open(g) || drawn);
}

/* Half points of a side; an open game that counts is a draw. */
static int points_of(const struct pairing_game *g, int side)
{
	return is_open(g) ? 1 : g->points[side];
}

static int games_of_pairing(const struct pairing *t)
{
	return t->best_of > 1 ? t->best_of : 1;
}

static size_t place_of(const struct crosstable *b, int round, int entry)
{
	return (size_t)round * (size_t)b->t->n + (size_t)entry;
}

static void add_points(struct crosstable *b, const struct pairing_game *g, int entry, int side)
{
	struct pairing_row *row = &b->row[entry];

	b->paired[place_of(b, g->round, entry)] = true;
	if (!counts(b, g))
		return;
	row->points += points_of(g, side);
	row->board_points += g->boards[side];
	row->games += g->played && !is_open(g);
	row->wins += g->played && points_of(g, side) > points_of(g, !side);
}

/* The pairing to which the game belongs. */
static struct encounter *pairing_of(struct crosstable *b, const struct pairing_game *g)
{
	int *number = &b->of[place_of(b, g->round, g->white)];

	if (games_of_pairing(b->t) == 1 || !*number) {
		b->pairing[b->n_pairings++] = (struct encounter){ .white = g->white,
			                                          .black = g->black };
		*number = b->n_pairings;
		if (g->black != PAIRING_BYE)
			b->of[place_of(b, g->round, g->black)] = b->n_pairings;
	}
	return &b->pairing[*number - 1];
}

static void add_to_pairing(struct crosstable *b, const struct pairing_game *g)
{
	struct encounter *p = pairing_of(b, g);

	for (int side = 0; side < 2; side++)
		p->points[side] += points_of(g, p->white == g->white ? side : !side);
	p->met |= g->black != PAIRING_BYE && (g->played || is_open(g));
}

static void add_results(struct crosstable *b)
{
	int n = b->t->n;

	for (int i = 0; i < b->t->n_games; i++) {
		const struct pairing_game *g = &b->t->games[i];

		if (g->annulled)
			continue;
		add_points(b, g, g->white, 0);
		if (counts(b, g))
			add_to_pairing(b, g);
		if (g->black == PAIRING_BYE)
			continue;
		add_points(b, g, g->black, 1);
		if (g->played && counts(b, g))
			b->met[g->white * n + g->black] = b->met[g->black * n + g->white] = true;
	}
}

/* A pairing with somebody who has so many points at the end; result in half points. */
static void add_opponent(struct crosstable *b, int entry, int result, int points)
{
	struct pairing_row *row = &b->row[entry];

	row->buchholz += points;
	row->sonneborn_berger += result * points;
	if (b->lowest[entry] < 0 || points < b->lowest[entry])
		b->lowest[entry] = points;
}

/* A drawn pairing with somebody who has as many points. */
static void add_missing(struct crosstable *b, int entry)
{
	add_opponent(b, entry, games_of_pairing(b->t), b->row[entry].points);
}

static void add_opponents(struct crosstable *b)
{
	for (int i = 0; i < b->n_pairings; i++) {
		const struct encounter *p = &b->pairing[i];

		if (p->met) {
			add_opponent(b, p->white, p->points[0], b->row[p->black].points);
			add_opponent(b, p->black, p->points[1], b->row[p->white].points);
			continue;
		}
		add_missing(b, p->white);
		if (p->black != PAIRING_BYE)
			add_missing(b, p->black);
	}
	for (int round = 1; b->t->kind == PAIRING_SWISS && round <= b->last_round; round++)
		for (int i = 0; i < b->t->n; i++)
			if (!b->paired[place_of(b, round, i)])
				add_missing(b, i);
	for (int i = 0; i < b->t->n; i++) {
		b->row[i].buchholz_cut = b->row[i].buchholz;
		if (b->lowest[i] > 0)
			b->row[i].buchholz_cut -= b->lowest[i];
	}
}

enum { KEYS_BEFORE_HEAD_TO_HEAD = 3, KEYS = 8 };

/* Above 0: x is better, 0: they are equal in the first n criteria. */
static int compare(const struct crosstable *b, const struct pairing_row *x,
                   const struct pairing_row *y, int n)
{
	const int keys[KEYS][2] = {
		{ !is_void(b, x->entry), !is_void(b, y->entry) },
		{ x->points, y->points },
		{ x->board_points, y->board_points },
		{ x->head_to_head, y->head_to_head },
		{ x->buchholz_cut, y->buchholz_cut },
		{ x->buchholz, y->buchholz },
		{ x->sonneborn_berger, y->sonneborn_berger },
		{ x->wins, y->wins },
	};

	for (int i = 0; i < n; i++)
		if (keys[i][0] != keys[i][1])
			return keys[i][0] > keys[i][1] ? 1 : -1;
	return 0;
}

static bool is_before(const struct crosstable *b, const struct pairing_row *x,
                      const struct pairing_row *y)
{
	uint32_t x_lot = b->t->entries[x->entry].lot, y_lot = b->t->entries[y->entry].lot;
	int by = compare(b, x, y, KEYS);

	if (by || x_lot == y_lot)
		return by ? by > 0 : x->entry < y->entry;
	return x_lot < y_lot;
}

static void sort_rows(struct crosstable *b)
{
	for (int i = 1; i < b->t->n; i++) {
		struct pairing_row row = b->row[i];
		int at = i;

		for (; at && is_before(b, &row, &b->row[at - 1]); at--)
			b->row[at] = b->row[at - 1];
		b->row[at] = row;
	}
}

static bool all_have_met(const struct crosstable *b, const struct pairing_row *row, int n)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++)
			if (!b->met[row[i].entry * b->t->n + row[k].entry])
				return false;
	return n > 1;
}

static struct pairing_row *row_of(struct pairing_row *row, int n, int entry)
{
	for (int i = 0; i < n; i++)
		if (row[i].entry == entry)
			return &row[i];
	return NULL;
}

/* Of n neighbours in the table who are equal so far. */
static void head_to_head(const struct crosstable *b, struct pairing_row *row, int n)
{
	if (!all_have_met(b, row, n))
		return;
	for (int i = 0; i < n; i++)
		row[i].head_to_head = 0;
	for (int i = 0; i < b->t->n_games; i++) {
		const struct pairing_game *g = &b->t->games[i];
		struct pairing_row *white = row_of(row, n, g->white),
				   *black = row_of(row, n, g->black);

		if (!white || !black || !counts(b, g))
			continue;
		white->head_to_head += points_of(g, 0);
		black->head_to_head += points_of(g, 1);
	}
}

static void compare_ties(struct crosstable *b)
{
	for (int i = 0, n; i < b->t->n; i += n) {
		for (n = 1; i + n < b->t->n; n++)
			if (compare(b, &b->row[i], &b->row[i + n], KEYS_BEFORE_HEAD_TO_HEAD))
				break;
		head_to_head(b, &b->row[i], n);
	}
}

static void give_places(struct crosstable *b)
{
	for (int i = 0; i < b->t->n; i++) {
		struct pairing_row *row = &b->row[i];

		if (!is_void(b, row->entry))
			row->place = i + 1;
		if (i && compare(b, row - 1, row, KEYS) == 0)
			row->shared = row[-1].shared = true;
	}
}

/* Orders a knockout: who has come further, then who is still in it, then the seed. */
static void order_knockout(struct crosstable *b, struct arena *a)
{
	int n = b->t->n, *survived = arena_alloc(a, (size_t)n * sizeof *survived);
	bool *out = arena_alloc(a, (size_t)n);
	struct pairing_row *by_entry = b->row;
	int best = pairing_rounds_max(PAIRING_KNOCKOUT, n), at = 0;

	knockout_progress(b->t, a, survived, out);
	b->row = arena_alloc(a, (size_t)n * sizeof *b->row);
	for (int level = 2 * best + 1; level >= 0; level--) {
		int first = at;

		for (int i = 0; i < n; i++)
			if (2 * survived[i] + !out[i] == level) {
				b->row[at] = by_entry[i];
				b->row[at].points = 2 * survived[i];
				b->row[at++].place = first + 1;
			}
		for (int i = first; i < at; i++)
			b->row[i].shared = at - first > 1;
	}
}

void pairing_table(const struct pairing *t, struct arena *a, struct pairing_row **out)
{
	size_t n = (size_t)t->n;
	struct crosstable b = { .t = t,
		                .row = arena_alloc(a, n * sizeof *b.row),
		                .met = arena_alloc(a, n * n),
		                .lowest = arena_alloc(a, n * sizeof *b.lowest) };

	for (int i = 0; i < t->n; i++) {
		b.row[i].entry = i;
		b.row[i].head_to_head = b.lowest[i] = -1;
		b.row[i].points = is_void(&b, i) ? 0 : t->entries[i].seed_points;
	}
	for (int i = 0; i < t->n_games; i++)
		if (t->games[i].round > b.last_round)
			b.last_round = t->games[i].round;
	n *= (size_t)b.last_round + 1;
	b.paired = arena_alloc(a, n * sizeof *b.paired);
	b.of = arena_alloc(a, n * sizeof *b.of);
	b.pairing = arena_alloc(a, ((size_t)t->n_games + 1) * sizeof *b.pairing);
	add_results(&b);
	add_opponents(&b);
	if (t->kind == PAIRING_KNOCKOUT) {
		order_knockout(&b, a);
	} else {
		sort_rows(&b);
		compare_ties(&b);
		sort_rows(&b);
		give_places(&b);
	}
	*out = b.row;
}
