#include "pbm/archive/archive.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pbm/archive/lists.h"
#include "pbm/archive/pages.h"
#include "pbm/base/array.h"
#include "pbm/base/log.h"
#include "store/store_marks.h"
#include "store/store_questions.h"

#define DUE_CHUNK 256

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

/* The games published in this run: their boards, whose marks can be removed, and
 * the lists they are in. */
struct published {
	int64_t *v; /* board numbers */
	size_t n, cap;
	size_t failed; /* games that could not be written; their marks stay */
	json_t *lists;
};

/* Writes the pages of one game and adds it to its lists; lists may be NULL. */
static int publish_game(struct site *site, int64_t board, json_t *lists, struct err *e)
{
	struct arena a = { 0 };
	struct game_doc doc;
	int rc = archive_write_game(site, &a, board, &doc, e);

	if (rc == 0 && lists)
		archive_lists_add(lists, &doc);
	arena_release(&a);
	return rc;
}

static int publish_games(struct site *site, struct published *p, struct err *e)
{
	struct due d = { .n = 0 };
	int64_t after = 0;
	int rc;

	do {
		d.n = 0;
		rc = store_archive_due(site->store, after, DUE_CHUNK, collect, &d, e);
		for (size_t i = 0; rc == 0 && i < d.n; i++) {
			struct err why = { 0 };

			if (publish_game(site, d.boards[i], p->lists, &why) == 0)
				*ARRAY_ADD(NULL, p) = d.boards[i];
			else { /* its mark stays, so that the next run tries again */
				log_error("board %lld can't be written to the archive: %s",
				          (long long)d.boards[i], why.text);
				p->failed++;
			}
			after = d.boards[i];
		}
	} while (rc == 0 && d.n == DUE_CHUNK);
	return rc;
}

static int remove_marks(struct site *site, const struct published *p, struct err *e)
{
	int rc = store_begin(site->store, e);

	for (size_t i = 0; rc == 0 && i < p->n; i++)
		rc = store_archive_done(site->store, p->v[i], e);
	if (rc < 0) {
		store_abort(site->store);
		return rc;
	}
	return store_commit(site->store, e);
}

/* The marks are removed last: after a crash the next run does the work again. */
int archive_publish(struct site *site, size_t *count, struct err *e)
{
	struct published p = { .lists = json_object() };
	int rc = publish_games(site, &p, e);

	*count = p.n;
	if (rc == 0 && p.n)
		rc = archive_lists_write(site, p.lists, p.failed, e);
	if (rc == 0 && p.n)
		rc = sync_pages(site, e);
	if (rc == 0 && p.n)
		rc = remove_marks(site, &p, e);
	json_decref(p.lists);
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

int archive_rebuild(struct site *site, size_t *count, struct err *e)
{
	struct finished_place at = { INT64_MAX, INT64_MAX };
	struct found d;
	int rc;

	do {
		d.n = 0;
		rc = store_finished(site->store, NULL, NULL, at, 0, DUE_CHUNK, find_row, &d, e);
		for (size_t i = 0; rc == 0 && i < d.n; i++)
			rc = publish_game(site, d.boards[i], NULL, e);
		at = d.last;
		*count += d.n;
	} while (rc == 0 && d.n == DUE_CHUNK);
	return rc == 0 ? archive_lists_rebuild(site, e) : rc;
}
