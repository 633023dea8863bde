#include "pbm/run/mail_queue.h"

#include <string.h>

#include "mail/gate.h"
#include "pbm/base/log.h"

#define FETCH_ERRORS 20 /* in a row that name no mail: the source is broken */
#define UNFETCHED 5000  /* mails that can't be fetched; those after them wait for the next run */

/* A mail that can't be fetched must not stop those after it.  A source that fails itself, or
 * returns only errors, ends the run. */
static int fetch(struct mail_queue *f, struct mail_raw *raw, struct err *e)
{
	struct mail_source *source = f->source;
	struct err why = { 0 };

	for (int nameless = 0; nameless < FETCH_ERRORS && f->unfetched < UNFETCHED;
	     nameless += !raw->id[0]) {
		err_clear(&why);
		int got = source->ops->next(source->self, MAIL_MAX_BYTES, raw, &why);

		if (got >= 0)
			return got;
		if (got == ERR_TEMP || got == ERR_UNFILTERED)
			return err_set(e, got, "%s", why.text);
		log_warn("a mail could not be fetched and stays where it is: %s", why.text);
		f->unfetched++;
	}
	if (f->unfetched >= UNFETCHED)
		return 0;
	return err_set(e, why.code, "the source fails: %s", why.text);
}

static void forget_first(struct mail_queue *f)
{
	f->waiting--;
	memmove(f->next, f->next + 1, f->waiting * sizeof f->next[0]);
}

int mail_queue_take(struct mail_queue *f, struct mail_raw *raw, struct err *e)
{
	if (f->waiting == 0)
		return fetch(f, raw, e);
	int got = f->next[0].got;

	*raw = f->next[0].raw;
	forget_first(f);
	return got < 0 ? err_set(e, f->why.code, "%s", f->why.text) : got;
}

void mail_queue_put_back(struct mail_queue *f, const struct mail_raw *raw)
{
	memmove(f->next + 1, f->next, f->waiting * sizeof f->next[0]);
	f->next[0].raw = *raw;
	f->next[0].got = 1;
	f->waiting++;
}

int mail_queue_peek(struct mail_queue *f, const struct mail_raw **raw, struct err *e)
{
	if (f->waiting == 0) {
		err_clear(&f->why);
		f->next[0].raw = (struct mail_raw){ 0 };
		f->next[0].got = fetch(f, &f->next[0].raw, &f->why);
		f->waiting = 1;
	}
	*raw = &f->next[0].raw;
	return f->next[0].got < 0 ? err_set(e, f->why.code, "%s", f->why.text) : f->next[0].got;
}

void mail_queue_close(struct mail_queue *f)
{
	for (size_t i = 0; i < f->waiting; i++)
		mail_raw_release(&f->next[i].raw);
	f->waiting = 0;
}
