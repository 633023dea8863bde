#include "pbm/run/fetch.h"

#include <stdio.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/str.h"
#include "pbm/outbox/operator.h"
#include "pbm/run/intake.h"
#include "pbm/run/mail_in.h"
#include "store/shared/store_inbox.h"
#include "store/shared/store_workers.h"
#include "store/store_marks.h"

#define UNREAD_SECONDS (3 * CLOCK_DAY) /* the longest time that the clocks wait */

static int set_since(struct site *site, const char *name, int64_t since, struct err *e)
{
	int rc = store_begin(site->store, e);

	store_value_set(site->store, name, since, e);
	return store_end(site->store, rc, e);
}

static int tell_of_unread(struct site *site, size_t left, struct err *e)
{
	char text[500];

	snprintf(
		text, sizeof text,
		"Each run for %d days has left mails unread: %zu in this run.  Reminders and deadlines waited for them and go on now, so a player whose move is among these mails may lose on time.  The log says why they can't be read.",
		(int)(UNREAD_SECONDS / CLOCK_DAY), left);
	log_warn("%s", text);
	return operator_tell_now(site, "unread", "mails can't be read", text, e);
}

int fetch_unread(struct site *site, const char *which, int64_t now, size_t left, struct err *e)
{
	int64_t since = 0;

	const char *name = PRINTED(FETCH_NAME_SIZE, FETCH_UNREAD "%s", which);
	int rc = store_value(site->store, name, &since, e);

	if (rc < 0 || (left == 0 && since == 0))
		return rc;
	if (left == 0)
		return set_since(site, name, 0, e);
	if (since == 0 || since > now) { /* later than now: a clock was wrong */
		rc = set_since(site, name, now, e);
		return rc < 0 ? rc : 1;
	}
	if (now - since < UNREAD_SECONDS)
		return 1;
	return tell_of_unread(site, left, e);
}

/* A folder is one machine's; a mail server is asked by one machine for all. */
static const char *name_source(const struct site *site, const char *prefix,
                               char name[FETCH_NAME_SIZE])
{
	char own[STORE_OWN_NAME_SIZE];

	if (strstr(site->conf.source.where, "://"))
		snprintf(name, FETCH_NAME_SIZE, "%s-%.300s", prefix, site->conf.source.where);
	else
		snprintf(name, FETCH_NAME_SIZE, "%s", store_own_name(site->store, prefix, own));
	return name;
}

static int note_read(struct site *site, int64_t at, struct err *e)
{
	char name[FETCH_NAME_SIZE];
	int rc = store_begin_light(site->store, e);

	if (rc == 0)
		rc = store_value_set(site->store, name_source(site, FETCH_READ, name), at, e);
	return store_end_light(site->store, rc, false, e);
}

int fetch_run(struct site *site, struct mail_source *source, struct run_report *report,
              struct err *halt, struct err *e)
{
	int64_t start = clock_now();
	size_t before = report->unfetched;
	char name[FETCH_NAME_SIZE];
	int rc = store_role(site->store, name_source(site, "fetch", name), e);

	if (rc <= 0)
		return rc;
	rc = intake_run(site, source, MAIL_IN_FETCH, report, halt, e);
	if (rc < 0)
		return rc;
	if (halt->code)
		return 0;
	rc = fetch_unread(site, name_source(site, "", name), start, report->unfetched - before, e);
	if (rc == 0)
		rc = note_read(site, start, e);
	return rc < 0 ? rc : 0;
}

const char *fetch_source(const struct site *site, char name[FETCH_NAME_SIZE])
{
	return name_source(site, "", name) + 1;
}

struct sources {
	struct site *site;
	int64_t until;
	struct err *e;
};

/* A source that was never read has brought no mail. */
static int look_at_worker(const struct worker *w, void *arg)
{
	struct sources *t = arg;
	int64_t read = 0;

	int rc = store_value(t->site->store, PRINTED(FETCH_NAME_SIZE, FETCH_READ "-%s", w->source),
	                     &read, t->e);
	if (rc == 0 && read && read < t->until)
		t->until = read;
	return rc;
}

int fetch_known_until(struct site *site, int64_t start, int64_t *out, struct err *e)
{
	struct sources t = { site, start, e };
	int64_t all = 0, oldest = 0, count = 0, first;
	int rc = store_workers(site->store, start - UNREAD_SECONDS, look_at_worker, &t, e);

	if (rc == 0)
		rc = store_inbox_size(site->store, INT64_MIN, &all, &first, e);
	if (rc == 0)
		rc = store_inbox_size(site->store, start - UNREAD_SECONDS, &count, &oldest, e);
	if (rc < 0)
		return rc;
	*out = count && oldest <= t.until ? oldest - 1 : t.until;
	return count < all ? tell_of_unread(site, (size_t)(all - count), e) : 0;
}
