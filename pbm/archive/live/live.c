#include "pbm/archive/live/live.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/archive/live/live_page.h"
#include "pbm/archive/live/turns.h"
#include "pbm/archive/pages/pages.h"
#include "pbm/archive/pages/statics.h"
#include "pbm/archive/place/in_hand.h"
#include "pbm/archive/restyle.h"
#include "pbm/base/array.h"
#include "pbm/base/clock.h"
#include "pbm/site/token.h"
#include "store/store_marks.h"
#include "store/store_questions.h"
#include "store/store_work.h"

#define LAYOUT "1" /* another one makes all pages be written again */
#define CHUNK 256
#define WALK 500 /* games of a run whose pages are written although they have not changed */
#define FOLDER ARCHIVE_LIVE

/* The work of a run. */
struct run {
	struct site *site;
	struct archive_report *r;
	json_t *folders; /* of all pages; NULL: not needed */
	json_t *players; /* of the games so far; true: his files are written */
	struct {
		size_t n, cap;
		int64_t *v;
	} done, failed; /* numbers of work that is done; boards that need a mark */
	bool begun;
	struct live_common common;
	int64_t next; /* "live-next" */
	bool moved;   /* it has changed */
};

/* Values on which all pages depend: if one of these changes, all are written again. */
enum { KEY, PERIOD, LOOK, VALUES };
static const char *const names[VALUES] = { "live-key", "live-period", "live-look" };

static int set_values(struct site *site, const int64_t v[VALUES], int64_t next, struct err *e)
{
	struct store *s = site->store;
	int rc = store_begin(s, e);

	for (int i = 0; rc == 0 && i < VALUES; i++)
		rc = store_value_set(s, names[i], v[i], e);
	if (rc == 0)
		rc = store_value_set(s, "live-next", next, e);
	return store_end(s, rc, e);
}

struct sweeping {
	struct site *site;
	const json_t *keep;
	struct err *e;
};

static int sweep_one(const char *folder, void *arg)
{
	const struct sweeping *x = arg;

	return strlen(folder) == strlen(FOLDER "/") + TOKEN_LIVE_CHARS &&
	                       !json_object_get(x->keep, folder)
	               ? archive_remove_folder(x->site, folder, x->e)
	               : 0;
}

/* Removes all pages but those of keep (may be NULL). */
static int sweep(struct site *site, const json_t *keep, struct err *e)
{
	return archive_each_folder(site, FOLDER, sweep_one, &(struct sweeping){ site, keep, e }, e);
}

/* Makes a folder with a page of its own, so that a web server does not list the folder. */
static int make_folder(struct site *site, struct err *e)
{
	return archive_has(site, FOLDER "/index.html")
	               ? 0
	               : archive_write(site, FOLDER "/index.html", "archive/moved.html",
	                               json_pack("{s:s, s:s, s:s}", "up", "../", "heading",
	                                         "All games", "to", "../index.html"),
	                               e);
}

/* Prepares the first page of a run. */
static int begin_pages(struct run *x, struct err *e)
{
	int rc = x->begun ? 0 : make_folder(x->site, e);

	if (rc == 0 && !x->begun && !restyle_is_there(x->site))
		rc = statics_write(x->site, x->r) < 0
		             ? err_set(e, ERR_SYSTEM, "a file that they need is missing")
		             : 0;
	if (rc == 0 && !x->begun)
		x->common = live_common_make(x->site);
	x->begun |= rc == 0;
	return rc;
}

/* Writes the files of those players whose games have been met. */
static int write_players(struct run *x, struct arena *a, struct err *e)
{
	struct request *q = request_new(x->site, a, clock_now());
	const char *userid;
	json_t *written;
	int rc = 0;

	json_object_foreach(x->players, userid, written) {
		if (rc == 0 && json_is_false(written) &&
		    (rc = turns_write(q, userid, x->folders, e)) == 0)
			json_object_set_new(x->players, userid, json_true());
	}
	return rc;
}

static int write_board(struct run *x, int64_t board)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct err why = { 0 };
	int rc = begin_pages(x, &why);

	if (rc == 0)
		rc = live_write(x->site, board, &x->common, x->folders, x->players, &why);
	if (rc == 0)
		rc = write_players(x, &a, &why);
	if (rc < 0)
		archive_count_failure(
			x->r, arena_printf(&a, "the live pages of board %lld", (long long)board),
			&why);
	return rc;
}

