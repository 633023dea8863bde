#include "store/store_work.h"

#include "store/db/gather.h"
#include "store/document/keys.h"
#include "store/store_inside.h"

/* As the kinds are called in pbm.db. */
static const char *const kinds[] = {
	[WORK_GAME] = "game",         [WORK_LIVE] = "live",
	[WORK_WATCHERS] = "watchers", [WORK_TOURNAMENT] = "tournament",
	[WORK_ANALYSIS] = "analysis", [WORK_PUZZLE] = "puzzle",
	[WORK_GONE] = "gone",
};

int store_work_add(struct store *s, enum work_kind kind, int64_t board, size_t events,
                   struct err *e)
{
	return store_change(
		s, DB_WORK_ADD,
		DB_ARGS(db_text(kinds[kind]), db_int(board), db_text(""), db_count(events)), e);
}

int store_work_add_name(struct store *s, enum work_kind kind, const char *name, struct err *e)
{
	char key[KEY_USERID_MAX + 1];

	if (!key_fold(name, key, sizeof key))
		return 0;
	return store_change(s, DB_WORK_ADD,
	                    DB_ARGS(db_text(kinds[kind]), db_int(0), db_text(key), db_int(0)), e);
}

int store_work_add_games_of(struct store *s, const char *userid, struct err *e)
{
	char who[KEY_USERID_MAX + 1];

	if (!key_is_player(userid) || !key_fold(userid, who, sizeof who))
		return 0;
	return store_change(s, DB_WORK_ADD_GAMES_OF, DB_ARGS(db_text(who)), e);
}

int store_work_add_tournaments(struct store *s, struct err *e)
{
	return store_change(s, DB_WORK_ADD_TOURNAMENTS, DB_NONE, e);
}

struct work_list {
	struct work *v;
	size_t n;
};

static int add_work(const struct db_row *row, void *arg, struct err *)
{
	struct work_list *l = arg;

	l->v[l->n++] = (struct work){ .n = db_row_int(row, 1),
		                      .board = db_row_int(row, 2),
		                      .events = (size_t)db_row_int(row, 3) };
	return 0;
}

int store_work(struct store *s, enum work_kind kind, int64_t after, size_t limit, struct work *v,
               size_t *n, struct err *e)
{
	struct work_list l = { .v = v };
	int rc = db_each(s->db, DB_WORK,
	                 DB_ARGS(db_text(kinds[kind]), db_int(after), db_text(""), db_count(limit)),
	                 add_work, &l, e);

	*n = l.n;
	return rc;
}

int store_work_names(struct store *s, enum work_kind kind, const char *after, size_t limit,
                     work_name_fn *fn, void *arg, struct err *e)
{
	return gather_each_pair(
		s->db, DB_WORK,
		DB_ARGS(db_text(kinds[kind]), db_int(0), db_text(after), db_count(limit)), 0, fn,
		arg, e);
}

int store_work_done(struct store *s, int64_t n, struct err *e)
{
	return store_change(s, DB_WORK_DONE, DB_ARGS(db_int(n)), e);
}
