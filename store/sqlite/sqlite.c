/* SQLite: one prepared statement a query, kept; every value bound. */
#include "store/sqlite/sqlite.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/mem.h"

#define APPLICATION_ID 0x70626d31 /* "pbm1" */
#define BUSY_MILLISECONDS 3000

const char *const db_suffixes[] = { "", "-wal", "-shm", "-journal", NULL };

struct db {
	sqlite3 *handle;
	sqlite3_stmt *statements[DB_QUERIES];
	char *loose; /* while building: the indexes and triggers left off */
	struct err trouble;
};

struct db_row {
	sqlite3_stmt *st;
};

/* A sector that can't be read is no proof that the database is broken. */
static bool is_read_error(struct db *d)
{
	sqlite3_file *log = NULL;
	int file_errno = 0, log_errno = 0;

	sqlite3_file_control(d->handle, NULL, SQLITE_FCNTL_LAST_ERRNO, &file_errno);
	sqlite3_file_control(d->handle, NULL, SQLITE_FCNTL_JOURNAL_POINTER, &log);
	if (log && log->pMethods)
		log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &log_errno);
	return file_errno == EIO || log_errno == EIO;
}

static int complain(struct db *d, const char *what, struct err *e)
{
	static const struct {
		int sqlite;
		enum err_code code;
	} codes[] = {
		{ SQLITE_BUSY, ERR_BUSY },           { SQLITE_LOCKED, ERR_BUSY },
		{ SQLITE_CORRUPT, ERR_DAMAGED },     { SQLITE_NOTADB, ERR_DAMAGED },
		{ SQLITE_CONSTRAINT, ERR_CONFLICT }, { SQLITE_TOOBIG, ERR_LIMIT },
	};
	int rc = sqlite3_errcode(d->handle) & 0xff;
	enum err_code code = ERR_SYSTEM;

	for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
		if (codes[i].sqlite == rc)
			code = codes[i].code;
	if (code == ERR_DAMAGED && is_read_error(d))
		code = err_set(e, ERR_SYSTEM, "%.100s: %s", what, strerror(EIO));
	else
		err_set(e, code, "%.100s: %.300s", what, sqlite3_errmsg(d->handle));
	if (code != ERR_CONFLICT && code != ERR_LIMIT)
		err_set(&d->trouble, code, "%.100s: %.300s", what, sqlite3_errmsg(d->handle));
	return code;
}

const struct err *db_trouble(const struct db *d)
{
	return d->trouble.code ? &d->trouble : NULL;
}

void db_forget_trouble(struct db *d)
{
	err_clear(&d->trouble);
}

static int execute(struct db *d, const char *sql, struct err *e)
{
	if (sqlite3_exec(d->handle, sql, NULL, NULL, NULL) == SQLITE_OK)
		return 0;
	return complain(d, "pbm.db", e);
}

static int prepare(struct db *d, enum db_query q, struct err *e)
{
	if (d->statements[q])
		return 0;
	if (sqlite3_prepare_v3(d->handle, sqlite_queries[q].sql, -1, SQLITE_PREPARE_PERSISTENT,
	                       &d->statements[q], NULL) == SQLITE_OK)
		return 0;
	return complain(d, "pbm.db", e);
}

static int bind(struct db *d, sqlite3_stmt *st, size_t n, const struct db_value *args,
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
			return complain(d, "pbm.db", e);
	}
	return 0;
}

int db_each(struct db *d, enum db_query q, size_t n, const struct db_value *args, db_row_fn *fn,
            void *arg, struct err *e)
{
	int rc = prepare(d, q, e);
	sqlite3_stmt *st = d->statements[q];

	if (rc == 0)
		rc = bind(d, st, n, args, e);
	while (rc == 0) {
		int step = sqlite3_step(st);

		if (step == SQLITE_DONE)
			break;
		if (q == DB_COMMIT && (step & 0xff) == SQLITE_IOERR)
			/* The log may hold the commit although its flush failed. */
			rc = err_set(e, ERR_UNCERTAIN, "pbm.db: commit: %s",
			             sqlite3_errmsg(d->handle));
		else if (step != SQLITE_ROW)
			rc = complain(d, "pbm.db", e);
		else if (fn)
			rc = fn(&(struct db_row){ st }, arg, e);
	}
	if (st) {
		sqlite3_reset(st);
		sqlite3_clear_bindings(st);
	}
	return rc;
}

int db_run(struct db *d, enum db_query q, size_t n, const struct db_value *args, struct err *e)
{
	return db_each(d, q, n, args, NULL, NULL, e);
}

bool db_in_transaction(const struct db *d)
{
	return !sqlite3_get_autocommit(d->handle);
}

static int take_number(const struct db_row *row, void *arg, struct err *e)
{
	(void)e;
	*(int64_t *)arg = db_row_int(row, 0);
	return 1;
}

