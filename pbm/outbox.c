/* Mails out: what the outbox holds goes to the sink, is made durable there, and
 * only then leaves the outbox. */
#include <stdlib.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/tick.h"

#define CHUNK 256                    /* mails between two flushes */
#define GIVE_UP (5 * 86400)          /* RFC 5321 4.5.4.1 */

static const int64_t waits[] = { 300, 900, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600 };

struct outcome_row { int64_t id; int rc; int attempts; int64_t created; struct err why; };

struct sending {
	struct mail_sink *sink;
	size_t n;
	struct outcome_row rows[CHUNK];
};

/* The message's Message-ID and its recipient name what is sent. */
static int send_one(const struct outbox_mail *m, void *arg)
{
	struct sending *s = arg;
	struct outcome_row *row = &s->rows[s->n++];
	struct arena a = {0};
	struct mail_envelope env = { .from = m->envelope_from, .to = m->rcpt };
	const char *key = arena_printf(&a, "%s %s", m->message_id, m->rcpt);

	*row = (struct outcome_row){ .id = m->id, .attempts = m->attempts, .created = m->created };
	row->rc = s->sink->ops->send(s->sink->self, &env, key, m->bytes, m->len, &row->why);
	arena_release(&a);
	return 0;
}

static int record(struct site *site, const struct outcome_row *row, int64_t now,
                  struct tick_report *r, struct err *e)
{
	size_t last = sizeof waits / sizeof waits[0] - 1;
	size_t i = row->attempts < 0 || (size_t)row->attempts > last ? last : (size_t)row->attempts;

	if (row->rc == 0) {
		r->sent++;
		return store_outbox_done(site->store, row->id, e);
	}
	if (row->rc == ERR_PERM || now - row->created > GIVE_UP) {
		log_error("mail %lld was given up: %s", (long long)row->id, row->why.text);
		r->failed++;
		return store_outbox_done(site->store, row->id, e);
	}
	log_warn("mail %lld waits: %s", (long long)row->id, row->why.text);
	r->deferred++;
	return store_outbox_retry(site->store, row->id, now + waits[i], row->why.text, e);
}

static int record_chunk(struct site *site, const struct sending *s, int64_t now,
                        struct tick_report *r, struct err *e)
{
	int rc = store_begin(site->store, e);

	for (size_t i = 0; rc == 0 && i < s->n; i++)
		rc = record(site, &s->rows[i], now, r, e);
	if (rc < 0) {
		store_abort(site->store);
		return rc;
	}
	return store_commit(site->store, e);
}

int outbox_flush(struct site *site, struct mail_sink *sink, struct tick_report *report,
                 struct err *e)
{
	struct sending *s = mem_alloc(sizeof *s);
	int64_t now = clock_now();
	int rc;

	s->sink = sink;
	do {
		s->n = 0;
		rc = store_outbox_due(site->store, now, CHUNK, send_one, s, e);
		if (rc == 0 && s->n && sink->ops->flush)
			rc = sink->ops->flush(sink->self, e);
		if (rc == 0 && s->n)
			rc = record_chunk(site, s, now, report, e);
	} while (rc == 0 && s->n == CHUNK);
	free(s);
	return rc;
}
