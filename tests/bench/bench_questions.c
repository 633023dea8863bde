/* The questions that commands ask the store, on a site of any size: each must be a range of
 * an index, so that its time doesn't grow with the site. */
#include <stdio.h>

#include "pbm/base/mem.h"
#include "store/store.h"
#include "store/store_counts.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"
#include "store/store_questions.h"
#include "store/store_ratings.h"
#include "tests/bench/bench.h"

#define ASKED 50

struct asked {
	struct store *store;
	struct arena arena;
	char who[24]; /* a player, another one for each repetition */
	size_t found;
};

static int count_game(const struct game_row *, void *arg)
{
	++*(size_t *)arg;
	return 0;
}

static int count_rating(const struct rating_row *, void *arg)
{
	++*(size_t *)arg;
	return 0;
}

static int count_userid(const char *, void *arg)
{
	++*(size_t *)arg;
	return 0;
}

static int count_watcher(const char *player, bool final, void *arg)
{
	(void)player, (void) final;
	++*(size_t *)arg;
	return 0;
}

static int count_digest(const char *player, int64_t due, void *arg)
{
	(void)player, (void)due;
	++*(size_t *)arg;
	return 0;
}

static int count_list(const char *name, int64_t n, void *arg)
{
	(void)name, (void)n;
	++*(size_t *)arg;
	return 0;
}

static int ask_games(struct asked *q, struct err *e)
{
	return store_games(q->store, q->who, NULL, GAMES_OPEN, 100, 0, count_game, &q->found, e);
}

static int ask_to_move(struct asked *q, struct err *e)
{
	return store_games(q->store, q->who, NULL, GAMES_TO_MOVE, 100, 0, count_game, &q->found, e);
}

static int ask_history(struct asked *q, struct err *e)
{
	return store_games(q->store, q->who, NULL, GAMES_FINISHED, 50, 0, count_game, &q->found, e);
}

static int ask_sought(struct asked *q, struct err *e)
{
	return store_games(q->store, GAME_ANYONE, NULL, GAMES_OFFERS, 200, 0, count_game, &q->found,
	                   e);
}

static int ask_sought_game(struct asked *q, struct err *e)
{
	return store_games(q->store, GAME_ANYONE, "atomic", GAMES_OFFERS, 200, 0, count_game,
	                   &q->found, e);
}

static int ask_pending(struct asked *q, struct err *e)
{
	return store_games(q->store, q->who, NULL, GAMES_OFFERS, 100, 0, count_game, &q->found, e);
}

static int ask_best(struct asked *q, struct err *e)
{
	int rc = store_ranking(q->store, "suicide", 20, 0, count_rating, &q->found, e);

	return rc < 0 ? rc
	              : store_ranking_provisional(q->store, "suicide", 20, 0, count_rating,
	                                          &q->found, e);
}

static int ask_rank(struct asked *q, struct err *e)
{
	struct rating_row row;
	int64_t above, all;
	int rc = store_rating(q->store, q->who, "suicide", &row, e);

	q->found += rc > 0;
	return rc <= 0 ? rc : store_ranking_place(q->store, "suicide", row.rating, &above, &all, e);
}

static int ask_finger(struct asked *q, struct err *e)
{
	struct player_doc p;
	int rc = store_player_get(q->store, &q->arena, q->who, &p, e);

	return rc < 0 ? rc : store_ratings_of(q->store, q->who, count_rating, &q->found, e);
}

static int ask_who(struct asked *q, struct err *e)
{
	return store_players(q->store, q->who, 200, count_userid, &q->found, e);
}

static int ask_name(struct asked *q, struct err *e)
{
	const char *found;
	int rc = store_player_like(q->store, &q->arena, q->who, &found, e);

	q->found += rc > 0;
	return rc < 0 ? rc : 0;
}

static int ask_watchers(struct asked *q, struct err *e)
{
	return store_watchers(q->store, "suicide", 200, count_watcher, &q->found, e);
}

static int ask_digests(struct asked *q, struct err *e)
{
	return store_digest_due(q->store, INT64_MAX, 0, "", 200, count_digest, &q->found, e);
}

static int ask_due(struct asked *q, struct err *e)
{
	return store_due(q->store, INT64_MAX, (struct due_place){ 0 }, 200, count_game, &q->found,
	                 e);
}

static int ask_lists(struct asked *q, struct err *e)
{
	return store_counts_after(q->store, "player:p", "", 200, count_list, &q->found, e);
}

static const struct {
	const char *name;
	int (*ask)(struct asked *q, struct err *e);
} questions[] = {
	{ "a player's running games", ask_games },
	{ "... in which he is to move", ask_to_move },
	{ "... finished games", ask_history },
	{ "... offers", ask_pending },
	{ "sought", ask_sought },
	{ "sought atomic", ask_sought_game },
	{ "best", ask_best },
	{ "rank", ask_rank },
	{ "finger", ask_finger },
	{ "who", ask_who },
	{ "a name that looks alike", ask_name },
	{ "watchers of a kind of game", ask_watchers },
	{ "digests that are due", ask_digests },
	{ "games that are due", ask_due },
	{ "names of the archive's players", ask_lists },
};

/* Milliseconds of the slowest of ASKED repetitions. */
static double slowest(size_t which, struct asked *q, int64_t players)
{
	double slow = 0;
	struct err e = { 0 };

	q->found = 0;
	for (int64_t i = 0; i < ASKED; i++) {
		double t = bench_now();

		snprintf(q->who, sizeof q->who, "p%lld", (long long)(players * i / ASKED));
		if (questions[which].ask(q, &e) < 0)
			bench_fail(questions[which].name, &e);
		t = bench_now() - t;
		slow = t > slow ? t : slow;
	}
	return 1000 * slow;
}

double bench_questions(const char *dir, int64_t players, bool each)
{
	struct asked q = { .found = 0 };
	struct err e = { 0 };
	double all = 0;

	if (store_open(dir, STORE_READ, &q.store, &e) < 0)
		bench_fail("open", &e);
	for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
		double ms = slowest(i, &q, players);

		all = ms > all ? ms : all;
		if (each)
			printf("  %-32s %8.2f ms, %zu rows\n", questions[i].name, ms,
			       q.found / ASKED);
	}
	store_close(q.store);
	arena_release(&q.arena);
	return all;
}
