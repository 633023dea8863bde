#include "pbm/run/run_numbers.h"

#include <string.h>

#include "store/store_marks.h"
#include "store/store_numbers.h"

#define HOUR 3600
#define TAKEN "mails-in:taken"
#define LAST "clock-last-count" /* when a run counted last */

int run_numbers_mails(struct store *s, const int64_t n[RUN_FATES], struct err *e)
{
	static const char *const names[RUN_FATES] = {
		[MAIL_HANDLED] = TAKEN,
		[MAIL_QUARANTINED] = "mails-in:quarantined",
		[MAIL_REFUSED] = "mails-in:refused",
	};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < RUN_FATES; i++)
		if (names[i])
			rc = store_number_add(s, names[i], n[i], e);
	return rc;
}

static int note_taken(const char *name, int64_t n, void *arg)
{
	if (strcmp(name, TAKEN) == 0)
		*(int64_t *)arg = n;
	return 0;
}

int run_numbers_taken(struct store *s, int64_t *n, struct err *e)
{
	*n = 0;
	return store_numbers(s, note_taken, n, e);
}

static bool did_nothing(const struct run_report *r)
{
	return r->handled + r->quarantined + r->sent + r->deferred + r->failed +
	               r->clocks.reminded + r->clocks.ended + r->published ==
	       0;
}

int run_numbers_note(struct store *s, const struct run_report *r, int64_t start, int64_t took,
                     struct err *e)
{
	const struct {
		const char *name;
		bool sum;
		int64_t n;
	} numbers[] = { { "run:number", true, 1 },
		        { "run:milliseconds", true, took },
		        { "run:last-milliseconds", false, took },
		        { "run:last-time", false, start } };
	int64_t last = 0;
	int rc = store_value(s, LAST, &last, e);

	if (rc < 0 || (did_nothing(r) && start >= last && start - last < HOUR))
		return rc;
	rc = store_begin_light(s, e);
	store_value_set(s, LAST, start, e);
	for (size_t i = 0; rc == 0 && i < sizeof numbers / sizeof *numbers; i++)
		rc = (numbers[i].sum ? store_number_add : store_number_set)(s, numbers[i].name,
		                                                            numbers[i].n, e);
	return store_end_light(s, rc, false, e);
}
