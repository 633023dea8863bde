/* The back-end on PostgreSQL.  The programs that work on such a site link its objects and libpq;
 * pbm itself does not.  The store uses postgres_backend alone; everything else here is shared by
 * the files postgres*.c. */
#pragma once

#include <libpq-fe.h>

#include "store/db/db_backend.h"
#include "store/db/db_sql.h"

extern const struct db_backend postgres_backend;

struct postgres_db {
	struct db base;
	PGconn *link;
	bool prepared[DB_QUERIES];
	unsigned failures; /* part of the names of prepared statements */
	size_t waiting;    /* statements that were sent, and whose answers were not read */
	bool hurried;      /* the next commits need not be durable when they return */
	bool listens;      /* the server tells when a mail comes */
};

/* Waits for the answers to all that was sent: the first bad one, or else the last.  NULL: there is
 * none, or the connection is lost. */
PGresult *postgres_answer(struct postgres_db *d);
bool postgres_is_good(const PGresult *r);
/* The same for answers that nobody reads. */
int postgres_settle(struct postgres_db *d, struct err *e);
/* Runs statements without values; *out is the answer to the last one. */
int postgres_ask(struct postgres_db *d, const char *sql, PGresult **out, struct err *e);
/* The same without an answer. */
int postgres_execute(struct postgres_db *d, const char *sql, struct err *e);
/* The number in the first column of the first row; 0 when there is no row. */
int postgres_ask_number(struct postgres_db *d, const char *sql, int64_t *out, struct err *e);

/* Turns the server's error into *e, hands it to db_fail(), and returns its code; frees r.
 * ERR_TEMP: the connection is lost. */
int postgres_complain(struct postgres_db *d, PGresult *r, struct err *e);

/* The slots of postgres_backend that open, close and wait. */
int postgres_wait(struct db *d, int ms, struct err *e);
int postgres_open(const char *url, enum db_mode mode, struct db **out, struct err *e);
void postgres_close(struct db *d);
int postgres_version_of(const char *url, int64_t *out, struct err *e);

/* The queries that PostgreSQL spells in another way, from postgres_sql.sql; NULL: as db_sql. */
extern const struct db_sql postgres_sql[DB_QUERIES];

/* The text of the query as PostgreSQL wants it; on the heap. */
char *postgres_text(enum db_query q);

/* Step n, a list of statements with a final NULL, makes version n + 1 of version n; version 0 is an
 * empty schema.  From postgres_steps.sql; the versions count apart from SQLite's. */
#define POSTGRES_VERSION 7
/* The oldest program, by its POSTGRES_VERSION, that works with the newest tables.  A step that only
 * adds leaves this number, and older programs go on.  One that they would stumble over makes it the
 * version that the step leads to, and waits until none of them is connected. */
#define POSTGRES_OLDEST 6
extern const char *const *const postgres_steps[POSTGRES_VERSION];
