#include "pbm/run/crash_note.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/str.h"
#include "pbm/run/crash_guard.h"
#include "pbm/run/mail_sum.h"
#include "store/store_marks.h"

#define NOTE "attempt"
#define NAME_CHARS (MAIL_SUM_NAME - 1)
#define NOTE_BYTES (NAME_CHARS + 2) /* the name, a mark, a line end */
#define FAULT '!'                   /* the mark of a fault of ours */
#define DONE '-'                    /* ... of a mail whose work has ended */
#define MONTH (30 * 86400)

#define FAULTS_TIGHT 3 /* faults after which the mail is tried once more, with limits */
#define FAULTS_TELL 4  /* after which it is put aside */
#define FAULTS_ASIDE 5 /* after which its sender can't be told either */
#define KILLS_TIGHT 3  /* ends from outside after which limits tell who is at fault */

/* Seconds of processor time for one mail: the usual ones, and those of a mail that has
 * ended runs.  An MTA waits less than five seconds. */
#define CPU_USUAL 30
#define CPU_TIGHT 10
#define CPU_PIPE 3

/* Memory for a mail that has ended runs: less each time, but always enough for a
 * password's hash (64 MiB) and a large game. */
#define MIB ((size_t)1024 * 1024)
#define MEMORY_MOST (256 * MIB)
#define MEMORY_STEP (32 * MIB)
#define MEMORY_LEAST (128 * MIB)

/* Counters of the store that begin with these words. */
#define COUNT_FAULTS "crash:fault"
#define COUNT_KILLS "crash:kill"
#define COUNT_ANY "crash:any"

static const char *key_of(const char *what, const char *name, char key[60])
{
	snprintf(key, 60, "%s %s", what, name);
	return key;
}

int crash_note_count(struct site *site, const char *name, int64_t *count, struct err *e)
{
	return store_rate(site->store, PRINTED(60, "attempt:%s", name), clock_now(), MONTH, count,
	                  e);
}

/* Counts the kind of the last run's end, for the mail with this name. */
static int count_end(struct crash_note *t, const char *name, bool fault, struct err *e)
{
	char key[60];
	int64_t n = 0, any = 0, now = clock_now();
	int rc = store_begin(t->site->store, e);

	key_of(fault ? COUNT_FAULTS : COUNT_KILLS, name, key);
	if (rc == 0)
		rc = store_rate(t->site->store, key, now, MONTH, &n, e);
	if (rc == 0)
		rc = store_rate(t->site->store, COUNT_ANY, now, MONTH, &any, e);
	if (rc == 0)
		log_warn("the last run ended while it worked on %s: %s, number %lld", name,
		         fault ? "a fault of pbm" : "it was ended from outside", (long long)n);
	return store_end(t->site->store, rc, e);
}

