#include "store/check/store_migrate.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "store/check/fill.h"
#include "store/db/queues.h"
#include "store/docs.h"
#include "store/document/files.h"
#include "store/shared/store_workers.h"
#include "store/store_backend.h"
#include "store/store_inside.h"

/* While this file is there, the folder's documents are those of a migration that was cut off. */
#define UNDER_WAY "pbm.db.migrating"

#define AT_WORK 120 /* seconds since the last run of a machine; one runs each minute */

static int refuse_path(const char *path, void *, struct err *e)
{
	return err_set(
		e, ERR_CONFLICT,
		"%s is there already: the new store must be empty; move games, players, tournaments, acts, pbm.db, "
		"pbm.db-wal and pbm.db-shm out of the site's folder first",
		path);
}

/* A migration that was cut off after its commit left rows that nobody has used. */
static int refuse_row(const struct db_row *row, void *unused, struct err *e)
{
	*(bool *)unused = strcmp(db_row_text(row, 0), STORE_UNUSED) == 0;
	return *(bool *)unused
	               ? 0
	               : err_set(e, ERR_CONFLICT,
	                         "PostgreSQL: %s is there already: the new store must be empty",
	                         db_row_text(row, 0));
}

static int refuse_rows(struct db *db, bool *unused, struct err *e)
{
	*unused = false;
	return db_each(db, DB_DOCUMENTS, DB_ARGS(db_text(""), db_text("~"), db_int(1)), refuse_row,
	               unused, e);
}

static int put_row(const char *path, const struct str *bytes, void *arg, struct err *e)
{
	const struct fill *f = arg;

	return db_run(f->to, DB_PENDING_PUT,
	              DB_ARGS(db_text(path), db_bytes(bytes->data, bytes->len), db_int(DOC_WHOLE)),
	              e);
}

static int put_file(const char *path, const struct str *bytes, void *arg, struct err *e)
{
	const struct fill *f = arg;

	return files_write(f->from->dirfd, path, bytes->data, bytes->len, e);
}

static int refuse_files(struct store *s, struct err *e)
{
	static const char *const folders[] = { "games", "players", "tournaments", "acts" };
	char name[64];
	int rc = 0;

	/* SQLite would replay the old log into the new file. */
	for (const char *const *end = db_suffixes(store_file_backend()); rc == 0 && *end; end++) {
		snprintf(name, sizeof name, "%s%s", STORE_DB, *end);
		rc = files_has(s->dirfd, name) ? refuse_path(name, NULL, e) : 0;
	}
	for (size_t i = 0; rc == 0 && i < sizeof folders / sizeof *folders; i++)
		if (files_has(s->dirfd, folders[i]))
			rc = files_walk(s->dirfd, folders[i], FILES_DOCUMENTS, refuse_path, NULL,
			                e);
	return rc;
}

static int begin_files(struct store *s, struct fill *f, struct err *e)
{
	int rc = files_has(s->dirfd, UNDER_WAY) ? 0 : refuse_files(s, e);

	if (rc == 0)
		rc = files_touch(s->dirfd, UNDER_WAY, e);
	if (rc == 0)
		rc = files_sync(s->dirfd, e);
	if (rc == 0)
		rc = files_create(s->dirfd, e);
	return rc == 0 ? fill_open_file(f, e) : rc;
}

static int begin_rows(const struct db_backend *backend, const char *url, struct fill *f,
                      struct err *e)
{
	bool unused;
	int rc = db_open(backend, url, DB_BUILD, &f->to, e);

	return rc == 0 ? refuse_rows(f->to, &unused, e) : rc;
}

/* In its transaction: another migration may have been quicker. */
static int make_empty(const struct fill *f, struct err *e)
{
	struct db *to = f->to;
	bool unused;
	int rc = refuse_rows(to, &unused, e);

	if (rc == 0 && unused)
		rc = db_empty(to, e);
	if (rc == 0)
		rc = store_mark_moved(f->from, to, NULL, e); /* a site has left it before */
	return rc == 0 ? db_run(to, DB_PENDING_PUT,
	                        DB_ARGS(db_text(STORE_UNUSED), db_bytes("", 0), db_int(DOC_WHOLE)),
	                        e)
	               : rc;
}

/* Both stores are locked. */
static int copy(struct fill *f, struct err *e)
{
	bool unread;
	int rc = db_build(f->to, e);

	if (rc == 0 && db_is_shared(f->to))
		rc = make_empty(f, e);
	if (rc == 0)
		rc = db_copy_queues(f->from->db, f->to, &unread, e);
	if (rc == 0)
		rc = fill_index(f, e);
	if (rc == 0 && f->left_out)
		rc = err_set(e, f->first.code, "%s", f->first.text);
	return rc == 0 ? fill_finish(f, e) : rc;
}

