/* A tournament with players who withdraw, come late, stay away and don't play, and what is
 * known of it without the room that pairs it. */
#pragma once

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/pairing/pairing.h"

enum {
	SIM_PLAYERS = 220,
	SIM_ROUNDS = 120,
	SIM_BOARDS = 4, /* games of a pairing at most, in a field with fewer rounds */
	SIM_GAMES = SIM_PLAYERS * SIM_ROUNDS
};

static uint32_t sim_seed = 1;

/* 0 to n - 1 */
static inline int sim_below(int n)
{
	sim_seed ^= sim_seed << 13;
	sim_seed ^= sim_seed >> 17;
	sim_seed ^= sim_seed << 5;
	return (int)(sim_seed % (uint32_t)n);
}

struct sim {
	struct pairing t;
	struct pairing_entry entry[SIM_PLAYERS];
	struct pairing_game game[SIM_GAMES];
	int team; /* boards of a match of teams; 0: players */
	/* In percent. */
	int withdraw, late, absent, forfeit, annul;
	int asked; /* of the absent: have asked for it, and get half a point */
	/* The test's own counts. */
	bool met[SIM_PLAYERS][SIM_PLAYERS];
	int byes[SIM_PLAYERS], free_points[SIM_PLAYERS];
	char colours[SIM_PLAYERS][SIM_ROUNDS + 1]; /* "WBW" */
	int points[SIM_PLAYERS], board_points[SIM_PLAYERS];
};

static inline void sim_begin(struct sim *s, enum pairing_kind kind, int n, int rounds)
{
	memset(s, 0, sizeof *s);
	s->t = (struct pairing){ .kind = kind,
		                 .rounds = rounds,
		                 .best_of = 1,
		                 .lot = (uint32_t)sim_below(1 << 30),
		                 .entries = s->entry,
		                 .n = n,
		                 .games = s->game };
	for (int i = 0; i < n; i++)
		s->entry[i] = (struct pairing_entry){ .rating = 2500 - i,
			                              .lot = (uint32_t)sim_below(1 << 30),
			                              .first_round = 1 };
}

/* Several games a pairing, colours alternating. */
static inline void sim_boards(struct sim *s, int boards)
{
	s->t.best_of = boards;
}

/* Lets players leave, stay away or come late between two rounds. */
static inline void sim_between(struct sim *s, int round)
{
	for (int i = 0; i < s->t.n; i++) {
		if (round > 1 && sim_below(100) < s->withdraw)
			s->entry[i].withdrawn = true;
		s->entry[i].absent = sim_below(100) < s->absent;
	}
	if (round == 2 || round == 3)
		for (int i = 0; i < 3 && sim_below(100) < s->late && s->t.n < SIM_PLAYERS; i++) {
			s->points[s->t.n] = 1;
			s->entry[s->t.n++] = (struct pairing_entry){ .rating = sim_below(3000),
				                                     .lot = (uint32_t)sim_below(
									     1 << 30),
				                                     .first_round = round,
				                                     .seed_points = 1 };
		}
}

static inline void sim_colour(struct sim *s, int player, char colour)
{
	s->colours[player][strlen(s->colours[player])] = colour;
}

/* A game of its own, or a board of a match. */
static inline void sim_game(const struct sim *s, struct pairing_game *g)
{
	int white = sim_below(3);

	g->points[0] = white;
	g->points[1] = 2 - white;
	g->played = sim_below(100) >= s->forfeit;
	if (!g->played && white == 1)
		g->points[0] = g->points[1] = 0;
}

static inline void sim_match(const struct sim *s, struct pairing_game *g)
{
	struct pairing_game boards[SIM_BOARDS] = { 0 };

	for (int i = 0; i < s->team; i++)
		sim_game(s, &boards[i]);
	pairing_team_result(boards, s->team, g);
}

