#include "store/db/queues.h"

#include <stdio.h>

#include "store/db/db_backend.h"

#define ROWS_A_PAGE 200 /* a mail may be large */
#define COLUMNS_MAX 11
#define KEY_MAX 2048

/* The columns' types: i for a number, t for a text or NULL, b for bytes.  A table without a name
 * keeps its rows in db_empty(). */
static const struct queue {
	enum db_query get, put;
	const char *columns, *table;
} queues[] = {
	{ DB_QUEUE_CLOCKS, DB_VALUE_SET, "ti", NULL },
	{ DB_QUEUE_OUTBOX, DB_QUEUE_OUTBOX_PUT, "itttbiiitti", "outbox" },
	{ DB_QUEUE_INBOX, DB_QUEUE_INBOX_PUT, "itiibti", "inbox" },
	{ DB_QUEUE_SEEN, DB_SEEN_ADD, "ti", "seen" },
	{ DB_QUEUE_HELD, DB_HELD_PUT, "tttti", "held" },
	{ DB_QUEUE_RATE, DB_QUEUE_RATE_PUT, "tii", "rate" },
	{ DB_QUEUE_WORK, DB_QUEUE_WORK_PUT, "ititi", "work" },
	{ DB_QUEUE_SILENT, DB_SILENT_ADD, "ti", "silent" },
	{ DB_AUDIT, DB_QUEUE_AUDIT_PUT, "iittttt", "audit" },
};

struct copying {
	const struct queue *queue;
	struct db *to;
	int rows; /* of this page */
	int64_t number;
	char key[KEY_MAX]; /* of the last row, or number */
	int failed;        /* the error of `to` */
};

static int put_row(const struct db_row *row, void *arg, struct err *e)
{
	struct copying *c = arg;
	struct db_value v[COLUMNS_MAX] = { 0 };
	size_t n = 0;

	for (const char *type = c->queue->columns; *type; type++, n++) {
		int i = (int)n;

		if (*type == 'i')
			v[n] = db_int(db_row_int(row, i));
		else if (*type == 't')
			v[n] = db_text(db_row_text(row, i));
		else {
			v[n] = db_bytes(NULL, 0);
			v[n].bytes = db_row_bytes(row, i, &v[n].len);
		}
	}
	c->rows++;
	if (v[0].type == DB_INT)
		c->number = v[0].number;
	else
		snprintf(c->key, sizeof c->key, "%s", (const char *)v[0].bytes);
	c->failed = db_run(c->to, c->queue->put, n, v, e);
	return c->failed;
}

static int copy_queue(struct db *from, struct copying *c, struct err *e)
{
	bool numbered = c->queue->columns[0] == 'i';
	int rc = 0;

	c->number = INT64_MIN;
	c->key[0] = '\0';
	do {
		c->rows = 0;
		rc = db_each(from, c->queue->get,
		             DB_ARGS(numbered ? db_int(c->number) : db_text(c->key),
		                     db_int(ROWS_A_PAGE)),
		             put_row, c, e);
	} while (rc == 0 && c->rows == ROWS_A_PAGE);
	return rc;
}

int db_empty(struct db *d, struct err *e)
{
	char sql[60];
	int rc = d->backend->execute(d, "DELETE FROM documents", e);

	for (size_t i = 0; rc == 0 && i < sizeof queues / sizeof *queues; i++)
		if (queues[i].table) {
			snprintf(sql, sizeof sql, "DELETE FROM %s", queues[i].table);
			rc = d->backend->execute(d, sql, e);
		}
	return rc;
}

int db_copy_queues(struct db *from, struct db *to, bool *unread, struct err *e)
{
	struct copying c = { .to = to };
	int64_t board = 0, number = 0;
	int rc = db_number(from, DB_BOARD_PEEK, DB_NONE, &board, e);

	if (rc >= 0)
		rc = db_number(from, DB_QUEUE_LAST, DB_NONE, &number, e);
	for (size_t i = 0; rc >= 0 && i < sizeof queues / sizeof *queues; i++) {
		c.queue = &queues[i];
		rc = copy_queue(from, &c, e);
	}
	*unread = rc < 0 && c.failed == 0;
	if (rc >= 0)
		rc = db_run(to, DB_BOARD_RESERVE, DB_ARGS(db_int(board - 1)), e);
	return rc < 0 ? rc : db_run(to, DB_QUEUE_GO_ON, DB_ARGS(db_int(number)), e);
}
