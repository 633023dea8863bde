#include "pbm/archive/live/live_ended.h"

#include "pbm/archive/live/live_page.h"
#include "pbm/archive/pages/pages.h"
#include "pbm/base/clock.h"
#include "store/store_marks.h"
#include "store/store_questions.h"

#define DAY INT64_C(86400)
#define STAY (14 * DAY)
#define LONG (90 * DAY)
#define CHUNK 256

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
	struct arena a = { 0 };
	int rc = 0;

	for (uint8_t seat = 0; rc == 0 && seat < 2; seat++)
		rc = fn(site, live_folder(site, &a, board, seat), keep, e);
	arena_release(&a);
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

static int remove_one(struct site *site, const char *folder, json_t *keep, struct err *e)
{
	(void)keep;
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

	if (rc == 0)
		rc = store_value_set(s, "live-gone", t, e);
	return store_end(s, rc, e);
}

int live_ended_remove(struct site *site, struct err *e)
{
	int64_t gone = 0, until = clock_now() - STAY;
	int rc = store_value(site->store, "live-gone", &gone, e);

	if (rc < 0 || until < gone + DAY)
		return rc;
	/* The index has been made again: nobody knows. */
	if (gone == 0)
		gone = until - LONG;
	rc = each_folder(site, gone, (struct finished_place){ until, 0 }, remove_one, NULL, e);
	return rc == 0 ? set_gone(site->store, until, e) : rc;
}

int live_ended_keep(struct site *site, json_t *folders, struct err *e)
{
	return each_folder(site, clock_now() - STAY - DAY,
	                   (struct finished_place){ INT64_MAX, INT64_MAX }, keep_one, folders, e);
}
