/* Reading a site that this process may not change: a copy on a read-only file system, or
 * another user's. */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "store/store_inside.h"

/* Locks as store_lock(), but with a file that can only be read. */
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
	int rc = store_lock(s, STORE_LOCK, &s->stillfd, &why);
	if (rc < 0)
		rc = is_writable(s) && faccessat(s->dirfd, STORE_LOCK, W_OK, AT_EACCESS) == 0
		             ? err_set(e, why.code, "%s", why.text)
		             : share_lock(s, e);
	if (rc == 0)
		return err_set(e, ERR_BUSY, "%.300s: another process is writing", s->dir);
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
