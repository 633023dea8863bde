/* Mails out: a mail goes from the outbox to the sink, is made durable there, and only
 * then is removed from the outbox.
 *
 * There are two kinds of trouble.  A single mail may fail (unknown recipient, full
 * mailbox): it waits longer after each attempt, or is given up; the others go on.  The
 * sink may fail (the server is down, or refuses our password): nothing more is sent in
 * this run, mails that were not tried lose no attempt, and the next runs pause, so that
 * a run a minute does not try a wrong password a thousand times.
 *
 * A window is the mails given to the sink at once.  While a window is being sent the
 * store is released: other processes may add, change or remove mails, but only this one
 * sends.  If the run ends there, the next run sends this window again: with a repeatable
 * sink that makes no second copy; with other sinks the attempt is counted before it is
 * made.  The result is noted by Message-ID and recipient, because the row's id may
 * belong to another mail by then. */
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
#include "store/store_numbers.h"
#include "store/store_outbox.h"
#include "store/store_sending.h"

/* A mail is given up when it is five days old (RFC 5321 4.5.4.1), but only after so many
 * attempts: runs may have been rare, or a clock wrong.  With the waits below these take
 * more than a day. */
#define GIVE_UP (5 * 86400)
#define ATTEMPTS_LEAST 10
/* For a mail from a time that is still to come: as many as fit into five days. */
#define ATTEMPTS_MOST 24

static const int64_t retry_after[] = { 300, 900, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600 };

/* Seconds to pause after the first, second … failure of the sink in a row: for trouble
 * that may pass, and for trouble that somebody must mend. */
static const int64_t pauses[][2] = { { 60, 900 }, { 300, 1800 }, { 900, 3600 }, { 1800, 3600 } };
#define LONGEST_PAUSE 3600 /* a longer one comes from a wrong clock and is ignored */

/* The window being sent; the strings live in the arena. */
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

/* Message-ID and recipient identify a mail for the sink. */
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

/* Gives a mail up, within the transaction.  v->rc is ERR_PERM when the recipient's
 * server refused it for ever; else its five days are over.  It counts as a bounce.  The
 * operator is told, but not about mails to the operator: that would make more of them. */
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

/* give_up_mail() in a mark of its own.  It may fail (a player's file is damaged, for
 * example), and the results of the other mails must be kept. */
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

static bool is_too_old(int64_t created, int attempts, int64_t now)
{
	if (created > now)
		return attempts >= ATTEMPTS_MOST;
	return now - created > GIVE_UP && attempts >= ATTEMPTS_LEAST;
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
	if (rc == 0) /* it was dropped in the meantime */
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
	if (v->rc == ERR_PERM || is_too_old(s->rows[i].created, s->rows[i].attempts + 1, now)) {
		r->failed++;
		rc = give_up_in_mark(site, id, v, e);
		return rc < 0 ? rc : store_outbox_done(site->store, id, e);
	}
	log_warn("mail %" PRId64 " to %s waits: %s", id, v->to, v->why.text);
	r->deferred++;
	return store_outbox_retry(site->store, id, now + retry_after[tries > last ? last : tries],
	                          v->why.text, e);
}

/* Counts the sink's failures in a row and sets the pause after them. */
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
	int64_t sent = -(int64_t)r->sent, failed = -(int64_t)r->failed;
	int rc = store_begin(site->store, e);

	for (size_t i = 0; rc == 0 && i < s->n; i++)
		rc = record_mail(site, s, i, now, r, e);
	if (rc == 0)
		rc = store_number_add(site->store, "mails-out:sent", sent + (int64_t)r->sent, e);
	if (rc == 0)
		rc = store_number_add(site->store, "mails-out:failed", failed + (int64_t)r->failed,
		                      e);
	if (rc == 0)
		rc = record_sink(site, trouble, now, e);
	return store_end(site->store, rc, e);
}

/* Counts the attempts before they are made, for a sink that would deliver a second
 * copy: if the store can't be written, the same mails must not go out in every run. */
static int note_attempts(struct site *site, struct sending *s, struct err *e)
{
	int rc = store_begin(site->store, e);

	for (size_t i = 0; rc == 0 && i < s->n; i++)
		rc = store_outbox_attempts(site->store, s->rows[i].id, s->rows[i].attempts + 1, e);
	s->noted |= rc == 0;
	return store_end(site->store, rc, e);
}

/* Sends the window while other processes may write to the store.  A repeatable sink is
 * a folder on this machine and quick: there the store is kept. */
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

/* Sends one window.  1: there may be more to send; 0: there is no more, or the sink failed. */
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
	if (r->progress)
		r->progress(r);
	/* Another process may have left its mails to this one: look for more. */
	return rc < 0 ? rc : !r->stopped;
}

/* mails-per-run is reached: a fault may be making mails without end. */
static int tell_limit(struct site *site, struct err *e)
{
	char text[400];

	log_warn("%ld mails were sent in this run; the others wait for the next run",
	         site->mails_per_run);
	snprintf(text, sizeof text,
	         "More mails were to be sent in one run than mails-per-run allows (%ld).\n"
	         "The others wait for the next runs.  If so many are right, raise the setting\n"
	         "in pbm.conf; \"pbm outbox\" lists what waits.\n",
	         site->mails_per_run);
	return operator_tell_now(site, "too many mails", "more mails than allowed in one run", text,
	                         e);
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
		log_info("another process is sending; it also sends the mails of this run");
	free(s.v);
	free(s.rows);
	/* The keys may have changed while the store was released. */
	return rc == 0 ? secret_read(site, e) : rc;
}
