#include "pbm/run/unread_mails.h"

#include <stdio.h>

#include "pbm/base/log.h"
#include "pbm/outbox/operator.h"
#include "store/store_marks.h"

static int set_since(struct site *site, int64_t since, struct err *e)
{
	int rc = store_begin(site->store, e);

	if (rc == 0)
		rc = store_value_set(site->store, UNREAD_SINCE, since, e);
	return store_end(site->store, rc, e);
}

static int tell_of_unread(struct site *site, size_t left, struct err *e)
{
	char text[500];

	snprintf(
		text, sizeof text,
		"Each run for %d days has left mails unread: %zu in this run.  Reminders and deadlines waited for them and go on now, so a player whose move is among these mails may lose on time.  The log says why they can't be read.",
		(int)(UNREAD_SECONDS / 86400), left);
	log_warn("%s", text);
	return operator_tell_now(site, "unread", "mails can't be read", text, e);
}

int unread_mails_check(struct site *site, int64_t now, size_t left, struct err *e)
{
	int64_t since = 0;
	int rc = store_value(site->store, UNREAD_SINCE, &since, e);

	if (rc < 0 || (left == 0 && since == 0))
		return rc;
	if (left == 0)
		return set_since(site, 0, e);
	if (since == 0 || since > now) { /* later than now: a clock was wrong */
		rc = set_since(site, now, e);
		return rc < 0 ? rc : 1;
	}
	if (now - since < UNREAD_SECONDS)
		return 1;
	return tell_of_unread(site, left, e);
}
