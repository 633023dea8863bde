/* Mails out: what the outbox holds goes to the sink, is made durable there, and
 * only then leaves the outbox.
 *
 * Two kinds of trouble.  A mail's own, an unknown recipient or a full mailbox:
 * the mail waits longer after each attempt, or is given up, and the others go
 * on.  The sink's, a server that is down or refuses our password: nothing more
 * leaves in this run, mails it did not come to have lost no attempt, and the
 * next runs leave the server alone for a while, so that a run a minute does not
 * knock a thousand times with a wrong password.
 *
 * While a window is on its way the store is given up: others take mails, and may
 * change or remove what is being sent, but nobody else sends.  A run that ends
 * there, however it ends, leaves one window that the next run sends again: with a
 * repeatable sink that is no second copy, and with others the attempt is counted
 * before it is made.  What became of a window is noted by message and recipient,
 * for a row's id can be another mail's by then. */
#include "pbm/run/outbox.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "pbm/answer/bounce.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/run/operator.h"
#include "pbm/site/secret.h"
#include "store/store_documents.h"
#include "store/store_marks.h"
#include "store/store_outbox.h"
#include "store/store_sending.h"

#define GIVE_UP (5 * 86400) /* RFC 5321 4.5.4.1 */

static const int64_t retry_after[] = { 300, 900, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600 };

/* After so many failures of the sink in a row it is left alone so long: what may
 * pass by itself, and what somebody must mend. */
static const int64_t pauses[][2] = { { 60, 900 }, { 300, 1800 }, { 900, 3600 }, { 1800, 3600 } };
#define LONGEST_PAUSE 3600 /* a longer one was begun by a clock that was wrong */

/* A window of mails on its way; the strings live in the arena. */
struct sending {
	struct arena arena;
	size_t n;
	struct mail_sending *v;
	struct {
		int64_t id, created;
		const char *message_id;
		int attempts;
	} * rows;
	bool noted; /* the attempts are counted in the store already */
};

/* The message's Message-ID and its recipient name what is sent. */
static int add_to_window(const struct outbox_mail *m, void *arg)
{
	struct sending *s = arg;
	struct arena *a = &s->arena;

	s->v[s->n] = (struct mail_sending){
		.from = arena_strdup(a, m->envelope_from),
		.to = arena_strdup(a, m->rcpt),
		.key = arena_printf(a, "%s %s", m->message_id, m->rcpt),
		.bytes = arena_strndup(a, m->bytes, m->len),
		.len = m->len,
	};
	s->rows[s->n].id = m->id;
	s->rows[s->n].message_id = arena_strdup(a, m->message_id);
	s->rows[s->n].created = m->created;
	s->rows[s->n++].attempts = m->attempts;
	return 0;
}

/* A mail was given up, within the transaction.  v->rc is ERR_PERM when the
 * recipient's server refused it for ever, else five days are over.  It counts as
 * if it had come back.  The operator is told, but never about his own mails, which would make more of them. */
static int give_up_mail(struct site *site, int64_t id, const struct mail_sending *v, struct err *e)
{
	char key[300], text[1000];

	log_error("mail %" PRId64 " to %s was given up: %s", id, v->to, v->why.text);
	int rc = bounce_given_up(site, v->to,
	                         v->rc == ERR_PERM ? v->why.text : "4.4.7 five days are over", e);
	if (rc < 0 || strcasecmp(v->to, site->operator_address) == 0)
		return rc;
	/* Anybody can have answers sent to addresses that don't exist: all strangers
	 * together are one trouble. */
	struct arena a = { 0 };
	struct player_doc p;
	bool known = store_player_by_address(site->store, &a, v->to, &p, NULL) == 0;
	arena_release(&a);
	snprintf(key, sizeof key, "given-up %.260s", known ? v->to : "strangers");
	snprintf(text, sizeof text,
	         "A mail could not be delivered and was given up.\n\n"
	         "To:      %.260s\nReason:  %.500s\n\n"
	         "The log names every such mail.\n",
	         v->to, v->why.text);
	return operator_tell(site, key, "a mail was given up", text, e);
}

/* What a failure has for consequences may fail itself, for a player's file is
 * damaged, say; the other mails of the window were sent all the same. */
static int give_up_in_mark(struct site *site, int64_t id, const struct mail_sending *v,
                           struct err *e)
{
	struct err why = { 0 };
	int rc = store_mark(site->store, e);

