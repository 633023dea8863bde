/* The database under the store: named queries (store/db/db_query.h) with bound
 * values, whose answers are read row by row and column by column.  SQL and a
 * library's types stay in the back-end that db_open() is given.
 *
 * Inside db_each() the same query must not run again.
 *
 * Every function that can fail returns 0 or a negative enum err_code. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "store/db/db_query.h"

struct db;
struct db_backend; /* store/db/db_backend.h */

/* A value that is bound to a query: NULL, a number, a text or bytes.  A value points to its text or
 * bytes and does not own them. */
struct db_value {
	enum { DB_NULL, DB_INT, DB_TEXT, DB_BYTES } type;
	int64_t number;
	const void *bytes;
	size_t len;
};

struct db_value db_int(int64_t n);
struct db_value db_count(size_t n);        /* for limits: INT64_MAX at most */
struct db_value db_text(const char *text); /* NULL gives DB_NULL */
struct db_value db_bytes(const void *bytes, size_t n);

/* The two arguments "number of values, values" of db_run() and its kind. */
#define DB_NONE 0, NULL
#define DB_ARGS(...)                                                                               \
	sizeof((const struct db_value[]){ __VA_ARGS__ }) / sizeof(struct db_value),                \
		(const struct db_value[])                                                          \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}

/* One row of a query's answer, read by column.  A row, and every pointer that these functions
 * return, is valid until the callback of db_each() returns. */
struct db_row;

int64_t db_row_int(const struct db_row *row, int column);
/* NULL when the column is NULL. */
const char *db_row_text(const struct db_row *row, int column);
/* Never NULL; *len is 0 for an empty or NULL column. */
const void *db_row_bytes(const struct db_row *row, int column, size_t *len);

enum db_mode {
	DB_READ,  /* changes nothing; another process may write meanwhile */
	DB_STILL, /* as DB_READ, in a folder that cannot be written; nobody may write meanwhile */
	DB_ADD,   /* as DB_READ, but adds rows to a server that several machines share */
	DB_WRITE,
	DB_CREATE, /* as DB_WRITE, and makes the tables of an empty file */
	DB_BUILD   /* fills a new file quickly; not durable until db_build_done() */
};

/* ERR_NOT_FOUND: there is no such file.  ERR_DAMAGED: the file is not a database
 * of pbm.  ERR_BAD: the database is of a newer version, or, for DB_READ, of an
 * older one; the other modes bring an older one to the present version. */
int db_open(const struct db_backend *backend, const char *path, enum db_mode mode, struct db **out,
            struct err *e);
void db_close(struct db *d); /* NULL is fine */

/* The version of the database at path, and that of the databases which db_open() makes.
 * ERR_NOT_FOUND, ERR_DAMAGED. */
int db_version(const struct db_backend *backend, const char *path, int64_t *found, int64_t *known,
               struct err *e);

/* Is it a server that several machines share, and which has the documents as rows? */
bool db_is_shared(const struct db *d);

/* From now on db_close() leaves the write-ahead log as it is, unless it has become long: it costs
 * no flush, and the next process goes on with it. */
void db_keep_log(struct db *d);

/* Outside a transaction.  Are the commits from now on durable when they return?  The others are
 * durable together with the next one that is: of all commits the disk always has the first ones. */
int db_set_durable(struct db *d, bool durable, struct err *e);

/* Writes the present contents of the files of the database at path to the disk again, even if a
 * flush failed and the system believes that nothing is left to write.  Nobody may write
 * meanwhile. */
int db_harden(const struct db_backend *backend, const char *path, struct err *e);

/* Runs a query that gives no rows.  ERR_UNCERTAIN: a commit that may have
 * happened; only opening the database again can tell. */
int db_run(struct db *d, enum db_query q, size_t n, const struct db_value *args, struct err *e);

/* Calls fn for each row until fn returns nonzero.  Returns that number, or 0. */
typedef int db_row_fn(const struct db_row *row, void *arg, struct err *e);
int db_each(struct db *d, enum db_query q, size_t n, const struct db_value *args, db_row_fn *fn,
            void *arg, struct err *e);

/* Reads one number from at most one row.  1: *out is set, unless it is NULL; 0: there is no row. */
int db_number(struct db *d, enum db_query q, size_t n, const struct db_value *args, int64_t *out,
              struct err *e);
/* The same, but without a row *out is 0, and so is the result. */
int db_number_or_0(struct db *d, enum db_query q, size_t n, const struct db_value *args,
                   int64_t *out, struct err *e);

/* Reads two numbers of one row; without a row they are 0. */
int db_pair(struct db *d, enum db_query q, size_t n, const struct db_value *args, int64_t *first,
            int64_t *second, struct err *e);

/* A transaction keeps its first error: from then on every query answers that error and does
 * nothing, also DB_COMMIT and DB_MARK_RELEASE, until DB_ROLLBACK or DB_MARK_ROLLBACK.  So a
 * function that only writes need not look at each result, nothing is decided on half of a change,
 * and a caller who treated an error as "not found" learns of it at the end.  Errors of the queries
 * are kept by themselves; db_fail() keeps another one, if a transaction is open.
 * db_keep_errors() is for a transaction that waits: false lets reads go on after a failure. */
void db_fail(struct db *d, const struct err *why);
int db_failed(const struct db *d, struct err *e); /* the kept error, or 0 */
void db_keep_errors(struct db *d, bool on);

/* Is a transaction open?  False also after the database itself rolled it back, for example
 * because the disk is full. */
bool db_in_transaction(const struct db *d);

/* Checks the file's structure.  ERR_DAMAGED, with the first complaint. */
int db_check(struct db *d, struct err *e);

/* The i-th table that follows from other tables: its name, and how many of its rows are wrong.
 * *table is NULL when there are no more such tables. */
int db_check_derived(struct db *d, size_t i, const char **table, int64_t *wrong, struct err *e);
/* Makes its rows right. */
int db_mend_derived(struct db *d, size_t i, struct err *e);

/* Outside a transaction: waits until a row of inbox has been added since the last call, at most ms
 * milliseconds.  1: there are new rows, perhaps; 0: the time is over, or a signal came.  ERR_TEMP: the
 * connection is lost. */
int db_wait(struct db *d, int ms, struct err *e);

/* The open transaction may last for hours: a server sets it no limit of time. */
int db_be_patient(struct db *d, struct err *e);

/* For a database that was opened with DB_BUILD: begins a transaction in which no document has rows,
 * and those that are put change no other tables; the documents of a server and the queues stay. */
int db_build(struct db *d, struct err *e);
/* Fills these other tables, commits, and makes it an ordinary, durable database in one file.
 * Closes it, also when that fails. */
int db_build_done(struct db *d, struct err *e);

/* Moves everything of the database at path into this one file, so that the file
 * can be renamed or replaced.  ERR_BUSY while another process reads. */
int db_fold(const struct db_backend *backend, const char *path, struct err *e);

/* The suffixes of a database's files, each appended to its path: "", "-wal" and the like;
 * NULL-terminated. */
const char *const *db_suffixes(const struct db_backend *backend);
