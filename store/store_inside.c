#include "store/store_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/base/io.h"
#include "pbm/base/mem.h"
#include "pbm/base/utf8.h"
#include "store/docs.h"
#include "store/document/files.h"
#include "store/store_backend.h"

void store_path(const struct store *s, const char *name, char *buf)
{
	snprintf(buf, STORE_PATH_MAX, "%.900s/%s", s->dir, name);
}

/* Gives a new file that root makes by hand to the site's own user, who could not open it
 * otherwise.  SQLite does the same with its files.  If even root may not change the owner, the
 * file stays as it is. */
static bool give_to_owner(const struct store *s, int file)
{
	struct stat folder, ours;

	return geteuid() == 0 && fstat(s->dirfd, &folder) == 0 && fstat(file, &ours) == 0 &&
	       folder.st_uid != ours.st_uid && fchown(file, folder.st_uid, folder.st_gid) == 0;
}

/* Opens the file dir/name and locks it.  1: *fd has the lock; 0: another process has. */
static int lock_file(const struct store *s, const char *name, int *fd, struct err *e)
{
	int file = openat(s->dirfd, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, FILES_MODE);

	if (file < 0)
		return err_sys(e, "open %.300s/%s", s->dir, name);
	if (flock(file, LOCK_EX | LOCK_NB) == 0) {
		give_to_owner(s, file);
		*fd = file;
		return 1;
	}
	int rc = errno == EWOULDBLOCK ? 0 : err_sys(e, "flock %.300s/%s", s->dir, name);
	close(file);
	return rc;
}

int store_lock_byte(int fd, short type)
{
	return fcntl(
		fd, F_OFD_SETLK,
		&(struct flock){ .l_type = type, .l_whence = SEEK_SET, .l_start = 1, .l_len = 1 });
}

void store_unlock(int *fd)
{
	if (*fd >= 0) {
		flock(*fd, LOCK_UN);
		store_lock_byte(*fd, F_UNLCK);
		close(*fd);
	}
	*fd = -1;
}

/* While a process writes, the lock's file has one byte.  A process that finds this byte follows
 * one that was killed, or that does not know whether its last commit is on the disk: so it first
 * puts the log that the system remembers onto the disk. */
static int take_lock(struct store *s, struct err *e)
{
	struct stat st;
	char path[STORE_PATH_MAX];
	int rc = lock_file(s, STORE_LOCK, &s->lockfd, e);

	if (rc == 0)
		return err_set(e, ERR_BUSY,
		               "%.300s: another process is writing; try again in a moment", s->dir);
	if (rc < 0)
		return rc;
	store_path(s, STORE_DB, path);
	rc = fstat(s->lockfd, &st) < 0 ? err_sys(e, "stat " STORE_LOCK) : 0;
	if (rc == 0 && st.st_size > 0)
		rc = db_harden(store_backend(), path, e);
	else if (rc == 0 && ftruncate(s->lockfd, 1) < 0)
		rc = err_sys(e, "write " STORE_LOCK);
	s->uncertain = rc < 0; /* the byte stays */
	return rc;
}

int store_attach(const char *dir, enum store_mode mode, struct store **out, struct err *e)
{
	struct store *s = mem_alloc(sizeof *s);
	int rc = 0;

	s->moves = mode == STORE_MOVE;
	s->lockfd = s->sendfd = s->stillfd = s->afterfd = -1;
	store_worker(s->worker, sizeof s->worker);
	s->dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if ((size_t)snprintf(s->dir, sizeof s->dir, "%s", dir) > 900)
		rc = err_set(e, ERR_LIMIT, "the path is too long: %.100s", dir);
	else if (s->dirfd < 0 && errno == ENOENT)
		rc = err_set(e, ERR_NOT_FOUND, "%.300s: no such directory", dir);
	else if (s->dirfd < 0)
		rc = err_sys(e, "open %.300s", dir);
	if (rc == 0 && mode >= STORE_WRITE)
		rc = take_lock(s, e);
	if (rc == 0)
		*out = s;
	if (rc == 0)
		return 0;
	store_let_go(s);
	if (s->dirfd >= 0)
		close(s->dirfd);
	free(s);
	return rc;
}

int store_open_db(const struct store *s, enum db_mode mode, struct db **out, struct err *e)
{
	const char *url = store_backend_url();
	char path[STORE_PATH_MAX];

	store_path(s, STORE_DB, path);
	int rc = db_open(store_backend(), url ? url : path, mode, out, e);
	if (rc == 0 && mode >= DB_ADD && (rc = store_refuse_moved(s, *out, e)) < 0) {
		db_close(*out);
		*out = NULL;
	}
	return rc < 0 ? rc : 0;
}

int store_flush_before(struct store *s, struct err *e)
{
	int rc = s->settled ? doc_flush(s, e) : 0;

	if (rc == 0 && s->afterfd >= 0)
		rc = io_sync_fs(s->afterfd, s->after, e);
	if (s->afterfd >= 0)
		close(s->afterfd);
	s->afterfd = -1;
	return rc;
}

int store_end_open(struct store *s, struct err *e)
{
	if (!s->left_open)
		return 0;
	int rc = store_flush_before(s, e);
	if (rc == 0)
		rc = db_run(s->db, DB_COMMIT, DB_NONE, e);
	if (rc == ERR_UNCERTAIN)
		s->uncertain = true;
	if (rc < 0)
		db_run(s->db, DB_ROLLBACK, DB_NONE, NULL);
	else if (s->settled)
		s->leftover = false; /* the transaction has deleted the rows */
	s->left_open = s->light = false;
	return rc;
}

