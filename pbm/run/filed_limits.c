#include "pbm/run/filed_limits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/str.h"
#include "pbm/outbox/operator.h"
#include "pbm/run/quarantine.h"
#include "pbm/site/space.h"
#include "store/store_marks.h"

#define MIB INT64_C(1048576)

/* The time before which a mail is too old; days 0: never. */
static int64_t days_ago(long days)
{
	return days ? clock_now() - days * CLOCK_DAY : INT64_MIN;
}

/* Both places of quarantined mails.  The source's copies are only a convenience. */
static void bound_quarantine(struct site *site, struct mail_source *source, bool added,
                             enum log_level failed)
{
	struct err why = { 0 };
	int rc = quarantine_prune_daily(site, &why);

	if (rc >= 0 && (rc == 1 || added) && source->ops->prune)
		rc = source->ops->prune(source->self, MAIL_QUARANTINED,
		                        days_ago(site->conf.quarantine_days),
		                        site->conf.quarantine_megabytes * MIB, &why);
	if (rc < 0)
		log_line(failed, "the quarantine can't be bounded: %s", why.text);
}

/* 1: it is time to look at retention and quota. */
static int begin_day(struct site *site, struct err *e)
{
	int64_t last = 0, now = clock_now();
	int rc = store_value(site->store, FILED_LIMITS_LOOKED, &last, e);

	if (rc < 0 || llabs(now - last) < CLOCK_DAY)
		return rc;
	rc = store_begin(site->store, e);
	store_value_set(site->store, FILED_LIMITS_LOOKED, now, e);
	rc = store_end(site->store, rc, e);
	return rc < 0 ? rc : 1;
}

static int tell_of_quota(struct site *site, int64_t used, struct err *e)
{
	char text[400];

	snprintf(text, sizeof text,
	         "The site's folder takes %" PRId64
	         " MiB on the disk, and quota in pbm.conf allows %ld.  Mails go on.  Delete what "
	         "nobody needs, or raise quota.",
	         used / MIB, site->conf.quota);
	log_warn("%s", text);
	return operator_tell_now(site, "quota", "the site takes more room than quota allows", text,
	                         e);
}

/* Deletes the oldest filed mails to make room. */
static int keep_quota(struct site *site, struct mail_source *source, struct err *e)
{
	int64_t used = space_used(site->dir), over = used - site->conf.quota * MIB;
	int rc = 0;

	if (over <= 0)
		return 0;
	if (source->ops->prune && strncmp(site->conf.source.where, "maildir:", 8) == 0) {
		const char *path = SITE_PATH(site, site->conf.source.where + 8);
		int64_t kept = space_used(PRINTED(1300, "%s/.Processed", path)) - over;
		rc = source->ops->prune(source->self, MAIL_HANDLED, INT64_MIN, kept > 0 ? kept : 0,
		                        e);
		used = space_used(site->dir);
	}
	return rc == 0 && used > site->conf.quota * MIB ? tell_of_quota(site, used, e) : rc;
}

void filed_limits_bound(struct site *site, struct mail_source *source, bool added, bool halted)
{
	enum log_level failed = halted ? LOG_LEVEL_DEBUG : LOG_LEVEL_ERROR;
	struct err why = { 0 };
	int rc = 0;

	bound_quarantine(site, source, added, failed);
	if (site->conf.retention || site->conf.quota)
		rc = begin_day(site, &why);
	bool due = rc == 1;
	if (due && site->conf.retention && source->ops->prune)
		rc = source->ops->prune(source->self, MAIL_HANDLED, days_ago(site->conf.retention),
		                        INT64_MAX, &why);
	if (due && rc >= 0 && site->conf.quota)
		rc = keep_quota(site, source, &why);
	if (rc < 0)
		log_line(failed, "old mails can't be deleted: %s", why.text);
}
