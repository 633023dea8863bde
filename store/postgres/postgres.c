/* PostgreSQL: each query is a prepared statement of the connection; values and answers go in binary
 * form.  What answers nothing is sent and not waited for, the beginning of a transaction and its wait for
 * the lock, too: its error comes with the next query that has rows, or with the end of the mark or of
 * the transaction. */
#include "store/postgres/postgres.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "pbm/base/utf8.h"

/* Types of the server, of its table pg_type. */
enum { TYPE_BOOL = 16, TYPE_BYTES = 17, TYPE_INT8 = 20, TYPE_INT4 = 23, TYPE_TEXT = 25 };

#define VALUES_MAX 17 /* those of DB_GAME_PUT */
#define NAME_SIZE 24  /* "q170.0" */
/* Statements that are sent before their answers are read: few enough for the answers to find room in
 * the socket, so that both sides never wait for each other. */
#define WAITING_MAX 50

struct postgres_row {
	struct db_row base;
	const PGresult *result;
	int row;
};

static int note_sent(struct postgres_db *d, int sent, struct err *e)
{
	if (!sent) {
		PQclear(postgres_answer(d));
		return postgres_complain(d, NULL, e);
	}
	d->waiting++;
	return 0;
}

/* A statement without values or rows. */
static int send(struct postgres_db *d, const char *sql, struct err *e)
{
	PQenterPipelineMode(d->link);
	return note_sent(d, PQsendQueryParams(d->link, sql, 0, NULL, NULL, NULL, NULL, 1), e);
}

/* A commit of a transaction that had failed answers ROLLBACK, and no error. */
static int commit(struct postgres_db *d, struct err *e)
{
	struct err why = { 0 };
	int rc = send(d, "COMMIT", &why);
	PGresult *r = rc == 0 ? postgres_answer(d) : NULL;

	if (postgres_is_good(r)) {
		bool done = strcmp(PQcmdStatus(r), "COMMIT") == 0;
		PQclear(r);
		return done ? 0
		            : err_set(e, ERR_SYSTEM,
		                      "PostgreSQL: the transaction had failed before");
	}
	if (rc == 0)
		rc = postgres_complain(d, r, &why);
	if (PQstatus(d->link) != CONNECTION_OK)
		rc = ERR_UNCERTAIN;
	return err_set(e, rc, "%s", why.text);
}

/* Statements without values or rows: those that mark and end a transaction. */
static int control(struct postgres_db *d, enum db_query q, struct err *e)
{
	if (q == DB_COMMIT)
		return commit(d, e);
	if (q == DB_ROLLBACK || q == DB_MARK_ROLLBACK)
		PQclear(postgres_answer(d));
	AUTO(mem_free) char *sql = postgres_text(q);
	int rc = send(d, sql, e);
	return rc == 0 && q != DB_MARK && q != DB_SNAPSHOT ? postgres_settle(d, e) : rc;
}

/* The query that takes the lock follows. */
static int begin(struct postgres_db *d, struct err *e)
{
	int rc = send(d, "BEGIN", e);

	return rc == 0 && d->hurried ? send(d, "SET LOCAL synchronous_commit = off", e) : rc;
}

/* The values as libpq takes them; numbers in the order of the network. */
struct values {
	Oid types[VALUES_MAX];
	const char *at[VALUES_MAX];
	int lengths[VALUES_MAX], formats[VALUES_MAX];
	uint64_t numbers[VALUES_MAX];
	char *clean[VALUES_MAX]; /* without the bytes that are no UTF-8, which the server refuses */
};

static void take_text(struct values *v, size_t i, const struct db_value *text)
{
	v->types[i] = TYPE_TEXT;
	if (utf8_valid(text->bytes, text->len))
		return;
	v->at[i] = v->clean[i] = mem_strndup(text->bytes, text->len);
	utf8_scrub(v->clean[i]);
	v->lengths[i] = (int)strlen(v->clean[i]);
}

static void take_values(struct values *v, size_t n, const struct db_value *args)
{
	for (size_t i = 0; i < n; i++) {
		v->formats[i] = 1;
		v->at[i] = args[i].bytes;
		v->lengths[i] = (int)args[i].len;
		if (args[i].type == DB_INT) {
			v->numbers[i] = htobe64((uint64_t)args[i].number);
			v->types[i] = TYPE_INT8;
			v->at[i] = (const char *)&v->numbers[i];
			v->lengths[i] = sizeof v->numbers[i];
		} else if (args[i].type == DB_TEXT) {
			take_text(v, i, &args[i]);
		} else if (args[i].type == DB_BYTES) {
			v->types[i] = TYPE_BYTES;
			v->at[i] = args[i].len ? args[i].bytes : "";
		} else
			v->at[i] = NULL;
	}
}

/* Begins a transaction if q takes its lock.  The types of the first call's values are those of all
 * calls; of a NULL the server finds it. */
static int prepare(struct postgres_db *d, enum db_query q, const char *name, size_t n,
                   const Oid *types, struct err *e)
{
	int rc = q == DB_BEGIN ? begin(d, e) : 0;

	if (rc < 0 || d->prepared[q])
		return rc;
	AUTO(mem_free) char *sql = postgres_text(q);
	PQenterPipelineMode(d->link);
	int sent = PQsendPrepare(d->link, name, sql, (int)n, types);
	d->prepared[q] = sent;
	return note_sent(d, sent, e);
}

