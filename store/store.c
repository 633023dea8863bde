/* A crash is harmless because of this order: commit (the pending rows are durable),
 * write the files, flush them, and only then delete the rows. */
#include "store/store.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "pbm/base/io.h"
#include "store/docs.h"
#include "store/document/files.h"
#include "store/store_backend.h"
#include "store/store_inside.h"
#include "store/store_upgrade.h"

static int stop_at_first(const char *path, void *, struct err *e)
{
	return err_set(e, ERR_DAMAGED, "there is %s, but no %s; pbm reindex makes it", path,
	               STORE_DB);
}

/* An empty database beside existing games would give their board numbers again. */
static int refuse_orphans(struct store *s, struct err *e)
{
	if (store_backend_url() || faccessat(s->dirfd, STORE_DB, F_OK, 0) == 0)
		return 0;
	int rc = files_walk(s->dirfd, "games", FILES_DOCUMENTS, stop_at_first, NULL, e);
	return rc == 0 ? files_walk(s->dirfd, "players", FILES_DOCUMENTS, stop_at_first, NULL, e)
	               : rc;
}

int store_create(const char *dir, struct err *e)
{
	struct store *s = NULL;
	int rc = io_make_dirs(AT_FDCWD, dir, FILES_DIR_MODE, e);

	if (rc == 0)
		rc = store_attach(dir, STORE_WRITE, &s, e);
	if (rc == 0)
		rc = files_create(s->dirfd, e);
	if (rc == 0)
		rc = refuse_orphans(s, e);
	if (rc == 0 && !store_backend_url())
		rc = files_touch(s->dirfd, STORE_DB, e);
	if (rc == 0)
		rc = store_open_db(s, DB_CREATE, &s->db, e);
	if (rc == 0)
		rc = files_sync(s->dirfd, e);
	store_close(s);
	return rc;
}

bool store_is_shared(const struct store *s)
{
	return db_is_shared(s->db);
}

int store_open(const char *dir, enum store_mode mode, struct store **out, struct err *e)
{
	struct store *s = NULL;
	int rc = store_attach(dir, mode, &s, e);

	if (rc < 0 || !s)
		return rc;
	if (mode >= STORE_WRITE)
		rc = store_tell_upgrade(s, e);
	if (rc == 0)
		rc = mode == STORE_READ
		             ? store_open_db_to_read(s, e)
		             : store_open_db(s, mode == STORE_ADD ? DB_ADD : DB_WRITE, &s->db, e);
	if (rc == 0 && mode >= STORE_WRITE)
		rc = doc_settle(s, e);
	/* Perhaps a migration's mark is to be deleted. */
	s->leftover |= rc == 0 && mode >= STORE_WRITE && store_is_shared(s);
	if (rc == 0)
		*out = s;
	else
		store_close(s);
	return rc;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	store_abort(s);
	store_let_go(s);
	store_unlock(&s->sendfd);
	store_unlock(&s->stillfd);
	if (s->dirfd >= 0)
		close(s->dirfd);
	free(s);
}

/* Another process may change now what the transaction knew that has ended. */
static void forget_known(struct store *s)
{
	player_cache_forget(&s->known);
	s->no_value = NULL;
}

static int begin_new(struct store *s, bool light, struct err *e)
{
	/* Files that could not be written at the last commit, for example to a full disk. */
	if (!s->settled)
		doc_settle(s, NULL);
	/* Only when there are rows: the query writes a page in any case. */
	bool clear = s->settled && s->leftover && (light || doc_flush(s, NULL) == 0);
	int rc = db_set_durable(s->db, !light, e);

	if (rc == 0)
		rc = db_run(s->db, DB_BEGIN, DB_NONE, e);
	if (rc < 0)
		return rc;
	s->in_txn = true;
	s->transactions++;
	s->light = light;
	if (clear)
		rc = db_run(s->db, DB_PENDING_CLEAR, DB_NONE, e);
	if (rc < 0)
		store_abort(s);
	return rc;
}