struct machines {
	const char *here;
	struct err *e;
};

static int refuse_machine(const struct worker *w, void *arg)
{
	const struct machines *m = arg;
	int64_t ago = clock_now() - w->at;

	return strcmp(w->name, m->here) == 0
	               ? 0
	               : err_set(m->e, ERR_CONFLICT,
	                         "the machine %.100s is at work (last run %lld seconds ago): stop pbm "
	                         "work there first, and begin again %d minutes after its last run",
	                         w->name, (long long)(ago > 0 ? ago : 0), AT_WORK / 60);
}

/* A server's other machines wait, and none may be one that would go on in the old store. */
static int lock_server(struct store *s, struct err *e)
{
	struct machines m = { store_worker_name(s), e };
	int rc = store_workers(s, clock_now() - AT_WORK, refuse_machine, &m, e);

	if (rc == 0)
		rc = db_run(s->db, DB_ALONE, DB_NONE, e);
	if (rc == 0)
		rc = db_run(s->db, DB_BEGIN, DB_NONE, e);
	return rc == 0 ? db_be_patient(s->db, e) : rc;
}

/* The lock of a server is lost with the connection: is it still there? */
static int check_lock(struct store *s, struct err *e)
{
	return db_run(s->db, DB_COUNT, DB_ARGS(db_text("all")), e);
}

/* Nobody writes to a store with the mark but this migration, if it is cut off and goes on.  Until the
 * connection ends, others wait for it. */
static int mark(struct store *s, const char *to, struct err *e)
{
	int rc = store_mark_moved(s, s->db, to, e);

	return rc == 0 ? db_run(s->db, DB_COMMIT, DB_NONE, e) : rc;
}

/* The mark comes first: a machine must never go on in a store that the site has left. */
static int leave(struct store *s, const struct migration *m, struct err *e)
{
	int rc = mark(s, m->url, e);

	if (rc == 0)
		rc = m->use(m->arg, e);
	if (rc < 0 && db_run(s->db, DB_BEGIN, DB_NONE, NULL) == 0)
		mark(s, NULL, NULL);
	return rc;
}

static int fill_new(struct store *s, const struct migration *m, struct fill *f, struct err *e)
{
	const struct db_backend *backend = NULL;
	bool to_files = strcmp(m->url, "sqlite:") == 0;
	int rc = store_find_backend(m->url, &backend, e);

	f->copy = to_files ? put_file : put_row;
	f->arg = f;
	if (rc == 0)
		rc = to_files ? begin_files(s, f, e) : begin_rows(backend, m->url, f, e);
	if (rc == 0)
		rc = copy(f, e);
	return rc == 0 && to_files ? fill_name_file(f, e) : rc;
}

static int migrate(struct store *s, const struct migration *m, struct fill *f, struct err *e)
{
	bool from_server = db_is_shared(s->db);
	int rc = from_server ? lock_server(s, e) : 0;

	if (rc == 0)
		rc = fill_new(s, m, f, e);
	if (rc == 0 && from_server)
		rc = check_lock(s, e);
	if (rc == 0)
		rc = from_server ? leave(s, m, e) : m->use(m->arg, e);
	if (rc == 0)
		unlinkat(s->dirfd, UNDER_WAY, 0);
	if (from_server && db_in_transaction(s->db))
		db_run(s->db, DB_ROLLBACK, DB_NONE, NULL);
	return rc;
}

int store_migrate(const struct migration *m, int64_t *count, struct err *e)
{
	struct err why = { 0 };
	struct store *s = NULL;
	const char *here = store_backend_url();
	int rc = store_open(m->dir, STORE_MOVE, &s, e);

	if (rc < 0)
		return rc;
	struct fill f = { .from = s, .progress = m->progress, .progress_arg = m->arg };
	if (!here) /* what a migration left is no news */
		unlinkat(s->dirfd, UNDER_WAY, 0);
	rc = strcmp(m->url, here ? here : "sqlite:") == 0
	             ? err_set(&why, ERR_CONFLICT, "the store is there already")
	             : migrate(s, m, &f, &why);
	db_close(f.to);
	store_close(s);
	*count = f.done;
	return rc < 0 ? err_set(e, why.code, "%s", why.text) : 0;
}
