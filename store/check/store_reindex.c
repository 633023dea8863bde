/* Builds the new database in a file of its own.  A rename replaces the old one, which
 * is untouched until then.  On a server all is one transaction. */
#include "store/check/store_reindex.h"

#include <stdio.h>
#include <unistd.h>

#include "store/check/fill.h"
#include "store/db/queues.h"
#include "store/docs.h"
#include "store/document/files.h"
#include "store/store_backend.h"
#include "store/store_inside.h"
#include "store/store_upgrade.h"

struct reindexing {
	struct store *s;
	struct fill fill;
	bool no_old; /* there is no old database to take rows from */
	bool lost;   /* the old one is unreadable; it goes to damaged/ */
};

static void give_up_old(struct reindexing *r, const char *why)
{
	const char *what = PRINTED(
		600, "%.400s; it was moved to damaged/, its outbox and seen marks are lost", why);
	r->no_old = r->lost = true;
	fill_leave_out(&r->fill, what);
}

/* An unreadable database is given up, a missing one has nothing. */
static int judge_old(struct reindexing *r, int rc, const struct err *why, struct err *e)
{
	if (rc == ERR_NOT_FOUND)
		r->no_old = true; /* but its -wal and -shm files may be there */
	else if (rc == ERR_DAMAGED || rc == ERR_CONFLICT)
		give_up_old(r, why->text);
	else if (rc < 0)
		return err_set(e, why->code, "%s", why->text);
	return 0;
}

/* Writes the old database's pending rows to their files, and takes its queues. */
static int take_old(struct reindexing *r, struct err *e)
{
	struct err why = { 0 };
	bool unread = false;
	int rc = store_open_db(r->s, DB_WRITE, &r->s->db, &why);

	if (rc == 0)
		rc = doc_settle(r->s, &why);
	if (rc < 0)
		return judge_old(r, rc, &why, e);
	rc = db_run(r->fill.to, DB_MARK, DB_NONE, e);
	if (rc < 0)
		return rc;
	rc = db_copy_queues(r->s->db, r->fill.to, &unread, &why);
	if (rc < 0 && !unread && rc != ERR_CONFLICT)
		return err_set(e, why.code, "%s", why.text);
	if (rc < 0 && db_run(r->fill.to, DB_MARK_ROLLBACK, DB_NONE, e) < 0)
		return e->code;
	return judge_old(r, rc, &why, e);
}

/* Makes the old database one file, which a rename can replace. */
static int close_old(struct reindexing *r, const char *path, struct err *e)
{
	struct err why = { 0 };

	db_close(r->s->db);
	r->s->db = NULL;
	return r->no_old ? 0 : judge_old(r, db_fold(store_backend(), path, &why), &why, e);
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

static int publish(struct reindexing *r, struct err *e)
{
	int rc = fill_finish(&r->fill, e);

	if (rc == 0)
		rc = files_sync(r->s->dirfd, e);
	if (rc == 0 && r->no_old)
		rc = set_old_aside(r->s, e);
	return rc == 0 ? fill_name_file(&r->fill, e) : rc;
}

static int rebuild_file(struct reindexing *r, struct err *e)
{
	char old[STORE_PATH_MAX];
	int rc = fill_open_file(&r->fill, e);

	store_path(r->s, STORE_DB, old);
	if (rc == 0)
		rc = db_build(r->fill.to, e);
	if (rc == 0)
		rc = take_old(r, e);
	if (rc == 0)
		rc = close_old(r, old, e);
	if (rc == 0)
		rc = fill_index(&r->fill, e);
	if (rc == 0)
		rc = publish(r, e);
	if (rc < 0)
		fill_remove_file(&r->fill);
	return rc;
}

/* The documents and queues are rows that stay; others read the old index until the commit. */
static int rebuild_server(struct reindexing *r, struct err *e)
{
	int rc = store_open_db(r->s, DB_BUILD, &r->fill.to, e);

	if (rc == 0)
		rc = db_build(r->fill.to, e);
	if (rc == 0)
		rc = store_open_db(r->s, DB_READ, &r->s->db, e);
	if (rc == 0)
		rc = fill_index(&r->fill, e);
	return rc == 0 ? fill_finish(&r->fill, e) : rc;
}

int store_rebuild(struct store *s, progress_fn *progress, void *arg, bool *lost, struct err *e)
{
	struct reindexing r = { .s = s,
		                .fill = { .from = s, .progress = progress, .progress_arg = arg } };
	struct err why = { 0 };
	int rc = store_backend_url() ? rebuild_server(&r, &why) : rebuild_file(&r, &why);

	db_close(r.fill.to);
	db_close(s->db);
	s->db = NULL;
	if (rc < 0)
		return err_set(e, why.code, "%s", why.text);
	*lost = r.lost;
	if (r.fill.first.code)
		err_set(e, r.fill.first.code, "%s", r.fill.first.text);
	return r.fill.left_out;
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
