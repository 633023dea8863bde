/* A mail server takes its time, and others want to write meanwhile: the store is
 * given up, and opened anew afterwards, so that nothing that was read before is
 * believed.  Who sends has a lock of its own. */
#include "store/store_sending.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "store/inside.h"

/* Whoever resumes comes before those that begin, who look every 20 ms: what was
 * sent is to be noted soon.  If that does not help, it is a long wait. */
#define HURRY_MS 5000
#define HURRY_NS 1000000
#define POLL_NS 20000000

/* Is what we have locked still the file that the others look at?  The folder may
 * be another one after a pause, or the file be deleted. */
static bool is_in_place(const struct store *s)
{
	struct stat ours, theirs;

	return fstat(s->sendfd, &ours) == 0 &&
	       fstatat(s->dirfd, STORE_SENDING, &theirs, AT_SYMLINK_NOFOLLOW) == 0 &&
	       ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

int store_sending_begin(struct store *s, struct err *e)
{
	if (s->lockfd < 0)
		return err_set(e, ERR_BAD, "sending without the right to write");
	if (s->sendfd >= 0 && is_in_place(s))
		return 1;
	store_unlock(&s->sendfd);
	return store_lock(s, STORE_SENDING, &s->sendfd, e);
}

void store_sending_end(struct store *s)
{
	store_unlock(&s->sendfd);
}

int store_yield(struct store *s, struct err *e)
{
	if (s->lockfd < 0 || s->in_txn)
		return err_set(e, ERR_BAD, "the store can't be given up now");
	if (s->uncertain)
		return err_set(e, ERR_UNCERTAIN, "a commit went wrong: open the store anew");
	/* Where this fails now it would fail at resume, when mails have left. */
	int rc = s->settled ? 0 : store_settle(s, e);
	if (rc < 0)
		return rc;
	db_keep_log(s->db);
	store_let_go(s);
	return 0;
}

int store_resume(struct store *s, int ms, struct err *e)
{
	int64_t from = clock_ms();
	struct store *anew = NULL;
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
	free(anew);
	return 0;
}
