#include "pbm/tick.h"

#include <stdlib.h>
#include <string.h>

#include "mail/sandbox.h"
#include "pbm/archive.h"
#include "pbm/attempt.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/handle.h"
#include "pbm/operator.h"

#define FETCH_ERRORS 20              /* in a row: the source is broken */
#define ATTEMPTS 3                   /* failures after which a mail is quarantined */

/* Mails of the running transaction, settled once it is committed. */
struct batch {
	size_t n;
	struct { char id[sizeof ((struct mail_raw *)0)->id]; enum mail_fate fate; } *v;
};

/* A mail that failed stays for the next runs; the third failure puts it aside. */
static int after_failure(struct site *site, const struct mail_raw *raw, const struct err *why,
                         enum mail_fate *fate, struct err *e)
{
	char name[ATTEMPT_NAME];
	int64_t count = 0;

	attempt_name(raw, name);
	int rc = attempt_count(site, name, &count, e);
	if (rc < 0)
		return rc;
	if (count < ATTEMPTS) {
		log_error("mail %s failed and stays where it is: %s", raw->id, why->text);
		*fate = MAIL_RETRY;
		return 0;
	}
	log_error("mail %s failed %lld times and is quarantined: %s", raw->id, (long long)count, why->text);
	*fate = MAIL_QUARANTINED;
	return quarantine(site, raw, why->text, e);
}

/* A sender without a proof too many: the mail waits, as if it had not come. */
static int leave_stranger(struct site *site, struct err *e)
{
	char text[300];
	int rc = store_rollback_to_mark(site->store, e);

	if (rc < 0)
		return rc;
	snprintf(text, sizeof text, "One run has answered %ld mails from senders who proved nothing; more "
	         "of them wait in the mailbox for the next runs.  Somebody may be flooding the server.",
	         site->strangers_per_run);
	if (!site->strangers.stopped)
		log_warn("%s", text);
	site->strangers.stopped = true;
	return operator_tell(site, "strangers", "a flood of strangers", text, e);
}

/* One mail inside its mark.  A mail whose handling fails takes back only
 * itself; the run fails only when the store can't go on. */
static int work_on(struct site *site, const struct mail_raw *raw, unsigned flags,
                   enum mail_fate *fate, struct err *e)
{
	struct err why = {0};
	int rc = store_mark(site->store, e);

	if (rc < 0)
		return rc;
	rc = handle_mail(site, raw, flags, fate, &why);
	if (rc < 0) {
		rc = store_rollback_to_mark(site->store, e);
		if (rc == 0)
			rc = after_failure(site, raw, &why, fate, e);
	} else if (*fate == MAIL_RETRY) {
		rc = leave_stranger(site, e);
	} else if (*fate == MAIL_QUARANTINED) {
		log_warn("mail %s is quarantined: %s", raw->id, why.text);
		rc = quarantine(site, raw, why.text, e);
	}
	return rc < 0 ? rc : store_release_mark(site->store, e);
}

static int take_mail(struct attempt *attempt, const struct mail_raw *raw, unsigned flags,
                     enum mail_fate *fate, struct err *e)
{
	if (raw->oversize && (flags & HANDLE_PIPE)) {
		*fate = MAIL_REFUSED;
		return 0;
	}
	int rc = attempt_begin(attempt, raw, e);
	if (rc == 0)
		return work_on(attempt->site, raw, flags, fate, e);
	if (rc < 0)
		return rc;
	log_error("mail %s ended two runs and is quarantined", raw->id);
	*fate = MAIL_QUARANTINED;
	return quarantine(attempt->site, raw, "the server ended twice while it worked on it", e);
}

static int settle_batch(struct mail_source *source, struct batch *b, struct tick_report *r,
                        struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < b->n; i++) {
		r->handled += b->v[i].fate == MAIL_HANDLED;
		r->quarantined += b->v[i].fate == MAIL_QUARANTINED;
		r->retried += b->v[i].fate == MAIL_RETRY;
		r->refused += b->v[i].fate == MAIL_REFUSED;
		rc = source->ops->settle(source->self, b->v[i].id, b->v[i].fate, e);
	}
	b->n = 0;
	return rc == 0 && source->ops->flush ? source->ops->flush(source->self, e) : rc;
}

/* The next mail that can be fetched.  One that can't must not stop those behind
 * it; a source that fails itself, or gives nothing but errors, ends the run. */
static int next_mail(struct mail_source *source, struct mail_raw *raw, struct err *e)
{
	struct err why = {0};

	for (int i = 0; i < FETCH_ERRORS; i++) {
		err_clear(&why);
		int got = source->ops->next(source->self, MAIL_MAX_BYTES, raw, &why);

		if (got >= 0)
			return got;
		if (got == ERR_TEMP)
			return err_set(e, got, "%s", why.text);
		log_warn("a mail could not be fetched and stays where it is: %s", why.text);
	}
	return err_set(e, why.code, "the source fails: %s", why.text);
}

/* Fills one transaction.  *more says whether the source may have further mails. */
static int run_batch(struct attempt *attempt, struct mail_source *source, unsigned flags,
                     struct batch *b, bool *more, struct err *source_error, struct err *e)
{
	struct site *site = attempt->site;
	size_t most = attempt_is_careful(attempt) ? 1 : (size_t)site->batch;
	int rc = store_begin(site->store, e);

	while (rc == 0 && b->n < most) {
		struct mail_raw raw = {0};
		if (next_mail(source, &raw, source_error) <= 0) {
			*more = false;       /* what came before a source's failure counts */
			break;
		}
		rc = take_mail(attempt, &raw, flags, &b->v[b->n].fate, e);
		memcpy(b->v[b->n].id, raw.id, sizeof raw.id);
		b->n++;
		mail_raw_release(&raw);
	}
	if (rc < 0) {
		store_abort(site->store);
		return rc;
	}
	rc = store_commit(site->store, e);
	return rc == 0 ? attempt_end(attempt, e) : rc;
}

/* All mails of the source. */
static int take_mails(struct site *site, struct mail_source *source, unsigned flags,
                      struct tick_report *report, struct err *source_error, struct err *e)
{
	struct batch b = { .v = mem_alloc((size_t)site->batch * sizeof *b.v) };
	struct attempt attempt;
	bool more = true;
	int rc = attempt_open(site, &attempt, e);

	memset(&site->strangers, 0, sizeof site->strangers);
	while (rc == 0 && more) {
		rc = run_batch(&attempt, source, flags, &b, &more, source_error, e);
		/* Mails that were not filed away come again, and are known then. */
		if (rc == 0 && settle_batch(source, &b, report, source_error) < 0)
			more = false;
	}
	attempt_close(&attempt);
	mail_sandbox_rest(site->sandbox);
	free(b.v);
	return rc;
}

int tick_run(struct site *site, struct mail_source *source, struct mail_sink *sink,
             unsigned flags, struct tick_report *report, struct err *e)
{
	struct err source_error = {0};
	int rc = take_mails(site, source, flags, report, &source_error, e);

	if (rc == 0)
		rc = outbox_flush(site, sink, flags && site->send_seconds > SHORT_SENDING ? SHORT_SENDING
		                                : site->send_seconds, report, e);
	if (rc == 0)
		rc = archive_publish(site, &report->published, e);
	return rc == 0 && source_error.code
	       ? err_set(e, source_error.code, "%s", source_error.text) : rc;
}
