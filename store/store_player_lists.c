#include "store/store_player_lists.h"

#include "store/db/gather.h"
#include "store/document/keys.h"
#include "store/store_inside.h"

int store_suspended_due(struct store *s, int64_t t, size_t limit, userid_fn *fn, void *arg,
                        struct err *e)
{
	return gather_each_text(s->db, DB_SUSPENDED_DUE, DB_ARGS(db_int(t), db_count(limit)), fn,
	                        arg, e);
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
	int64_t one = 0;

	return db_number(s->db, DB_BARRED, DB_ARGS(db_text(hash)), &one, e);
}

int store_barred_players(struct store *s, userid_fn *fn, void *arg, struct err *e)
{
	return gather_each_text(s->db, DB_BARRED_PLAYERS, 0, NULL, fn, arg, e);
}
