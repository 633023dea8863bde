/* Calls the back-end, and does what is the same for all of them. */
#include "store/db/db.h"

#include <string.h>
#include <time.h>

#include "store/db/db_backend.h"
#include "store/db/db_sql.h"

int db_open(const struct db_backend *backend, const char *path, enum db_mode mode, struct db **out,
            struct err *e)
{
	int rc = backend->open(path, mode, out, e);

	if (rc == 0)
		(*out)->backend = backend;
	return rc;
}

int db_version(const struct db_backend *backend, const char *path, int64_t *found, int64_t *known,
               struct err *e)
{
	*known = backend->version;
	return backend->version_of(path, found, e);
}

void db_close(struct db *d)
{
	if (d)
		d->backend->close(d);
}

bool db_is_shared(const struct db *d)
{
	return d->backend->shared;
}

void db_keep_log(struct db *d)
{
	if (d->backend->keep_log)
		d->backend->keep_log(d);
}

int db_set_durable(struct db *d, bool durable, struct err *e)
{
	return d->backend->set_durable ? d->backend->set_durable(d, durable, e) : 0;
}

int db_harden(const struct db_backend *backend, const char *path, struct err *e)
{
	return backend->harden ? backend->harden(path, e) : 0;
}

void db_fail(struct db *d, const struct err *why)
{
	if (d->keeps)
		err_set(&d->failed, why->code, "%s", why->text);
}

int db_failed(const struct db *d, struct err *e)
{
	return d->failed.code ? err_set(e, d->failed.code, "%s", d->failed.text) : 0;
}

void db_keep_errors(struct db *d, bool on)
{
	d->keeps = on;
	err_clear(&d->failed);
}

int db_each(struct db *d, enum db_query q, size_t n, const struct db_value *args, db_row_fn *fn,
            void *arg, struct err *e)
{
	if (q == DB_ROLLBACK || q == DB_MARK_ROLLBACK)
		err_clear(&d->failed);
	if (d->failed.code)
		return db_failed(d, e);
	int rc = d->backend->each(d, q, n, args, fn, arg, e);
	if (q == DB_ROLLBACK || (rc == 0 && (q == DB_BEGIN || q == DB_COMMIT)))
		db_keep_errors(d, q == DB_BEGIN);
	return rc;
}

int db_run(struct db *d, enum db_query q, size_t n, const struct db_value *args, struct err *e)
{
	return db_each(d, q, n, args, NULL, NULL, e);
}

static int take_number(const struct db_row *row, void *arg, struct err *)
{
	if (arg)
		*(int64_t *)arg = db_row_int(row, 0);
	return 1;
}

static int take_pair(const struct db_row *row, void *arg, struct err *)
{
	int64_t *out = arg;

	out[0] = db_row_int(row, 0);
	out[1] = db_row_int(row, 1);
	return 1;
}

int db_pair(struct db *d, enum db_query q, size_t n, const struct db_value *args, int64_t *first,
            int64_t *second, struct err *e)
{
	int64_t pair[2] = { 0 };
	int rc = db_each(d, q, n, args, take_pair, pair, e);

	*first = pair[0];
	*second = pair[1];
	return rc < 0 ? rc : 0;
}

int db_number(struct db *d, enum db_query q, size_t n, const struct db_value *args, int64_t *out,
              struct err *e)
{
	return db_each(d, q, n, args, take_number, out, e);
}

int db_number_or_0(struct db *d, enum db_query q, size_t n, const struct db_value *args,
                   int64_t *out, struct err *e)
{
	*out = 0;
	int rc = db_number(d, q, n, args, out, e);

	return rc < 0 ? rc : 0;
}

bool db_in_transaction(const struct db *d)
{
	return d->backend->in_transaction(d);
}

int db_check(struct db *d, struct err *e)
{
	return d->backend->check ? d->backend->check(d, e) : 0;
}

int db_check_derived(struct db *d, size_t i, const char **table, int64_t *wrong, struct err *e)
{
	*table = i < DB_DERIVED ? db_derived[i].table : NULL;
	*wrong = 0;
	return *table ? d->backend->ask_number(d, db_derived[i].wrong, wrong, e) : 0;
}

int db_mend_derived(struct db *d, size_t i, struct err *e)
{
	return d->backend->execute(d, db_derived[i].mend, e);
}

int db_wait(struct db *d, int ms, struct err *e)
{
	if (d->backend->wait)
		return d->backend->wait(d, ms, e);
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L }, NULL);
	return 0;
}

int db_be_patient(struct db *d, struct err *e)
{
	return d->backend->be_patient ? d->backend->be_patient(d, e) : 0;
}

int db_build(struct db *d, struct err *e)
{
	int rc = db_run(d, DB_BEGIN, DB_NONE, e);

	if (rc == 0)
		rc = db_be_patient(d, e);
	return rc == 0 ? d->backend->loosen(d, e) : rc;
}

/* Table `lists` is the first of those that follow from others. */
static int tighten(struct db *d, struct err *e)
{
	int rc = d->backend->execute(
		d,
		"UPDATE meta SET value = 1 + (SELECT max(board) FROM games)"
		" WHERE key = 'next_board' AND value <= (SELECT max(board) FROM games)",
		e);

	for (size_t i = 0; rc == 0 && i < DB_DERIVED_OF_VIEW; i++)
		rc = db_mend_derived(d, i, e);
	return rc == 0 ? d->backend->tighten(d, e) : rc;
}

int db_build_done(struct db *d, struct err *e)
{
	int rc = tighten(d, e);

	if (rc == 0)
		rc = db_run(d, DB_COMMIT, DB_NONE, e);
	if (rc == 0 && d->backend->finish_file)
		rc = d->backend->finish_file(d, e);
	db_close(d);
	return rc;
}

int db_fold(const struct db_backend *backend, const char *path, struct err *e)
{
	return backend->fold ? backend->fold(path, e) : 0;
}

const char *const *db_suffixes(const struct db_backend *backend)
{
	return backend->suffixes;
}

struct db_value db_int(int64_t n)
{
	return (struct db_value){ .type = DB_INT, .number = n };
}

struct db_value db_count(size_t n)
{
	return db_int(n > INT64_MAX ? INT64_MAX : (int64_t)n);
}

struct db_value db_text(const char *text)
{
	if (!text)
		return (struct db_value){ .type = DB_NULL };
	return (struct db_value){ .type = DB_TEXT, .bytes = text, .len = strlen(text) };
}

struct db_value db_bytes(const void *bytes, size_t n)
{
	return (struct db_value){ .type = DB_BYTES, .bytes = bytes, .len = n };
}

int64_t db_row_int(const struct db_row *row, int column)
{
	return row->backend->row_int(row, column);
}

const char *db_row_text(const struct db_row *row, int column)
{
	return row->backend->row_text(row, column);
}

const void *db_row_bytes(const struct db_row *row, int column, size_t *len)
{
	return row->backend->row_bytes(row, column, len);
}
