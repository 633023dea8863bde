#include "store/shared/store_server.h"

#include <string.h>
#include <time.h>

#include "pbm/base/clock.h"
#include "store/db/gather.h"
#include "store/store_backend.h"
#include "store/store_inside.h"
#include "store/store_marks.h"

#define QUESTIONS 5
#define SHORT 1000 /* microseconds; the server is near, and nothing is learnt by asking again */

struct server_answer {
	int64_t clock, writable, copied, standbys;
};

static int take(const struct db_row *row, void *arg, struct err *)
{
	*(struct server_answer *)arg = (struct server_answer){
		db_row_int(row, 0), db_row_int(row, 1), db_row_int(row, 2), db_row_int(row, 3)
	};
	return 0;
}

static int64_t microseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int store_server_look(struct store *s, struct store_server *out, struct err *e)
{
	struct server_answer a = { 0 };
	int rc = 0;

	*out = (struct store_server){ .trip = INT64_MAX };
	for (int i = 0; rc == 0 && i < QUESTIONS && out->trip > SHORT; i++) {
		int64_t before = clock_machine(), began = microseconds();

		rc = db_each(s->db, DB_SERVER, DB_NONE, take, &a, e);
		int64_t trip = microseconds() - began, after = clock_machine();
		if (trip < out->trip)
			out->trip = trip;
		out->skew = a.clock < before  ? before - a.clock
		            : a.clock > after ? after - a.clock
		                              : 0;
	}
	out->writable = a.writable;
	out->copied = a.copied;
	out->standbys = a.standbys;
	if (clock_is_set())
		out->skew = 0;
	return rc;
}

/* The value whose name begins so says when a site claimed the tables. */
#define CLAIM "init-"
#define CLAIMS_END "init."

/* *name: NULL where nobody has. */
static int find_claim(struct db *db, struct arena *a, const char **name, struct err *e)
{
	return gather_text(a, db, DB_VALUES,
	                   DB_ARGS(db_text(CLAIM), db_text(CLAIMS_END), db_int(1)), name, e);
}

int store_is_free(const char *owner, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	const char *claim = NULL, *first = NULL;
	struct db *db = NULL;
	int rc = db_open(store_backend(), store_backend_url(), DB_READ, &db, e);

	if (rc == 0)
		rc = find_claim(db, &a, &claim, e);
	if (rc == 0)
		rc = gather_text(&a, db, DB_DOCUMENTS,
		                 DB_ARGS(db_text(""), db_text("~"), db_int(1)), &first, e);
	db_close(db);
	return rc < 0 ? rc
	              : (first && strcmp(first, STORE_UNUSED) == 0) ||
	                        (owner && claim && strcmp(claim + strlen(CLAIM), owner) == 0);
}

int store_claim(const char *dir, const char *owner, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	const char *claim = NULL, *own = arena_printf(&a, CLAIM "%s", owner);
	struct store *s = NULL;
	int rc = store_open(dir, STORE_WRITE, &s, e);

	if (rc == 0)
		rc = store_begin(s, e); /* nobody finds the tables unused any more */
	if (rc == 0)
		rc = find_claim(s->db, &a, &claim, e);
	if (rc == 0 && claim && strcmp(claim, own) != 0)
		rc = err_set(e, ERR_CONFLICT, "the database has a site already");
	if (rc == 0)
		rc = store_value_set(s, own, clock_now(), e);
	if (s)
		rc = store_end(s, rc, e);
	store_close(s);
	return rc;
}
