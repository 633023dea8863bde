#include "pbm/think/think.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "pbm/base/array.h"
#include "pbm/base/clock.h"
#include "pbm/people/computer.h"
#include "pbm/record/match.h"
#include "pbm/site/site.h"
#include "store/store_documents.h"
#include "store/store_numbers.h"
#include "store/store_work.h"

#define LOCK "think.lock"
#define WAIT_MS 30000 /* for a run of tick that has the store */
#define BATCH 64      /* answers that wait while others are thought about */
#define BATCH_MS 5000 /* ... and how long */

/* A run's state between its phases. */
struct think_state {
	const char *dir;
	const struct think_limits *limits;
	struct think_report *out;
	int64_t until; /* clock_ms() */
	size_t games;
	struct think_report counted; /* what stands in the counters already */
	int64_t counted_at;          /* clock_ms() */
};

static int open_store(struct think_state *t, struct site *s, enum store_mode mode, struct err *e)
{
	int rc = site_open(t->dir, s, e);

	if (rc < 0)
		return rc;
	rc = site_wait_store(s, mode, WAIT_MS, e);
	if (rc < 0)
		site_close(s);
	return rc;
}

static bool is_over(struct think_state *t)
{
	return clock_ms() >= t->until || t->games >= t->limits->games;
}

/* One board: the answer stands in *task.  false: nothing to say, because the game has changed. */
static bool answer(struct think_state *t, struct site *s, struct think_task *task)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc d;
	struct player_doc p;
	struct match m;
	bool due = false;

	if (store_game_get(s->store, &a, task->board, &d, NULL) == 0 &&
	    store_player_get(s->store, &a, task->computer, &p, NULL) == 0 && computer_is(&p) &&
	    match_load(&a, &d, &m, NULL) == 0 && match_to_move(&m) != SEAT_NONE &&
	    !match_is_paused(&m) && !p.paused) {
		think_about(s, &m, &p, task, &t->out->nodes);
		t->out->wrong += task->mistake;
		due = true;
	}
	return due;
}

static void take_seek(struct think_task *task)
{
	snprintf(task->line, sizeof task->line, "play %lld", (long long)task->board);
}

/* Thinks about some of the boards, from *at on, and keeps those with an answer. */
static void answer_some(struct think_state *t, struct site *s, const struct think_tasks *all,
                        size_t *at, struct think_tasks *ready)
{
	int64_t stop = clock_ms() + BATCH_MS;

	while (*at < all->n && ready->n < BATCH && clock_ms() < stop && !is_over(t)) {
		struct think_task task = all->v[(*at)++];
		bool due = task.seek;

		if (task.seek)
			take_seek(&task);
		else
			due = answer(t, s, &task);
		t->games += due;
		if (due)
			*ARRAY_ADD(NULL, ready) = task;
	}
}

/* For pbm stats: what this run did since it counted last. */
static int count(struct think_state *t, struct store *s, struct err *e)
{
	int64_t now = clock_ms();
	struct {
		const char *name;
		int64_t n;
	} counters[] = {
		{ "computers:moves", (int64_t)(t->out->moves - t->counted.moves) },
		{ "computers:nodes", (int64_t)(t->out->nodes - t->counted.nodes) },
		{ "computers:milliseconds", now - t->counted_at },
	};
	int rc = store_begin(s, e);

	for (size_t i = 0; rc == 0 && i < sizeof counters / sizeof *counters; i++)
		rc = store_number_add(s, counters[i].name, counters[i].n, e);
	t->counted = *t->out;
	t->counted_at = now;
	return store_end(s, rc, e);
}

static int play(struct think_state *t, const struct think_tasks *ready, struct err *e)
{
	AUTO(site_close) struct site s = { 0 };
	int rc = ready->n ? open_store(t, &s, STORE_WRITE, e) : 0;

	if (rc < 0 || !ready->n)
		return rc;
	rc = think_play(&s, ready, clock_now(), t->out, e);
	if (rc == 0)
		rc = count(t, s.store, e);
	return rc;
}

