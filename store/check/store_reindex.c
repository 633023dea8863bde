/* Builds the new database in a file of its own.  A rename replaces the old one, which
 * is untouched until then. */
#include "store/check/store_reindex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/mem.h"
#include "store/check/readers.h"
#include "store/docs.h"
#include "store/document/files.h"
#include "store/store_backend.h"
#include "store/store_inside.h"
#include "store/store_upgrade.h"

#define NEW_DB "pbm.db.new"
#define DOCUMENTS_A_TRANSACTION 1000

struct reindexing {
	struct store *s;
	struct db *db; /* the new one */
	bool no_old;   /* there is no old database to take rows from */
	bool lost;     /* the old one is unreadable; it goes to damaged/ */
	int left_out;
	int64_t done, total;
	progress_fn *progress;
	void *arg;
	struct err *e;
};

static void leave_out(struct reindexing *r, const char *what)
{
	r->left_out++;
	err_set(r->e, ERR_DAMAGED, "%s", what);
}

static int count_file(const char *, void *arg, struct err *)
{
	struct reindexing *r = arg;

	r->total++;
	return 0;
}

static int document_done(struct reindexing *r, struct err *e)
{
	int rc = 0;

	if (++r->done % DOCUMENTS_A_TRANSACTION == 0) {
		rc = db_run(r->db, DB_COMMIT, DB_NONE, e);
		if (rc == 0)
			rc = db_run(r->db, DB_BEGIN, DB_NONE, e);
	}
	if (r->progress)
		r->progress(r->done, r->total, r->arg);
	return rc;
}

static int take_item(struct reindexing *r, const struct relay_item *item, struct err *e)
{
	if (item->kind == RELAY_QUERY)
		return db_run(r->db, item->query, item->n, item->v, e);
	if (item->kind == RELAY_DONE)
		return document_done(r, e);
	leave_out(r, item->v[0].bytes);
	return 0;
}

static int take_all(struct reindexing *r, struct err *e)
{
	struct readers *readers = mem_alloc(sizeof *readers);
	struct relay_item item;
	int rc = readers_start(readers, r->s, e);

	while (rc == 0 && (rc = readers_next(readers, &item, e)) == 1)
		rc = take_item(r, &item, e);
	if (readers->count)
		readers_stop(readers);
	free(readers);
	return rc;
}

/* A file of acts is kept and gets its sum, whatever is wrong with it: the record has no other
 * copy.  The chain is checked from file to file. */
struct acts_reading {
	struct reindexing *r;
	char hash[ACTS_HASH_SIZE];
};

static int read_acts(const char *path, void *arg, struct err *e)
{
	struct acts_reading *a = arg;
	struct err why = { 0 };
	struct str bytes;
	char what[700];
	int rc = 0;

	if (!acts_is_path(path))
		return 0;
	str_init(&bytes, ACTS_FILE_MAX);
	rc = doc_file(a->r->s->dirfd, path, &bytes, e);
	if (rc == 0)
		rc = db_run(a->r->db, DB_SUM_PUT,
		            DB_ARGS(db_text(path), db_int(doc_sum(path, bytes.data, bytes.len))),
		            e);
	if (rc == 0 && acts_read(bytes.data, bytes.len, a->hash, NULL, NULL, &why) < 0) {
		snprintf(what, sizeof what, "%s: %.500s", path, why.text);
		leave_out(a->r, what);
		acts_last_hash(bytes.data, bytes.len, a->hash);
	}
	str_release(&bytes);
	return rc;
}

static int take_acts(struct reindexing *r, struct err *e)
{
	struct acts_reading a = { .r = r };

	acts_first_hash(a.hash);
	return files_has(r->s->dirfd, "acts") ? files_walk(r->s->dirfd, "acts", 1, read_acts, &a, e)
	                                      : 0;
}

static void give_up_old(struct reindexing *r, const char *why)
{
	char what[600];

	snprintf(what, sizeof what,
	         "%.400s; it was moved to damaged/, its outbox and seen marks are lost", why);
	r->no_old = r->lost = true;
	leave_out(r, what);
}

