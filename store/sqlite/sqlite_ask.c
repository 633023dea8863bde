/* Single statements and their errors, for the files of this back-end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "store/sqlite/sqlite.h"

static bool had_read_error(sqlite3_file *file)
{
	int number = 0;

	/* A log in memory has no such method. */
	if (file && file->pMethods && file->pMethods->xFileControl)
		file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number);
	return number == EIO;
}

/* A sector that can't be read does not prove that the database is damaged. */
static bool is_read_error(struct sqlite_db *d)
{
	sqlite3_file *file = NULL, *log = NULL;

	sqlite3_file_control(d->handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
	sqlite3_file_control(d->handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
	return had_read_error(file) || had_read_error(log);
}

int sqlite_complain(struct sqlite_db *d, const char *what, struct err *e)
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
	struct err why = { 0 };

	if (code == ERR_DAMAGED && is_read_error(d))
		err_set(&why, ERR_SYSTEM, "%.100s: %s", what, strerror(EIO));
	else
		err_set(&why, code, "%.100s: %.300s", what, sqlite3_errmsg(d->handle));
	db_fail(&d->base, &why);
	return err_set(e, why.code, "%s", why.text);
}

int sqlite_execute(struct sqlite_db *d, const char *sql, struct err *e)
{
	if (sqlite3_exec(d->handle, sql, NULL, NULL, NULL) == SQLITE_OK)
		return 0;
	return sqlite_complain(d, "pbm.db", e);
}

int sqlite_ask(struct sqlite_db *d, const char *sql, char *answer, size_t size, struct err *e)
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
	rc = rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : sqlite_complain(d, "pbm.db", e);
	sqlite3_finalize(st);
	return rc;
}

int sqlite_ask_number(struct sqlite_db *d, const char *sql, int64_t *out, struct err *e)
{
	char answer[32];
	int rc = sqlite_ask(d, sql, answer, sizeof answer, e);

	*out = strtoll(answer, NULL, 10);
	return rc;
}

int sqlite_set_journal(struct sqlite_db *d, const char *mode, struct err *e)
{
	char sql[64], answer[32];

	sqlite3_snprintf(sizeof sql, sql, "PRAGMA journal_mode=%s", mode);
	int rc = sqlite_ask(d, sql, answer, sizeof answer, e);
	if (rc == 0 && strcmp(answer, mode) != 0)
		rc = err_set(e, ERR_BUSY,
		             "pbm.db: another process is using it, journal mode %s is refused",
		             mode);
	return rc;
}
