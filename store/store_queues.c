/* The small tables beside the documents: outbox, seen marks, held commands,
 * rates, archive marks. */
#include <stdlib.h>
#include <string.h>

#include "pbm/base/utf8.h"
#include "store/inside.h"

#define KEY_MAX 1000 /* a Message-ID with its sender fits */
#define MAIL_MAX (64u << 20)
#define HELD_TEXT_MAX (1u << 20)
#define WHY_MAX 2000

static int check_text(const char *what, const char *text, size_t max, struct err *e)
{
	if (!text)
		return err_set(e, ERR_BAD, "%s: is missing", what);
	if (strlen(text) > max)
		return err_set(e, ERR_LIMIT, "%s: more than %zu bytes", what, max);
	return 0;
}

/* The ids of a queue, gathered before the caller sees the first. */
struct ids {
	int64_t *items;
	size_t count, cap;
};

static int add_id(const struct db_row *row, void *arg, struct err *e)
{
	struct ids *ids = arg;

	(void)e;
	if (ids->count == ids->cap) {
		ids->cap = ids->cap ? ids->cap * 2 : 64;
		ids->items = mem_resize(ids->items, ids->cap * sizeof ids->items[0]);
	}
	ids->items[ids->count++] = db_row_int(row, 0);
	return 0;
}

/* Writes need a transaction; so does everything below that changes a row. */
static int change(struct store *s, enum db_query q, size_t n, const struct db_value *args,
                  struct err *e)
{
	int rc = store_may_write(s, e);

	return rc == 0 ? db_run(s->db, q, n, args, e) : rc;
}

int store_outbox_add(struct store *s, const struct outbox_mail *m, struct err *e)
{
	int rc = check_text("message_id", m->message_id, KEY_MAX, e);

	if (rc == 0)
		rc = check_text("rcpt", m->rcpt, KEY_MAX, e);
	if (rc == 0)
		rc = check_text("envelope_from", m->envelope_from, KEY_MAX, e);
	if (rc == 0 && m->len > MAIL_MAX)
		rc = err_set(e, ERR_LIMIT, "%s: more than %u bytes", m->message_id, MAIL_MAX);
	if (rc < 0)
		return rc;
	return change(s, DB_OUTBOX_ADD,
	              DB_ARGS(db_text(m->message_id), db_text(m->envelope_from), db_text(m->rcpt),
	                      db_bytes(m->bytes, m->len), db_int(m->created), db_int(m->next_try),
	                      db_int(m->attempts), db_text(m->why)),
	              e);
}

struct taken_mail {
	struct arena a;
	struct outbox_mail mail;
};

static int attempt_mail(const struct db_row *row, void *arg, struct err *e)
{
	struct taken_mail *t = arg;
	size_t len;
	const char *bytes = db_row_bytes(row, 4, &len);

	(void)e;
	t->mail = (struct outbox_mail){
		.id = db_row_int(row, 0),
		.message_id = arena_strdup(&t->a, db_row_text(row, 1)),
		.envelope_from = arena_strdup(&t->a, db_row_text(row, 2)),
		.rcpt = arena_strdup(&t->a, db_row_text(row, 3)),
		.bytes = arena_strndup(&t->a, bytes, len),
		.len = len,
		.created = db_row_int(row, 5),
		.next_try = db_row_int(row, 6),
		.attempts = (int)db_row_int(row, 7),
		.why = arena_strdup(&t->a, db_row_text(row, 8)),
	};
	return 1;
}

int store_outbox_due(struct store *s, int64_t t, size_t limit, outbox_fn *fn, void *arg,
                     struct err *e)
{
	struct ids ids = { 0 };
	int rc = db_each(s->db, DB_OUTBOX_DUE, DB_ARGS(db_int(t), db_count(limit)), add_id, &ids,
	                 e);

	for (size_t i = 0; rc == 0 && i < ids.count; i++) {
		struct taken_mail taken = { 0 };

		rc = db_each(s->db, DB_OUTBOX_GET, DB_ARGS(db_int(ids.items[i])), attempt_mail,
		             &taken, e);
		if (rc > 0) /* else fn itself took it out meanwhile */
			rc = fn(&taken.mail, arg);
		arena_release(&taken.a);
	}
	free(ids.items);
	return rc < 0 ? rc : 0;
}

