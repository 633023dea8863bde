/* SQLite: each query is one prepared statement, which is kept; every value is bound. */
#include "store/sqlite/sqlite.h"

#include <string.h>

struct sqlite_row {
	struct db_row base;
	sqlite3_stmt *st;
};

static int prepare(struct sqlite_db *d, enum db_query q, struct err *e)
{
	if (d->statements[q])
		return 0;
	if (sqlite3_prepare_v3(d->handle, db_sql[q].sql, -1, SQLITE_PREPARE_PERSISTENT,
	                       &d->statements[q], NULL) == SQLITE_OK)
		return 0;
	return sqlite_complain(d, "pbm.db", e);
}

static int bind(struct sqlite_db *d, sqlite3_stmt *st, size_t n, const struct db_value *args,
                struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		const struct db_value *v = &args[i];
		int at = (int)i + 1, rc;

		if (v->type == DB_INT)
			rc = sqlite3_bind_int64(st, at, v->number);
		else if (v->type == DB_TEXT)
			rc = sqlite3_bind_text64(st, at, v->bytes, v->len, SQLITE_STATIC,
			                         SQLITE_UTF8);
		else if (v->type == DB_BYTES && v->len)
			rc = sqlite3_bind_blob64(st, at, v->bytes, v->len, SQLITE_STATIC);
		else if (v->type == DB_BYTES)
			rc = sqlite3_bind_zeroblob(st, at, 0);
		else
			rc = sqlite3_bind_null(st, at);
		if (rc != SQLITE_OK)
			return sqlite_complain(d, "pbm.db", e);
	}
	return 0;
}

static int each(struct db *base, enum db_query q, size_t n, const struct db_value *args,
                db_row_fn *fn, void *arg, struct err *e)
{
	struct sqlite_db *d = (struct sqlite_db *)base;
	int rc = prepare(d, q, e);
	sqlite3_stmt *st = d->statements[q];
	const struct sqlite_row row = { { &sqlite_backend }, st };

	if (rc == 0)
		rc = bind(d, st, n, args, e);
	while (rc == 0) {
		int step = sqlite3_step(st);

		if (step == SQLITE_DONE)
			break;
		if (q == DB_COMMIT && (step & 0xff) == SQLITE_IOERR)
			/* The log may contain the commit although flushing it failed. */
			rc = err_set(e, ERR_UNCERTAIN, "pbm.db: commit: %s",
			             sqlite3_errmsg(d->handle));
		else if (step != SQLITE_ROW)
			rc = sqlite_complain(d, "pbm.db", e);
		else if (fn)
			rc = fn(&row.base, arg, e);
	}
	if (st) {
		sqlite3_reset(st);
		sqlite3_clear_bindings(st);
	}
	return rc;
}

static bool in_transaction(const struct db *d)
{
	return !sqlite3_get_autocommit(((const struct sqlite_db *)d)->handle);
}

static sqlite3_stmt *statement_of(const struct db_row *row)
{
	return ((const struct sqlite_row *)row)->st;
}

static int64_t row_int(const struct db_row *row, int column)
{
	return sqlite3_column_int64(statement_of(row), column);
}

static const char *row_text(const struct db_row *row, int column)
{
	return (const char *)sqlite3_column_text(statement_of(row), column);
}

static const void *row_bytes(const struct db_row *row, int column, size_t *len)
{
	const void *bytes = sqlite3_column_blob(statement_of(row), column);

	*len = (size_t)sqlite3_column_bytes(statement_of(row), column);
	return bytes ? bytes : "";
}

static int execute(struct db *d, const char *sql, struct err *e)
{
	return sqlite_execute((struct sqlite_db *)d, sql, e);
}

static int ask_number(struct db *d, const char *sql, int64_t *out, struct err *e)
{
	return sqlite_ask_number((struct sqlite_db *)d, sql, out, e);
}

static int check(struct db *d, struct err *e)
{
	char answer[200];
	int rc = sqlite_ask((struct sqlite_db *)d, "PRAGMA integrity_check(1)", answer,
	                    sizeof answer, e);

	if (rc == 0 && strcmp(answer, "ok") != 0)
		rc = err_set(e, ERR_DAMAGED, "pbm.db: %s", answer);
	return rc;
}

static const char *const suffixes[] = { "", "-wal", "-shm", "-journal", NULL };

const struct db_backend sqlite_backend = {
	.name = "sqlite",
	.suffixes = suffixes,
	.version = SQLITE_SCHEMA_VERSION,
	.version_of = sqlite_version_of,
	.open = sqlite_open,
	.close = sqlite_close,
	.each = each,
	.in_transaction = in_transaction,
	.row_int = row_int,
	.row_text = row_text,
	.row_bytes = row_bytes,
	.loosen = sqlite_loosen,
	.tighten = sqlite_tighten,
	.finish_file = sqlite_finish_file,
	.execute = execute,
	.ask_number = ask_number,
	.fold = sqlite_fold,
	.check = check,
	.harden = sqlite_harden,
	.keep_log = sqlite_keep_log,
	.set_durable = sqlite_set_durable,
};
