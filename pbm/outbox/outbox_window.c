#include "pbm/outbox/outbox_window.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "pbm/answer/bounce.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/outbox/operator.h"
#include "pbm/outbox/outbox_pause.h"
#include "store/store_documents.h"
#include "store/store_numbers.h"
#include "store/store_outbox.h"

/* A mail is given up when it is five days old (RFC 5321 4.5.4.1), but only after so many
 * attempts: runs may have been rare, or a clock wrong.  With the waits below the attempts take
 * more than a day. */
#define GIVE_UP (5 * 86400)
#define ATTEMPTS_LEAST 10
/* For a mail from a time that is still to come: as many as fit into five days. */
#define ATTEMPTS_MOST 24
#define CLAIM 600 /* seconds in which the mails of a window may be begun */

static const int64_t retry_after[] = { 300, 900, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600 };

void outbox_window_init(struct outbox_window *w, size_t most, bool repeatable, bool claims)
{
	*w = (struct outbox_window){ .v = mem_alloc(most * sizeof *w->v),
		                     .rows = mem_alloc(most * sizeof *w->rows),
		                     .repeatable = repeatable,
		                     .claims = claims };
}

void outbox_window_release(struct outbox_window *w)
{
	arena_release(&w->arena);
	free(w->v);
	free(w->rows);
	*w = (struct outbox_window){ 0 };
}

/* Message-ID and recipient identify a mail for the sink. */
static int add_to_window(const struct outbox_mail *m, void *arg)
{
	struct outbox_window *w = arg;
	struct arena *a = &w->arena;

	w->v[w->n] = (struct mail_sending){
		.from = arena_strdup(a, m->envelope_from),
		.to = arena_strdup(a, m->rcpt),
		.key = arena_printf(a, "%s %s", m->message_id, m->rcpt),
		.bytes = arena_strndup(a, m->bytes, m->len),
		.len = m->len,
	};
	w->rows[w->n].id = m->id;
	w->rows[w->n].message_id = arena_strdup(a, m->message_id);
	w->rows[w->n].created = m->created;
	w->rows[w->n++].attempts = m->attempts;
	return 0;
}

size_t outbox_window_left(const struct site *site, const struct run_report *r)
{
	size_t most = (size_t)site->conf.mails_per_run;

	return r->sent < most ? most - r->sent : 0;
}

/* Fills the window anew, within the transaction.  The attempts of claimed mails are counted before they
 * are made; otherwise a store that can't be written would send the same mails in every run. */
static int fill(struct outbox_window *w, struct site *site, size_t most, struct err *e)
{
	int64_t now = clock_now();

	arena_release(&w->arena);
	w->n = 0;
	int rc = most ? store_outbox_window(site->store, now, most, add_to_window, w, e) : 0;
	if (rc < 0 || !w->claims || !w->n)
		return rc;
	for (size_t i = 0; i < w->n; i++)
		w->v[i].until = clock_ms() + CLAIM * 1000;
	return store_outbox_claim(site->store, now, most, now + CLAIM, e);
}

/* Gives a mail up, within the transaction.  v->rc is ERR_PERM when the recipient's server
 * refused it for good; else its five days are over.  It counts as a bounce.  The operator is
 * told, except about mails to himself, which would make more of them. */
static int give_up_mail(struct site *site, int64_t id, const struct mail_sending *v, struct err *e)
{
	char key[300], text[1000];

	log_error("mail %" PRId64 " to %s was given up: %s", id, v->to, v->why.text);
	int rc = bounce_given_up(site, v->to,
	                         v->rc == ERR_PERM ? v->why.text : "4.4.7 five days are over", e);
	if (rc < 0 || strcasecmp(v->to, site->conf.operator_address) == 0)
		return rc;
	/* Anybody can cause answers to addresses that don't exist: all strangers together are
	 * one trouble. */
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
	rc = store_end_mark(site->store, give_up_mail(site, id, v, &why), &why, e);
	if (rc == 1)
		log_error("the failure of mail %" PRId64 " can't be followed up: %s", id, why.text);
	return rc < 0 ? rc : 0;
}

static bool is_too_old(int64_t created, int attempts, int64_t now)
{
	if (created > now)
		return attempts >= ATTEMPTS_MOST;
	return now - created > GIVE_UP && attempts >= ATTEMPTS_LEAST;
}

static int record_mail(struct site *site, const struct outbox_window *w, size_t i, int64_t now,
                       struct run_report *r, struct err *e)
{
	const struct mail_sending *v = &w->v[i];
	int64_t id = 0;
	size_t last = sizeof retry_after / sizeof retry_after[0] - 1;
	size_t tries = w->rows[i].attempts < 0 ? last : (size_t)w->rows[i].attempts;

	if (v->rc == 0) {
		r->sent++;
		return store_outbox_sent(site->store, w->rows[i].message_id, v->to, e);
	}
	int rc = store_outbox_find(site->store, w->rows[i].message_id, v->to, &id, e);
	if (rc <= 0) /* 0: it was dropped in the meantime */
		return rc;
	if (w->claims)
		store_outbox_release(site->store, id, w->rows[i].attempts, e);
	if (v->untried) {
		r->deferred++;
		return store_outbox_note(site->store, id, v->why.text, e);
	}
	if (v->rc == ERR_PERM || is_too_old(w->rows[i].created, w->rows[i].attempts + 1, now)) {
		r->failed++;
		rc = give_up_in_mark(site, id, v, e);
		return rc < 0 ? rc : store_outbox_done(site->store, id, e);
	}
	log_warn("mail %" PRId64 " to %s waits: %s", id, v->to, v->why.text);
	r->deferred++;
	return store_outbox_retry(site->store, id, now + retry_after[tries > last ? last : tries],
	                          v->why.text, e);
}

static int note_mails(const struct outbox_window *w, struct site *site, const struct err *trouble,
                      struct run_report *r, struct err *e)
{
	int64_t now = clock_now();
	int64_t sent = -(int64_t)r->sent, failed = -(int64_t)r->failed;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < w->n; i++)
		rc = record_mail(site, w, i, now, r, e);
	if (rc == 0)
		rc = store_number_add(site->store, "mails-out:sent", sent + (int64_t)r->sent, e);
	if (rc == 0)
		rc = store_number_add(site->store, "mails-out:failed", failed + (int64_t)r->failed,
		                      e);
	return rc == 0 ? outbox_pause_note(site, trouble, now, e) : rc;
}

/* Did every mail succeed?  Then nothing else follows. */
static bool is_sent(const struct outbox_window *w, const struct err *trouble)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->v[i].rc < 0 || w->v[i].untried)
			return false;
	return trouble->code == 0;
}

int outbox_window_next(struct outbox_window *w, struct site *site, const struct err *trouble,
                       size_t most, struct run_report *r, struct err *e)
{
	if (!w->n && !w->claims) /* there is nothing to write */
		return fill(w, site, most, e);
	bool light = w->repeatable && is_sent(w, trouble) && !(w->claims && most);
	int rc = light ? store_begin_light(site->store, e) : store_begin(site->store, e);

	if (rc == 0 && w->n)
		rc = note_mails(w, site, trouble, r, e);
	if (rc == 0)
		rc = fill(w, site, most, e);
	return light ? store_end_light(site->store, rc, false, e) : store_end(site->store, rc, e);
}
