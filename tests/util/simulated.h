/* Sites of any size, with real games: some random playouts of every game are
 * made by the rules, and each simulated game is one of them, with its own
 * players and its own time.  The same seed makes the same site. */
#pragma once

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/base/mem.h"
#include "pbm/rating/rating.h"
#include "pbm/record/match.h"
#include "pbm/site/site.h"
#include "store/store_documents.h"
#include "store/store_marks.h"
#include "store/store_work.h"

struct simulation {
	int64_t games, players;
	int running;      /* percent of the games that have not ended */
	int64_t from, to; /* Unix seconds: the first game begins, the last ends */
	uint64_t seed;
	bool publish; /* mark the finished ones for the archive */
	/* Besides: a seek for each thousand games; each tenth player watches a kind of game, each
	 * fifth has digests. */
	bool everyday;
	void (*progress)(int64_t done, int64_t all);
};

#define SIMULATED_FINISHED 8 /* playouts of each game */
#define SIMULATED_RUNNING 4
#define SIMULATED_PLIES 120
#define SIMULATED_BATCH 1000 /* documents a transaction */
#define SIMULATED_MOVE 20000 /* seconds between two plies */

struct simulated {
	struct arena arena;
	size_t n[2]; /* finished, running */
	struct match **v[2];
	uint64_t state;
};

/* splitmix64 */
static inline uint64_t simulated_random(uint64_t *state, uint64_t below)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (z ^ (z >> 31)) % below;
}

static inline void simulated_playout(struct simulated *w, const struct rules *r, bool ends)
{
	struct game_doc d = {
		.board = 1,
		.game = r->name,
		.options = "",
		.players = { "white", "black" },
		.rated = true,
		.days = 7,
		.reserve = 30,
		.created = SIMULATED_MOVE,
	};
	struct match *m = arena_alloc(&w->arena, sizeof *m);
	struct moves *legal = mem_alloc(sizeof *legal);
	size_t plies = ends ? SIMULATED_PLIES : simulated_random(&w->state, 30);
	int64_t t = SIMULATED_MOVE;

	if (match_create(&w->arena, &d, m, NULL) < 0)
		abort();
	match_start(m, t);
	while (m->ply < plies && m->doc.state == GAME_RUNNING) {
		game_legal(&m->game, match_position(m), legal);
		match_play(m, &legal->v[simulated_random(&w->state, legal->n)],
		           t += SIMULATED_MOVE);
	}
	if (ends && m->doc.state == GAME_RUNNING)
		match_end(m, w->state % 3 ? "1/2-1/2" : "1-0",
		          w->state % 3 ? "agreed" : "black resigned", SEAT_NONE,
		          t += SIMULATED_MOVE);
	bool over = m->doc.state == GAME_FINISHED;
	size_t *n = &w->n[!over];
	w->v[!over] = mem_resize(w->v[!over], (*n + 1) * sizeof *w->v[0]);
	w->v[!over][(*n)++] = m;
	free(legal);
}

static inline void simulated_playouts(struct simulated *w)
{
	for (size_t i = 0; rules_all[i]; i++)
		for (int k = 0; k < SIMULATED_FINISHED + SIMULATED_RUNNING; k++)
			simulated_playout(w, rules_all[i], k < SIMULATED_FINISHED);
}

static inline int simulated_game(struct site *s, struct simulated *w, const struct simulation *sim,
                                 int64_t i, struct err *e)
{
	bool running = (int)simulated_random(&w->state, 100) < sim->running;
	const struct match *like = w->v[running][simulated_random(&w->state, w->n[running])];
	struct arena a = { 0 };
	struct match m = *like;
	struct game_doc *d = &m.doc;
	char names[2][24];
	uint64_t first = simulated_random(&w->state, (uint64_t)sim->players);
	uint64_t second = simulated_random(&w->state, (uint64_t)sim->players - 1);
	int64_t span = running ? 20 * 86400 : sim->to - sim->from;

	second += second >= first;
	snprintf(names[0], sizeof names[0], "p%" PRIu64, first);
	snprintf(names[1], sizeof names[1], "p%" PRIu64, second);
	int rc = store_next_board(s->store, &d->board, e);
	/* Finished games end in the order of their boards, over the whole time. */
	int64_t last = like->doc.events[like->doc.event_count - 1].at;
	int64_t shift = (running ? sim->to - span + span * i / sim->games
	                         : sim->from + span * i / sim->games) -
	                last;
	m.arena = &a;
	d->players[0] = names[0];
	d->players[1] = names[1];
	d->created += shift;
	d->ended += d->ended ? shift : 0;
	d->deadline += d->deadline ? shift : 0;
	d->due += d->due ? shift : 0;
	d->events = arena_alloc(&a, d->event_count * sizeof *d->events);
	for (size_t k = 0; k < d->event_count; k++) {
		d->events[k] = like->doc.events[k];
		d->events[k].at += shift;
	}
	s->run.rated = 0; /* each game is a run of its own */
	if (rc == 0)
		rc = rating_apply(s, &m, d->ended, e);
	if (rc == 0)
		rc = store_game_put(s->store, d, e);
	if (rc == 0 && sim->publish && !running)
		rc = store_work_add(s->store, WORK_GAME, d->board, 0, e);
	arena_release(&a);
	return rc;
}

