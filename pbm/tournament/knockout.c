#include "pbm/tournament/knockout.h"

/* The games of a match that are over. */
struct score {
	int games, open;
	int points[2]; /* of the better seed, of the other */
	int last[2];   /* the same of the latest game */
};

static struct score score_of(const struct tournament *t, int round,
                             const struct tournament_pair *pair)
{
	struct score s = { 0 };

	for (int i = 0; i < t->n_games; i++) {
		const struct tournament_game *g = &t->games[i];
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
static bool begins(const struct tournament *t, int round, const struct tournament_pair *pair)
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
static int winner_sent(const struct tournament *t, int round, const struct tournament_pair *pair)
{
	for (int i = 0; i < t->n_games; i++) {
		const struct tournament_game *g = &t->games[i];

		if (g->round != round + 1)
			continue;
		if (g->white == pair->white || g->black == pair->white)
			return pair->white;
		if (g->white == pair->black || g->black == pair->black)
			return pair->black;
	}
	return -1;
}

struct tournament_match knockout_match(const struct tournament *t, int round,
                                       const struct tournament_pair *pair)
{
	int best_of = t->best_of > 0 ? t->best_of : 1;
	struct tournament_match m = { .state = TOURNAMENT_MATCH_DECIDED, .winner = pair->white };

	if (pair->black == TOURNAMENT_BYE)
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
	m.state = s.open ? TOURNAMENT_MATCH_RUNNING : TOURNAMENT_MATCH_NEXT;
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

static struct tournament_pair pair_at(const struct tournament *t, const int *field, int i)
{
	int x = field[2 * i], y = field[2 * i + 1];
	struct tournament_pair p = { x < y ? x : y, x < y ? y : x };

	if (p.black >= t->n)
		p.black = TOURNAMENT_BYE;
	return p;
}

/* Plays the rounds before this one: field has their winners in order.  Returns how many they
 * are, or TOURNAMENT_TOO_EARLY. */
static int field_of(const struct tournament *t, int round, struct arena *a, int **field)
{
	int size = 1 << tournament_rounds_max(TOURNAMENT_KNOCKOUT, t->n);

	*field = first_field(size, a);
	for (int r = 1; r < round; r++) {
		size /= 2;
		for (int i = 0; i < size; i++) {
			struct tournament_pair p = pair_at(t, *field, i);
			struct tournament_match m = knockout_match(t, r, &p);

			if (m.state != TOURNAMENT_MATCH_DECIDED)
				return TOURNAMENT_TOO_EARLY;
			(*field)[i] = m.winner;
		}
	}
	return size;
}

int knockout_pair(const struct tournament *t, int round, struct arena *a,
                  struct tournament_pair **out, int *n)
{
	int *field;

	if (round < 1 || round > tournament_rounds_max(TOURNAMENT_KNOCKOUT, t->n))
		return TOURNAMENT_NO_PAIRING;
	int size = field_of(t, round, a, &field);
	if (size < 0)
		return size;
	*n = size / 2;
	*out = arena_alloc(a, (size_t)*n * sizeof **out);
	for (int i = 0; i < *n; i++)
		(*out)[i] = pair_at(t, field, i);
	return 0;
}

void knockout_progress(const struct tournament *t, struct arena *a, int *survived, bool *out)
{
	int rounds = tournament_rounds_max(TOURNAMENT_KNOCKOUT, t->n), n;
	struct tournament_pair *v;

	for (int r = 1; r <= rounds && knockout_pair(t, r, a, &v, &n) == 0; r++)
		for (int i = 0; i < n; i++) {
			struct tournament_match m = knockout_match(t, r, &v[i]);

			if (m.state != TOURNAMENT_MATCH_DECIDED)
				continue;
			survived[m.winner]++;
			if (v[i].black != TOURNAMENT_BYE)
				out[v[i].white == m.winner ? v[i].black : v[i].white] = true;
		}
}
