#include "store/store_outbox.h"

#include "store/db/gather.h"
#include "store/store_inside.h"

#define MAIL_MAX (64u << 20)
#define WHY_MAX 2000

int store_outbox_add(struct store *s, const struct outbox_mail *m, struct err *e)
{
	struct err why = { 0 };

	store_check_text(s, "message_id", m->message_id, STORE_KEY_MAX, e);
	store_check_text(s, "rcpt", m->rcpt, STORE_KEY_MAX, e);
	store_check_text(s, "envelope_from", m->envelope_from, STORE_KEY_MAX, e);
	if (m->len > MAIL_MAX) {
		err_set(&why, ERR_LIMIT, "%s: more than %u bytes", m->message_id, MAIL_MAX);
		return store_refuse(s, &why, e);
	}
	return store_change(s, DB_OUTBOX_ADD,
	                    DB_ARGS(db_text(m->message_id), db_text(m->envelope_from),
	                            db_text(m->rcpt), db_bytes(m->bytes, m->len),
	                            db_int(m->created), db_int(m->next_try), db_int(m->attempts),
	                            db_text(m->why)),
	                    e);
}

/* The columns that DB_OUTBOX_GET and DB_OUTBOX_LIST share: all but the bytes. */
static void copy_columns(const struct db_row *row, struct arena *a, struct outbox_mail *out)
{
	*out = (struct outbox_mail){
		.id = db_row_int(row, 0),
		.message_id = arena_strdup(a, db_row_text(row, 1)),
		.envelope_from = arena_strdup(a, db_row_text(row, 2)),
		.rcpt = arena_strdup(a, db_row_text(row, 3)),
		.created = db_row_int(row, 5),
		.next_try = db_row_int(row, 6),
		.attempts = (int)db_row_int(row, 7),
		.why = arena_strdup(a, db_row_text(row, 8)),
	};
}

static int copy_listed(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	struct outbox_mail *m = out;

	copy_columns(row, a, m);
	m->len = (size_t)db_row_int(row, 4);
	return 0;
}

static int copy_whole(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	struct outbox_mail *m = out;
	size_t len;
	const char *bytes = db_row_bytes(row, 4, &len);

	copy_columns(row, a, m);
	m->bytes = arena_strndup(a, bytes, len);
	m->len = len;
	return 0;
}

/* Hands one mail to fn, unless fn deleted it while it saw an earlier one. */
static int show_mail(struct store *s, int64_t id, outbox_fn *fn, void *arg, struct err *e)
{
	AUTO(gather_release) struct gathered mail = { 0 };
	int rc = gather_rows(&mail, s->db, DB_OUTBOX_GET, DB_ARGS(db_int(id)), copy_whole,
	                     sizeof(struct outbox_mail), e);

	if (rc == 0 && mail.count)
		rc = fn(gather_at(&mail, 0), arg);
	return rc;
}

/* One mail at a time is in memory: together they may be large. */
int store_outbox_due(struct store *s, int64_t t, size_t limit, outbox_fn *fn, void *arg,
                     struct err *e)
{
	return GATHER_EACH(int64_t, gather_number, show_mail(s, *row, fn, arg, e), e, s->db,
	                   DB_OUTBOX_DUE, DB_ARGS(db_int(t), db_text(s->worker), db_count(limit)));
}

struct shown_mails {
	outbox_fn *fn;
	void *arg;
};

static int show_row(const struct db_row *row, void *arg, struct err *e)
{
	const struct shown_mails *x = arg;
	struct outbox_mail m;
	AUTO(arena_release) struct arena a = { 0 };

	copy_whole(row, &a, &m, e);
	return x->fn(&m, x->arg);
}

int store_outbox_window(struct store *s, int64_t t, size_t limit, outbox_fn *fn, void *arg,
                        struct err *e)
{
	int rc = db_each(s->db, DB_OUTBOX_WINDOW,
	                 DB_ARGS(db_int(t), db_text(s->worker), db_count(limit)), show_row,
	                 &(struct shown_mails){ fn, arg }, e);

	return rc < 0 ? rc : 0;
}

int store_outbox_is_due(struct store *s, int64_t t, struct err *e)
{
	int64_t id;

	return db_number(s->db, DB_OUTBOX_DUE, DB_ARGS(db_int(t), db_text(s->worker), db_int(1)),
	                 &id, e);
}

int store_outbox_list(struct store *s, int64_t after, size_t limit, outbox_fn *fn, void *arg,
                      struct err *e)
{
	return GATHER_EACH(struct outbox_mail, copy_listed, fn(row, arg), e, s->db, DB_OUTBOX_LIST,
	                   DB_ARGS(db_int(after), db_count(limit)));
}

int store_outbox_find(struct store *s, const char *message_id, const char *rcpt, int64_t *id,
                      struct err *e)
{
	return db_number(s->db, DB_OUTBOX_FIND, DB_ARGS(db_text(message_id), db_text(rcpt)), id, e);
}

int store_outbox_sent(struct store *s, const char *message_id, const char *rcpt, struct err *e)
{
	return store_change(s, DB_OUTBOX_SENT, DB_ARGS(db_text(message_id), db_text(rcpt)), e);
}

int store_outbox_done(struct store *s, int64_t id, struct err *e)
{
	return store_change(s, DB_OUTBOX_DONE, DB_ARGS(db_int(id)), e);
}

int store_outbox_retry(struct store *s, int64_t id, int64_t next_try, const char *why,
                       struct err *e)
{
	return store_change(s, DB_OUTBOX_RETRY,
	                    DB_ARGS(db_int(id), db_int(next_try), store_cut_text(why, WHY_MAX),
	                            db_text(s->worker)),
	                    e);
}

int store_outbox_claim(struct store *s, int64_t t, size_t limit, int64_t until, struct err *e)
{
	return store_change(s, DB_OUTBOX_CLAIM,
	                    DB_ARGS(db_int(t), db_text(s->worker), db_count(limit), db_int(until)),
	                    e);
}

int store_outbox_release(struct store *s, int64_t id, int attempts, struct err *e)
{
	return store_change(s, DB_OUTBOX_RELEASE,
	                    DB_ARGS(db_int(id), db_text(s->worker), db_int(attempts)), e);
}

int store_outbox_note(struct store *s, int64_t id, const char *why, struct err *e)
{
	return store_change(s, DB_OUTBOX_NOTE, DB_ARGS(db_int(id), store_cut_text(why, WHY_MAX)),
	                    e);
}

int store_outbox_hurry(struct store *s, int64_t id, int64_t t, struct err *e)
{
	return id ? store_change(s, DB_OUTBOX_HURRY, DB_ARGS(db_int(t), db_int(id)), e)
	          : store_change(s, DB_OUTBOX_HURRY_ALL, DB_ARGS(db_int(t)), e);
}
