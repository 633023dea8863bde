#include "store/store_audit.h"

#include "store/db/gather.h"
#include "store/store_inside.h"

#define TEXT_MAX 400

static struct db_value cut_text(const char *text)
{
	return store_cut_text(text, TEXT_MAX);
}

int store_audit_add(struct store *s, const struct audit_row *row, struct err *e)
{
	store_change(s, DB_AUDIT_ADD,
	             DB_ARGS(db_int(row->at), cut_text(row->reason), cut_text(row->sender),
	                     cut_text(row->player), cut_text(row->what), cut_text(row->cause)),
	             e);

	return store_change(s, DB_AUDIT_TRIM, DB_ARGS(db_int(AUDIT_MAX)), e);
}

static int copy_row(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	*(struct audit_row *)out = (struct audit_row){
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
	return GATHER_EACH(struct audit_row, copy_row, fn(row, arg), e, s->db, DB_AUDIT,
	                   DB_ARGS(db_int(after), db_count(limit)));
}