int db_number(struct db *d, enum db_query q, size_t n, const struct db_value *args, int64_t *out,
              struct err *e)
{
	return db_each(d, q, n, args, take_number, out, e);
}

int64_t db_row_int(const struct db_row *row, int column)
{
	return sqlite3_column_int64(row->st, column);
}

const char *db_row_text(const struct db_row *row, int column)
{
	return (const char *)sqlite3_column_text(row->st, column);
}

const void *db_row_bytes(const struct db_row *row, int column, size_t *len)
{
	const void *bytes = sqlite3_column_blob(row->st, column);

	*len = (size_t)sqlite3_column_bytes(row->st, column);
	return bytes ? bytes : "";
}

/* The first column of the only row of sql as text; "" when there is none. */
static int ask(struct db *d, const char *sql, char *answer, size_t size, struct err *e)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(d->handle, sql, -1, &st, NULL);

	answer[0] = '\0';
	if (rc == SQLITE_OK)
		rc = sqlite3_step(st);
	if (rc == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(st, 0);

		strncat(answer, text ? text : "", size - 1);
	}
	rc = rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : complain(d, "pbm.db", e);
	sqlite3_finalize(st);
	return rc;
}

static int ask_number(struct db *d, const char *sql, int64_t *out, struct err *e)
{
	char answer[32];
	int rc = ask(d, sql, answer, sizeof answer, e);

	*out = strtoll(answer, NULL, 10);
	return rc;
}

static int set_journal(struct db *d, const char *mode, struct err *e)
{
	char sql[64], answer[32];

	sqlite3_snprintf(sizeof sql, sql, "PRAGMA journal_mode=%s", mode);
	int rc = ask(d, sql, answer, sizeof answer, e);
	if (rc == 0 && strcmp(answer, mode) != 0)
		rc = err_set(e, ERR_BUSY, "pbm.db: somebody is reading, journal mode %s is refused",
		             mode);
	return rc;
}

/* Each step is one transaction: a crash between two leaves a whole database. */
static int take_steps(struct db *d, int64_t version, struct err *e)
{
	char stamp[100];
	int rc = 0;

	for (; rc == 0 && version < SQLITE_SCHEMA_VERSION; version++) {
		sqlite3_snprintf(sizeof stamp, stamp,
		                 "PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT",
		                 APPLICATION_ID, (int)version + 1);
		rc = execute(d, "BEGIN IMMEDIATE", e);
		if (rc == 0)
			rc = execute(d, sqlite_steps[version], e);
		if (rc == 0)
			rc = execute(d, stamp, e);
		if (rc < 0)
			execute(d, "ROLLBACK", NULL);
	}
	return rc;
}

static int check_version(struct db *d, enum db_mode mode, struct err *e)
{
	int64_t id, version = 0, tables = 0;
	int rc = ask_number(d, "PRAGMA application_id", &id, e);

	if (rc == 0)
		rc = ask_number(d, "PRAGMA user_version", &version, e);
	if (rc == 0)
		rc = ask_number(d, "SELECT count(*) FROM sqlite_schema", &tables, e);
	if (rc < 0)
		return rc;
	if (tables == 0 && mode >= DB_CREATE)
		return take_steps(d, 0, e);
	if (id != APPLICATION_ID || version < 1)
		return err_set(e, ERR_DAMAGED,
		               "pbm.db: not a database of pbm; pbm reindex makes it anew");
	if (version > SQLITE_SCHEMA_VERSION)
		return err_set(e, ERR_BAD,
		               "pbm.db: of version %lld; this program knows versions up to %d",
		               (long long)version, SQLITE_SCHEMA_VERSION);
	if (version < SQLITE_SCHEMA_VERSION && mode == DB_READ)
		return err_set(e, ERR_BAD,
		               "pbm.db: of version %lld; the next pbm tick brings it to version %d",
		               (long long)version, SQLITE_SCHEMA_VERSION);
	return take_steps(d, version, e);
}

/* Indexes and triggers cost most of the time while a database is filled: they
 * come off first, and on again when it is full. */
static int loosen(struct db *d, struct err *e)
{
	static const char sql[] =
		"SELECT group_concat('DROP ' || type || ' ' || name, ';') || ';',"
		" group_concat(sql, ';') || ';' FROM (SELECT * FROM sqlite_schema WHERE sql IS NOT NULL"
		" AND type IN ('trigger', 'index') AND tbl_name IN ('games', 'lists') ORDER BY rowid)";
	sqlite3_stmt *st = NULL;
	char *drop = NULL;
	int rc = 0;

	if (sqlite3_prepare_v2(d->handle, sql, -1, &st, NULL) != SQLITE_OK ||
	    sqlite3_step(st) != SQLITE_ROW)
		rc = complain(d, "pbm.db", e);
	if (rc == 0) {
		drop = mem_strdup((const char *)sqlite3_column_text(st, 0));
		d->loose = mem_strdup((const char *)sqlite3_column_text(st, 1));
	}
	sqlite3_finalize(st);
	if (rc == 0)
		rc = execute(d, drop, e);
	free(drop);
	return rc;
}

