#include "pbm/run/inbox.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "pbm/base/clock.h"
#include "pbm/base/mem.h"
#include "pbm/run/mail_sum.h"
#include "store/shared/store_inbox.h"

#define ID "inbox %" PRId64
#define WINDOW 16 /* mails that one question brings */
#define ROUND 64

struct inbox {
	struct site *site;
	int64_t last;     /* the greatest id that was read: each mail comes once a run */
	uint64_t read_in; /* the transaction that read the last window; 0: none */
	int64_t before;   /* the greatest id that was read before that window */
	size_t left;      /* mails of this round */
	size_t at, n;
	struct mail_raw window[WINDOW];
};

int inbox_add(struct site *site, const struct mail_raw *raw, struct err *e)
{
	int64_t now = clock_now();
	const struct inbox_mail m = {
		.came = raw->received > 0 && raw->received < now ? raw->received : now,
		.cut = raw->oversize,
		.bytes = raw->bytes,
		.len = raw->len,
	};
	char name[MAIL_SUM_NAME];

	mail_sum_name(raw, name);
	return store_inbox_add(site->store, name, &m, e);
}

static int keep(const struct inbox_mail *m, void *arg)
{
	struct inbox *b = arg;
	struct mail_raw *raw = &b->window[b->n++];

	*raw = (struct mail_raw){ .bytes = mem_strndup(m->bytes, m->len),
		                  .len = m->len,
		                  .received = m->came,
		                  .oversize = m->cut };
	snprintf(raw->id, sizeof raw->id, ID, m->id);
	b->last = m->id;
	return 0;
}

static int inbox_next(void *self, size_t, struct mail_raw *out, struct err *e)
{
	struct inbox *b = self;
	struct err why = { 0 };

	if (b->left == 0)
		return 0;
	if (b->at == b->n) {
		b->at = b->n = 0;
		b->read_in = store_transaction(b->site->store);
		b->before = b->last;
		if (store_inbox_next(b->site->store, b->last, WINDOW, keep, b, &why) < 0)
			return err_set(e, ERR_TEMP, "the inbox can't be read: %s", why.text);
	}
	if (b->at == b->n)
		return 0;
	*out = b->window[b->at++];
	b->left--;
	return 1;
}

static int64_t number_of(const char *id)
{
	int64_t n = 0;

	return sscanf(id, "inbox %" SCNd64, &n) == 1 ? n : 0;
}

static int inbox_begin(void *self, const char *id, struct err *e)
{
	struct inbox *b = self;

	int64_t number = number_of(id);

	/* Nobody else takes a mail of the window during the transaction that read it.  The mail may be of the
	 * window before, because the next one is looked at while this one waits. */
	if (b->read_in && b->read_in == store_transaction(b->site->store) && number > b->before)
		return 1;
	return store_inbox_has(b->site->store, number, e);
}

static int inbox_end(void *self, const char *id, enum mail_fate fate, struct err *e)
{
	struct store *store = ((struct inbox *)self)->site->store;

	return fate == MAIL_RETRY ? 0 : store_inbox_done(store, number_of(id), e);
}

/* The row went with the commit. */
static int inbox_settle(void *, const char *, enum mail_fate, struct err *)
{
	return 0;
}

static void inbox_close(void *self)
{
	struct inbox *b = self;

	while (b->at < b->n)
		mail_raw_release(&b->window[b->at++]);
	free(b);
}

static const struct mail_source_ops inbox_ops = {
	.name = "inbox",
	.next = inbox_next,
	.begin = inbox_begin,
	.end = inbox_end,
	.settle = inbox_settle,
	.close = inbox_close,
};

void inbox_open(struct site *site, struct mail_source *out)
{
	struct inbox *b = mem_alloc(sizeof *b);

	b->site = site;
	b->left = ROUND;
	*out = (struct mail_source){ &inbox_ops, b };
}

bool inbox_next_round(struct mail_source *inbox)
{
	struct inbox *b = inbox->self;
	bool full = b->left == 0;

	b->left = ROUND;
	return full;
}