int store_outbox_find(struct store *s, const char *message_id, const char *rcpt, int64_t *id,
                      struct err *e)
{
	return db_number(s->db, DB_OUTBOX_FIND, DB_ARGS(db_text(message_id), db_text(rcpt)), id, e);
}

int store_outbox_done(struct store *s, int64_t id, struct err *e)
{
	return change(s, DB_OUTBOX_DONE, DB_ARGS(db_int(id)), e);
}

int store_outbox_retry(struct store *s, int64_t id, int64_t next_try, const char *why,
                       struct err *e)
{
	struct db_value text = db_text(why);

	text.len = why ? utf8_cut(why, text.len, WHY_MAX) : 0;
	return change(s, DB_OUTBOX_RETRY, DB_ARGS(db_int(id), db_int(next_try), text), e);
}

int store_outbox_attempts(struct store *s, int64_t id, int attempts, struct err *e)
{
	return change(s, DB_OUTBOX_ATTEMPTS, DB_ARGS(db_int(id), db_int(attempts)), e);
}

int store_outbox_note(struct store *s, int64_t id, const char *why, struct err *e)
{
	struct db_value text = db_text(why);

	text.len = why ? utf8_cut(why, text.len, WHY_MAX) : 0;
	return change(s, DB_OUTBOX_NOTE, DB_ARGS(db_int(id), text), e);
}

int store_outbox_hurry(struct store *s, int64_t id, int64_t t, struct err *e)
{
	return id ? change(s, DB_OUTBOX_HURRY, DB_ARGS(db_int(t), db_int(id)), e)
	          : change(s, DB_OUTBOX_HURRY_ALL, DB_ARGS(db_int(t)), e);
}

/* The rows of a page, gathered before the caller sees the first. */
struct page {
	struct arena a;
	struct outbox_mail *mails;
	size_t n, cap;
};

static int add_listed(const struct db_row *row, void *arg, struct err *e)
{
	struct page *p = arg;

	(void)e;
	if (p->n == p->cap) {
		p->cap = p->cap ? p->cap * 2 : 64;
		p->mails = mem_resize(p->mails, p->cap * sizeof p->mails[0]);
	}
	p->mails[p->n++] = (struct outbox_mail){
		.id = db_row_int(row, 0),
		.message_id = arena_strdup(&p->a, db_row_text(row, 1)),
		.envelope_from = arena_strdup(&p->a, db_row_text(row, 2)),
		.rcpt = arena_strdup(&p->a, db_row_text(row, 3)),
		.len = (size_t)db_row_int(row, 4),
		.created = db_row_int(row, 5),
		.next_try = db_row_int(row, 6),
		.attempts = (int)db_row_int(row, 7),
		.why = arena_strdup(&p->a, db_row_text(row, 8)),
	};
	return 0;
}

int store_outbox_list(struct store *s, int64_t after, size_t limit, outbox_fn *fn, void *arg,
                      struct err *e)
{
	struct page p = { 0 };
	int rc = db_each(s->db, DB_OUTBOX_LIST, DB_ARGS(db_int(after), db_count(limit)), add_listed,
	                 &p, e);

	for (size_t i = 0; rc == 0 && i < p.n; i++)
		rc = fn(&p.mails[i], arg);
	arena_release(&p.a);
	free(p.mails);
	return rc < 0 ? rc : 0;
}

/* They share a table with the next board number. */
static int check_value_name(const char *name, struct err *e)
{
	return strcmp(name, "next_board") == 0
	               ? err_set(e, ERR_BAD, "%s is no value of yours", name)
	               : 0;
}

int store_value(struct store *s, const char *name, int64_t *out, struct err *e)
{
	int rc = check_value_name(name, e);

	*out = 0;
	if (rc == 0)
		rc = db_number(s->db, DB_VALUE_GET, DB_ARGS(db_text(name)), out, e);
	return rc < 0 ? rc : 0;
}

int store_value_set(struct store *s, const char *name, int64_t value, struct err *e)
{
	int rc = check_value_name(name, e);

	return rc == 0 ? change(s, DB_VALUE_SET, DB_ARGS(db_text(name), db_int(value)), e) : rc;
}

