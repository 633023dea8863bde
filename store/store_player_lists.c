#include "store/store_player_lists.h"

#include "store/db/gather.h"
#include "store/document/keys.h"
#include "store/store_inside.h"

static int copy_key(const struct db_row *row, struct arena *a, void *out, struct err *e)
{
	(void)e;
	*(const char **)out = arena_strdup(a, db_row_text(row, 0));
	return 0;
}

static int each_key(struct store *s, enum db_query query, size_t n, const struct db_value *args,
                    userid_fn *fn, void *arg, struct err *e)
{
	struct gathered rows = { 0 };
	int rc = gather_rows(&rows, s->db, query, n, args, copy_key, sizeof(const char *), e);

	for (size_t i = 0; rc == 0 && i < rows.count; i++)
		rc = fn(*(const char *const *)gather_at(&rows, i), arg);
	gather_release(&rows);
	return rc;
}

int store_suspended_due(struct store *s, int64_t t, size_t limit, userid_fn *fn, void *arg,
                        struct err *e)
{
	return each_key(s, DB_SUSPENDED_DUE, DB_ARGS(db_int(t), db_count(limit)), fn, arg, e);
}

int store_renamed_to(struct store *s, const char *userid, userid_fn *fn, void *arg, struct err *e)
{
	char key[KEY_USERID_MAX + 1];

	if (!key_fold(userid, key, sizeof key) || !*key)
		return 0;
	return each_key(s, DB_RENAMED_TO, DB_ARGS(db_text(key)), fn, arg, e);
}

int store_staff(struct store *s, userid_fn *fn, void *arg, struct err *e)
{
	return each_key(s, DB_STAFF, 0, NULL, fn, arg, e);
}

int store_barred(struct store *s, const char *hash, struct err *e)
{
	int64_t one = 0;

	return db_number(s->db, DB_BARRED, DB_ARGS(db_text(hash)), &one, e);
}

int store_barred_players(struct store *s, userid_fn *fn, void *arg, struct err *e)
{
	return each_key(s, DB_BARRED_PLAYERS, 0, NULL, fn, arg, e);
}
