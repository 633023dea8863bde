#include "pbm/run/publish.h"

#include <stdio.h>

#include "pbm/archive/archive.h"
#include "pbm/archive/live/live.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/outbox/operator.h"
#include "store/store_marks.h"

#define WEEK (7 * INT64_C(86400))

/* Tells the operator the second time in a week; the next run may mend the first. */
static void tell_of_pages(struct site *site, const struct archive_report *r)
{
	struct err e = { 0 };
	char text[700];
	int64_t count = 0;

	snprintf(text, sizeof text,
	         "%zu pages of the web archive could not be written; all others were.  The next "
	         "run tries again.  The first of them: %s",
	         r->failed, r->first);
	int rc = store_begin(site->store, &e);
	if (rc == 0)
		rc = store_rate(site->store, "operator's archive", clock_now(), WEEK, &count, &e);
	if (rc == 0 && count > 1)
		rc = operator_tell(site, "archive", "a page of the archive is not written", text,
		                   &e);
	if (store_end(site->store, rc, &e) < 0)
		log_error("the operator can't be told of the archive: %s", e.text);
}

int publish_games(struct site *site, size_t *games, struct err *e)
{
	struct archive_report r = { 0 };
	int rc = archive_publish(site, &r, e);

	*games = r.games;
	if (rc == 0 && r.failed)
		tell_of_pages(site, &r);
	return rc;
}

int publish_live_pages(struct site *site, struct err *halt, struct err *e)
{
	struct archive_report r = { 0 };
	struct err why = { 0 };
	int rc = live_publish(site, &r, &why);

	if (rc == 0 && r.failed)
		tell_of_pages(site, &r);
	if (rc < 0)
		err_set(halt, why.code, "%s", why.text);
	return why.code == ERR_UNCERTAIN ? err_set(e, why.code, "%s", why.text) : 0;
}
