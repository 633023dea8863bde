/* Compares what the documents say with what the index says, and both with the
 * rules.  The documents are the truth; of two versions of a document the
 * pending row is the newer one.  Nothing is mended that would be a guess. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/files.h"
#include "store/store_fsck.h"
#include "store/store_reindex.h"

#define REWRITTEN_A_TRANSACTION 500

void fsck_finding(struct fsck *f, bool repaired, const char *fmt, ...)
{
	char what[800];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	f->left += !repaired;
	if (f->report)
		f->report(what, repaired, f->arg);
}

static int check_index(struct fsck *f, const struct stored *d, struct err *e)
{
	const char *differs = NULL;
	int rc = f->s->db ? stored_compare(d, f->s->db, &differs, e) : 0;

	if (rc < 0 || !differs)
		return rc;
	fsck_finding(f, f->repair, "%s: the index differs: %s", d->path, differs);
	return f->repair ? stored_index(d, f->s->db, e) : 0;
}

/* 1: somebody or something changed the file, and it is not accepted so. */
static int check_sum(struct fsck *f, const struct stored *d, struct err *e)
{
	struct err why = { 0 };
	int64_t sum = 0;
	int rc = f->s->db ? stored_sum(d, f->s->db, &sum, e) : 0;

	if (rc == 0 && f->repair)
		return stored_index(d, f->s->db, e); /* none yet: now there is one */
	if (rc <= 0 || sum == d->sum)
		return rc < 0 ? rc : 0;
	stored_complain_changed(d, &why);
	fsck_finding(f, f->accept, "%s", why.text);
	return f->accept ? stored_index(d, f->s->db, e) : 1;
}

static int check_bytes(struct fsck *f, struct stored *d, const char *bytes, size_t n, struct err *e)
{
	struct str canonical;
	int rc = stored_write(d, &canonical, e);

	if (rc < 0)
		return rc;
	if (canonical.len != n || memcmp(canonical.data, bytes, n) != 0) {
		fsck_finding(f, f->repair, "%s: not written the way pbm writes it", d->path);
		if (f->repair)
			rc = db_run(
				f->s->db, DB_PENDING_PUT,
				DB_ARGS(db_text(d->path), db_bytes(canonical.data, canonical.len)),
				e);
		if (rc == 0 && f->repair)
			rc = stored_index(d, f->s->db, e);
		f->rewritten += f->repair;
	}
	str_release(&canonical);
	return rc;
}

static int set_aside(struct fsck *f, const char *path, const char *why, bool mended, struct err *e)
{
	char where[FILES_ASIDE_MAX];

	if (!f->repair) {
		fsck_finding(f, false, "%s", why);
		return 0;
	}
	int rc = files_set_aside(f->s->dirfd, path, where, e);
	if (rc == 0)
		fsck_finding(f, mended, "%s; set aside as %s", why, where);
	return rc;
}

/* Nothing of a file that is not accepted is compared further. */
static int check_document(struct fsck *f, struct stored *d, struct arena *a, const char *bytes,
                          size_t n, struct err *e)
{
	struct err why = { 0 };
	int rc = stored_parse(d, a, bytes, n, &why);

	if (rc < 0)
		return set_aside(f, d->path, why.text, false, e);
	rc = check_sum(f, d, e);
	if (rc == 0)
		rc = check_bytes(f, d, bytes, n, e);
	if (rc == 0)
		rc = check_index(f, d, e);
	if (rc == 1)
		rc = 0;
	if (rc == 0 && d->board && f->verify && f->verify(&d->game, f->arg, &why) < 0)
		fsck_finding(f, false, "%s: %s", d->path, why.text);
	return rc;
}

static int found_row(const struct db_row *row, void *arg, struct err *e)
{
	(void)row;
	(void)arg;
	(void)e;
	return 1;
}

int fsck_is_pending(const struct fsck *f, const char *path, struct err *e)
{
	return db_each(f->s->db, DB_PENDING_GET, DB_ARGS(db_text(path)), found_row, NULL, e);
}

/* A sector that is gone, or a file of somebody else: no reason not to look at the
 * others.  It stays where it is, for it may be whole. */
static int report_unreadable(struct fsck *f, const char *why)
{
	fsck_finding(f, false, "%s", why);
	return 0;
}

/* A document written again goes the way of all: its sum and its bytes are durable
 * in the database before the file changes. */
static int commit(struct fsck *f, struct err *e)
{
	int rc = db_run(f->s->db, DB_COMMIT, DB_NONE, e);

	if (rc == 0 && f->rewritten)
		rc = store_settle(f->s, e);
	if (rc == 0 && f->rewritten)
		rc = store_forget_pending(f->s, e);
	f->rewritten = 0;
	return rc;
}

