/* The mark of a server's store that `pbm migrate` has left. */
#include <string.h>

#include "pbm/base/clock.h"
#include "store/db/gather.h"
#include "store/store_inside.h"

/* The mark is a value's name: MARK, the machine, TO, the new store.  Earlier versions wrote no new store. */
#define MARK "moved-"
#define MARKS_END "moved."
#define TO " to "

static int find(struct db *db, struct arena *a, const char **name, struct err *e)
{
	return gather_text(a, db, DB_VALUES, DB_ARGS(db_text(MARK), db_text(MARKS_END), db_int(1)),
	                   name, e);
}

static int look(const struct store *s, struct db *db, struct arena *a, struct store_move *out,
                struct err *e)
{
	const char *name, *to = NULL;
	int rc = find(db, a, &name, e);

	if (rc < 0 || !name)
		return rc < 0 ? rc : 0;
	name += strlen(MARK);
	/* A URL has no blanks; a machine's name may have some. */
	for (const char *next = name; (next = strstr(next, TO)); next++)
		to = next;
	out->machine = to ? arena_printf(a, "%.*s", (int)(to - name), name) : name;
	out->to = to ? to + strlen(TO) : "";
	out->own = strcmp(out->machine, s->worker) == 0;
	return 1;
}

int store_moved(struct store *s, struct arena *a, struct store_move *out, struct err *e)
{
	return db_is_shared(s->db) ? look(s, s->db, a, out, e) : 0;
}

const char *store_move_todo(const struct store_move *m, struct arena *a)
{
	if (m->own)
		return arena_printf(
			a,
			"if pbm migrate was cut off here, start it again (pbm migrate %s); else write into pbm.conf: store = %s",
			m->to, m->to);
	if (strcmp(m->to, "sqlite:") == 0)
		return "stop pbm here: the site's files are on that machine alone";
	return arena_printf(a, "stop pbm here, or write into pbm.conf: store = %s",
	                    *m->to ? m->to : "(the line of that machine)");
}

int store_refuse_moved(const struct store *s, struct db *db, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct store_move m = { 0 };
	int rc = db_is_shared(db) ? look(s, db, &a, &m, e) : 0;

	return rc <= 0 || (m.own && s->moves)
	               ? rc
	               : err_set(e, ERR_TEMP,
	                         "the site has moved to another store (pbm migrate on the machine "
	                         "%.100s): %.300s",
	                         m.machine, store_move_todo(&m, &a));
}

int store_mark_moved(const struct store *s, struct db *db, const char *to, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	const char *old;
	int rc = find(db, &a, &old, e);

	if (rc == 0 && old)
		rc = db_run(db, DB_VALUE_DROP, DB_ARGS(db_text(old)), e);
	if (rc == 0 && to)
		rc = db_run(db, DB_VALUE_SET,
		            DB_ARGS(db_text(arena_printf(&a, MARK "%s" TO "%s", s->worker, to)),
		                    db_int(clock_now())),
		            e);
	return rc;
}