	if (rc < 0)
		return rc;
	if (give_up_mail(site, id, v, &why) == 0)
		return store_release_mark(site->store, e);
	log_error("the failure of mail %" PRId64 " can't be followed up: %s", id, why.text);
	return store_rollback_to_mark(site->store, e);
}

static int record_mail(struct site *site, const struct sending *s, size_t i, int64_t now,
                       struct run_report *r, struct err *e)
{
	const struct mail_sending *v = &s->v[i];
	int64_t id = 0;
	size_t last = sizeof retry_after / sizeof retry_after[0] - 1;
	size_t tries = s->rows[i].attempts < 0 ? last : (size_t)s->rows[i].attempts;
	int rc = store_outbox_find(site->store, s->rows[i].message_id, v->to, &id, e);

	if (rc < 0)
		return rc;
	r->sent += v->rc == 0;
	if (rc == 0) /* somebody has thrown it away meanwhile */
		return 0;
	if (v->rc == 0)
		return store_outbox_done(site->store, id, e);
	rc = s->noted ? store_outbox_attempts(site->store, id, s->rows[i].attempts, e) : 0;
	if (rc < 0)
		return rc;
	if (v->untried) {
		r->deferred++;
		return store_outbox_note(site->store, id, v->why.text, e);
	}
	if (v->rc == ERR_PERM || now - s->rows[i].created > GIVE_UP) {
		r->failed++;
		rc = give_up_in_mark(site, id, v, e);
		return rc < 0 ? rc : store_outbox_done(site->store, id, e);
	}
	log_warn("mail %" PRId64 " to %s waits: %s", id, v->to, v->why.text);
	r->deferred++;
	return store_outbox_retry(site->store, id, now + retry_after[tries > last ? last : tries],
	                          v->why.text, e);
}

/* The sink's own state: failures in a row, and until when it is left alone. */
static int record_sink(struct site *site, const struct err *trouble, int64_t now, struct err *e)
{
	const size_t last = sizeof pauses / sizeof pauses[0] - 1;
	int64_t failures = 0;
	char when[CLOCK_ISO_SIZE];
	int rc = store_value(site->store, SINK_FAILURES, &failures, e);

	if (rc < 0 || (!trouble->code && failures == 0))
		return rc;
	size_t at = failures < 0 || (size_t)failures > last ? last : (size_t)failures;
	int64_t until = trouble->code ? now + pauses[at][trouble->code == ERR_PERM] : 0;
	rc = store_value_set(site->store, SINK_FAILURES, trouble->code ? failures + 1 : 0, e);
	if (rc == 0)
		rc = store_value_set(site->store, SINK_PAUSE, until, e);
	if (rc == 0)
		rc = store_value_set(site->store, SINK_SILENT, now, e);
	if (trouble->code)
		log_error(
			"no mail can be sent: %s; the next attempt is at %s, or after \"pbm outbox retry\"",
			trouble->text, clock_write_iso(until, when));
	else
		log_info("mail can be sent again");
	return rc;
}

static int record_all(struct site *site, const struct sending *s, const struct err *trouble,
                      struct run_report *r, struct err *e)
{
	int64_t now = clock_now();
	int rc = store_begin(site->store, e);

	for (size_t i = 0; rc == 0 && i < s->n; i++)
		rc = record_mail(site, s, i, now, r, e);
	if (rc == 0)
		rc = record_sink(site, trouble, now, e);
	if (rc < 0) {
		store_abort(site->store);
		return rc;
	}
	return store_commit(site->store, e);
}

/* Where a second copy can't be told from the first, an attempt is noted before it
 * is made: a store that can't be written must not send the same mails every
 * run. */
static int note_attempts(struct site *site, struct sending *s, struct err *e)
{
	int rc = store_begin(site->store, e);

	for (size_t i = 0; rc == 0 && i < s->n; i++)
		rc = store_outbox_attempts(site->store, s->rows[i].id, s->rows[i].attempts + 1, e);
	if (rc < 0) {
		store_abort(site->store);
		return rc;
	}
	s->noted = true;
	return store_commit(site->store, e);
}

/* The window itself, while others may write.  What only goes into a folder here is
 * done before anybody has waited. */
