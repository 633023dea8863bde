#include "pbm/pairing/knockout.h"

/* The games of a match that are over. */
struct score {
	int games, open;
	int points[2]; /* of the better seed, of the other */
	int last[2];   /* the same of the latest game */
};

static struct score score_of(const struct pairing *t, int round, const struct pairing_pair *pair)
{
	struct score s = { 0 };

	for (int i = 0; i < t->n_games; i++) {
		const struct pairing_game *g = &t->games[i];
		bool same = g->white == pair->white && g->black == pair->black;
		bool turned = g->white == pair->black && g->black == pair->white;

		if (g->round != round || g->annulled || (!same && !turned))
			continue;
		if (g->points[0] < 0) {
			s.open++;
			continue;
		}
		s.games++;
		for (int k = 0; k < 2; k++) {
			s.last[k] = g->points[turned ? 1 - k : k];
			s.points[k] += s.last[k];
		}
	}
	return s;
}

/* Whether the better seed has White in the first game. */
static bool begins(const struct pairing *t, int round, const struct pairing_pair *pair)
{
	uint32_t lots = t->entries[pair->white].lot ^ t->entries[pair->black].lot ^ t->lot;

	return (lots >> (round % 32) & 1) == 0;
}

static bool is_decided(const struct score *s, int best_of)
{
	int lead = s->points[0] - s->points[1], left = best_of - s->games;

	return s->games > best_of || lead > 2 * left || -lead > 2 * left;
}

/* A pairing that was sent stands: a player with a game of the next round has won this match,
 * whatever has become of its results since.  -1: neither has one. */
static int winner_sent(const struct pairing *t, int round, const struct pairing_pair *pair)
{
	for (int i = 0; i < t->n_games; i++) {
		const struct pairing_game *g = &t->games[i];

		if (g->round != round + 1)
			continue;
		if (g->white == pair->white || g->black == pair->white)
			return pair->white;
		if (g->white == pair->black || g->black == pair->black)
			return pair->black;
	}
	return -1;
}

struct pairing_match knockout_match(const struct pairing *t, int round,
                                    const struct pairing_pair *pair)
{
	int best_of = t->best_of > 0 ? t->best_of : 1;
	struct pairing_match m = { .state = PAIRING_MATCH_DECIDED, .winner = pair->white };

	if (pair->black == PAIRING_BYE)
		return m;
	struct score s = score_of(t, round, pair);
	int sent = winner_sent(t, round, pair);
	m.tiebreak = s.games + s.open > best_of;
	if (sent >= 0) {
		m.winner = sent;
		return m;
	}
	if (is_decided(&s, best_of)) {
		int lead = m.tiebreak ? s.last[0] - s.last[1] : s.points[0] - s.points[1];

		m.winner = lead >= 0 ? pair->white : pair->black;
		return m;
	}
	m.state = s.open ? PAIRING_MATCH_RUNNING : PAIRING_MATCH_NEXT;
	m.game = s.games + 1;
	m.tiebreak = s.games == best_of;
	bool white = !m.tiebreak && begins(t, round, pair) == (s.games % 2 == 0);
	m.white = white ? pair->white : pair->black;
	m.black = white ? pair->black : pair->white;
	return m;
}

/* Seeds in the order of the first round, so that 0 and 1 can only meet in the last one: each
 * seed is followed by the one that completes the sum.  size is a power of two. */
static int *first_field(int size, struct arena *a)
{
	int *field = arena_alloc(a, (size_t)size * sizeof *field);

	for (int n = 1; n < size; n *= 2)
		for (int i = n - 1; i >= 0; i--) {
			field[2 * i] = field[i];
			field[2 * i + 1] = 2 * n - 1 - field[i];
		}
	return field;
}

static struct pairing_pair pair_at(const struct pairing *t, const int *field, int i)
{
	int x = field[2 * i], y = field[2 * i + 1];
	struct pairing_pair p = { x < y ? x : y, x < y ? y : x };

	if (p.black >= t->n)
		p.black = PAIRING_BYE;
	return p;
}

/* Plays the rounds before this one: field has their winners in order.  Returns how many they
 * are, or PAIRING_TOO_EARLY. */
static int field_of(const struct pairing *t, int round, struct arena *a, int **field)
{
	int size = 1 << pairing_rounds_max(PAIRING_KNOCKOUT, t->n);

	*field = first_field(size, a);
	for (int r = 1; r < round; r++) {
		size /= 2;
		for (int i = 0; i < size; i++) {
			struct pairing_pair p = pair_at(t, *field, i);
			struct pairing_match m = knockout_match(t, r, &p);

			if (m.state != PAIRING_MATCH_DECIDED)
				return PAIRING_TOO_EARLY;
			(*field)[i] = m.winner;
		}
	}
	return size;
}

int knockout_pair(const struct pairing *t, int round, struct arena *a, struct pairing_pair **out,
                  int *n)
{
	int *field;

	if (round < 1 || round > pairing_rounds_max(PAIRING_KNOCKOUT, t->n))
		return PAIRING_NO_PAIRING;
	int size = field_of(t, round, a, &field);
	if (size < 0)
		return size;
	*n = size / 2;
	*out = arena_alloc(a, (size_t)*n * sizeof **out);
	for (int i = 0; i < *n; i++)
		(*out)[i] = pair_at(t, field, i);
	return 0;
}

void knockout_progress(const struct pairing *t, struct arena *a, int *survived, bool *out)
{
	struct pairing_pair *v;
	int n;

	for (int r = 1; knockout_pair(t, r, a, &v, &n) == 0; r++)
		for (int i = 0; i < n; i++) {
			struct pairing_match m = knockout_match(t, r, &v[i]);

			if (m.state != PAIRING_MATCH_DECIDED)
				continue;
			survived[m.winner]++;
			if (v[i].black != PAIRING_BYE)
				out[v[i].white == m.winner ? v[i].black : v[i].white] = true;
		}
}
