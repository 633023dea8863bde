#include "store/store_watch.h"

#include "store/db/gather.h"
#include "store/store_inside.h"

/* A row of a text and a number, or of two numbers. */
struct pair {
	const char *text;
	int64_t first, second;
};

static int copy_text(const struct db_row *row, struct arena *a, void *out, struct err *e)
{
	(void)e;
	*(struct pair *)out = (struct pair){ .text = arena_strdup(a, db_row_text(row, 0)),
		                             .second = db_row_int(row, 1) };
	return 0;
}

static int copy_numbers(const struct db_row *row, struct arena *a, void *out, struct err *e)
{
	(void)a;
	(void)e;
	*(struct pair *)out = (struct pair){ .first = db_row_int(row, 0),
		                             .second = db_row_int(row, 1) };
	return 0;
}

int store_watchers(struct store *s, const char *what, size_t limit, watcher_fn *fn, void *arg,
                   struct err *e)
{
	struct gathered rows = { 0 };
	int rc = gather_rows(&rows, s->db, DB_WATCHERS, DB_ARGS(db_text(what), db_count(limit)),
	                     copy_text, sizeof(struct pair), e);

	for (size_t i = 0; rc == 0 && i < rows.count; i++) {
		const struct pair *p = gather_at(&rows, i);

		rc = fn(p->text, p->second != 0, arg);
	}
	gather_release(&rows);
	return rc < 0 ? rc : 0;
}

int store_watch_due_add(struct store *s, int64_t board, size_t events, struct err *e)
{
	return store_change(s, DB_WATCH_DUE_ADD, DB_ARGS(db_int(board), db_count(events)), e);
}

int store_watch_due(struct store *s, int64_t after, size_t limit, watch_due_fn *fn, void *arg,
                    struct err *e)
{
	struct gathered rows = { 0 };
	int rc = gather_rows(&rows, s->db, DB_WATCH_DUE, DB_ARGS(db_int(after), db_count(limit)),
	                     copy_numbers, sizeof(struct pair), e);

	for (size_t i = 0; rc == 0 && i < rows.count; i++) {
		const struct pair *p = gather_at(&rows, i);

		rc = fn(p->first, (size_t)p->second, arg);
	}
	gather_release(&rows);
	return rc < 0 ? rc : 0;
}

int store_watch_due_done(struct store *s, int64_t board, struct err *e)
{
	return store_change(s, DB_WATCH_DUE_DONE, DB_ARGS(db_int(board)), e);
}

int store_digest_due(struct store *s, int64_t t, int64_t due, const char *player, size_t limit,
                     digest_due_fn *fn, void *arg, struct err *e)
{
	return gather_each_pair(s->db, DB_DIGEST_DUE,
	                        DB_ARGS(db_int(t), db_int(due), db_text(player), db_count(limit)),
	                        0, fn, arg, e);
}
