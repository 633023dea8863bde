/* Counted lists, ratings and ladders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/inside.h"
#include "store/keys.h"

#define A_PAGE 200
#define LIST_NAME_MAX 200

int store_count(struct store *s, const char *list, int64_t *out, struct err *e)
{
	*out = 0;
	int rc = db_number(s->db, DB_COUNT, DB_ARGS(db_text(list)), out, e);
	return rc < 0 ? rc : 0;
}

struct counted {
	size_t n;
	struct {
		char name[LIST_NAME_MAX];
		int64_t n;
	} v[A_PAGE];
};

static int gather_count(const struct db_row *row, void *arg, struct err *e)
{
	struct counted *c = arg;

	(void)e;
	snprintf(c->v[c->n].name, sizeof c->v[0].name, "%s", db_row_text(row, 0));
	c->v[c->n++].n = db_row_int(row, 1);
	return 0;
}

int store_counts(struct store *s, const char *kind, count_fn *fn, void *arg, struct err *e)
{
	struct counted *c = mem_alloc(sizeof *c);
	char from[LIST_NAME_MAX], to[LIST_NAME_MAX];
	size_t skip = strlen(kind);
	int rc = 0;

	/* Names are ASCII: everything that begins with kind sorts before this. */
	snprintf(from, sizeof from, "%s", kind);
	snprintf(to, sizeof to, "%s\x7f", kind);
	do {
		c->n = 0;
		rc = db_each(s->db, DB_COUNTS, DB_ARGS(db_text(from), db_text(to), db_int(A_PAGE)),
		             gather_count, c, e);
		for (size_t i = 0; rc == 0 && i < c->n; i++)
			rc = fn(c->v[i].name + skip, c->v[i].n, arg);
		if (c->n)
			memcpy(from, c->v[c->n - 1].name, sizeof from);
	} while (rc == 0 && c->n == A_PAGE);
	free(c);
	return rc < 0 ? rc : 0;
}

static void read_row(const struct db_row *row, struct rating_row *out)
{
	*out = (struct rating_row){
		.player = db_row_text(row, 0),
		.game = db_row_text(row, 1),
		.board = db_row_int(row, 2),
		.rating = db_row_int(row, 3),
		.deviation = db_row_int(row, 4),
		.volatility = db_row_int(row, 5),
		.games = db_row_int(row, 6),
		.ended = db_row_int(row, 7),
	};
}

static int take_row(const struct db_row *row, void *arg, struct err *e)
{
	struct rating_row *out = arg;

	(void)e;
	read_row(row, out);
	out->player = out->game = NULL;
	return 1;
}

int store_rating(struct store *s, const char *userid, const char *game, struct rating_row *out,
                 struct err *e)
{
	char key[KEY_USERID_MAX + 1];

	if (!key_is_userid(userid) || !key_fold(userid, key, sizeof key))
		return 0;
	return db_each(s->db, DB_RATING, DB_ARGS(db_text(key), db_text(game)), take_row, out, e);
}

struct found {
	struct rating_row row;
	struct found *next;
};
struct answer {
	struct arena a;
	struct found *first, **end;
};

static int gather_row(const struct db_row *row, void *arg, struct err *e)
{
	struct answer *all = arg;
	struct found *f = arena_alloc(&all->a, sizeof *f);

	(void)e;
	read_row(row, &f->row);
	f->row.player = arena_strdup(&all->a, f->row.player);
	f->row.game = arena_strdup(&all->a, f->row.game);
	*all->end = f;
	all->end = &f->next;
	return 0;
}

static int ask(struct store *s, enum db_query q, size_t n, const struct db_value *args,
               rating_row_fn *fn, void *arg, struct err *e)
{
	struct answer all = { .end = &all.first };
	int rc = db_each(s->db, q, n, args, gather_row, &all, e);

	for (const struct found *f = all.first; rc == 0 && f; f = f->next)
		rc = fn(&f->row, arg);
	arena_release(&all.a);
	return rc < 0 ? rc : 0;
}

int store_ratings_of(struct store *s, const char *userid, rating_row_fn *fn, void *arg,
                     struct err *e)
{
	char key[KEY_USERID_MAX + 1];

	if (!key_is_userid(userid) || !key_fold(userid, key, sizeof key))
		return 0;
	return ask(s, DB_RATINGS_OF, DB_ARGS(db_text(key)), fn, arg, e);
}

int store_ladder(struct store *s, const char *game, size_t limit, size_t offset, rating_row_fn *fn,
                 void *arg, struct err *e)
{
	return ask(s, DB_LADDER, DB_ARGS(db_text(game), db_count(limit), db_count(offset)), fn, arg,
	           e);
}

int store_ladder_place(struct store *s, const char *game, int64_t rating, int64_t *above,
                       int64_t *all, struct err *e)
{
	int rc = db_number(s->db, DB_LADDER_ABOVE, DB_ARGS(db_text(game), db_int(rating)), above,
	                   e);

	if (rc >= 0)
		rc = db_number(s->db, DB_LADDER_SIZE, DB_ARGS(db_text(game)), all, e);
	return rc < 0 ? rc : 0;
}
