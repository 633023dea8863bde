/* The SQLite back-end.  The store uses sqlite_backend alone; everything else here
 * is shared by the files sqlite*.c and by the test that reads the query plans. */
#pragma once

#include <sqlite3.h>

#include "store/db/db_backend.h"
#include "store/db/db_sql.h"

extern const struct db_backend sqlite_backend;

struct sqlite_db {
	struct db base;
	sqlite3 *handle;
	sqlite3_stmt *statements[DB_QUERIES]; /* prepared when first needed */
	bool hurried;                         /* commits are not durable when they return */
	char *loose; /* SQL for the indexes and triggers that sqlite_loosen() dropped */
};

/* Runs SQL that gives no rows. */
int sqlite_execute(struct sqlite_db *d, const char *sql, struct err *e);

/* The first column of the first row of sql, as text of at most size - 1 bytes or
 * as a number; "" and 0 when there is no row. */
int sqlite_ask(struct sqlite_db *d, const char *sql, char *answer, size_t size, struct err *e);
int sqlite_ask_number(struct sqlite_db *d, const char *sql, int64_t *out, struct err *e);

/* Turns SQLite's last error into *e ("what: SQLite's text"), hands it to db_fail(), and returns
 * its code. */
int sqlite_complain(struct sqlite_db *d, const char *what, struct err *e);

/* The slots of sqlite_backend that open, close, and make files. */
int sqlite_open(const char *path, enum db_mode mode, struct db **out, struct err *e);
void sqlite_close(struct db *d);
int sqlite_version_of(const char *path, int64_t *out, struct err *e);
void sqlite_keep_log(struct db *d);
int sqlite_set_durable(struct db *d, bool durable, struct err *e);
int sqlite_harden(const char *path, struct err *e);
int sqlite_fold(const char *path, struct err *e);
int sqlite_loosen(struct db *d, struct err *e);
int sqlite_tighten(struct db *d, struct err *e);
int sqlite_finish_file(struct db *d, struct err *e);

/* ERR_BUSY when another process has the database open and the mode needs it alone. */
int sqlite_set_journal(struct sqlite_db *d, const char *mode, struct err *e);

/* Makes SQLite's memory that of the program (pbm/base/mem.h).  Must be called before
 * the library is used for the first time; later calls do nothing. */
void sqlite_own_memory(void);

/* Step n, a list of statements with a final NULL, makes version n + 1 of version n; version 0 is an
 * empty file.  From sqlite_steps.sql. */
#define SQLITE_SCHEMA_VERSION 24
extern const char *const *const sqlite_steps[SQLITE_SCHEMA_VERSION];
