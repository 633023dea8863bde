#include "store/shared/store_inbox.h"

#include "store/db/gather.h"
#include "store/store_inside.h"

#define WHY_MAX 2000

int store_inbox_add(struct store *s, const char *name, const struct inbox_mail *m, struct err *e)
{
	int rc = s->in_txn ? store_may_write(s, e) : store_check_certain(s, e);

	return rc < 0 ? rc
	              : db_run(s->db, DB_INBOX_ADD,
	                       DB_ARGS(db_text(name), db_int(m->came), db_int(m->cut),
	                               db_bytes(m->bytes, m->len)),
	                       e);
}

static int copy_mail(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	struct inbox_mail *m = out;
	const char *bytes = db_row_bytes(row, 3, &m->len);

	m->id = db_row_int(row, 0);
	m->came = db_row_int(row, 1);
	m->cut = db_row_int(row, 2) != 0;
	m->bytes = arena_strndup(a, bytes, m->len);
	return 0;
}

int store_inbox_next(struct store *s, int64_t id, size_t limit,
                     int (*fn)(const struct inbox_mail *m, void *arg), void *arg, struct err *e)
{
	return GATHER_EACH(struct inbox_mail, copy_mail, fn(row, arg), e, s->db, DB_INBOX_NEXT,
	                   DB_ARGS(db_int(id), db_count(limit)));
}

int store_inbox_wait(struct store *s, int ms, struct err *e)
{
	return db_wait(s->db, ms, e);
}

int store_inbox_has(struct store *s, int64_t id, struct err *e)
{
	return db_number(s->db, DB_INBOX_HAS, DB_ARGS(db_int(id)), NULL, e);
}

int store_inbox_done(struct store *s, int64_t id, struct err *e)
{
	return store_change(s, DB_INBOX_DONE, DB_ARGS(db_int(id)), e);
}

int store_inbox_size(struct store *s, int64_t since, int64_t *count, int64_t *oldest, struct err *e)
{
	return db_pair(s->db, DB_INBOX_SIZE, DB_ARGS(db_int(since)), count, oldest, e);
}

int store_aside_put(struct store *s, const char *name, const struct inbox_mail *m, const char *why,
                    struct err *e)
{
	return store_change(s, DB_ASIDE_PUT,
	                    DB_ARGS(db_text(name), db_int(m->came), db_int(m->cut),
	                            db_bytes(m->bytes, m->len), store_cut_text(why, WHY_MAX),
	                            db_int(0)),
	                    e);
}

int store_aside_proved(struct store *s, const char *name, struct err *e)
{
	return store_change(s, DB_ASIDE_PROVED, DB_ARGS(db_text(name)), e);
}

static int copy_aside(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	*(struct aside_mail *)out = (struct aside_mail){
		.name = arena_strdup(a, db_row_text(row, 0)),
		.at = db_row_int(row, 1),
		.len = (size_t)db_row_int(row, 2),
		.why = arena_strdup(a, db_row_text(row, 3)),
		.proved = db_row_int(row, 4) != 0,
	};
	return 0;
}

int store_aside_list(struct store *s, const char *name, size_t limit,
                     int (*fn)(const struct aside_mail *m, void *arg), void *arg, struct err *e)
{
	return GATHER_EACH(struct aside_mail, copy_aside, fn(row, arg), e, s->db, DB_ASIDE,
	                   DB_ARGS(db_text(name), db_count(limit)));
}

int store_aside_size(struct store *s, int64_t *count, int64_t *bytes, struct err *e)
{
	return db_pair(s->db, DB_ASIDE_SIZE, DB_NONE, count, bytes, e);
}

struct kept_bytes {
	char *bytes;
	size_t len;
};

static int copy_bytes(const struct db_row *row, void *arg, struct err *)
{
	struct kept_bytes *k = arg;
	const char *bytes = db_row_bytes(row, 0, &k->len);

	k->bytes = mem_strndup(bytes, k->len);
	return 1;
}

int store_aside_get(struct store *s, const char *name, char **out, size_t *len, struct err *e)
{
	struct kept_bytes k = { 0 };
	int rc = db_each(s->db, DB_ASIDE_GET, DB_ARGS(db_text(name)), copy_bytes, &k, e);

	if (rc == 0)
		rc = err_set(e, ERR_NOT_FOUND, "no mail %.100s was put aside", name);
	*out = k.bytes;
	*len = k.len;
	return rc < 0 ? rc : 0;
}

int store_aside_retry(struct store *s, const char *name, struct err *e)
{
	return store_change(s, DB_ASIDE_RETRY, DB_ARGS(db_text(name)), e);
}

int store_aside_drop(struct store *s, const char *name, struct err *e)
{
	return store_change(s, DB_ASIDE_DROP, DB_ARGS(db_text(name)), e);
}

int store_role(struct store *s, const char *name, struct err *e)
{
	int64_t got = 0;
	int rc = db_number(s->db, DB_ROLE, DB_ARGS(db_text(name)), &got, e);

	return rc < 0 ? rc : (int)got;
}
