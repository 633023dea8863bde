#include "store/store_marks.h"

#include <stdio.h>
#include <string.h>

#include "store/db/gather.h"
#include "store/document/document_file.h"
#include "store/store_documents.h"
#include "store/store_inside.h"
#include "store/store_work.h"

int store_seen(struct store *s, const char *key, struct err *e)
{
	return store_seen_either(s, key, key, e);
}

int store_seen_either(struct store *s, const char *key, const char *other, struct err *e)
{
	return db_number(s->db, DB_SEEN, DB_ARGS(db_text(key), db_text(other)), NULL, e);
}

int store_seen_add(struct store *s, const char *key, int64_t at, struct err *e)
{
	store_check_text(s, "seen mark", key, STORE_KEY_MAX, e);
	return store_change(s, DB_SEEN_ADD, DB_ARGS(db_text(key), db_int(at)), e);
}

int store_seen_expire(struct store *s, int64_t before, size_t limit, struct err *e)
{
	return store_change(s, DB_SEEN_EXPIRE, DB_ARGS(db_int(before), db_count(limit)), e);
}

int store_silent(struct store *s, const char *hash, struct err *e)
{
	return db_number(s->db, DB_SILENT, DB_ARGS(db_text(hash)), NULL, e);
}

int store_silent_add(struct store *s, const char *hash, int64_t at, struct err *e)
{
	store_check_text(s, "silent hash", hash, STORE_KEY_MAX, e);
	return store_change(s, DB_SILENT_ADD, DB_ARGS(db_text(hash), db_int(at)), e);
}

int store_silent_drop(struct store *s, const char *hash, struct err *e)
{
	return store_change(s, DB_SILENT_DROP, DB_ARGS(db_text(hash)), e);
}

struct wanted_values {
	size_t n;
	const struct store_value *v;
};

static int take_value(const struct db_row *row, void *arg, struct err *)
{
	const struct wanted_values *x = arg;

	for (size_t i = 0; i < x->n; i++)
		if (strcmp(x->v[i].name, db_row_text(row, 0)) == 0)
			*x->v[i].value = db_row_int(row, 1);
	return 0;
}

int store_rates(struct store *s, size_t n, const struct store_value *keys, int64_t now,
                int64_t window, struct err *e)
{
	const char *text[STORE_RATES_MAX] = { NULL };

	for (size_t i = 0; i < n; i++) {
		text[i] = keys[i].name;
		store_check_text(s, "rate key", text[i], STORE_KEY_MAX, e);
	}
	int rc = store_may_write(s, e);
	return rc < 0 ? rc
	              : db_each(s->db, DB_RATE_COUNT,
	                        DB_ARGS(db_text(text[0]), db_int(now + window), db_int(now),
	                                db_text(text[1]), db_text(text[2])),
	                        take_value, &(struct wanted_values){ n, keys }, e);
}

int store_rate(struct store *s, const char *key, int64_t now, int64_t window, int64_t *out,
               struct err *e)
{
	return store_rates(s, 1, &(struct store_value){ key, out }, now, window, e);
}

int store_rates_expire(struct store *s, int64_t now, struct err *e)
{
	return store_change(s, DB_RATE_EXPIRE, DB_ARGS(db_int(now)), e);
}

/* Deletes the rows whose keys begin with prefix. */
static int forget(struct store *s, enum db_query q, const char *prefix, struct err *e)
{
	char end[STORE_KEY_MAX + 1];
	size_t n = strlen(prefix);
	int rc = store_check_text(s, "key", prefix, STORE_KEY_MAX, e);

	if (rc < 0)
		return rc;
	memcpy(end, prefix, n + 1);
	end[n - 1]++;
	return store_change(s, q, DB_ARGS(db_text(prefix), db_text(end)), e);
}

int store_rate_forget(struct store *s, const char *prefix, struct err *e)
{
	return forget(s, DB_RATE_FORGET, prefix, e);
}

int store_seen_forget(struct store *s, const char *prefix, struct err *e)
{
	return forget(s, DB_SEEN_FORGET, prefix, e);
}

int store_rate_get(struct store *s, const char *key, int64_t now, int64_t *out, struct err *e)
{
	return db_number_or_0(s->db, DB_RATE_GET, DB_ARGS(db_text(key), db_int(now)), out, e);
}

int store_rate_ends(struct store *s, const char *key, int64_t now, int64_t *out, struct err *e)
{
	return db_number_or_0(s->db, DB_RATE_ENDS, DB_ARGS(db_text(key), db_int(now)), out, e);
}

