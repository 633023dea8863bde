/* The audit table: what was refused, for a person to look at later. */
#include "pbm/base/utf8.h"
#include "store/inside.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 400

static struct db_value cut_text(const char *text)
{
	struct db_value v = db_text(text);

	v.len = text ? utf8_cut(text, v.len, TEXT_MAX) : 0;
	return v;
}

int store_audit_add(struct store *s, const struct audit_row *row, struct err *e)
{
	int rc = store_may_write(s, e);

	if (rc == 0)
		rc = db_run(s->db, DB_AUDIT_ADD,
		            DB_ARGS(db_int(row->at), cut_text(row->reason), cut_text(row->sender),
		                    cut_text(row->player), cut_text(row->what),
		                    cut_text(row->cause)),
		            e);
	return rc == 0 ? db_run(s->db, DB_AUDIT_TRIM, DB_ARGS(db_int(AUDIT_MAX)), e) : rc;
}

struct gathering {
	struct arena a;
	struct audit_row *rows;
	size_t n;
};

static int gather(const struct db_row *row, void *arg, struct err *e)
{
	struct gathering *g = arg;
	struct arena *a = &g->a;

	(void)e;
	g->rows[g->n++] = (struct audit_row){
		.id = db_row_int(row, 0),
		.at = db_row_int(row, 1),
		.reason = arena_strdup(a, db_row_text(row, 2)),
		.sender = arena_strdup(a, db_row_text(row, 3)),
		.player = arena_strdup(a, db_row_text(row, 4)),
		.what = arena_strdup(a, db_row_text(row, 5)),
		.cause = arena_strdup(a, db_row_text(row, 6)),
	};
	return 0;
}

int store_audit(struct store *s, int64_t after, size_t limit, audit_fn *fn, void *arg,
                struct err *e)
{
	struct gathering g = { 0 };

	if (limit > AUDIT_MAX)
		limit = AUDIT_MAX;
	g.rows = mem_alloc((limit + 1) * sizeof *g.rows);
	int rc = db_each(s->db, DB_AUDIT, DB_ARGS(db_int(after), db_count(limit)), gather, &g, e);
	for (size_t i = 0; rc == 0 && i < g.n; i++)
		rc = fn(&g.rows[i], arg);
	free(g.rows);
	arena_release(&g.a);
	return rc < 0 ? rc : 0;
}