static inline int simulated_player(struct site *s, const struct simulation *sim, int64_t i,
                                   struct err *e)
{
	char userid[24], address[60];

	snprintf(userid, sizeof userid, "p%" PRId64, i);
	snprintf(address, sizeof address, "%s@example.org", userid);
	struct player_address a = { .address = address, .confirmed = sim->from };
	return store_player_put(s->store,
	                        &(struct player_doc){ .userid = userid,
	                                              .role = "player",
	                                              .created = sim->from,
	                                              .address_count = 1,
	                                              .addresses = &a },
	                        e);
}

/* The games that seeks and watchers are about, in turn. */
static const char *const simulated_kinds[] = { "suicide", "atomic", "chess", "losers" };

static inline int simulated_seek(struct site *s, const struct simulation *sim, int64_t i,
                                 struct err *e)
{
	struct arena a = { 0 };
	struct match m;
	char userid[24];
	struct game_doc d = { .game = simulated_kinds[i % 4],
		              .options = "",
		              .players = { userid, GAME_ANYONE },
		              .days = 7,
		              .reserve = 30,
		              .created = sim->to - 86400 + i % 86400 };

	snprintf(userid, sizeof userid, "p%" PRId64, i % sim->players);
	int rc = store_next_board(s->store, &d.board, e);
	if (rc == 0)
		rc = match_create(&a, &d, &m, e);
	if (rc == 0)
		rc = store_game_put(s->store, &m.doc, e);
	arena_release(&a);
	return rc;
}

static inline int simulated_reader(struct site *s, const struct simulation *sim, int64_t i,
                                   struct err *e)
{
	struct arena a = { 0 };
	struct player_doc p;
	struct player_watch watch = { .what = simulated_kinds[i / 10 % 4] };
	char userid[24];

	snprintf(userid, sizeof userid, "p%" PRId64, i);
	int rc = store_player_get(s->store, &a, userid, &p, e);
	if (rc == 0) {
		p.watch_count = i % 10 == 0;
		p.watches = &watch;
		p.digest_due = sim->to + 400 * INT64_C(86400) + i; /* no run sends them */
		rc = store_player_put(s->store, &p, e);
	}
	arena_release(&a);
	return rc;
}

static inline int simulated_everyday(struct site *s, const struct simulation *sim, struct err *e)
{
	int rc = 0;

	for (int64_t i = 0; rc == 0 && i < sim->games / 1000 + 10; i++)
		rc = simulated_seek(s, sim, i, e);
	for (int64_t i = 0; rc == 0 && i < sim->players; i += 5)
		rc = simulated_reader(s, sim, i, e);
	return rc;
}

/* The site's store must be open for writing. */
static inline int simulate(struct site *s, const struct simulation *sim, struct err *e)
{
	struct simulated w = { .state = sim->seed };
	int rc = store_begin(s->store, e);

	simulated_playouts(&w);
	for (int64_t i = 0; rc == 0 && i < sim->players + sim->games; i++) {
		rc = i < sim->players ? simulated_player(s, sim, i, e)
		                      : simulated_game(s, &w, sim, i - sim->players, e);
		if (rc < 0 || (i + 1) % SIMULATED_BATCH)
			continue;
		rc = store_commit(s->store, e);
		if (rc == 0)
			rc = store_begin(s->store, e);
		if (sim->progress)
			sim->progress(i + 1, sim->players + sim->games);
	}
	if (rc == 0 && sim->everyday)
		rc = simulated_everyday(s, sim, e);
	if (rc == 0)
		rc = store_commit(s->store, e);
	arena_release(&w.arena);
	free(w.v[0]);
	free(w.v[1]);
	return rc;
}
