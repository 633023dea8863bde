/* Single statements and their errors, for the files of this back-end. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "store/postgres/postgres.h"

bool postgres_is_good(const PGresult *r)
{
	ExecStatusType status = PQresultStatus(r);

	return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

PGresult *postgres_answer(struct postgres_db *d)
{
	PGresult *out = NULL, *next;

	if (PQpipelineStatus(d->link) == PQ_PIPELINE_OFF)
		return NULL;
	PQpipelineSync(d->link);
	for (; d->waiting; d->waiting--) {
		PGresult *r = PQgetResult(d->link);

		if (out && !postgres_is_good(out)) {
			PQclear(r);
		} else {
			PQclear(out);
			out = r;
		}
		while ((next = PQgetResult(d->link)))
			PQclear(next);
	}
	PQclear(PQgetResult(d->link)); /* of PQpipelineSync() */
	PQexitPipelineMode(d->link);
	if (!postgres_is_good(out)) { /* who knows which of them the server has prepared */
		memset(d->prepared, 0, sizeof d->prepared);
		d->failures++;
	}
	return out;
}

int postgres_settle(struct postgres_db *d, struct err *e)
{
	if (d->waiting == 0)
		return 0;
	PGresult *r = postgres_answer(d);
	if (!postgres_is_good(r))
		return postgres_complain(d, r, e);
	PQclear(r);
	return 0;
}

/* libpq says a line for each server that it tried, and hints that begin with a tab. */
static void join_lines(const char *text, char *out, size_t size)
{
	size_t n = 0;

	for (size_t len; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		if (*text != '\t' && len && n < size)
			n += (size_t)snprintf(out + n, size - n, "%s%.*s", n ? "; " : "", (int)len,
			                      text);
	}
}

int postgres_complain(struct postgres_db *d, PGresult *r, struct err *e)
{
	static const struct {
		const char *state; /* or the beginning of it */
		enum err_code code;
	} codes[] = {
		{ "55P03", ERR_BUSY }, /* the wait for a lock ended */
		{ "57", ERR_TEMP },    /* the server was told to stop, or starts */
		{ "22", ERR_BAD },     { "23", ERR_CONFLICT },
		{ "54", ERR_LIMIT },   { "XX", ERR_DAMAGED },
	};
	const char *state = PQresultErrorField(r, PG_DIAG_SQLSTATE),
		   *text = PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
	char said[400] = "";
	struct err why = { 0 };
	enum err_code code = PQstatus(d->link) == CONNECTION_OK ? ERR_SYSTEM : ERR_TEMP;

	for (size_t i = 0; state && code == ERR_SYSTEM && i < sizeof codes / sizeof *codes; i++)
		if (strncmp(state, codes[i].state, strlen(codes[i].state)) == 0)
			code = codes[i].code;
	join_lines(text ? text : PQerrorMessage(d->link), said, sizeof said);
	err_set(&why, code, "PostgreSQL: %s", said);
	PQclear(r);
	db_fail(&d->base, &why);
	return err_set(e, why.code, "%s", why.text);
}

int postgres_ask(struct postgres_db *d, const char *sql, PGresult **out, struct err *e)
{
	int rc = postgres_settle(d, e);

	if (rc < 0)
		return rc;
	*out = PQexec(d->link, sql);
	return postgres_is_good(*out) ? 0 : postgres_complain(d, *out, e);
}

int postgres_execute(struct postgres_db *d, const char *sql, struct err *e)
{
	PGresult *r;
	int rc = postgres_ask(d, sql, &r, e);

	if (rc == 0)
		PQclear(r);
	return rc;
}

int postgres_ask_number(struct postgres_db *d, const char *sql, int64_t *out, struct err *e)
{
	PGresult *r;
	int rc = postgres_ask(d, sql, &r, e);

	if (rc < 0)
		return rc;
	*out = PQntuples(r) ? strtoll(PQgetvalue(r, 0, 0), NULL, 10) : 0;
	PQclear(r);
	return 0;
}

/* Forgets the news that have come; true: there were some. */
static bool take_news(struct postgres_db *d)
{
	bool any = false;

	for (PGnotify *n; (n = PQnotifies(d->link)); any = true)
		PQfreemem(n);
	return any;
}

/* The function of the trigger on inbox names the channel in the same way. */
#define LISTEN "DO $$ BEGIN EXECUTE format('LISTEN %I', 'pbm ' || current_schema()); END $$"

int postgres_wait(struct db *base, int ms, struct err *e)
{
	struct postgres_db *d = (struct postgres_db *)base;
	struct pollfd p = { .fd = PQsocket(d->link), .events = POLLIN };

	if (!d->listens) {
		int rc = postgres_execute(d, LISTEN, e);

		if (rc < 0)
			return rc;
		d->listens = true;
	}
	if (take_news(d))
		return 1;
	if (poll(&p, 1, ms) <= 0)
		return 0;
	return PQconsumeInput(d->link) ? take_news(d) : postgres_complain(d, NULL, e);
}
