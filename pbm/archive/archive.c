#include "pbm/archive/archive.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pbm/archive/lists.h"
#include "pbm/archive/pages.h"
#include "pbm/archive/statics.h"
#include "pbm/base/array.h"
#include "pbm/base/log.h"
#include "store/store_documents.h"
#include "store/store_marks.h"
#include "store/store_questions.h"

#define DUE_CHUNK 256
#define FAILURES_LOGGED 20 /* in one run; the others are only counted */

/* Boards of one chunk. */
struct due {
	size_t n;
	int64_t boards[DUE_CHUNK];
};

static int collect(int64_t board, void *arg)
{
	struct due *d = arg;

	d->boards[d->n++] = board;
	return d->n == DUE_CHUNK;
}

/* Everything below archive/ must be on the disk before marks are removed. */
static int sync_pages(struct site *site, struct err *e)
{
	char path[1200];
	int fd = open(site_path(site, "archive", path, sizeof path),
	              O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return err_sys(e, "open %s", path);
	int rc = syncfs(fd) < 0 ? err_sys(e, "sync %s", path) : 0;
	close(fd);
	return rc;
}

void archive_count_failure(struct archive_report *r, const char *page, const struct err *why)
{
	if (r->failed == 0)
		snprintf(r->first, sizeof r->first, "%.100s: %.280s", page, why->text);
	if (r->failed < FAILURES_LOGGED)
		log_error("%s can't be written to the archive: %s", page, why->text);
	r->failed++;
}

/* The games published in this run: their boards, whose marks can be removed, and
 * the lists they are in. */
struct published {
	int64_t *v; /* board numbers */
	size_t n, cap;
	size_t failed; /* games that could not be written; their marks stay */
	json_t *lists;
	json_t *broken; /* lists that could not be written; their games' marks stay */
	struct archive_report *r;
};

/* Writes the pages of one game and adds it to its lists; lists is NULL when all games are
 * written. */
static int publish_game(struct site *site, int64_t board, json_t *lists, struct archive_report *r)
{
	struct arena a = { 0 };
	struct game_doc doc;
	struct err why = { 0 };
	int rc = archive_write_game(site, &a, board, !lists, &doc, &why);

	if (rc == 0 && lists)
		archive_lists_add(lists, &doc);
	if (rc < 0)
		archive_count_failure(r, arena_printf(&a, "board %lld", (long long)board), &why);
	else
		r->games++;
	arena_release(&a);
	return rc;
}

static int publish_due(struct site *site, struct published *p, struct err *e)
{
	struct due d = { .n = 0 };
	int64_t after = 0;
	int rc;

	do {
		d.n = 0;
		rc = store_archive_due(site->store, after, DUE_CHUNK, collect, &d, e);
		if (rc == 0 && after == 0 && d.n && statics_write(site, p->r) < 0)
			json_object_set_new(p->broken, "all", json_true());
		for (size_t i = 0; rc == 0 && i < d.n; i++) {
			if (publish_game(site, d.boards[i], p->lists, p->r) == 0)
				*ARRAY_ADD(NULL, p) = d.boards[i];
			else
				p->failed++;
			after = d.boards[i];
		}
	} while (rc == 0 && d.n == DUE_CHUNK);
	return rc;
}

/* Could all lists of this game be written? */
static bool is_listed(struct site *site, const struct published *p, int64_t board)
{
	struct arena a = { 0 };
	struct game_doc doc;

	if (json_object_size(p->broken) == 0)
		return true;
	bool listed = store_game_get(site->store, &a, board, &doc, NULL) == 0 &&
	              !archive_lists_share(p->broken, &doc);
	arena_release(&a);
	return listed;
}

static int remove_marks(struct site *site, const struct published *p, struct err *e)
{
	int rc = store_begin(site->store, e);

	for (size_t i = 0; rc == 0 && i < p->n; i++)
		if (is_listed(site, p, p->v[i]))
			rc = store_archive_done(site->store, p->v[i], e);
	return store_end(site->store, rc, e);
}

/* The marks are removed last: after a crash the next run does the work again. */
int archive_publish(struct site *site, struct archive_report *r, struct err *e)
{
	struct published p = { .lists = json_object(), .broken = json_object(), .r = r };
	int rc = publish_due(site, &p, e);

	if (rc == 0 && p.n) {
		archive_lists_write(site, p.lists, p.failed, p.broken, r);
		rc = sync_pages(site, e);
	}
	if (rc == 0 && p.n)
		rc = remove_marks(site, &p, e);
	json_decref(p.lists);
	json_decref(p.broken);
	free(p.v);
	return rc;
}

struct found {
	size_t n;
	int64_t boards[DUE_CHUNK];
	struct finished_place last;
};

static int find_row(const struct game_row *row, void *arg)
{
	struct found *f = arg;

	f->boards[f->n++] = row->board;
	f->last = (struct finished_place){ row->ended, row->board };
	return 0;
}

int archive_rebuild(struct site *site, struct archive_report *r, struct err *e)
{
	struct finished_place at = { INT64_MAX, INT64_MAX };
	struct found d;
	int rc;

	statics_write(site, r);
	do {
		d.n = 0;
		rc = store_finished(site->store, NULL, NULL, at, 0, DUE_CHUNK, find_row, &d, e);
		for (size_t i = 0; rc == 0 && i < d.n; i++)
			publish_game(site, d.boards[i], NULL, r);
		at = d.last;
	} while (rc == 0 && d.n == DUE_CHUNK);
	if (rc == 0)
		archive_lists_rebuild(site, r);
	return rc;
}
