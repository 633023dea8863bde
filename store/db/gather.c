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

int gather_number(const struct db_row *row, struct arena *a, void *out, struct err *e)
{
	(void)a;
	(void)e;
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
