/* Mails out: what the outbox holds goes to the sink, is made durable there, and
 * only then leaves the outbox. */
#include <stdlib.h>

#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/tick.h"

#define GIVE_UP (5 * 86400)          /* RFC 5321 4.5.4.1 */

static const int64_t waits[] = { 300, 900, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600 };

/* A window of mails on its way; the strings live in the arena. */
struct sending {
	struct arena arena;
	size_t n;
	struct mail_sending *v;
	struct { int64_t id, created; int attempts; } *rows;
};

/* The message's Message-ID and its recipient name what is sent. */
static int gather(const struct outbox_mail *m, void *arg)
{
	struct sending *s = arg;
	struct arena *a = &s->arena;

	s->v[s->n] = (struct mail_sending){
		.from = arena_strdup(a, m->envelope_from), .to = arena_strdup(a, m->rcpt),
		.key = arena_printf(a, "%s %s", m->message_id, m->rcpt),
		.bytes = arena_strndup(a, m->bytes, m->len), .len = m->len,
	};
	s->rows[s->n].id = m->id;
	s->rows[s->n].created = m->created;
	s->rows[s->n++].attempts = m->attempts;
	return 0;
}

static int record(struct site *site, const struct sending *s, size_t i, int64_t now,
                  struct tick_report *r, struct err *e)
{
	const struct mail_sending *v = &s->v[i];
	long long id = s->rows[i].id;
	size_t last = sizeof waits / sizeof waits[0] - 1;
	size_t tries = s->rows[i].attempts < 0 ? last : (size_t)s->rows[i].attempts;

	if (v->rc == 0) {
		r->sent++;
		return store_outbox_done(site->store, id, e);
	}
	if (v->rc == ERR_PERM || now - s->rows[i].created > GIVE_UP) {
		log_error("mail %lld was given up: %s", id, v->why.text);
		r->failed++;
		return store_outbox_done(site->store, id, e);
	}
	log_warn("mail %lld waits: %s", id, v->why.text);
	r->deferred++;
	return store_outbox_retry(site->store, id, now + waits[tries > last ? last : tries], v->why.text, e);
}

static int record_all(struct site *site, const struct sending *s, int64_t now,
                      struct tick_report *r, struct err *e)
{
	int rc = store_begin(site->store, e);

	for (size_t i = 0; rc == 0 && i < s->n; i++)
		rc = record(site, s, i, now, r, e);
	if (rc < 0) {
		store_abort(site->store);
		return rc;
	}
	return store_commit(site->store, e);
}

int outbox_flush(struct site *site, struct mail_sink *sink, struct tick_report *report,
                 struct err *e)
{
	size_t window = sink->ops->window;
	struct sending s = { .v = mem_alloc(window * sizeof *s.v), .rows = mem_alloc(window * sizeof *s.rows) };
	int64_t now = clock_now();
	int rc;

	do {
		s.n = 0;
		rc = store_outbox_due(site->store, now, window, gather, &s, e);
		if (rc == 0 && s.n)
			rc = sink->ops->send(sink->self, s.v, s.n, e);
		if (rc == 0 && s.n)
			rc = record_all(site, &s, now, report, e);
		arena_release(&s.arena);
	} while (rc == 0 && s.n == window);
	free(s.v);
	free(s.rows);
	return rc;
}
