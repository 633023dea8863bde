#include "store/shared/store_workers.h"

#include "pbm/base/clock.h"
#include "store/db/gather.h"
#include "store/store_inside.h"

#define FORGOTTEN (30 * CLOCK_DAY)

int store_worker_note(struct store *s, const struct worker *w, struct err *e)
{
	int rc = store_begin_light(s, e);

	if (rc == 0)
		rc = store_change(s, DB_WORKER_PUT,
		                  DB_ARGS(db_text(s->worker), db_int(w->at), db_int(w->trip),
		                          db_text(w->source), db_text(w->program), db_text(w->conf),
		                          db_text(w->templates), db_text(w->secret)),
		                  e);
	if (rc == 0)
		rc = store_change(s, DB_WORKERS_EXPIRE, DB_ARGS(db_int(w->at - FORGOTTEN)), e);
	return store_end_light(s, rc, false, e);
}

int store_worker_drop(struct store *s, const char *name, struct err *e)
{
	return store_change(s, DB_WORKER_DROP, DB_ARGS(db_text(name)), e);
}

static int copy_worker(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	*(struct worker *)out = (struct worker){
		.name = arena_strdup(a, db_row_text(row, 0)),
		.at = db_row_int(row, 1),
		.trip = db_row_int(row, 2),
		.source = arena_strdup(a, db_row_text(row, 3)),
		.program = arena_strdup(a, db_row_text(row, 4)),
		.conf = arena_strdup(a, db_row_text(row, 5)),
		.templates = arena_strdup(a, db_row_text(row, 6)),
		.secret = arena_strdup(a, db_row_text(row, 7)),
	};
	return 0;
}

int store_workers(struct store *s, int64_t since, int (*fn)(const struct worker *w, void *arg),
                  void *arg, struct err *e)
{
	return GATHER_EACH(struct worker, copy_worker, fn(row, arg), e, s->db, DB_WORKERS,
	                   DB_ARGS(db_int(since)));
}

const char *store_worker_name(const struct store *s)
{
	return s->worker;
}