/* A failed transaction is still one: it can go back to its mark. */
static bool in_transaction(const struct db *d)
{
	const struct postgres_db *p = (const struct postgres_db *)d;
	PGTransactionStatusType status = PQtransactionStatus(p->link);

	return p->waiting || status == PQTRANS_INTRANS || status == PQTRANS_INERROR;
}

static int each(struct db *base, enum db_query q, size_t n, const struct db_value *args,
                db_row_fn *fn, void *arg, struct err *e)
{
	struct postgres_db *d = (struct postgres_db *)base;
	struct values v = { 0 };
	char name[NAME_SIZE];

	if (q > DB_BEGIN && q <= DB_MARK_RELEASE)
		return control(d, q, e);
	snprintf(name, sizeof name, "q%d.%u", (int)q, d->failures);
	take_values(&v, n, args);
	bool later = !fn && (q == DB_BEGIN || in_transaction(base)) && d->waiting < WAITING_MAX;
	int rc = prepare(d, q, name, n, v.types, e);
	if (rc == 0) {
		PQenterPipelineMode(d->link);
		rc = note_sent(
			d,
			PQsendQueryPrepared(d->link, name, (int)n, v.at, v.lengths, v.formats, 1),
			e);
	}
	for (size_t i = 0; i < n; i++)
		free(v.clean[i]);
	if (rc < 0 || later)
		return rc;
	PGresult *r = postgres_answer(d);
	if (!postgres_is_good(r))
		return postgres_complain(d, r, e);
	struct postgres_row row = { { &postgres_backend }, r, 0 };
	for (int rows = PQntuples(r); rc == 0 && fn && row.row < rows; row.row++)
		rc = fn(&row.base, arg, e);
	PQclear(r);
	return rc;
}

static const char *bytes_of(const struct db_row *base, int column, size_t *len)
{
	const struct postgres_row *row = (const struct postgres_row *)base;

	*len = (size_t)PQgetlength(row->result, row->row, column);
	return PQgetisnull(row->result, row->row, column)
	               ? NULL
	               : PQgetvalue(row->result, row->row, column);
}

static int64_t row_int(const struct db_row *base, int column)
{
	size_t len;
	const char *bytes = bytes_of(base, column, &len);
	Oid type = PQftype(((const struct postgres_row *)base)->result, column);
	uint64_t number = 0;
	uint32_t small;

	if (!bytes)
		return 0;
	if (type == TYPE_INT8) {
		memcpy(&number, bytes, sizeof number);
		return (int64_t)be64toh(number);
	}
	if (type == TYPE_INT4) {
		memcpy(&small, bytes, sizeof small);
		return (int32_t)be32toh(small);
	}
	return type == TYPE_BOOL ? *bytes : strtoll(bytes, NULL, 10);
}

static const char *row_text(const struct db_row *row, int column)
{
	size_t len;

	return bytes_of(row, column, &len);
}

static const void *row_bytes(const struct db_row *row, int column, size_t *len)
{
	const char *bytes = bytes_of(row, column, len);

	return bytes ? bytes : "";
}

static int execute(struct db *d, const char *sql, struct err *e)
{
	return postgres_execute((struct postgres_db *)d, sql, e);
}

static int ask_number(struct db *d, const char *sql, int64_t *out, struct err *e)
{
	return postgres_ask_number((struct postgres_db *)d, sql, out, e);
}

static int set_durable(struct db *d, bool durable, struct err *)
{
	((struct postgres_db *)d)->hurried = !durable;
	return 0;
}

static int be_patient(struct db *d, struct err *e)
{
	return execute(d,
	               "SET LOCAL statement_timeout = 0;"
	               "SET LOCAL idle_in_transaction_session_timeout = 0",
	               e);
}

/* Others go on reading the old rows until the commit. */
static int loosen(struct db *d, struct err *e)
{
	return execute(
		d,
		"ALTER TABLE games DISABLE TRIGGER USER; ALTER TABLE lists DISABLE TRIGGER USER;"
		"DELETE FROM games; DELETE FROM sums; DELETE FROM ratings; DELETE FROM rated;"
		"DELETE FROM players; DELETE FROM addresses; DELETE FROM barred;"
		"DELETE FROM watches; DELETE FROM tournaments; DELETE FROM entries",
		e);
}

static int tighten(struct db *d, struct err *e)
{
	return execute(
		d, "ALTER TABLE games ENABLE TRIGGER USER; ALTER TABLE lists ENABLE TRIGGER USER",
		e);
}

const struct db_backend postgres_backend = {
	.name = "postgresql",
	.shared = true,
	.version = POSTGRES_VERSION,
	.version_of = postgres_version_of,
	.open = postgres_open,
	.close = postgres_close,
	.each = each,
	.in_transaction = in_transaction,
	.row_int = row_int,
	.row_text = row_text,
	.row_bytes = row_bytes,
	.loosen = loosen,
	.tighten = tighten,
	.wait = postgres_wait,
	.be_patient = be_patient,
	.execute = execute,
	.ask_number = ask_number,
	.set_durable = set_durable,
};