void store_let_go(struct store *s)
{
	if (s->db && s->left_open)
		store_end_open(s, NULL);
	/* Not necessary, since the next open would do it; but a closed store needs no more work. */
	if (s->db && !db_is_shared(s->db) && s->lockfd >= 0 && s->settled && s->leftover &&
	    !s->uncertain)
		doc_forget(s, NULL);
	if (s->db && s->lockfd >= 0)
		db_keep_log(s->db);
	db_close(s->db);
	s->db = NULL;
	if (s->lockfd >= 0 && !s->uncertain && ftruncate(s->lockfd, 0) < 0)
		s->uncertain = true; /* the byte stays, and the next process is careful */
	store_unlock(&s->lockfd);
}

int store_check_certain(const struct store *s, struct err *e)
{
	return s->uncertain ? err_set(e, ERR_UNCERTAIN,
	                              "a commit may have happened: open the store again")
	                    : 0;
}

int store_may_write(const struct store *s, struct err *e)
{
	if (s->uncertain)
		return store_check_certain(s, e);
	if (!s->in_txn)
		return err_set(e, ERR_BAD, "writing to the store outside a transaction");
	int rc = db_failed(s->db, e);
	/* For example on a full disk the database rolls back by itself. */
	if (rc == 0 && !db_in_transaction(s->db))
		rc = err_set(e, ERR_SYSTEM, "pbm.db: the transaction failed");
	return rc;
}

int store_change(struct store *s, enum db_query q, size_t n, const struct db_value *args,
                 struct err *e)
{
	int rc = store_may_write(s, e);

	return rc == 0 ? db_run(s->db, q, n, args, e) : rc;
}

int store_refuse(struct store *s, const struct err *why, struct err *e)
{
	if (s->in_txn)
		db_fail(s->db, why);
	return err_set(e, why->code, "%s", why->text);
}

int store_check_text(struct store *s, const char *what, const char *text, size_t max, struct err *e)
{
	struct err why = { 0 };

	if (!text)
		err_set(&why, ERR_BAD, "%s: is missing", what);
	else if (strlen(text) > max)
		err_set(&why, ERR_LIMIT, "%s: more than %zu bytes", what, max);
	return why.code ? store_refuse(s, &why, e) : 0;
}

struct db_value store_cut_text(const char *text, size_t max)
{
	struct db_value v = db_text(text);

	v.len = text ? utf8_cut(text, v.len, max) : 0;
	return v;
}

/* ---- reading a site that this process may not change: a copy on a read-only file system, or another
 * user's ---- */

/* Locks as lock_file(), but with a file that can only be read. */
static int share_lock(struct store *s, struct err *e)
{
	int fd = openat(s->dirfd, STORE_LOCK, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT || errno == EACCES
		               ? 1
		               : err_sys(e, "open %.300s/%s", s->dir, STORE_LOCK);
	if (flock(fd, LOCK_SH | LOCK_NB) == 0) {
		s->stillfd = fd;
		return 1;
	}
	int rc = errno == EWOULDBLOCK ? 0 : err_sys(e, "flock %.300s/%s", s->dir, STORE_LOCK);
	close(fd);
	return rc;
}

static bool is_writable(const struct store *s)
{
	return faccessat(s->dirfd, ".", W_OK, AT_EACCESS) == 0;
}

int store_hold_still(struct store *s, struct err *e)
{
	struct err why = { 0 };

	if (s->stillfd >= 0)
		return 0;
	int rc = lock_file(s, STORE_LOCK, &s->stillfd, &why);
	if (rc < 0)
		rc = is_writable(s) && faccessat(s->dirfd, STORE_LOCK, W_OK, AT_EACCESS) == 0
		             ? err_set(e, why.code, "%s", why.text)
		             : share_lock(s, e);
	if (rc == 0)
		return err_set(e, ERR_BUSY,
		               "%.300s: another process is writing; try again in a moment", s->dir);
	return rc < 0 ? rc : 0;
}

int store_open_db_to_read(struct store *s, struct err *e)
{
	struct err why = { 0 };
	int rc = store_open_db(s, DB_READ, &s->db, &why);

	if (rc != ERR_SYSTEM || is_writable(s))
		return rc < 0 ? err_set(e, why.code, "%s", why.text) : rc;
	rc = store_hold_still(s, e);
	return rc == 0 ? store_open_db(s, DB_STILL, &s->db, e) : rc;
}

const struct player_doc *player_cache_player(const struct player_cache *k, const char *key)
{
	for (size_t i = 0; i < k->count; i++)
		if (strcmp(k->player[i].key, key) == 0)
			return &k->player[i].doc;
	return NULL;
}

void player_cache_keep(struct player_cache *k, const char *key, const struct player_doc *p)
{
	if (k->count == PLAYER_CACHE_SIZE)
		player_cache_forget(k);
	struct player_cache_player *new = &k->player[k->count++];

	snprintf(new->key, sizeof new->key, "%s", key);
	player_doc_copy(&k->arena, p, &new->doc);
}

void player_cache_forget(struct player_cache *k)
{
	arena_release(&k->arena);
	k->count = 0;
}