static int begin(struct store *s, bool light, struct err *e)
{
	if (s->lockfd < 0 || s->in_txn)
		return err_set(e, ERR_BAD,
		               s->in_txn ? "a transaction is open already"
		                         : "the store is open for reading only");
	int rc = store_check_certain(s, e);
	if (rc == 0 && !light)
		rc = store_end_open(s, e);
	if (rc == 0 && !s->left_open)
		return begin_new(s, light, e);
	s->in_txn = rc == 0;
	db_keep_errors(s->db, s->in_txn);
	return rc;
}

int store_begin(struct store *s, struct err *e)
{
	return begin(s, false, e);
}

uint64_t store_transaction(const struct store *s)
{
	return s->in_txn ? s->transactions : 0;
}

int store_begin_light(struct store *s, struct err *e)
{
	return begin(s, true, e);
}

int store_mark(struct store *s, struct err *e)
{
	int rc = store_may_write(s, e);

	if (rc == 0 && s->marked)
		rc = err_set(e, ERR_BAD, "a mark is set already");
	if (rc == 0)
		rc = db_run(s->db, DB_MARK, DB_NONE, e);
	if (rc == 0)
		s->marked = true;
	return rc;
}

static int release_mark(struct store *s, struct err *e)
{
	int rc = store_may_write(s, e);

	if (rc == 0 && s->marked)
		rc = db_run(s->db, DB_MARK_RELEASE, DB_NONE, e);
	s->marked = s->marked && rc < 0;
	return rc;
}

int store_end_mark(struct store *s, int rc, struct err *why, struct err *e)
{
	if (rc >= 0)
		rc = release_mark(s, why);
	if (rc >= 0)
		return 0;
	forget_known(s);
	/* Without the whole transaction there is no mark to go back to. */
	if (!s->marked || db_run(s->db, DB_MARK_ROLLBACK, DB_NONE, NULL) < 0)
		return err_set(e, ERR_SYSTEM, "%s", why->text);
	rc = release_mark(s, e);
	return rc == 0 ? 1 : rc;
}

int store_commit(struct store *s, struct err *e)
{
	int rc = store_may_write(s, e);

	if (rc == 0 && s->light)
		rc = store_flush_before(s, e);
	if (rc == 0)
		rc = db_run(s->db, DB_COMMIT, DB_NONE, e);
	if (rc == ERR_UNCERTAIN)
		s->uncertain = true;
	if (rc < 0) {
		store_abort(s);
		return rc;
	}
	s->in_txn = s->marked = s->light = s->left_open = false;
	forget_known(s);
	doc_settle(s, NULL); /* if it fails, the next begin or open repeats it */
	return 0;
}

void store_abort(struct store *s)
{
	if (s->in_txn) {
		db_run(s->db, DB_ROLLBACK, DB_NONE, NULL);
		s->light = s->left_open = false;
		if (s->afterfd >= 0)
			close(s->afterfd);
		s->afterfd = -1;
	}
	s->in_txn = s->marked = false;
	forget_known(s);
}

int store_end(struct store *s, int rc, struct err *e)
{
	if (rc >= 0)
		return store_commit(s, e);
	store_abort(s);
	return rc;
}

int store_light_after(struct store *s, int dirfd, struct err *e)
{
	if (!s->in_txn || !s->light)
		return err_set(e, ERR_BAD, "not in a light transaction");
	int fd = fcntl(dirfd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return err_sys(e, "a folder to flush");
	if (s->afterfd >= 0)
		close(s->afterfd);
	s->afterfd = fd;
	s->after = io_written();
	return 0;
}

int store_end_light(struct store *s, int rc, bool more, struct err *e)
{
	if (rc == 0 && s->in_txn)
		rc = db_failed(s->db, e);
	/* Other machines would wait for a transaction that waits. */
	if (rc < 0 || !more || !s->in_txn || db_is_shared(s->db))
		return store_end(s, rc, e);
	db_keep_errors(s->db, false);
	s->in_txn = false;
	s->left_open = true;
	return 0;
}
