/* Opening: the connection, its limits, and the version of the schema with its upgrades. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "store/postgres/postgres.h"

/* Settings of each session.  A worker that is stopped inside a transaction loses it, and the others
 * go on.  Each question is a range of an index; the planner must not read a whole table because it
 * guesses that the table is small, and one plan serves all values.  Notices would go to standard
 * error. */
#define LIMITS                                                                                     \
	"SET statement_timeout = '60s'; SET lock_timeout = '120s';"                                \
	"SET idle_in_transaction_session_timeout = '30s';"                                         \
	"SET enable_seqscan = off; SET enable_bitmapscan = off; SET jit = off;"                    \
	"SET plan_cache_mode = force_generic_plan; SET client_min_messages = error;"

/* The version and the oldest program that works with it are the comment of a table; without that
 * table there are none.  Earlier programs wrote the version alone. */
#define COMMENT "obj_description(to_regclass('documents'), 'pg_class')"

/* A lock for each version, which its programs share as long as they are connected. */
#define VERSION_LOCK(v) "1885498675, hashtext(current_schema() || ' ' || " v ")"

/* Texts must compare by their bytes, as they do in every other back-end.  A pooler that lends a
 * connection for each transaction would lose session locks and prepared statements: it answers as a
 * server does, but makes up the process of the session. */
#define FACTS                                                                                      \
	"SELECT (pg_encoding_to_char(encoding) = 'UTF8' AND datcollate IN ('C', 'POSIX'))::int,"   \
	" pg_backend_pid(), coalesce(" COMMENT ", '0')"                                            \
	" FROM pg_database WHERE datname = current_database()"

static int check_server(const struct postgres_db *d, const PGresult *facts, struct err *e)
{
	if (*PQgetvalue(facts, 0, 0) != '1')
		return err_set(e, ERR_BAD,
		               "PostgreSQL: the database must have encoding UTF8 and locale C: "
		               "createdb -T template0 -E UTF8 -l C NAME");
	if (atoi(PQgetvalue(facts, 0, 1)) != PQbackendPID(d->link))
		return err_set(
			e, ERR_BAD,
			"PostgreSQL: a pooler such as pgbouncer answers: name the server itself in store");
	return 0;
}

/* Runs the statements of `first`, then checks the server, all in one question. */
static int look(struct postgres_db *d, const char *first, int64_t *version, int64_t *oldest,
                struct err *e)
{
	char sql[1700], *end;
	PGresult *facts;

	snprintf(sql, sizeof sql, "%s" FACTS, first);
	int rc = postgres_ask(d, sql, &facts, e);
	if (rc < 0)
		return rc;
	*version = strtoll(PQgetvalue(facts, 0, 2), &end, 10);
	*oldest = strtoll(end, NULL, 10);
	rc = check_server(d, facts, e);
	PQclear(facts);
	return rc;
}

/* pbm.conf may be read by others.  The URL itself is not shown: it may have the password, which
 * libpq takes for a part of the database's name where it has a slash. */
static int check_url(const char *url, struct err *e)
{
	PQconninfoOption *options = PQconninfoParse(url, NULL);
	int rc = options ? 0 : err_set(e, ERR_BAD, "store: libpq does not understand this URL");

	for (const PQconninfoOption *o = options; o && rc == 0 && o->keyword; o++)
		if (o->val && (*o->dispchar == '*' || /* libpq's mark of a password */
		               (strcmp(o->keyword, "dbname") == 0 && strchr(o->val, '@'))))
			rc = err_set(
				e, ERR_BAD,
				"store: write the password to a file, and name that in the URL: "
				"?passfile=PATH");
	PQconninfoFree(options);
	return rc;
}

/* The words with which a server ends a session would go to standard error; the next question tells of it. */
static void drop_notice(void *, const char *)
{
}

static int connect_to(const char *url, struct postgres_db **out, struct err *e)
{
	/* The URL comes last, so that it can say otherwise. */
	static const char *const names[] = {
		"connect_timeout",
		"tcp_user_timeout",
		"keepalives_idle",
		"keepalives_interval",
		"fallback_application_name",
		"client_encoding",
		"dbname",
		NULL,
	};
	const char *const values[] = { "3", "10000", "10", "5", "pbm", "UTF8", url, NULL };
	struct postgres_db *d = mem_alloc(sizeof *d);

	*out = d;
	if (check_url(url, e) < 0)
		return ERR_BAD;
	d->link = PQconnectdbParams(names, values, 1);
	PQsetNoticeProcessor(d->link, drop_notice, NULL);
	return PQstatus(d->link) == CONNECTION_OK ? 0 : postgres_complain(d, NULL, e);
}

/* Nobody is to begin or to go on with tables that it does not know. */
static int lock_out_older(struct postgres_db *d, int version, struct err *e)
{
	char sql[200];
	int64_t alone = 0;

	snprintf(sql, sizeof sql,
	         "SELECT coalesce(bool_and(pg_try_advisory_xact_lock(" VERSION_LOCK(
			 "v") ")), true)::int"
	                      " FROM generate_series(1, %d) v",
	         version - 1);
	int rc = postgres_ask_number(d, sql, &alone, e);
	return rc == 0 && !alone
	               ? err_set(e, ERR_TEMP,
	                         "PostgreSQL: an older pbm is at work, which the new tables would "
	                         "stop: end it on each machine first (pbm doctor names them)")
	               : rc;
}

/* A new store has no document but its mark until a site works there.  It is made as a whole, so that an
 * end in between leaves nothing. */
#define MAKE_UNUSED "INSERT INTO documents VALUES('UNUSED', '', -1)"