static int open_note(struct crash_note *t, int flags)
{
	t->fd = open(SITE_PATH(t->site, NOTE), O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
	return t->fd;
}

static int empty_note(struct crash_note *t, struct err *e)
{
	return t->fd >= 0 && ftruncate(t->fd, 0) < 0 ? err_sys(e, "empty " NOTE) : 0;
}

/* Counts the note's mail, if the note has one. */
static int read_note(struct crash_note *t, struct err *e)
{
	char text[NOTE_BYTES + 1] = "";
	ssize_t n = pread(t->fd, text, NOTE_BYTES, 0);
	bool fault = n > NAME_CHARS && text[NAME_CHARS] == FAULT;
	bool done = n > NAME_CHARS && text[NAME_CHARS] == DONE;

	text[NAME_CHARS] = '\0';
	if (n < NAME_CHARS || strspn(text, "0123456789abcdef") != NAME_CHARS || done)
		return 0;
	int rc = count_end(t, text, fault, e);
	return rc < 0 ? rc : empty_note(t, e);
}

int crash_note_open(struct site *site, struct crash_note *out, struct err *e)
{
	int rc = 0;

	*out = (struct crash_note){ .site = site, .fd = -1 };
	if (open_note(out, 0) >= 0)
		rc = read_note(out, e);
	else if (errno != ENOENT)
		return err_sys(e, "open " NOTE);
	if (rc < 0 && out->fd >= 0) {
		close(out->fd);
		out->fd = -1;
	}
	return rc;
}

/* Has any run ended so within a month?  Asks once. */
static int look_for_any(struct crash_note *t, struct err *e)
{
	int64_t any;

	if (t->looked)
		return 0;
	int rc = store_rate_get(t->site->store, COUNT_ANY, clock_now(), &any, e);
	t->looked = rc == 0;
	t->counted = any > 0;
	return rc;
}

int crash_note_advise(struct crash_note *t, const struct mail_raw *raw, enum crash_advice *out,
                      int64_t *killed, struct err *e)
{
	char name[MAIL_SUM_NAME], key[60];
	int64_t faults = 0, now = clock_now();

	*out = CRASH_NONE;
	*killed = 0;
	int rc = look_for_any(t, e);
	if (rc < 0 || !t->counted)
		return rc;
	mail_sum_name(raw, name);
	rc = store_rate_get(t->site->store, key_of(COUNT_FAULTS, name, key), now, &faults, e);
	if (rc == 0)
		rc = store_rate_get(t->site->store, key_of(COUNT_KILLS, name, key), now, killed, e);
	if (rc < 0)
		return rc;
	if (faults >= FAULTS_ASIDE)
		*out = CRASH_ASIDE;
	else if (faults >= FAULTS_TELL)
		*out = CRASH_TELL;
	else if (faults >= FAULTS_TIGHT || *killed >= KILLS_TIGHT)
		*out = CRASH_TIGHT;
	else if (faults || *killed)
		*out = CRASH_APART;
	return 0;
}

static size_t memory_for(int64_t killed)
{
	int64_t steps = killed > KILLS_TIGHT ? killed - KILLS_TIGHT : 0;

	return steps >= (int64_t)((MEMORY_MOST - MEMORY_LEAST) / MEMORY_STEP)
	               ? MEMORY_LEAST
	               : MEMORY_MOST - (size_t)steps * MEMORY_STEP;
}

int crash_note_begin(struct crash_note *t, const struct mail_raw *raw, enum crash_advice advice,
                     int64_t killed, bool pipe, struct err *e)
{
	char text[NOTE_BYTES + 1];
	bool tight = advice >= CRASH_TIGHT;

	mail_sum_name(raw, text);
	text[NAME_CHARS] = '.';
	text[NAME_CHARS + 1] = '\n';
	if (t->fd < 0 && open_note(t, O_CREAT) < 0)
		return err_sys(e, "create " NOTE);
	if (pwrite(t->fd, text, NOTE_BYTES, 0) != NOTE_BYTES)
		return err_sys(e, "write " NOTE);
	crash_guard_begin(t->fd, NAME_CHARS, FAULT,
	                  !tight ? CPU_USUAL
	                  : pipe ? CPU_PIPE
	                         : CPU_TIGHT,
	                  tight ? memory_for(killed) : 0);
	return 0;
}

int crash_note_end(struct crash_note *t, struct err *e)
{
	static const char done = DONE;

	crash_guard_end();
	/* Overwrite instead of truncating: giving the file a block again takes far longer. */
	return pwrite(t->fd, &done, 1, NAME_CHARS) == 1 ? 0 : err_sys(e, "write " NOTE);
}

int crash_note_forget(struct crash_note *t, const struct mail_raw *raw, struct err *e)
{
	char name[MAIL_SUM_NAME], key[60];

	mail_sum_name(raw, name);
	store_rate_forget(t->site->store, key_of(COUNT_FAULTS, name, key), e);
	return store_rate_forget(t->site->store, key_of(COUNT_KILLS, name, key), e);
}

void crash_note_close(struct crash_note *t)
{
	if (t->fd < 0)
		return;
	close(t->fd);
	t->fd = -1;
	unlink(SITE_PATH(t->site, NOTE));
}
