#include "store/store_tournaments.h"

#include "store/db/gather.h"
#include "store/document/keys.h"
#include "store/store_inside.h"

static int copy_row(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	*(struct tournament_row *)out = (struct tournament_row){
		.name = arena_strdup(a, db_row_text(row, 0)),
		.game = arena_strdup(a, db_row_text(row, 1)),
		.director = arena_strdup(a, db_row_text(row, 2)),
		.kind = (enum tournament_kind)db_row_int(row, 3),
		.state = (enum tournament_state)db_row_int(row, 4),
		.paired = (int)db_row_int(row, 5),
		.rounds = (int)db_row_int(row, 6),
		.players = (int)db_row_int(row, 7),
		.created = db_row_int(row, 8),
		.ended = db_row_int(row, 9),
		.due = db_row_int(row, 10),
	};
	return 0;
}

int store_tournaments(struct store *s, enum tournament_state state, struct tournament_place below,
                      size_t limit, tournament_row_fn *fn, void *arg, struct err *e)
{
	return GATHER_EACH(struct tournament_row, copy_row, fn(row, arg), e, s->db, DB_TOURNAMENTS,
	                   DB_ARGS(db_int(state), db_int(below.created),
	                           db_text(below.key ? below.key : ""), db_count(limit)));
}

int store_tournaments_due(struct store *s, int64_t t, int64_t due, const char *key, size_t limit,
                          tournament_key_fn *fn, void *arg, struct err *e)
{
	return gather_each_pair(s->db, DB_TOURNAMENTS_DUE,
	                        DB_ARGS(db_int(t), db_int(due), db_text(key), db_count(limit)), 0,
	                        fn, arg, e);
}

int store_tournaments_of(struct store *s, const char *userid, const char *after, size_t limit,
                         tournament_key_fn *fn, void *arg, struct err *e)
{
	char key[KEY_USERID_MAX + 1];

	if (!key_is_userid(userid) || !key_fold(userid, key, sizeof key))
		return 0;
	return gather_each_pair(s->db, DB_ENTRIES_OF,
	                        DB_ARGS(db_text(key), db_text(after), db_count(limit)), 0, fn, arg,
	                        e);
}

int store_tournaments_after(struct store *s, const char *after, size_t limit, tournament_key_fn *fn,
                            void *arg, struct err *e)
{
	return gather_each_pair(s->db, DB_TOURNAMENTS_AFTER,
	                        DB_ARGS(db_text(after), db_count(limit)), 0, fn, arg, e);
}