/* Writes the old database's pending rows to their files, then makes it one file. */
static int finish_old(struct reindexing *r, const char *path, struct err *e)
{
	struct err why = { 0 };
	int rc = db_open(store_backend(), path, DB_WRITE, &r->s->db, &why);

	if (rc == 0) {
		rc = doc_settle(r->s, &why);
		db_close(r->s->db);
		r->s->db = NULL;
	}
	if (rc == 0)
		rc = db_fold(store_backend(), path, &why);
	if (rc == ERR_DAMAGED) {
		give_up_old(r, why.text);
		return 0;
	}
	if (rc == ERR_NOT_FOUND) {
		r->no_old = true; /* but its -wal and -shm files may be there */
		return 0;
	}
	return rc < 0 ? err_set(e, why.code, "%s", why.text) : 0;
}

static int adopt_old(struct reindexing *r, const char *path, struct err *e)
{
	struct err why = { 0 };
	int rc = r->no_old ? 0 : db_adopt(r->db, path, &why);

	if (rc == ERR_DAMAGED || rc == ERR_CONFLICT) {
		give_up_old(r, why.text);
		return 0;
	}
	return rc < 0 ? err_set(e, why.code, "%s", why.text) : 0;
}

static int fill(struct reindexing *r, struct err *e)
{
	int rc = r->progress ? files_walk_documents(r->s->dirfd, count_file, r, e) : 0;

	if (rc == 0)
		rc = db_run(r->db, DB_BEGIN, DB_NONE, e);
	if (rc == 0)
		rc = take_all(r, e);
	if (rc == 0)
		rc = take_acts(r, e);
	return rc == 0 ? db_run(r->db, DB_COMMIT, DB_NONE, e) : rc;
}

static void remove_new(const struct store *s)
{
	char name[64];

	for (const char *const *suffix = db_suffixes(store_backend()); *suffix; suffix++) {
		snprintf(name, sizeof name, "%s%s", NEW_DB, *suffix);
		unlinkat(s->dirfd, name, 0);
	}
}

static int set_old_aside(const struct store *s, struct err *e)
{
	char name[64], where[FILES_ASIDE_MAX];

	for (const char *const *suffix = db_suffixes(store_backend()); *suffix; suffix++) {
		snprintf(name, sizeof name, "%s%s", STORE_DB, *suffix);
		if (faccessat(s->dirfd, name, F_OK, 0) < 0)
			continue;
		int rc = files_set_aside(s->dirfd, name, where, e);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* The new file is made durable first, then it gets its name, and that is made durable. */
static int publish(struct reindexing *r, struct err *e)
{
	int rc = db_build_done(r->db, e);

	r->db = NULL;
	if (rc == 0)
		rc = files_sync(r->s->dirfd, e);
	if (rc == 0 && r->no_old)
		rc = set_old_aside(r->s, e);
	if (rc == 0 && renameat(r->s->dirfd, NEW_DB, r->s->dirfd, STORE_DB) < 0)
		rc = err_sys(e, "rename %s", NEW_DB);
	return rc == 0 ? files_sync(r->s->dirfd, e) : rc;
}

int store_rebuild(struct store *s, progress_fn *progress, void *arg, bool *lost, struct err *e)
{
	char old[STORE_PATH_MAX], new[STORE_PATH_MAX];
	struct err why = { 0 }, first = { 0 };
	struct reindexing r = { .s = s, .progress = progress, .arg = arg, .e = &first };

	store_path(s, STORE_DB, old);
	store_path(s, NEW_DB, new);
	int rc = finish_old(&r, old, &why);
	remove_new(s);
	if (rc == 0)
		rc = files_touch(s->dirfd, NEW_DB, &why);
	if (rc == 0)
		rc = db_open(store_backend(), new, DB_BUILD, &r.db, &why);
	if (rc == 0)
		rc = adopt_old(&r, old, &why);
	if (rc == 0)
		rc = fill(&r, &why);
	if (rc == 0)
		rc = publish(&r, &why);
	db_close(r.db);
	if (rc < 0) {
		remove_new(s);
		return err_set(e, why.code, "%s", why.text);
	}
	*lost = r.lost;
	if (first.code)
		err_set(e, first.code, "%s", first.text);
	return r.left_out;
}

int store_reindex(const char *dir, progress_fn *progress, void *arg, struct err *e)
{
	struct store *s;
	bool lost;
	int rc = store_attach(dir, STORE_WRITE, &s, e);

	if (rc < 0)
		return rc;
	rc = store_tell_upgrade(s, e);
	if (rc == 0)
		rc = store_rebuild(s, progress, arg, &lost, e);
	store_close(s);
	return rc;
}