/* Everything that is due now.  *n: how many boards were looked at. */
static int one_round(struct think_state *t, size_t *n, struct err *e)
{
	struct think_tasks all = { 0 }, ready = { 0 };
	struct site s;
	size_t at = 0;
	int rc = open_store(t, &s, STORE_READ, e);

	if (rc < 0)
		return rc;
	rc = think_list(&s, clock_now(), &all, e);
	*n = 0;
	while (rc == 0 && at < all.n && !is_over(t)) {
		ready.n = 0;
		answer_some(t, &s, &all, &at, &ready);
		*n += ready.n;
		rc = play(t, &ready, e);
	}
	t->out->later = at < all.n;
	site_close(&s);
	free(all.v);
	free(ready.v);
	return rc;
}

/* A kind of work on finished games, done while time is left and nobody waits for a turn. */
struct study {
	enum work_kind kind;
	const char *(*think)(struct site *s, struct arena *a, int64_t board);
	int (*keep)(struct site *s, struct arena *a, int64_t board, const char *text,
	            struct err *e);
	size_t *count; /* texts that were kept */
};

static int find_work(struct site *s, const struct study *y, struct work *out, struct err *e)
{
	int64_t day = 1;
	size_t n;
	int rc = y->kind == WORK_PUZZLE ? think_puzzle_day(s, &day, e) : 0;

	return rc == 0 && day ? store_work(s->store, y->kind, 0, 1, out, &n, e) : rc;
}

static int keep(struct site *s, const struct study *y, const struct work *w, struct arena *a,
                const char *text, struct err *e)
{
	int rc = store_begin(s->store, e);

	if (rc == 0 && *text)
		rc = y->keep(s, a, w->board, text, e);
	if (rc == 0)
		rc = store_work_done(s->store, w->n, e);
	return store_end(s->store, rc, e);
}

static int study_one(struct think_state *t, const struct study *y, bool *done, struct err *e)
{
	struct work found = { 0 };
	AUTO(arena_release) struct arena a = { 0 };
	const char *text = "";
	struct site s;
	int rc = open_store(t, &s, STORE_READ, e);

	if (rc < 0)
		return rc;
	rc = find_work(&s, y, &found, e);
	*done = rc < 0 || !found.n;
	if (!*done)
		text = y->think(&s, &a, found.board);
	site_close(&s);
	if (!*done && (rc = open_store(t, &s, STORE_WRITE, e)) == 0) {
		rc = keep(&s, y, &found, &a, text, e);
		site_close(&s);
	}
	*y->count += rc == 0 && *text;
	return rc;
}

static int study(struct think_state *t, struct err *e)
{
	const struct study studies[] = {
		{ WORK_ANALYSIS, think_analysis, think_analysis_keep, &t->out->analysed },
		{ WORK_PUZZLE, think_puzzle, think_puzzle_keep, &t->out->puzzles },
	};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof studies / sizeof *studies; i++)
		for (bool done = false; rc == 0 && !done && !is_over(t);)
			rc = study_one(t, &studies[i], &done, e);
	return rc;
}

/* Another run's descriptor, or the kernel after its end, keeps two runs apart. */
static int take_lock(const char *dir, int *out, struct err *e)
{
	const char *path = PRINTED(1024, "%s/" LOCK, dir);
	*out = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (*out < 0)
		return err_sys(e, "open %s", path);
	if (flock(*out, LOCK_EX | LOCK_NB) == 0)
		return 0;
	close(*out);
	return err_set(e, ERR_BUSY, "another run is thinking");
}

int think_run(const char *dir, const struct think_limits *l, struct think_report *out,
              struct err *e)
{
	struct think_state t = { .dir = dir,
		                 .limits = l,
		                 .out = out,
		                 .until = clock_ms() + l->seconds * INT64_C(1000),
		                 .counted_at = clock_ms() };
	size_t before, n = 0;
	int lock, rc = take_lock(dir, &lock, e);

	if (rc < 0)
		return rc;
	/* Moves sent ahead answer at once, so that a computer may be to move again. */
	do {
		before = out->moves + out->seeks;
		rc = one_round(&t, &n, e);
		if (rc == 0 && out->moves + out->seeks == before)
			rc = study(&t, e);
	} while (rc == 0 && n && !is_over(&t) && out->moves + out->seeks > before);
	close(lock);
	return rc;
}
