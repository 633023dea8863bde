#include "pbm/run/crash_note.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "store/store_marks.h"

#define NOTE "attempt"
#define CRASHES_MAX 2
#define MONTH (30 * 86400)

void crash_note_name(const struct mail_raw *raw, char name[CRASH_NOTE_NAME])
{
	unsigned char hash[crypto_hash_sha256_BYTES];

	crypto_hash_sha256(hash, (const unsigned char *)raw->bytes, raw->len);
	sodium_bin2hex(name, CRASH_NOTE_NAME, hash, (CRASH_NOTE_NAME - 1) / 2);
}

int crash_note_count(struct site *site, const char *name, int64_t *count, struct err *e)
{
	char key[60];

	snprintf(key, sizeof key, "attempt:%s", name);
	return store_rate(site->store, key, clock_now(), MONTH, count, e);
}

/* Runs that it ended are another matter than failures that were reported. */
static int count_run(struct crash_note *t, struct err *e)
{
	char key[60];

	snprintf(key, sizeof key, "crash:%s", t->blamed);
	return store_rate(t->site->store, key, clock_now(), MONTH, &t->crashes, e);
}

static int count_crash(struct crash_note *t, struct err *e)
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

static int open_note(struct crash_note *t, int flags)
{
	char path[1100];

	t->fd = open(site_path(t->site, NOTE, path, sizeof path),
	             O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
	return t->fd;
}

int crash_note_open(struct site *site, struct crash_note *out, struct err *e)
{
	*out = (struct crash_note){ .site = site, .fd = -1 };
	if (open_note(out, 0) < 0)
		return errno == ENOENT ? 0 : err_sys(e, "open " NOTE);
	ssize_t n = pread(out->fd, out->blamed, CRASH_NOTE_NAME - 1, 0);
	if (n != CRASH_NOTE_NAME - 1 ||
	    strspn(out->blamed, "0123456789abcdef") != CRASH_NOTE_NAME - 1)
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
	return crash_note_end(out, e);
}

bool crash_note_is_careful(const struct crash_note *t)
{
	return t->blamed[0] != '\0';
}

int crash_note_begin(struct crash_note *t, const struct mail_raw *raw, struct err *e)
{
	char name[CRASH_NOTE_NAME + 1];

	crash_note_name(raw, name);
	bool blamed = strcmp(name, t->blamed) == 0;
	if (blamed)
		t->blamed[0] = '\0';
	if (blamed && t->crashes >= CRASHES_MAX)
		return 1;
	if (t->fd < 0 && open_note(t, O_CREAT) < 0)
		return err_sys(e, "create " NOTE);
	name[CRASH_NOTE_NAME - 1] = '\n';
	if (pwrite(t->fd, name, CRASH_NOTE_NAME, 0) != CRASH_NOTE_NAME)
		return err_sys(e, "write " NOTE);
	return 0;
}

int crash_note_end(struct crash_note *t, struct err *e)
{
	return t->fd >= 0 && ftruncate(t->fd, 0) < 0 ? err_sys(e, "empty " NOTE) : 0;
}

void crash_note_close(struct crash_note *t)
{
	char path[1100];

	if (t->fd < 0)
		return;
	close(t->fd);
	t->fd = -1;
	unlink(site_path(t->site, NOTE, path, sizeof path));
}
