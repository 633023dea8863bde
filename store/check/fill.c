#include "store/check/fill.h"

#include <stdio.h>
#include <unistd.h>

#include "store/docs.h"
#include "store/document/document_file.h"
#include "store/store_backend.h"

#define NEW_DB "pbm.db.new"
#define BYTES_MAX ((size_t)1 << 30)

void fill_leave_out(struct fill *f, const char *what)
{
	f->left_out++;
	err_set(&f->first, ERR_DAMAGED, "%s", what);
}

static int count_file(const char *, void *arg, struct err *)
{
	struct fill *f = arg;

	f->total++;
	return 0;
}

/* Damaged documents are left out, but their numbers aren't given again. */
static int leave_out(struct fill *f, const struct document_file *d, const char *why, struct err *e)
{
	fill_leave_out(f, why);
	return d->board ? db_run(f->to, DB_BOARD_RESERVE, DB_ARGS(db_int(d->board)), e) : 0;
}

static int read_bytes(struct fill *f, const char *path, struct err *e)
{
	str_clear(&f->bytes);
	return f->copy ? doc_get(f->from, path, &f->bytes, e)
	               : doc_file(f->from, path, &f->bytes, e);
}

static int take_document(struct fill *f, struct document_file *d, struct err *e)
{
	struct err why = { 0 };
	int rc = read_bytes(f, d->path, &why);

	d->sum = rc == 0 ? document_file_sum_of(f->bytes.data, f->bytes.len) : 0;
	if (rc == 0)
		rc = document_file_parse_summary(d, &f->a, f->bytes.data, f->bytes.len, &why);
	if (rc == 0)
		rc = document_file_index(d, f->to, e);
	else if (rc == ERR_DAMAGED && !f->copy)
		rc = leave_out(f, d, why.text, e);
	else
		err_set(e, why.code, "%s", why.text);
	arena_release(&f->a);
	return rc == 0 && f->copy ? f->copy(d->path, &f->bytes, f->arg, e) : rc;
}

static int take_path(const char *path, void *arg, struct err *e)
{
	struct fill *f = arg;
	struct document_file d;
	int rc = document_file_path(path, &d) ? take_document(f, &d, e) : 0;

	f->done++;
	if (rc == 0 && f->progress)
		f->progress(f->done, f->total, f->progress_arg);
	return rc;
}

/* A file of acts is kept and gets its sum, whatever is wrong with it: the record has no other
 * copy.  The chain is checked from file to file. */
static int take_acts(const char *path, void *arg, struct err *e)
{
	struct fill *f = arg;
	struct err why = { 0 };
	char what[700];

	if (!acts_is_path(path))
		return 0;
	int rc = read_bytes(f, path, e);
	const char *bytes = f->bytes.data;
	size_t n = f->bytes.len;
	if (rc == 0)
		rc = db_run(f->to, DB_SUM_PUT,
		            DB_ARGS(db_text(path), db_int(doc_sum(path, bytes, n))), e);
	if (rc == 0 && acts_read(bytes, n, f->hash, NULL, NULL, &why) < 0) {
		snprintf(what, sizeof what, "%s: %.500s", path, why.text);
		fill_leave_out(f, what);
		acts_last_hash(bytes, n, f->hash);
	}
	return rc == 0 && f->copy ? f->copy(path, &f->bytes, f->arg, e) : rc;
}

void fill_remove_file(const struct fill *f)
{
	char name[64];

	for (const char *const *suffix = db_suffixes(store_file_backend()); *suffix; suffix++) {
		snprintf(name, sizeof name, "%s%s", NEW_DB, *suffix);
		unlinkat(f->from->dirfd, name, 0);
	}
}

int fill_open_file(struct fill *f, struct err *e)
{
	char path[STORE_PATH_MAX];

	fill_remove_file(f);
	store_path(f->from, NEW_DB, path);
	int rc = files_touch(f->from->dirfd, NEW_DB, e);
	return rc == 0 ? db_open(store_file_backend(), path, DB_BUILD, &f->to, e) : rc;
}

int fill_finish(struct fill *f, struct err *e)
{
	struct db *built = f->to;

	f->to = NULL;
	return db_build_done(built, e);
}

int fill_name_file(const struct fill *f, struct err *e)
{
	int dirfd = f->from->dirfd, rc = files_sync(dirfd, e);

	if (rc == 0 && renameat(dirfd, NEW_DB, dirfd, STORE_DB) < 0)
		rc = err_sys(e, "rename %s", NEW_DB);
	return rc == 0 ? files_sync(dirfd, e) : rc;
}

int fill_index(struct fill *f, struct err *e)
{
	int rc = f->progress ? doc_walk_all(f->from, count_file, f, e) : 0;

	acts_first_hash(f->hash);
	str_init(&f->bytes, BYTES_MAX);
	if (rc == 0)
		rc = doc_walk_all(f->from, take_path, f, e);
	if (rc == 0)
		rc = doc_walk(f->from, "acts", take_acts, f, e);
	str_release(&f->bytes);
	return rc;
}
