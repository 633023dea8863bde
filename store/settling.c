#include "store/settling.h"

#include "pbm/base/thread.h"
#include "store/files.h"

#define LEAST 64          /* files for which a thread is worth while */
#define MOST (16LL << 20) /* bytes that are copied for it */

struct size {
	int64_t count, bytes, last;
};

static int take_size(const struct db_row *row, void *arg, struct err *e)
{
	(void)e;
	*(struct size *)arg = (struct size){ db_row_int(row, 0), db_row_int(row, 1),
		                             db_row_int(row, 2) };
	return 0;
}

static int copy_row(const struct db_row *row, void *arg, struct err *e)
{
	struct settling *t = arg;
	struct settling_file *f = arena_alloc(&t->arena, sizeof *f);
	size_t n;
	const char *bytes = db_row_bytes(row, 1, &n);

	(void)e;
	*f = (struct settling_file){
		.next = t->files,
		.path = arena_strdup(&t->arena, db_row_text(row, 0)),
		.bytes = arena_strndup(&t->arena, bytes, n),
		.len = n,
	};
	t->files = f;
	return 0;
}

static void *write_files(void *arg)
{
	struct settling *t = arg;

	for (const struct settling_file *f = t->files; f && t->rc == 0; f = f->next)
		t->rc = files_write(t->dirfd, f->path, f->bytes, f->len, &t->why);
	if (t->rc == 0)
		t->rc = files_sync(t->dirfd, &t->why);
	return NULL;
}

static void forget(struct settling *t)
{
	arena_release(&t->arena);
	t->files = NULL;
	t->running = false;
}

int settling_begin(struct settling *t, struct db *db, int dirfd, struct err *e)
{
	struct size size = { 0 };
	int rc = db_each(db, DB_PENDING_SIZE, DB_NONE, take_size, &size, e);

	if (rc < 0 || size.count < LEAST || size.bytes > MOST)
		return rc < 0 ? rc : 0;
	*t = (struct settling){ .last = size.last, .dirfd = dirfd };
	rc = db_each(db, DB_PENDING_ALL, DB_NONE, copy_row, t, e);
	t->running = rc >= 0 && thread_start(&t->thread, write_files, t);
	if (t->running)
		return 1;
	forget(t);
	return rc < 0 ? rc : 0;
}

int settling_wait(struct settling *t, struct err *e)
{
	pthread_join(t->thread, NULL);
	forget(t);
	return t->rc < 0 ? err_set(e, t->why.code, "%s", t->why.text) : 0;
}