int store_rate_take_back(struct store *s, const char *key, int64_t now, struct err *e)
{
	return store_change(s, DB_RATE_TAKE_BACK, DB_ARGS(db_text(key), db_int(now)), e);
}

/* Puts the index rows of a game again; those of a damaged document only so that nobody asks
 * for it again. */
static int renew(struct store *s, int64_t board, bool mark, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct document_file d;
	struct err why = { 0 };

	document_file_game(board, &d);
	int rc = store_game_get(s, &a, board, &d.game, &why);
	if (rc == 0)
		rc = document_file_index_game(&d, s->db, e);
	else if (rc == ERR_DAMAGED || rc == ERR_NOT_FOUND)
		rc = db_run(s->db, DB_GAME_NO_OPENING, DB_ARGS(db_int(board)), e);
	else
		err_set(e, why.code, "%s", why.text);
	return rc < 0 || !mark ? rc : store_work_add(s, WORK_GAME, board, 0, e);
}

int store_archive_is_old(struct store *s, bool *any, struct err *e)
{
	int64_t board;
	int rc = db_number(s->db, DB_GAMES_OLD, DB_ARGS(db_int(0), db_count(1)), &board, e);

	*any = rc == 1;
	return rc < 0 ? rc : 0;
}

int store_archive_renew(struct store *s, size_t limit, bool mark, size_t *count, struct err *e)
{
	AUTO(gather_release) struct gathered boards = { 0 };
	int rc = store_may_write(s, e);

	if (rc == 0)
		rc = gather_rows(&boards, s->db, DB_GAMES_OLD, DB_ARGS(db_int(0), db_count(limit)),
		                 gather_number, sizeof(int64_t), e);
	for (size_t i = 0; rc == 0 && i < boards.count; i++)
		rc = renew(s, *(const int64_t *)gather_at(&boards, i), mark, e);
	*count = boards.count;
	return rc < 0 ? rc : 0;
}

/* The values and the next board number are in the same table. */
static int check_value_name(struct store *s, const char *name, struct err *e)
{
	struct err why = { 0 };

	if (strcmp(name, "next_board") != 0)
		return 0;
	err_set(&why, ERR_BAD, "%s: a value may not have this name", name);
	return store_refuse(s, &why, e);
}

int store_value(struct store *s, const char *name, int64_t *out, struct err *e)
{
	int rc = check_value_name(s, name, e);

	*out = 0;
	if (rc == 0)
		rc = db_number(s->db, DB_VALUE_GET, DB_ARGS(db_text(name)), out, e);
	return rc < 0 ? rc : 0;
}

int store_values(struct store *s, size_t n, const struct store_value *values, struct err *e)
{
	struct db_value names[STORE_VALUES_MAX];
	int rc = 0;

	for (size_t i = 0; i < STORE_VALUES_MAX; i++)
		names[i] = db_text(i < n ? values[i].name : NULL);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		*values[i].value = 0;
		rc = check_value_name(s, values[i].name, e);
	}
	return rc == 0 ? db_each(s->db, DB_VALUES_GET, STORE_VALUES_MAX, names, take_value,
	                         &(struct wanted_values){ n, values }, e)
	               : rc;
}

int store_has_values(struct store *s, const char *prefix, struct err *e)
{
	char end[STORE_KEY_MAX + 1];

	if (s->no_value == prefix)
		return 0;
	snprintf(end, sizeof end, "%s\x7f", prefix);
	int rc = db_number(s->db, DB_VALUES, DB_ARGS(db_text(prefix), db_text(end), db_int(1)),
	                   NULL, e);
	if (rc == 0 && s->in_txn)
		s->no_value = prefix;
	return rc;
}

int store_value_set(struct store *s, const char *name, int64_t value, struct err *e)
{
	s->no_value = NULL;
	check_value_name(s, name, e);
	return store_change(s, DB_VALUE_SET, DB_ARGS(db_text(name), db_int(value)), e);
}

int store_value_drop(struct store *s, const char *name, struct err *e)
{
	check_value_name(s, name, e);
	return store_change(s, DB_VALUE_DROP, DB_ARGS(db_text(name)), e);
}

const char *store_own_name(const struct store *s, const char *name, char buf[STORE_OWN_NAME_SIZE])
{
	bool shared = db_is_shared(s->db);

	snprintf(buf, STORE_OWN_NAME_SIZE, "%.60s%s%s", name, shared ? "-" : "",
	         shared ? s->worker : "");
	return buf;
}
