#include "pbm/commands/account_erase.h"

#include <string.h>
#include <strings.h>

#include "store/store_marks.h"
#include "store/store_outbox.h"

#define PAGE 500

/* Rows of the outbox that go to the account's addresses. */
struct erasing {
	struct request *q;
	const struct player_doc *p;
	int64_t last;
	size_t n;
	struct err *err;
};

static int erase_row(const struct outbox_mail *m, void *arg)
{
	struct erasing *x = arg;

	x->n++;
	x->last = m->id;
	for (size_t i = 0; i < x->p->address_count; i++)
		if (x->p->addresses[i].confirmed &&
		    strcasecmp(m->rcpt, x->p->addresses[i].address) == 0)
			return store_outbox_done(x->q->site->store, m->id, x->err);
	return 0;
}

static int erase_outbox(struct request *q, const struct player_doc *p, struct err *e)
{
	struct erasing x = { .q = q, .p = p, .n = PAGE, .err = e };
	int rc = 0;

	while (rc == 0 && x.n == PAGE) {
		x.n = 0;
		rc = store_outbox_list(q->site->store, x.last, PAGE, erase_row, &x, e);
	}
	return rc;
}

int account_erase(struct request *q, const struct player_doc *p, struct err *e)
{
	int rc = erase_outbox(q, p, e);

	for (size_t i = 0; rc == 0 && i < p->address_count; i++)
		if (p->addresses[i].confirmed)
			rc = store_seen_forget(
				q->site->store,
				arena_printf(q->arena, "id:%s:", p->addresses[i].address), e);
	return rc;
}