/* Brings the tables from one version to another in the transaction that is open. */
static int run_steps(struct postgres_db *d, int64_t version, int64_t to, struct err *e)
{
	char stamp[100];
	int rc = 0;

	if (version > 0 && to <= POSTGRES_OLDEST)
		rc = lock_out_older(d, (int)to, e);
	for (int64_t v = version; rc == 0 && v < to; v++)
		for (const char *const *s = postgres_steps[v]; rc == 0 && *s; s++)
			rc = postgres_execute(d, *s, e);
	if (rc == 0 && version < 1)
		rc = postgres_execute(d, MAKE_UNUSED, e);
	snprintf(stamp, sizeof stamp, "COMMENT ON TABLE documents IS '%d %d'", (int)to,
	         to <= POSTGRES_OLDEST ? (int)to : POSTGRES_OLDEST);
	return rc == 0 ? postgres_execute(d, stamp, e) : rc;
}

static int take_steps(struct postgres_db *d, int64_t version, struct err *e)
{
	int rc = 0;

	while (rc == 0 && version < POSTGRES_VERSION) {
		int64_t found = version, to = version < 1 ? POSTGRES_VERSION : version + 1;

		rc = postgres_execute(d, "BEGIN", e);
		if (rc == 0)
			rc = postgres_execute(d, postgres_sql[DB_BEGIN].sql, e);
		if (rc == 0)
			rc = postgres_ask_number(d, "SELECT " COMMENT, &found, e);
		if (rc == 0 && found > version) /* another machine has taken the step */
			to = found;
		else if (rc == 0)
			rc = run_steps(d, version, to, e);
		if (rc == 0)
			rc = postgres_execute(d, "COMMIT", e);
		if (rc < 0)
			postgres_execute(d, "ROLLBACK", NULL);
		version = to;
	}
	return rc;
}

/* The schema that the URL names (options=-csearch_path=NAME) is made if it is not there. */
#define MAKE_SCHEMA                                                                                \
	"DO $$ BEGIN IF current_schema() IS NULL THEN EXECUTE format('CREATE SCHEMA %I',"          \
	" (parse_ident(current_setting('search_path')))[1]); END IF; END $$;"

/* The lock comes before the version is read: a step that this program would stumble over waits, or is
 * done.  On a connection that a pooler lends, the lock would stay. */
#define SHARE_VERSION                                                                              \
	"SELECT CASE pg_backend_pid() WHEN %d THEN pg_advisory_lock_shared(" VERSION_LOCK(         \
		"%d") ") END;"

/* DB_ALONE waits until all that write have gone, and a site that moves keeps others out. */
#define SHARE_USE                                                                                  \
	"SELECT CASE pg_backend_pid() WHEN %d THEN"                                                \
	" pg_advisory_lock_shared(1885498676, hashtext(current_schema())) END;"

static int begin_session(struct postgres_db *d, enum db_mode mode, int64_t *version,
                         int64_t *oldest, struct err *e)
{
	char first[1200];
	int n = snprintf(first, sizeof first, LIMITS "%s",
	                 mode >= DB_CREATE  ? MAKE_SCHEMA
	                 : mode <= DB_STILL ? "SET default_transaction_read_only = on;"
	                                    : "");
	int rc = mode >= DB_CREATE ? look(d, "", version, oldest, e) : 0;

	if (mode >= DB_WRITE)
		n += snprintf(first + n, sizeof first - (size_t)n, SHARE_VERSION,
		              PQbackendPID(d->link), POSTGRES_VERSION);
	if (mode >= DB_ADD)
		snprintf(first + n, sizeof first - (size_t)n, SHARE_USE, PQbackendPID(d->link));
	return rc == 0 ? look(d, first, version, oldest, e) : rc;
}

static int check_version(struct postgres_db *d, enum db_mode mode, int64_t version, int64_t oldest,
                         struct err *e)
{
	if (version < 1 && mode < DB_CREATE)
		return err_set(
			e, ERR_NOT_FOUND,
			"PostgreSQL: the database has no tables of pbm; pbm init makes them");
	if (version > POSTGRES_VERSION && (oldest == 0 || oldest > POSTGRES_VERSION))
		return err_set(
			e, ERR_BAD,
			"PostgreSQL: the tables' version is %lld; this program knows versions up to %d",
			(long long)version, POSTGRES_VERSION);
	if (version >= POSTGRES_VERSION)
		return 0;
	return mode >= DB_WRITE
	               ? take_steps(d, version, e)
	               : err_set(e, ERR_BAD,
	                         "PostgreSQL: the tables' version is %lld; the next run brings them to version %d",
	                         (long long)version, POSTGRES_VERSION);
}

int postgres_open(const char *url, enum db_mode mode, struct db **out, struct err *e)
{
	struct postgres_db *d;
	int64_t version, oldest;
	int rc = connect_to(url, &d, e);

	if (rc == 0)
		rc = begin_session(d, mode, &version, &oldest, e);
	if (rc == 0)
		rc = check_version(d, mode, version, oldest, e);
	if (rc == 0)
		*out = &d->base;
	else
		postgres_close(&d->base);
	return rc;
}

void postgres_close(struct db *base)
{
	struct postgres_db *d = (struct postgres_db *)base;

	PQfinish(d->link);
	free(d);
}

int postgres_version_of(const char *url, int64_t *out, struct err *e)
{
	struct postgres_db *d;
	int64_t oldest;
	int rc = connect_to(url, &d, e);

	if (rc == 0)
		rc = look(d, "", out, &oldest, e);
	postgres_close(&d->base);
	return rc == 0 && *out < 1
	               ? err_set(e, ERR_NOT_FOUND, "PostgreSQL: the database has no tables of pbm")
	               : rc;
}