static int send_beside(struct site *site, struct mail_sink *sink, struct sending *s,
                       struct err *trouble, struct err *e)
{
	bool quick = sink->ops->repeatable;
	int rc = quick ? 0 : store_yield(site->store, e);

	if (rc < 0)
		return rc;
	int sent = sink->ops->send(sink->self, s->v, s->n, trouble);
	rc = quick ? 0 : site_resume_store(site, e);
	if (rc == 0 && sent < 0)
		return err_set(e, (enum err_code)sent, "%s", trouble->text);
	return rc < 0 ? rc : sent;
}

/* One window: 1 when there may be more to send, 0 when there is not, or must not. */
static int send_window(struct site *site, struct mail_sink *sink, struct sending *s, size_t most,
                       struct run_report *r, struct err *e)
{
	struct err trouble = { 0 };

	s->n = 0;
	s->noted = false;
	int rc = store_outbox_due(site->store, clock_now(), most, add_to_window, s, e);
	if (rc < 0 || s->n == 0)
		return rc;
	rc = store_sending_begin(site->store, e);
	r->elsewhere = rc == 0;
	if (rc <= 0)
		return rc;
	rc = 0;
	if (!sink->ops->repeatable)
		rc = note_attempts(site, s, e);
	if (rc == 0)
		rc = send_beside(site, sink, s, &trouble, e);
	if (rc < 0)
		return rc;
	r->stopped = rc > 0;
	rc = record_all(site, s, &trouble, r, e);
	/* Whoever could not send because of us relies on us. */
	return rc < 0 ? rc : !r->stopped;
}

/* The circuit breaker: something may be making mails without end. */
static int tell_limit(struct site *site, struct err *e)
{
	char text[400];

	log_warn("%ld mails have left in this run; the others wait for the next",
	         site->mails_per_run);
	snprintf(text, sizeof text,
	         "More mails were to be sent in one run than mails-per-run allows (%ld).\n"
	         "The others wait for the next runs.  If so many are right, raise the setting\n"
	         "in pbm.conf; \"pbm outbox\" lists what waits.\n",
	         site->mails_per_run);
	int rc = store_begin(site->store, e);
	if (rc < 0)
		return rc;
	rc = operator_tell(site, "too many mails", "more mails than allowed in one run", text, e);
	if (rc < 0) {
		store_abort(site->store);
		return rc;
	}
	return store_commit(site->store, e);
}

static int send_all(struct site *site, struct mail_sink *sink, long seconds, struct sending *s,
                    struct run_report *r, struct err *e)
{
	size_t window = sink->ops->window, left = (size_t)site->mails_per_run;
	int64_t end = clock_ms() + seconds * 1000;
	int rc = 1;

	while (rc == 1 && left > 0 && clock_ms() < end) {
		rc = send_window(site, sink, s, window < left ? window : left, r, e);
		left -= s->n < left ? s->n : left;
		arena_release(&s->arena);
	}
	if (rc == 1 && left == 0) {
		s->n = 0;
		rc = store_outbox_due(site->store, clock_now(), 1, add_to_window, s, e);
		arena_release(&s->arena);
		return rc == 0 && s->n ? tell_limit(site, e) : rc;
	}
	if (rc == 1)
		log_info("the time for sending is over; the other mails wait for the next run");
	return rc < 0 ? rc : 0;
}

int outbox_flush(struct site *site, struct mail_sink *sink, long seconds, struct run_report *report,
                 struct err *e)
{
	size_t window = sink->ops->window;
	char when[CLOCK_ISO_SIZE];
	int64_t until = 0, now = clock_now();
	int rc = store_value(site->store, SINK_PAUSE, &until, e);

	if (rc < 0)
		return rc;
	if (until > now && until - now <= LONGEST_PAUSE) {
		log_info("no mail is sent before %s", clock_write_iso(until, when));
		return 0;
	}
	struct sending s = { .v = mem_alloc(window * sizeof *s.v),
		             .rows = mem_alloc(window * sizeof *s.rows) };
	rc = send_all(site, sink, seconds, &s, report, e);
	store_sending_end(site->store);
	if (report->elsewhere)
		log_info("another process is sending; it takes along what waits here");
	free(s.v);
	free(s.rows);
	/* Whoever signs from here on signs with the keys of now. */
	return rc == 0 ? secret_read(site, e) : rc;
}
