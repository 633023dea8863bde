#include "store/store_sending.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "store/docs.h"
#include "store/store_inside.h"

/* A mail's sending should be noted soon after it.  So for 5 seconds store_resume() tries every
 * millisecond and usually comes before the processes that wait to open the store, which try
 * every 20.  After that it tries as rarely as they do. */
#define HURRY_MS 5000
#define HURRY_NS 1000000
#define POLL_NS 20000000

/* True when other processes find the file that is locked here.  After a pause the folder
 * may be another one, or the file may be deleted. */
static bool is_in_place(const struct store *s)
{
	struct stat ours, theirs;

	return fstat(s->sendfd, &ours) == 0 &&
	       fstatat(s->dirfd, STORE_LOCK, &theirs, AT_SYMLINK_NOFOLLOW) == 0 &&
	       ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

int store_sending_begin(struct store *s, struct err *e)
{
	if (s->lockfd < 0)
		return err_set(e, ERR_BAD, "sending without the right to write");
	if (s->sendfd >= 0 && is_in_place(s))
		return 1;
	store_unlock(&s->sendfd);
	int fd = openat(s->dirfd, STORE_LOCK, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return err_sys(e, "open %.300s/" STORE_LOCK, s->dir);
	if (store_lock_byte(fd, F_WRLCK) == 0) {
		s->sendfd = fd;
		return 1;
	}
	int rc = errno == EAGAIN || errno == EACCES
	                 ? 0
	                 : err_sys(e, "lock a byte of %.300s/" STORE_LOCK, s->dir);
	close(fd);
	return rc;
}

void store_sending_end(struct store *s)
{
	store_unlock(&s->sendfd);
}

int store_yield(struct store *s, struct err *e)
{
	if (s->lockfd < 0 || s->in_txn)
		return err_set(e, ERR_BAD, "the store cannot be given up now");
	int rc = store_check_certain(s, e);
	/* If the files cannot be written, the caller must know before it sends mails. */
	if (rc == 0 && !s->settled)
		rc = doc_settle(s, e);
	if (rc < 0)
		return rc;
	store_let_go(s);
	return 0;
}

int store_resume(struct store *s, int ms, struct err *e)
{
	int64_t from = clock_ms();
	AUTO(mem_free) struct store *anew = NULL;
	struct err why = { 0 };
	int rc;

	if (s->lockfd >= 0)
		return err_set(e, ERR_BAD, "the store was not given up");
	while ((rc = store_open(s->dir, STORE_WRITE, &anew, &why)) == ERR_BUSY &&
	       clock_ms() - from < ms) {
		err_clear(&why);
		nanosleep(&(struct timespec){ .tv_nsec = clock_ms() - from < HURRY_MS ? HURRY_NS
		                                                                      : POLL_NS },
		          NULL);
	}
	if (rc < 0)
		return err_set(e, why.code, "%s", why.text);
	close(s->dirfd);
	anew->sendfd = s->sendfd;
	*s = *anew;
	return 0;
}
