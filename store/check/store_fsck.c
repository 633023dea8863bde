/* The documents are the truth; of two versions of a document the pending row is the
 * newer one.  Nothing is mended that would be a guess. */
#include "store/check/store_fsck.h"

#include "store/check/fsck.h"
#include "store/check/store_reindex.h"
#include "store/docs.h"
#include "store/document/files.h"
#include "store/store_backend.h"
#include "store/store_upgrade.h"

static int report_pending(const struct db_row *row, void *arg, struct err *)
{
	struct fsck *f = arg;

	fsck_finding(f, f->repair, "%.100s: waited in pbm.db for its file", db_row_text(row, 0));
	return 0;
}

static int check_pending(struct fsck *f, struct err *e)
{
	int rc = db_each(f->s->db, DB_PENDING_ALL, DB_NONE, report_pending, f, e);

	if (rc == 0 && f->repair)
		rc = doc_settle(f->s, e);
	if (rc == 0 && f->repair)
		rc = doc_forget(f->s, e);
	return rc;
}

static int open_sound(struct fsck *f, struct err *e)
{
	int rc = f->repair ? store_tell_upgrade(f->s, e) : 0;

	if (rc == 0)
		rc = f->repair ? store_open_db(f->s, DB_WRITE, &f->s->db, e)
		               : store_open_db_to_read(f->s, e);
	if (rc == 0)
		rc = db_check(f->s->db, e);
	if (rc < 0) {
		db_close(f->s->db);
		f->s->db = NULL;
	}
	return rc;
}

/* A damaged or missing database is made again, or, without a repair, left out of the
 * check: then f->s->db is NULL. */
static int open_database(struct fsck *f, struct err *e)
{
	struct err why = { 0 };
	int rc = open_sound(f, &why);

	if (rc == 0)
		return 0;
	if (store_backend_url() || (rc != ERR_DAMAGED && rc != ERR_NOT_FOUND))
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
		fsck_finding(
			f, false,
			"pbm.db: the old one was moved to damaged/; its outbox and marks are lost");
	return open_sound(f, e);
}

static int check_all(struct fsck *f, struct err *e)
{
	int rc = f->s->db ? check_pending(f, e) : 0;

	/* The other machines of a server wait, too. */
	if (rc == 0 && (f->repair || (f->s->db && db_is_shared(f->s->db))))
		rc = db_run(f->s->db, DB_BEGIN, DB_NONE, e);
	if (rc == 0)
		rc = fsck_documents(f, e);
	if (rc == 0)
		rc = fsck_acts(f, e);
	if (rc == 0 && f->s->db)
		rc = fsck_rows(f, e);
	if (rc == 0 && f->repair)
		rc = fsck_commit(f, e);
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
	int rc = store_attach(dir, f.repair ? STORE_WRITE : STORE_READ, &f.s, e);

	if (rc < 0)
		return rc;
	if (!f.repair)
		rc = store_hold_still(f.s, e);
	if (rc == 0)
		rc = open_database(&f, e);
	if (rc == 0)
		rc = check_all(&f, e);
	if (f.s->db && db_in_transaction(f.s->db))
		db_run(f.s->db, DB_ROLLBACK, DB_NONE, NULL);
	f.s->settled = false; /* so closing does not touch the pending rows */
	store_close(f.s);
	return rc < 0 ? rc : f.left;
}
