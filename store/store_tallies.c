#include "store/store_tallies.h"

#include "store/db/gather.h"
#include "store/document/keys.h"
#include "store/store_inside.h"

static int copy_tally(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	*(struct games_tally *)out = (struct games_tally){
		.key = arena_strdup(a, db_row_text(row, 0)),
		.n = db_row_int(row, 1),
		.won = db_row_int(row, 2),
		.lost = db_row_int(row, 3),
		.drawn = db_row_int(row, 4),
	};
	return 0;
}

int store_tally(struct store *s, const char *list, const char *key, struct games_tally *out,
                struct err *e)
{
	struct gathered rows = { 0 };
	int rc = gather_rows(&rows, s->db, DB_TALLY, DB_ARGS(db_text(list), db_text(key)),
	                     copy_tally, sizeof(struct games_tally), e);

	*out = (struct games_tally){ 0 };
	if (rc == 0 && rows.count) {
		*out = *(const struct games_tally *)gather_at(&rows, 0);
		out->key = NULL;
	}
	gather_release(&rows);
	return rc < 0 ? rc : 0;
}

int store_tallies(struct store *s, const char *list, size_t limit, tally_fn *fn, void *arg,
                  struct err *e)
{
	struct gathered rows = { 0 };
	int rc = gather_rows(&rows, s->db, DB_TALLIES, DB_ARGS(db_text(list), db_count(limit)),
	                     copy_tally, sizeof(struct games_tally), e);

	for (size_t i = 0; rc == 0 && i < rows.count; i++)
		rc = fn(gather_at(&rows, i), arg);
	gather_release(&rows);
	return rc < 0 ? rc : 0;
}

static int copy_rated(const struct db_row *row, struct arena *, void *out, struct err *)
{
	*(struct past_rating *)out = (struct past_rating){ db_row_int(row, 0), db_row_int(row, 1),
		                                           db_row_int(row, 2) };
	return 0;
}

int store_rated(struct store *s, const char *userid, const char *game, size_t limit, rated_fn *fn,
                void *arg, struct err *e)
{
	struct gathered rows = { 0 };
	char key[KEY_USERID_MAX + 1];

	if (!key_is_player(userid) || !key_fold(userid, key, sizeof key))
		return 0;
	int rc = gather_rows(&rows, s->db, DB_RATED,
	                     DB_ARGS(db_text(key), db_text(game), db_count(limit)), copy_rated,
	                     sizeof(struct past_rating), e);
	for (size_t i = 0; rc == 0 && i < rows.count; i++)
		rc = fn(gather_at(&rows, i), arg);
	gather_release(&rows);
	return rc < 0 ? rc : 0;
}
