#include "store/store_ratings.h"

#include <string.h>

#include "store/db/gather.h"
#include "store/document/document_file.h"
#include "store/document/keys.h"
#include "store/store_inside.h"

#define KINDS_MAX 1000

static int copy_row(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	*(struct rating_row *)out = (struct rating_row){
		.player = arena_strdup(a, db_row_text(row, 0)),
		.game = arena_strdup(a, db_row_text(row, 1)),
		.board = db_row_int(row, 2),
		.rating = db_row_int(row, 3),
		.deviation = db_row_int(row, 4),
		.volatility = db_row_int(row, 5),
		.games = db_row_int(row, 6),
		.ended = db_row_int(row, 7),
	};
	return 0;
}

int store_rating(struct store *s, const char *userid, const char *game, struct rating_row *out,
                 struct err *e)
{
	char key[KEY_USERID_MAX + 1];

	if (!key_is_userid(userid) || !key_fold(userid, key, sizeof key))
		return 0;
	AUTO(arena_release) struct arena a = { 0 };
	int rc = gather_one(&a, s->db, DB_RATING, DB_ARGS(db_text(key), db_text(game)), copy_row,
	                    out, e);
	if (rc == 1)
		out->player = out->game = NULL;
	return rc;
}

static int show_ratings(struct store *s, enum db_query q, size_t n, const struct db_value *args,
                        rating_row_fn *fn, void *arg, struct err *e)
{
	return GATHER_EACH(struct rating_row, copy_row, fn(row, arg), e, s->db, q, n, args);
}

int store_ratings_of(struct store *s, const char *userid, rating_row_fn *fn, void *arg,
                     struct err *e)
{
	char key[KEY_USERID_MAX + 1];

	if (!key_is_userid(userid) || !key_fold(userid, key, sizeof key))
		return 0;
	return show_ratings(s, DB_RATINGS_OF, DB_ARGS(db_text(key)), fn, arg, e);
}

int store_ranking(struct store *s, const char *game, size_t limit, size_t offset, rating_row_fn *fn,
                  void *arg, struct err *e)
{
	return show_ratings(s, DB_LADDER, DB_ARGS(db_text(game), db_count(limit), db_count(offset)),
	                    fn, arg, e);
}

int store_ranking_provisional(struct store *s, const char *game, size_t limit, size_t offset,
                              rating_row_fn *fn, void *arg, struct err *e)
{
	return show_ratings(s, DB_LADDER_PROVISIONAL,
	                    DB_ARGS(db_text(game), db_count(limit), db_count(offset)), fn, arg, e);
}

int store_ranking_place(struct store *s, const char *game, int64_t rating, int64_t *above,
                        int64_t *all, struct err *e)
{
	int rc = db_number(s->db, DB_LADDER_ABOVE, DB_ARGS(db_text(game), db_int(rating)), above,
	                   e);

	if (rc >= 0)
		rc = db_number(s->db, DB_LADDER_SIZE, DB_ARGS(db_text(game)), all, e);
	return rc < 0 ? rc : 0;
}

int store_ratings_clear(struct store *s, struct err *e)
{
	store_change(s, DB_RATINGS_CLEAR, DB_NONE, e);
	return store_change(s, DB_RATED_CLEAR, DB_NONE, e);
}

int store_ratings_put(struct store *s, const struct game_doc *g, struct err *e)
{
	int rc = store_may_write(s, e);

	return rc == 0 ? document_file_rating_rows(g, document_file_run, s->db, e) : rc;
}

int store_ratings_forget(struct store *s, const char *userid, struct err *e)
{
	char key[KEY_USERID_MAX + 1];

	if (!key_is_userid(userid) || !key_fold(userid, key, sizeof key))
		return 0;
	store_change(s, DB_RATINGS_FORGET, DB_ARGS(db_text(key)), e);
	return store_change(s, DB_RATED_FORGET, DB_ARGS(db_text(key)), e);
}

int store_rating_set(struct store *s, const struct rating_row *r, struct err *e)
{
	int rc = store_change(s, DB_RATING_DROP, DB_ARGS(db_text(r->player), db_text(r->game)), e);

	if (rc < 0 || !r->games)
		return rc;
	return store_change(s, DB_RATING_PUT,
	                    DB_ARGS(db_text(r->player), db_text(r->game), db_int(r->board),
	                            db_int(r->rating), db_int(r->deviation), db_int(r->volatility),
	                            db_int(r->games), db_int(r->ended)),
	                    e);
}

int store_rated_drop(struct store *s, const struct game_doc *g, struct err *e)
{
	char key[KEY_USERID_MAX + 1];
	int rc = 0;

	for (int i = 0; rc == 0 && i < 2; i++)
		if (key_fold(g->players[i], key, sizeof key))
			rc = store_change(s, DB_RATED_DROP,
			                  DB_ARGS(db_text(key), db_text(game_doc_list(g)),
			                          db_int(g->ended), db_int(g->board)),
			                  e);
	return rc;
}

int store_rated_before(struct store *s, const char *player, const char *game, int64_t ended,
                       size_t limit, board_fn *fn, void *arg, struct err *e)
{
	return gather_each_number(
		s->db, DB_RATED_BEFORE,
		DB_ARGS(db_text(player), db_text(game), db_int(ended), db_count(limit)), fn, arg,
		e);
}

int store_ratings_lost(struct store *s, const char *game, userid_fn *fn, void *arg, struct err *e)
{
	return gather_each_text(s->db, DB_RATINGS_LOST, DB_ARGS(db_text(game)), fn, arg, e);
}

int store_rating_again(struct store *s, int (*fn)(const char *game, int64_t since, void *arg),
                       void *arg, struct err *e)
{
	int rc = gather_each_pair(s->db, DB_VALUES,
	                          DB_ARGS(db_text(STORE_RATING_AGAIN),
	                                  db_text(STORE_RATING_AGAIN "\x7f"), db_int(KINDS_MAX)),
	                          strlen(STORE_RATING_AGAIN), fn, arg, e);
	return rc < 0 ? rc : 0;
}
