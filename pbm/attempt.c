#include "pbm/attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"

#define NOTE "attempt"
#define CRASHES_MAX 2
#define MONTH (30 * 86400)

void attempt_name(const struct mail_raw *raw, char name[ATTEMPT_NAME])
{
	unsigned char hash[crypto_hash_sha256_BYTES];

	crypto_hash_sha256(hash, (const unsigned char *)raw->bytes, raw->len);
	sodium_bin2hex(name, ATTEMPT_NAME, hash, (ATTEMPT_NAME - 1) / 2);
}

int attempt_count(struct site *site, const char *name, int64_t *count, struct err *e)
{
	char key[60];

	snprintf(key, sizeof key, "attempt:%s", name);
	return store_rate(site->store, key, clock_now(), MONTH, count, e);
}

/* Runs that it ended are another matter than failures that were reported. */
static int count_run(struct attempt *t, struct err *e)
{
	char key[60];

	snprintf(key, sizeof key, "crash:%s", t->blamed);
	return store_rate(t->site->store, key, clock_now(), MONTH, &t->crashes, e);
}

static int count_crash(struct attempt *t, struct err *e)
{
	int rc = store_begin(t->site->store, e);

	if (rc < 0)
		return rc;
	rc = count_run(t, e);
	if (rc == 0)
		return store_commit(t->site->store, e);
	store_abort(t->site->store);
	return rc;
}

static int open_note(struct attempt *t, int flags)
{
	char path[1100];

	t->fd = open(site_path(t->site, NOTE, path, sizeof path),
	             O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
	return t->fd;
}

int attempt_open(struct site *site, struct attempt *out, struct err *e)
{
	*out = (struct attempt){ .site = site, .fd = -1 };
	if (open_note(out, 0) < 0)
		return errno == ENOENT ? 0 : err_sys(e, "open " NOTE);
	ssize_t n = pread(out->fd, out->blamed, ATTEMPT_NAME - 1, 0);
	if (n != ATTEMPT_NAME - 1 || strspn(out->blamed, "0123456789abcdef") != ATTEMPT_NAME - 1)
		out->blamed[0] = '\0';
	if (!out->blamed[0])
		return 0;
	int rc = count_crash(out, e);
	if (rc < 0) {
		close(out->fd);
		out->fd = -1;
		return rc;
	}
	log_warn("the last run ended while it worked on mail %s", out->blamed);
	return attempt_end(out, e);
}

bool attempt_is_careful(const struct attempt *t)
{
	return t->blamed[0] != '\0';
}

int attempt_begin(struct attempt *t, const struct mail_raw *raw, struct err *e)
{
	char name[ATTEMPT_NAME + 1];

	attempt_name(raw, name);
	bool blamed = strcmp(name, t->blamed) == 0;
	if (blamed)
		t->blamed[0] = '\0';
	if (blamed && t->crashes >= CRASHES_MAX)
		return 1;
	if (t->fd < 0 && open_note(t, O_CREAT) < 0)
		return err_sys(e, "create " NOTE);
	name[ATTEMPT_NAME - 1] = '\n';
	if (pwrite(t->fd, name, ATTEMPT_NAME, 0) != ATTEMPT_NAME)
		return err_sys(e, "write " NOTE);
	return 0;
}

int attempt_end(struct attempt *t, struct err *e)
{
	return t->fd >= 0 && ftruncate(t->fd, 0) < 0 ? err_sys(e, "empty " NOTE) : 0;
}

void attempt_close(struct attempt *t)
{
	char path[1100];

	if (t->fd < 0)
		return;
	close(t->fd);
	t->fd = -1;
	unlink(site_path(t->site, NOTE, path, sizeof path));
}