static inline void sim_result(struct sim *s, struct pairing_game *g)
{
	if (s->team)
		sim_match(s, g);
	else
		sim_game(s, g);
	g->annulled = sim_below(100) < s->annul;
	if (g->played) {
		s->met[g->white][g->black] = s->met[g->black][g->white] = true;
		sim_colour(s, g->white, 'W');
		sim_colour(s, g->black, 'B');
	}
	if (g->annulled)
		return;
	s->points[g->white] += g->points[0];
	s->points[g->black] += g->points[1];
	s->board_points[g->white] += g->boards[0];
	s->board_points[g->black] += g->boards[1];
	if (!g->played) {
		s->free_points[g->white] += g->points[0] > g->points[1];
		s->free_points[g->black] += g->points[1] > g->points[0];
	}
}

static inline void sim_pairing(struct sim *s, int round, const struct pairing_pair *v)
{
	for (int i = 0; i < s->t.best_of; i++) {
		struct pairing_game *g = &s->game[s->t.n_games++];

		*g = (struct pairing_game){ .round = round,
			                    .white = i % 2 ? v->black : v->white,
			                    .black = i % 2 ? v->white : v->black };
		sim_result(s, g);
	}
}

/* Rounds off, which are no byes of the pairing. */
static inline void sim_rounds_off(struct sim *s, int round)
{
	for (int i = 0; i < s->t.n; i++) {
		const struct pairing_entry *e = &s->entry[i];

		if (e->withdrawn || !e->absent || e->first_round > round || s->team ||
		    sim_below(100) >= s->asked)
			continue;
		s->game[s->t.n_games++] = (struct pairing_game){ .round = round,
			                                         .white = i,
			                                         .black = PAIRING_BYE,
			                                         .points = { s->t.best_of, 0 } };
		s->points[i] += s->t.best_of;
	}
}

static inline void sim_play(struct sim *s, int round, const struct pairing_pair *v, int n)
{
	for (int i = 0; i < n; i++) {
		if (v[i].black != PAIRING_BYE) {
			sim_pairing(s, round, &v[i]);
			continue;
		}
		struct pairing_game *g = &s->game[s->t.n_games++];

		*g = (struct pairing_game){ .round = round,
			                    .white = v[i].white,
			                    .black = PAIRING_BYE,
			                    .points = { 2 * s->t.best_of, 0 } };
		if (s->team)
			pairing_team_result(NULL, s->team, g);
		s->board_points[v[i].white] += g->boards[0];
		s->points[v[i].white] += 2 * s->t.best_of;
		s->byes[v[i].white]++;
		s->free_points[v[i].white]++;
	}
	sim_rounds_off(s, round);
}

static inline bool sim_same_pairing(const struct pairing_game *x, const struct pairing_game *y)
{
	return x->round == y->round && (x->white == y->white || x->white == y->black);
}

/* The order of games says nothing, but within a pairing. */
static inline void sim_shuffle(struct sim *s)
{
	for (int i = s->t.n_games - 1; i > 0; i--) {
		int k = s->t.best_of == 1 ? sim_below(i + 1) : i - 1;
		struct pairing_game g = s->game[i];

		if (s->t.best_of > 1 && (sim_below(2) || sim_same_pairing(&g, &s->game[k])))
			continue;
		s->game[i] = s->game[k];
		s->game[k] = g;
	}
}

static inline bool sim_plays(const struct sim *s, int player, int round)
{
	const struct pairing_entry *e = &s->entry[player];

	return !e->withdrawn && !e->absent && e->first_round <= round;
}

/* Whether a colour is the third one running, or the third too many. */
static inline bool sim_breaks(const struct sim *s, int player, char colour)
{
	const char *c = s->colours[player];
	size_t n = strlen(c);
	int surplus = 0;

	for (size_t i = 0; i < n; i++)
		surplus += c[i] == colour ? 1 : -1;
	return surplus >= 2 || (n > 1 && c[n - 1] == colour && c[n - 2] == colour);
}

static inline int sim_breaches(const struct sim *s, int white, int black)
{
	return sim_breaks(s, white, 'W') + sim_breaks(s, black, 'B');
}