static int configure(struct db *d, enum db_mode mode, struct err *e)
{
	int rc = 0;

	if (mode == DB_BUILD)
		rc = execute(d,
		             "PRAGMA main.locking_mode=EXCLUSIVE; PRAGMA synchronous=OFF;"
		             "PRAGMA journal_mode=MEMORY; PRAGMA cache_size=-16384",
		             e);
	else if (mode != DB_READ)
		/* FAST: Debian's default would write every freed page once more.
		 * MEMORY: what a mark may have to take back needs no file. */
		rc = execute(d,
		             "PRAGMA synchronous=FULL; PRAGMA secure_delete=FAST;"
		             "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16384",
		             e);
	if (rc == 0 && (mode == DB_WRITE || mode == DB_CREATE))
		rc = set_journal(d, "wal", e);
	if (rc == 0)
		rc = check_version(d, mode, e);
	return rc == 0 && mode == DB_BUILD ? loosen(d, e) : rc;
}

static int open_handle(const char *path, int flags, struct db **out, struct err *e)
{
	struct db *d = mem_alloc(sizeof *d);

	sqlite_own_memory();
	int rc = sqlite3_open_v2(path, &d->handle, flags | SQLITE_OPEN_NOFOLLOW, NULL);

	*out = d;
	sqlite3_busy_timeout(d->handle, BUSY_MILLISECONDS);
	sqlite3_extended_result_codes(d->handle, 1);
	if (rc == SQLITE_OK)
		return 0;
	if ((rc & 0xff) == SQLITE_CANTOPEN && sqlite3_system_errno(d->handle) == ENOENT)
		return err_set(e, ERR_NOT_FOUND, "%s: no such file", path);
	return complain(d, path, e);
}

int db_open(const char *path, enum db_mode mode, struct db **out, struct err *e)
{
	static const int flags[] = {
		[DB_READ] = SQLITE_OPEN_READONLY,
		[DB_WRITE] = SQLITE_OPEN_READWRITE,
		[DB_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
		[DB_BUILD] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
	};
	struct db *d;
	int rc = open_handle(path, flags[mode], &d, e);

	if (rc == 0)
		rc = configure(d, mode, e);
	if (rc == 0)
		*out = d;
	else
		db_close(d);
	return rc;
}

void db_keep_log(struct db *d)
{
	sqlite3_db_config(d->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}

void db_close(struct db *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < DB_QUERIES; i++)
		sqlite3_finalize(d->statements[i]);
	sqlite3_close(d->handle);
	free(d->loose);
	free(d);
}

int db_check(struct db *d, struct err *e)
{
	char answer[200];
	int rc = ask(d, "PRAGMA integrity_check(1)", answer, sizeof answer, e);

	if (rc == 0 && strcmp(answer, "ok") != 0)
		rc = err_set(e, ERR_DAMAGED, "pbm.db: %s", answer);
	return rc;
}

int db_adopt(struct db *d, const char *path, struct err *e)
{
	char *attach = sqlite3_mprintf("ATTACH %Q AS old", path);

	if (!attach)
		return err_set(e, ERR_SYSTEM, "pbm.db: out of memory");
	int rc = execute(d, attach, e);
	sqlite3_free(attach);
	if (rc < 0)
		return rc;
	rc = execute(d, "BEGIN", e);
	if (rc == 0)
		rc = execute(d, sqlite_adopt, e);
	int end = execute(d, rc == 0 ? "COMMIT" : "ROLLBACK", e);
	int detach = execute(d, "DETACH old", e);
	return rc < 0 ? rc : end < 0 ? end : detach;
}

static int tighten(struct db *d, struct err *e)
{
	int rc = execute(
		d,
		"BEGIN; INSERT INTO lists SELECT * FROM lists_due ORDER BY who, board;"
		"UPDATE meta SET value = max(value, 1 + (SELECT ifnull(max(board), 0) FROM games))"
		" WHERE key = 'next_board'",
		e);

	if (rc == 0)
		rc = execute(d, d->loose, e);
	return rc == 0 ? execute(d,
	                         "DELETE FROM counts; INSERT INTO counts SELECT * FROM counts_due;"
	                         "COMMIT",
	                         e)
	               : rc;
}

/* Neither of the journal modes below leaves a second file behind. */
int db_build_done(struct db *d, struct err *e)
{
	int rc = tighten(d, e);

	if (rc == 0)
		rc = execute(d, "PRAGMA synchronous=FULL", e);
	if (rc == 0)
		rc = set_journal(d, "wal", e);
	db_close(d);
	return rc;
}

int db_fold(const char *path, struct err *e)
{
	struct db *d;
	int rc = open_handle(path, SQLITE_OPEN_READWRITE, &d, e);

	if (rc == 0)
		rc = set_journal(d, "delete", e);
	db_close(d);
	return rc;
}