static int check_file(const char *path, void *arg, struct err *e)
{
	struct fsck *f = arg;
	struct arena a = { 0 };
	struct err why = { 0 };
	struct stored d;
	char *bytes = NULL, stray[600];
	size_t n = 0, len = strlen(path);

	if (!stored_path(path, &d)) {
		bool left_by_write = len > 4 && strcmp(path + len - 4, ".tmp") == 0;

		snprintf(stray, sizeof stray, "%.500s: not a file of the store", path);
		if (left_by_write)
			return set_aside(f, path, stray, true, e);
		fsck_finding(f, false, "%s", stray);
		return 0;
	}
	if (d.board > f->greatest_board)
		f->greatest_board = d.board;
	/* Only without repair: the file is not the newest version, and told so. */
	int rc = f->s->db ? fsck_is_pending(f, path, e) : 0;
	if (rc)
		return rc < 0 ? rc : 0;
	rc = stored_load(&d, f->s->dirfd, &bytes, &n, &why);
	if (rc == 0)
		rc = check_document(f, &d, &a, bytes, n, e);
	else if (rc == ERR_DAMAGED)
		rc = set_aside(f, path, why.text, false, e);
	else
		rc = report_unreadable(f, why.text);
	free(bytes);
	arena_release(&a);
	if (rc < 0 || f->rewritten < REWRITTEN_A_TRANSACTION)
		return rc;
	rc = commit(f, e);
	return rc == 0 ? db_run(f->s->db, DB_BEGIN, DB_NONE, e) : rc;
}

static int report_pending(const struct db_row *row, void *arg, struct err *e)
{
	struct fsck *f = arg;

	(void)e;
	fsck_finding(f, f->repair, "%.100s: waited in pbm.db for its file", db_row_text(row, 0));
	return 0;
}

static int check_pending(struct fsck *f, struct err *e)
{
	int rc = db_each(f->s->db, DB_PENDING_ALL, DB_NONE, report_pending, f, e);

	if (rc == 0 && f->repair)
		rc = store_settle(f->s, e);
	if (rc == 0 && f->repair)
		rc = store_forget_pending(f->s, e);
	return rc;
}

static int open_sound(struct fsck *f, struct err *e)
{
	int rc = store_open_db(f->s, STORE_DB, f->repair ? DB_WRITE : DB_READ, &f->s->db, e);

	if (rc == 0)
		rc = db_check(f->s->db, e);
	if (rc < 0) {
		db_close(f->s->db);
		f->s->db = NULL;
	}
	return rc;
}

/* An unreadable or missing database is made anew, or left out of the check. */
static int open_database(struct fsck *f, struct err *e)
{
	struct err why = { 0 };
	int rc = open_sound(f, &why);

	if (rc == 0)
		return 0;
	if (rc != ERR_DAMAGED && rc != ERR_NOT_FOUND)
		return err_set(e, why.code, "%s", why.text);
	fsck_finding(f, f->repair, "%s", why.text);
	if (!f->repair)
		return 0;
	bool lost = false;
	err_clear(&why);
	rc = store_rebuild(f->s, NULL, NULL, &lost, &why);
	if (rc < 0)
		return err_set(e, why.code, "%s", why.text);
	if (lost)
		fsck_finding(f, false,
		             "pbm.db: the old one is in damaged/, its outbox and marks are lost");
	return open_sound(f, e);
}

static int check_all(struct fsck *f, struct err *e)
{
	int rc = f->s->db ? check_pending(f, e) : 0;

	if (rc == 0 && f->repair)
		rc = db_run(f->s->db, DB_BEGIN, DB_NONE, e);
	if (rc == 0)
		rc = files_walk(f->s->dirfd, "games", FILES_DOCUMENTS, check_file, f, e);
	if (rc == 0)
		rc = files_walk(f->s->dirfd, "players", FILES_DOCUMENTS, check_file, f, e);
	if (rc == 0 && f->s->db)
		rc = fsck_rows(f, e);
	if (rc == 0 && f->repair)
		rc = commit(f, e);
	return rc == 0 && f->repair ? files_sync(f->s->dirfd, e) : rc;
}

int store_fsck(const char *dir, enum fsck_mode mode, verify_game_fn *verify, report_fn *report,
               void *arg, struct err *e)
{
	struct fsck f = { .repair = mode != FSCK_LOOK,
		          .accept = mode == FSCK_ACCEPT,
		          .verify = verify,
		          .report = report,
		          .arg = arg };
	int rc = store_attach(dir, STORE_WRITE, &f.s, e);

	if (rc < 0)
		return rc;
	rc = open_database(&f, e);
	if (rc == 0)
		rc = check_all(&f, e);
	if (f.s->db && db_in_transaction(f.s->db))
		db_run(f.s->db, DB_ROLLBACK, DB_NONE, NULL);
	f.s->settled = false; /* closing has nothing to tidy up */
	store_close(f.s);
	return rc < 0 ? rc : f.left;
}
