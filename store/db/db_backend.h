/* The interface that a database back-end must implement.  A back-end is one const table; it
 * keeps a text for each query, binds values, and checks nothing: the store checks everything
 * before it asks.  Only back-ends and store/db include this header; everybody else calls
 * store/db/db.h.
 *
 * Each slot says MUST or MAY; a MAY slot that is NULL does nothing and
 * succeeds.  The functions behave as the db_… function of the same name says. */
#pragma once

#include "store/db/db.h"

struct db_backend {
	const char *name; /* MUST: also the beginning of its URLs, before the colon */
	/* A server that several machines share.  Documents are rows of it, and not files; it makes
	 * the transactions of all machines serial; its "path" is the URL. */
	bool shared;
	/* The suffixes of the files of the database: "" for the file itself, "-wal" and the like;
	 * NULL-terminated.  MUST, unless it is shared. */
	const char *const *suffixes;

	int64_t version; /* MUST: of the databases that open() makes */
	/* MUST.  The version of the database at path, which is not opened. */
	int (*version_of)(const char *path, int64_t *out, struct err *e);
	/* MUST.  *out is a struct that begins with a struct db; db_open() fills in the
	 * backend.  On failure everything is freed. */
	int (*open)(const char *path, enum db_mode mode, struct db **out, struct err *e);
	void (*close)(struct db *d); /* MUST; d is not NULL */
	/* MUST.  fn may be NULL: then rows are skipped, and within a transaction the query may be
	 * asked later, with the next one that has rows or that ends a mark or the transaction: that one
	 * fails then.  Each failure, but not one of fn, goes to db_fail(), too.  The row that fn gets is
	 * a struct that begins with a struct db_row. */
	int (*each)(struct db *d, enum db_query q, size_t n, const struct db_value *args,
	            db_row_fn *fn, void *arg, struct err *e);
	bool (*in_transaction)(const struct db *d); /* MUST */

	int64_t (*row_int)(const struct db_row *row, int column);                    /* MUST */
	const char *(*row_text)(const struct db_row *row, int column);               /* MUST */
	const void *(*row_bytes)(const struct db_row *row, int column, size_t *len); /* MUST */

	/* MUST, both in the transaction of db_build().  The first one deletes the rows that documents
	 * have in tables, and has no trigger run (nor an index kept) until the second one.  Between them
	 * db_build_done() fills the tables that triggers fill. */
	int (*loosen)(struct db *d, struct err *e);
	int (*tighten)(struct db *d, struct err *e);

	/* MUST.  Statements of store/db/db_sql.h: without rows; with one number. */
	int (*execute)(struct db *d, const char *sql, struct err *e);
	int (*ask_number)(struct db *d, const char *sql, int64_t *out, struct err *e);

	/* MAY: makes a file that was opened with DB_BUILD an ordinary, durable database. */
	int (*finish_file)(struct db *d, struct err *e);
	/* MAY: sleeps. */
	int (*wait)(struct db *d, int ms, struct err *e);
	int (*be_patient)(struct db *d, struct err *e);                /* MAY */
	int (*fold)(const char *path, struct err *e);                  /* MAY */
	int (*check)(struct db *d, struct err *e);                     /* MAY */
	int (*harden)(const char *path, struct err *e);                /* MAY */
	void (*keep_log)(struct db *d);                                /* MAY */
	int (*set_durable)(struct db *d, bool durable, struct err *e); /* MAY: all are durable */
};

/* The first member of every back-end's own struct. */
struct db {
	const struct db_backend *backend;
	bool keeps;        /* errors; see db_fail() */
	struct err failed; /* the one that is kept */
};

/* The first member of every back-end's own row. */
struct db_row {
	const struct db_backend *backend;
};
