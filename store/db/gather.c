#include "store/db/gather.h"

#include <stdlib.h>

#include "pbm/base/array.h"

struct gathering {
	struct gathered *g;
	gather_fn *copy;
};

static int add_row(const struct db_row *row, void *arg, struct err *e)
{
	const struct gathering *to = arg;
	struct gathered *g = to->g;

	g->items = array_room(NULL, g->items, g->count, &g->cap, g->size);
	return to->copy(row, &g->a, g->items + g->count++ * g->size, e);
}

int gather_rows(struct gathered *g, struct db *db, enum db_query q, size_t n,
                const struct db_value *args, gather_fn *copy, size_t size, struct err *e)
{
	g->size = size;
	return db_each(db, q, n, args, add_row, &(struct gathering){ .g = g, .copy = copy }, e);
}

int gather_number(const struct db_row *row, struct arena *, void *out, struct err *)
{
	*(int64_t *)out = db_row_int(row, 0);
	return 0;
}

const void *gather_at(const struct gathered *g, size_t i)
{
	return g->items + i * g->size;
}

void gather_release(struct gathered *g)
{
	free(g->items);
	arena_release(&g->a);
	*g = (struct gathered){ .count = 0 };
}

struct text_row {
	const char *text;
	int64_t number;
};

static int copy_text(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	((struct text_row *)out)->text = arena_strdup(a, db_row_text(row, 0));
	return 0;
}

static int copy_pair(const struct db_row *row, struct arena *a, void *out, struct err *e)
{
	((struct text_row *)out)->number = db_row_int(row, 1);
	return copy_text(row, a, out, e);
}

int gather_each_number(struct db *db, enum db_query q, size_t n, const struct db_value *args,
                       int (*fn)(int64_t number, void *arg), void *arg, struct err *e)
{
	return GATHER_EACH(int64_t, gather_number, fn(*row, arg), e, db, q, n, args);
}

struct first_row {
	struct arena *a;
	gather_fn *copy;
	void *out;
};

static int take_first(const struct db_row *row, void *arg, struct err *e)
{
	const struct first_row *f = arg;
	int rc = f->copy(row, f->a, f->out, e);

	return rc < 0 ? rc : 1;
}

int gather_one(struct arena *a, struct db *db, enum db_query q, size_t n,
               const struct db_value *args, gather_fn *copy, void *out, struct err *e)
{
	return db_each(db, q, n, args, take_first, &(struct first_row){ a, copy, out }, e);
}

int gather_text(struct arena *a, struct db *db, enum db_query q, size_t n,
                const struct db_value *args, const char **out, struct err *e)
{
	struct text_row row = { 0 };
	int rc = gather_one(a, db, q, n, args, copy_text, &row, e);

	*out = row.text;
	return rc < 0 ? rc : 0;
}

int gather_each_text(struct db *db, enum db_query q, size_t n, const struct db_value *args,
                     int (*fn)(const char *text, void *arg), void *arg, struct err *e)
{
	return GATHER_EACH(struct text_row, copy_text, fn(row->text, arg), e, db, q, n, args);
}

int gather_each_pair(struct db *db, enum db_query q, size_t n, const struct db_value *args,
                     size_t skip, int (*fn)(const char *text, int64_t number, void *arg), void *arg,
                     struct err *e)
{
	return GATHER_EACH(struct text_row, copy_pair, fn(row->text + skip, row->number, arg), e,
	                   db, q, n, args);
}
