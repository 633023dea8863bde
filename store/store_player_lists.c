#include "store/store_player_lists.h"

#include "store/db/gather.h"
#include "store/document/keys.h"
#include "store/store_inside.h"

int store_suspended_due(struct store *s, int64_t t, int64_t due, const char *player, size_t limit,
                        player_due_fn *fn, void *arg, struct err *e)
{
	return gather_each_pair(s->db, DB_SUSPENDED_DUE,
	                        DB_ARGS(db_int(t), db_int(due), db_text(player), db_count(limit)),
	                        0, fn, arg, e);
}

int store_renamed_to(struct store *s, const char *userid, userid_fn *fn, void *arg, struct err *e)
{
	char key[KEY_USERID_MAX + 1];

	if (!key_fold(userid, key, sizeof key) || !*key)
		return 0;
	return gather_each_text(s->db, DB_RENAMED_TO, DB_ARGS(db_text(key)), fn, arg, e);
}

int store_staff(struct store *s, userid_fn *fn, void *arg, struct err *e)
{
	return gather_each_text(s->db, DB_STAFF, 0, NULL, fn, arg, e);
}

int store_barred(struct store *s, const char *hash, struct err *e)
{
	return db_number(s->db, DB_BARRED, DB_ARGS(db_text(hash)), NULL, e);
}

int store_barred_players(struct store *s, userid_fn *fn, void *arg, struct err *e)
{
	return gather_each_text(s->db, DB_BARRED_PLAYERS, 0, NULL, fn, arg, e);
}

int store_watched(struct store *s, const char *what, const char *other, struct err *e)
{
	return db_number(s->db, DB_WATCHED, DB_ARGS(db_text(what), db_text(other)), NULL, e);
}

struct watcher {
	const char *player;
	bool final;
};

static int copy_watcher(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	*(struct watcher *)out = (struct watcher){ arena_strdup(a, db_row_text(row, 0)),
		                                   db_row_int(row, 1) != 0 };
	return 0;
}

int store_watchers(struct store *s, const char *what, size_t limit, watcher_fn *fn, void *arg,
                   struct err *e)
{
	return GATHER_EACH(struct watcher, copy_watcher, fn(row->player, row->final, arg), e, s->db,
	                   DB_WATCHERS, DB_ARGS(db_text(what), db_count(limit)));
}

int store_digest_due(struct store *s, int64_t t, int64_t due, const char *player, size_t limit,
                     player_due_fn *fn, void *arg, struct err *e)
{
	return gather_each_pair(s->db, DB_DIGEST_DUE,
	                        DB_ARGS(db_int(t), db_int(due), db_text(player), db_count(limit)),
	                        0, fn, arg, e);
}