int store_seen(struct store *s, const char *key, struct err *e)
{
	int64_t one;

	return db_number(s->db, DB_SEEN, DB_ARGS(db_text(key)), &one, e);
}

int store_seen_add(struct store *s, const char *key, int64_t at, struct err *e)
{
	int rc = check_text("seen mark", key, KEY_MAX, e);

	return rc == 0 ? change(s, DB_SEEN_ADD, DB_ARGS(db_text(key), db_int(at)), e) : rc;
}

int store_seen_expire(struct store *s, int64_t before, size_t limit, struct err *e)
{
	return change(s, DB_SEEN_EXPIRE, DB_ARGS(db_int(before), db_count(limit)), e);
}

int store_held_put(struct store *s, const struct held_command *h, struct err *e)
{
	int rc = check_text("held id", h->id, KEY_MAX, e);

	if (rc == 0)
		rc = check_text("held userid", h->userid, KEY_MAX, e);
	if (rc == 0)
		rc = check_text("held address", h->address, KEY_MAX, e);
	if (rc == 0)
		rc = check_text("held text", h->text, HELD_TEXT_MAX, e);
	if (rc < 0)
		return rc;
	return change(s, DB_HELD_PUT,
	              DB_ARGS(db_text(h->id), db_text(h->userid), db_text(h->address),
	                      db_text(h->text), db_int(h->expires)),
	              e);
}

struct held_taking {
	struct arena *a;
	struct held_command *out;
};

static int take_held(const struct db_row *row, void *arg, struct err *e)
{
	const struct held_taking *t = arg;

	(void)e;
	*t->out = (struct held_command){
		.id = arena_strdup(t->a, db_row_text(row, 0)),
		.userid = arena_strdup(t->a, db_row_text(row, 1)),
		.address = arena_strdup(t->a, db_row_text(row, 2)),
		.text = arena_strdup(t->a, db_row_text(row, 3)),
		.expires = db_row_int(row, 4),
	};
	return 1;
}

int store_held_get(struct store *s, struct arena *a, const char *id, struct held_command *out,
                   struct err *e)
{
	int rc = db_each(s->db, DB_HELD_GET, DB_ARGS(db_text(id)), take_held,
	                 &(struct held_taking){ .a = a, .out = out }, e);

	if (rc == 0)
		return err_set(e, ERR_NOT_FOUND, "no held command has this id");
	return rc < 0 ? rc : 0;
}

int store_held_delete(struct store *s, const char *id, struct err *e)
{
	return change(s, DB_HELD_DELETE, DB_ARGS(db_text(id)), e);
}

int store_held_expire(struct store *s, int64_t now, struct err *e)
{
	return change(s, DB_HELD_EXPIRE, DB_ARGS(db_int(now)), e);
}

int store_rate(struct store *s, const char *key, int64_t now, int64_t window, int64_t *out,
               struct err *e)
{
	int rc = check_text("rate key", key, KEY_MAX, e);

	if (rc == 0)
		rc = change(s, DB_RATE_EXPIRE, DB_ARGS(db_int(now)), e);
	if (rc == 0)
		rc = db_number(s->db, DB_RATE_COUNT, DB_ARGS(db_text(key), db_int(now + window)),
		               out, e);
	return rc < 0 ? rc : 0;
}

int store_archive_mark(struct store *s, int64_t board, struct err *e)
{
	return change(s, DB_ARCHIVE_MARK, DB_ARGS(db_int(board)), e);
}

int store_archive_due(struct store *s, int64_t after, size_t limit, board_fn *fn, void *arg,
                      struct err *e)
{
	struct ids ids = { 0 };
	int rc = db_each(s->db, DB_ARCHIVE_DUE, DB_ARGS(db_int(after), db_count(limit)), add_id,
	                 &ids, e);

	for (size_t i = 0; rc == 0 && i < ids.count; i++)
		rc = fn(ids.items[i], arg);
	free(ids.items);
	return rc < 0 ? rc : 0;
}

int store_archive_done(struct store *s, int64_t board, struct err *e)
{
	return change(s, DB_ARCHIVE_DONE, DB_ARGS(db_int(board)), e);
}
