/* The outbox: mails that wait to be sent, one row for each message and recipient. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct outbox_mail {
	int64_t id; /* given by the store */
	const char *message_id, *envelope_from, *rcpt;
	const char *bytes;
	size_t len;
	int64_t created, next_try; /* Unix seconds */
	int attempts;
	const char *why; /* the reason of the last failure, or NULL */
};
typedef int outbox_fn(const struct outbox_mail *m, void *arg);

/* Does nothing when the same message waits for the same recipient.  ERR_BAD, ERR_LIMIT. */
int store_outbox_add(struct store *s, const struct outbox_mail *m, struct err *e);

/* Mails that are due at t, the longest due first, without those that another worker has claimed
 * until a later time.  A worker is a machine; its own claims are no obstacle: their process ended
 * before store_sending_begin() gave this one the right to send. */
int store_outbox_due(struct store *s, int64_t t, size_t limit, outbox_fn *fn, void *arg,
                     struct err *e);
/* The same with one question; fn asks none. */
int store_outbox_window(struct store *s, int64_t t, size_t limit, outbox_fn *fn, void *arg,
                        struct err *e);
/* 1: there is such a mail; 0: there is none. */
int store_outbox_is_due(struct store *s, int64_t t, struct err *e);
/* Mails with greater ids than `after`, rising; with len, but bytes is NULL. */
int store_outbox_list(struct store *s, int64_t after, size_t limit, outbox_fn *fn, void *arg,
                      struct err *e);
/* 1: *id is the row with this message and recipient; 0: there is none. */
int store_outbox_find(struct store *s, const char *message_id, const char *rcpt, int64_t *id,
                      struct err *e);

/* Deletes the row, if there is one: the mail was sent. */
int store_outbox_sent(struct store *s, const char *message_id, const char *rcpt, struct err *e);
/* Deletes the row: the mail was given up. */
int store_outbox_done(struct store *s, int64_t id, struct err *e);
/* Counts an attempt that failed, and sets the time of the next one.  Does nothing while another
 * worker has the mail. */
int store_outbox_retry(struct store *s, int64_t id, int64_t next_try, const char *why,
                       struct err *e);
/* Claims the mails that are due at t for this worker until that time, in the transaction that found
 * them, and counts attempts: they may be sent although nobody lives to note it. */
int store_outbox_claim(struct store *s, int64_t t, size_t limit, int64_t until, struct err *e);
/* Gives it back with so many attempts, unless another worker has claimed it since then. */
int store_outbox_release(struct store *s, int64_t id, int attempts, struct err *e);
/* Notes why the mail still waits, without counting an attempt. */
int store_outbox_note(struct store *s, int64_t id, const char *why, struct err *e);
/* Makes the mail due at t unless it is due earlier.  id 0: all mails that have failed, or were
 * made by a wrong clock; the others wait on purpose. */
int store_outbox_hurry(struct store *s, int64_t id, int64_t t, struct err *e);