struct live_boards {
	size_t n;
	struct work v[WALK];
};

static int add_row(const struct game_row *row, void *arg)
{
	struct live_boards *b = arg;

	b->v[b->n++].board = row->board;
	return 0;
}

/* Writes the pages of games that have changed. */
static int write_marked(struct run *x, struct err *e)
{
	struct live_boards b;
	int64_t after = 0;
	int rc;

	do {
		rc = store_work(x->site->store, WORK_LIVE, after, CHUNK, b.v, &b.n, e);
		if (rc == 0)
			rc = in_hand_note_boards(x->site, WORK_LIVE, b.v, b.n, e);
		for (size_t i = 0; rc == 0 && i < b.n; i++) {
			after = b.v[i].board;
			if (write_board(x, after) == 0)
				*ARRAY_ADD(NULL, &x->done) = b.v[i].n;
		}
	} while (rc == 0 && b.n == CHUNK);
	return rc;
}

/* Writes some of the pages that must be written although their games have not changed. */
static int walk(struct run *x, struct err *e)
{
	struct live_boards b = { .n = 0 };

	if (!x->next)
		return 0;
	int rc = store_running(x->site->store, x->next - 1, WALK, add_row, &b, e);
	for (size_t i = 0; rc == 0 && i < b.n; i++)
		if (write_board(x, b.v[i].board) < 0)
			*ARRAY_ADD(NULL, &x->failed) = b.v[i].board;
	if (rc == 0) {
		x->next = b.n == WALK ? b.v[b.n - 1].board + 1 : 0;
		x->moved = true;
	}
	return rc;
}

/* Removes the marks last: after a crash the next run does the work again.  So it does if the bucket has
 * not taken all pages. */
static int remove_marks(const struct run *x, struct err *e)
{
	if (!archive_has_arrived(x->site, x->r))
		return 0;
	struct store *s = x->site->store;
	int rc = store_begin_light(s, e);

	if (rc == 0)
		rc = archive_sync_first(x->site, e);
	for (size_t i = 0; rc == 0 && i < x->done.n; i++)
		rc = store_work_done(s, x->done.v[i], e);
	for (size_t i = 0; rc == 0 && i < x->failed.n; i++)
		rc = store_work_add(s, WORK_LIVE, x->failed.v[i], 0, e);
	if (rc == 0 && x->moved)
		rc = store_value_set(s, "live-next", x->next, e);
	return store_end_light(s, rc, true, e);
}

static void values_now(const struct site *site, int64_t now[VALUES])
{
	AUTO(arena_release) struct arena a = { 0 };

	memset(now, 0, VALUES * sizeof *now);
	if (*site->conf.archive_url) {
		now[KEY] = token_live_state(
			site, arena_printf(&a, LAYOUT " %.1000s", site->conf.archive_url));
		now[PERIOD] = clock_now() / LIVE_SECONDS;
		now[LOOK] = (int64_t)(str_hash(restyle_now(site, &a)) >> 1);
	}
}

/* Removes pages with other addresses. */
static int sweep_all(struct run *x)
{
	struct err why = { 0 };
	int rc = sweep(x->site, NULL, &why);

	if (rc == 0)
		rc = archive_arrive(x->site, &why);
	if (rc < 0)
		archive_count_failure(x->r, "the live pages with old addresses", &why);
	return rc;
}

/* Finds out whether all pages must be written again. */
static int look_at_values(struct run *x, struct err *e)
{
	struct store *s = x->site->store;
	int64_t v[VALUES], now[VALUES];
	struct store_value values[VALUES + 1] = { [VALUES] = { "live-next", &x->next } };

	for (int i = 0; i < VALUES; i++)
		values[i] = (struct store_value){ names[i], &v[i] };
	int rc = store_values(s, VALUES + 1, values, e);
	values_now(x->site, now);
	if (rc == 0 && v[KEY] != now[KEY] && sweep_all(x) < 0)
		return 0; /* the next run tries again */
	if (rc == 0 && memcmp(v, now, sizeof v) != 0) {
		x->next = now[KEY] ? 1 : 0;
		rc = set_values(x->site, now, x->next, e);
	}
	return rc;
}

static void release(struct run *x)
{
	live_common_release(&x->common);
	json_decref(x->folders);
	json_decref(x->players);
	free(x->done.v);
	free(x->failed.v);
}

