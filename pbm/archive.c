/* Publishing: which games are due, and when their marks may go. */
#include "pbm/archive.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "pbm/archive_page.h"
#include "pbm/base/log.h"

#define DUE_CHUNK 256

struct due { size_t n; int64_t boards[DUE_CHUNK]; };

static int collect(int64_t board, void *arg)
{
	struct due *d = arg;

	d->boards[d->n++] = board;
	return d->n == DUE_CHUNK;
}

static int forget(struct site *site, const struct due *d, struct err *e)
{
	int rc = store_begin(site->store, e);

	for (size_t i = 0; rc == 0 && i < d->n; i++)
		rc = store_archive_done(site->store, d->boards[i], e);
	if (rc < 0) {
		store_abort(site->store);
		return rc;
	}
	return store_commit(site->store, e);
}

/* Everything below archive/ is on the disk before a mark may go. */
static int sync_pages(struct site *site, struct err *e)
{
	char path[1200];
	int fd = open(site_path(site, "archive", path, sizeof path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return err_sys(e, "open %s", path);
	int rc = syncfs(fd) < 0 ? err_sys(e, "sync %s", path) : 0;
	close(fd);
	return rc;
}

static int list_game(struct site *site, int64_t board, struct archive_lists *lists, struct err *e)
{
	struct arena a = {0};
	struct game_doc d;
	int rc = store_game_get(site->store, &a, board, &d, e);

	if (rc == 0)
		archive_lists_add(lists, &(struct game_row){
			.board = board, .game = d.game, .players = { d.players[0], d.players[1] },
			.ended = d.ended });
	arena_release(&a);
	return rc;
}

static int publish_lists(struct site *site, const struct due *d, struct err *e)
{
	struct archive_lists *lists = archive_lists_new();
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < d->n; i++)
		rc = list_game(site, d->boards[i], lists, e);
	if (rc == 0)
		rc = archive_lists_write(site, lists, e);
	archive_lists_free(lists);
	return rc == 0 ? sync_pages(site, e) : rc;
}

/* The marks go only after the lists are written too: a crash in between does
 * the work again. */
int archive_publish(struct site *site, size_t *count, struct err *e)
{
	struct due d;
	bool more;
	int rc;

	do {
		size_t done = 0;

		d.n = 0;
		rc = store_archive_due(site->store, DUE_CHUNK, collect, &d, e);
		for (size_t i = 0; rc == 0 && i < d.n; i++) {
			struct err why = {0};

			if (archive_write_game(site, d.boards[i], &why) == 0) {
				d.boards[done++] = d.boards[i];
				continue;
			}
			/* Its mark stays, and the next run tries again. */
			log_error("board %lld is not in the archive: %s", (long long)d.boards[i], why.text);
		}
		bool full = d.n == DUE_CHUNK && done == d.n;
		*count += d.n = done;
		if (rc == 0 && d.n)
			rc = publish_lists(site, &d, e);
		if (rc == 0 && d.n)
			rc = forget(site, &d, e);
		more = full;
	} while (rc == 0 && more);
	return rc;
}

static int mark_row(const struct game_row *row, void *arg)
{
	struct due *d = arg;

	d->boards[d->n++] = row->board;
	return 0;
}

int archive_rebuild(struct site *site, size_t *count, struct err *e)
{
	int rc = 0;
	size_t offset = 0;
	struct due d;

	do {
		d.n = 0;
		rc = store_games(site->store, NULL, NULL, GAMES_FINISHED, DUE_CHUNK, offset, mark_row, &d, e);
		for (size_t i = 0; rc == 0 && i < d.n; i++)
			rc = archive_write_game(site, d.boards[i], e);
		offset += d.n;
		*count += d.n;
	} while (rc == 0 && d.n == DUE_CHUNK);
	return rc == 0 ? archive_lists_rebuild(site, e) : rc;
}
