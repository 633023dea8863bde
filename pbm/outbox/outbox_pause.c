#include "pbm/outbox/outbox_pause.h"

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/outbox/outbox.h"
#include "store/store_marks.h"

/* Seconds to pause after the first, second … failure of the sink in a row: for trouble that may
 * pass, and for trouble that a person must mend. */
static const int64_t pauses[][2] = { { 60, 900 }, { 300, 1800 }, { 900, 3600 }, { 1800, 3600 } };
#define LONGEST_PAUSE 3600 /* a longer one comes from a wrong clock and is ignored */

int outbox_pause_lasts(struct site *site, struct err *e)
{
	int64_t until = 0, now = clock_now();
	int rc = store_value(site->store, SINK_PAUSE, &until, e);

	if (rc < 0 || until <= now || until - now > LONGEST_PAUSE)
		return rc;
	log_info("no mail is sent before %s", CLOCK_ISO(until));
	return 1;
}

int outbox_pause_note(struct site *site, const struct err *trouble, int64_t now, struct err *e)
{
	const size_t last = sizeof pauses / sizeof pauses[0] - 1;
	int64_t failures = 0;
	int rc = store_value(site->store, SINK_FAILURES, &failures, e);

	if (rc < 0 || (!trouble->code && failures == 0))
		return rc;
	size_t at = failures < 0 || (size_t)failures > last ? last : (size_t)failures;
	int64_t until = trouble->code ? now + pauses[at][trouble->code == ERR_PERM] : 0;
	store_value_set(site->store, SINK_FAILURES, trouble->code ? failures + 1 : 0, e);
	store_value_set(site->store, SINK_PAUSE, until, e);
	rc = store_value_set(site->store, SINK_SILENT, now, e);
	if (trouble->code)
		log_error(
			"no mail can be sent: %s; the next attempt is at %s, or after \"pbm outbox retry\"",
			trouble->text, CLOCK_ISO(until));
	else
		log_info("mail can be sent again");
	return rc;
}