/* The live pages of games that have ended: they lead to the game's page in the archive, and
 * are removed after two weeks.  "live-gone" in the store is the time up to which the games have
 * ended whose pages are gone. */

#define STAY (14 * CLOCK_DAY)
#define LONG (90 * CLOCK_DAY)

struct ended {
	size_t n;
	struct finished_place v[CHUNK];
};

static int add_game(const struct game_row *row, void *arg)
{
	struct ended *x = arg;

	x->v[x->n++] = (struct finished_place){ row->ended, row->board };
	return 0;
}

typedef int folder_fn(struct site *site, const char *folder, json_t *keep, struct err *e);

static int do_board(struct site *site, int64_t board, folder_fn *fn, json_t *keep, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	int rc = 0;

	for (uint8_t seat = 0; rc == 0 && seat < 2; seat++)
		rc = fn(site, live_folder(site, &a, board, seat), keep, e);
	return rc;
}

/* Calls fn with the folders of the games that ended at `since` or later, but before `below`. */
static int each_folder(struct site *site, int64_t since, struct finished_place below, folder_fn *fn,
                       json_t *keep, struct err *e)
{
	struct ended x;
	int rc;

	do {
		x.n = 0;
		rc = store_finished(site->store, NULL, NULL, below, since, CHUNK, add_game, &x, e);
		for (size_t i = 0; rc == 0 && i < x.n; i++) {
			below = x.v[i];
			rc = do_board(site, below.board, fn, keep, e);
		}
	} while (rc == 0 && x.n == CHUNK);
	return rc;
}

static int remove_one(struct site *site, const char *folder, json_t *, struct err *e)
{
	return archive_remove_folder(site, folder, e);
}

static int keep_one(struct site *site, const char *folder, json_t *keep, struct err *e)
{
	(void)site, (void)e;
	json_object_set_new(keep, folder, json_true());
	return 0;
}

static int set_gone(struct store *s, int64_t t, struct err *e)
{
	int rc = store_begin(s, e);

	store_value_set(s, "live-gone", t, e);
	return store_end(s, rc, e);
}

/* Once a day: removes the pages that are old enough. */
static int live_ended_remove(struct site *site, struct err *e)
{
	int64_t gone = 0, until = clock_now() - STAY;
	int rc = store_value(site->store, "live-gone", &gone, e);

	if (rc < 0 || until < gone + CLOCK_DAY)
		return rc;
	/* The index has been made again: nobody knows. */
	if (gone == 0)
		gone = until - LONG;
	rc = each_folder(site, gone, (struct finished_place){ until, 0 }, remove_one, NULL, e);
	if (rc == 0)
		rc = archive_arrive(site, e);
	return rc == 0 ? set_gone(site->store, until, e) : rc;
}

/* Adds the folders of the other pages to an object. */
static int live_ended_keep(struct site *site, json_t *folders, struct err *e)
{
	return each_folder(site, clock_now() - STAY - CLOCK_DAY,
	                   (struct finished_place){ INT64_MAX, INT64_MAX }, keep_one, folders, e);
}

int live_publish(struct site *site, struct archive_report *r, struct err *e)
{
	struct run x = { .site = site, .r = r, .players = json_object() };
	int rc = look_at_values(&x, e);

	if (rc == 0 && *site->conf.archive_url) {
		rc = write_marked(&x, e);
		if (rc == 0)
			rc = walk(&x, e);
		if (rc == 0 && (x.done.n || x.moved))
			rc = remove_marks(&x, e);
		if (rc == 0)
			in_hand_clear(site);
		if (rc == 0)
			rc = live_ended_remove(site, e);
	}
	release(&x);
	return rc;
}

int live_rebuild(struct site *site, struct archive_report *r, struct err *e)
{
	struct run x = { .site = site, .r = r, .folders = json_object(), .players = json_object() };
	struct err why = { 0 };
	int rc = look_at_values(&x, e);

	x.next = *site->conf.archive_url ? 1 : 0;
	while (rc == 0 && x.next)
		rc = walk(&x, e);
	if (rc == 0 && *site->conf.archive_url)
		rc = live_ended_keep(site, x.folders, e);
	if (rc == 0 && sweep(site, x.folders, &why) < 0)
		archive_count_failure(r, "the live pages of ended games", &why);
	if (rc == 0 && x.moved)
		rc = remove_marks(&x, e);
	if (rc == 0 && r->failed == 0)
		rc = archive_arrive(site, e);
	release(&x);
	return rc;
}
