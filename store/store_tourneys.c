#include "store/store_tourneys.h"

#include "store/gather.h"
#include "store/inside.h"
#include "store/keys.h"

static int copy_row(const struct db_row *row, struct arena *a, void *out, struct err *e)
{
	(void)e;
	*(struct tourney_row *)out = (struct tourney_row){
		.name = arena_strdup(a, db_row_text(row, 0)),
		.game = arena_strdup(a, db_row_text(row, 1)),
		.director = arena_strdup(a, db_row_text(row, 2)),
		.kind = (enum tourney_kind)db_row_int(row, 3),
		.state = (enum tourney_state)db_row_int(row, 4),
		.paired = (int)db_row_int(row, 5),
		.rounds = (int)db_row_int(row, 6),
		.players = (int)db_row_int(row, 7),
		.created = db_row_int(row, 8),
		.ended = db_row_int(row, 9),
		.due = db_row_int(row, 10),
	};
	return 0;
}

int store_tourneys(struct store *s, enum tourney_state state, struct tourney_place below,
                   size_t limit, tourney_row_fn *fn, void *arg, struct err *e)
{
	struct gathered rows = { 0 };
	int rc = gather_rows(&rows, s->db, DB_TOURNEYS,
	                     DB_ARGS(db_int(state), db_int(below.created),
	                             db_text(below.key ? below.key : ""), db_count(limit)),
	                     copy_row, sizeof(struct tourney_row), e);

	for (size_t i = 0; rc == 0 && i < rows.count; i++)
		rc = fn(gather_at(&rows, i), arg);
	gather_release(&rows);
	return rc < 0 ? rc : 0;
}

struct row_target {
	struct arena *a;
	struct tourney_row *out;
};

static int take_row(const struct db_row *row, void *arg, struct err *e)
{
	const struct row_target *t = arg;
	int rc = copy_row(row, t->a, t->out, e);

	return rc < 0 ? rc : 1;
}

int store_tourney_row(struct store *s, struct arena *a, const char *name, struct tourney_row *out,
                      struct err *e)
{
	char key[KEY_USERID_MAX + 1];
	struct row_target to = { a, out };

	if (!key_is_userid(name) || !key_fold(name, key, sizeof key))
		return 0;
	return db_each(s->db, DB_TOURNEY_GET, DB_ARGS(db_text(key)), take_row, &to, e);
}

struct tourney_key {
	const char *key;
	int64_t due;
};

static int copy_key(const struct db_row *row, struct arena *a, void *out, struct err *e)
{
	(void)e;
	*(struct tourney_key *)out = (struct tourney_key){ arena_strdup(a, db_row_text(row, 0)),
		                                           0 };
	return 0;
}

static int copy_due(const struct db_row *row, struct arena *a, void *out, struct err *e)
{
	copy_key(row, a, out, e);
	((struct tourney_key *)out)->due = db_row_int(row, 1);
	return 0;
}

static int each_key(struct store *s, enum db_query query, size_t n, const struct db_value *args,
                    gather_fn *copy, tourney_key_fn *fn, void *arg, struct err *e)
{
	struct gathered rows = { 0 };
	int rc = gather_rows(&rows, s->db, query, n, args, copy, sizeof(struct tourney_key), e);

	for (size_t i = 0; rc == 0 && i < rows.count; i++) {
		const struct tourney_key *k = gather_at(&rows, i);

		rc = fn(k->key, k->due, arg);
	}
	gather_release(&rows);
	return rc < 0 ? rc : 0;
}

int store_tourneys_due(struct store *s, int64_t t, int64_t due, const char *key, size_t limit,
                       tourney_key_fn *fn, void *arg, struct err *e)
{
	return each_key(s, DB_TOURNEYS_DUE,
	                DB_ARGS(db_int(t), db_int(due), db_text(key), db_count(limit)), copy_due,
	                fn, arg, e);
}

int store_tourneys_of(struct store *s, const char *userid, const char *after, size_t limit,
                      tourney_key_fn *fn, void *arg, struct err *e)
{
	char key[KEY_USERID_MAX + 1];

	if (!key_is_userid(userid) || !key_fold(userid, key, sizeof key))
		return 0;
	return each_key(s, DB_ENTRIES_OF, DB_ARGS(db_text(key), db_text(after), db_count(limit)),
	                copy_key, fn, arg, e);
}

int store_tourneys_after(struct store *s, const char *after, size_t limit, tourney_key_fn *fn,
                         void *arg, struct err *e)
{
	return each_key(s, DB_TOURNEYS_AFTER, DB_ARGS(db_text(after), db_count(limit)), copy_key,
	                fn, arg, e);
}

int store_tourney_pages(struct store *s, const char *after, size_t limit, tourney_key_fn *fn,
                        void *arg, struct err *e)
{
	return each_key(s, DB_TOURNEY_PAGES, DB_ARGS(db_text(after), db_count(limit)), copy_key, fn,
	                arg, e);
}

int store_tourney_page_done(struct store *s, const char *key, struct err *e)
{
	return store_change(s, DB_TOURNEY_PAGE_DONE, DB_ARGS(db_text(key)), e);
}

int store_tourney_pages_add(struct store *s, struct err *e)
{
	return store_change(s, DB_TOURNEY_PAGES_ADD, DB_NONE, e);
}
