#include "pbm/archive/rebuild.h"

#include "pbm/archive/lists.h"
#include "store/document/opening.h"
#include "store/store_counts.h"
#include "store/store_tallies.h"

struct rebuild {
	struct site *site;
	const char *kind;
	struct archive_report *r;
};

static void write_list(struct rebuild *b, const char *name)
{
	struct err why = { 0 };

	if (list_pages_rebuild(b->site, name, &why) < 0)
		archive_count_failure(b->r, name, &why);
}

/* Turns that followed a line of an opening. */
struct opening_rebuild {
	struct rebuild *b;
	struct arena *a;
	const char *line; /* "suicide e3 b5" */
	int ply;
};

static int add_opening(const struct games_tally *t, void *arg)
{
	const struct opening_rebuild *o = arg;
	struct opening_rebuild next = { o->b, o->a, arena_printf(o->a, "%s %s", o->line, t->key),
		                        o->ply + 1 };
	struct err why = { 0 };

	write_list(o->b, arena_printf(o->a, "opening:%s", next.line));
	if (next.ply < OPENING_PLIES &&
	    store_tallies(o->b->site->store, arena_printf(o->a, "opening:%s", next.line), SIZE_MAX,
	                  add_opening, &next, &why) < 0)
		archive_count_failure(o->b->r, next.line, &why);
	return 0;
}

static int add_month(const struct games_tally *t, void *arg)
{
	const struct opening_rebuild *o = arg;

	write_list(o->b, arena_printf(o->a, "months:%s %s", o->line, t->key));
	return 0;
}

static int add_game(const char *game, int64_t n, void *arg)
{
	static const char *const results[] = { "1-0", "0-1", "1/2-1/2" };
	struct rebuild *b = arg;
	struct arena a = { 0 };
	struct opening_rebuild o = { b, &a, game, 0 };
	struct err why = { 0 };

	(void)n;
	for (size_t i = 0; i < sizeof results / sizeof *results; i++)
		write_list(b, arena_printf(&a, "result:%s %s", game, results[i]));
	if (store_tallies(b->site->store, arena_printf(&a, "months:%s", game), SIZE_MAX, add_month,
	                  &o, &why) < 0)
		archive_count_failure(b->r, game, &why);
	if (store_tallies(b->site->store, arena_printf(&a, "opening:%s", game), SIZE_MAX,
	                  add_opening, &o, &why) < 0)
		archive_count_failure(b->r, game, &why);
	arena_release(&a);
	return 0;
}

static int add_list(const char *key, int64_t n, void *arg)
{
	struct rebuild *b = arg;
	struct arena a = { 0 };

	(void)n;
	write_list(b, arena_printf(&a, "%s%s", b->kind, key));
	arena_release(&a);
	return 0;
}

void lists_rebuild(struct site *site, struct archive_report *r)
{
	static const struct {
		const char *kind;
		count_fn *fn;
	} kinds[] = {
		{ "month:", add_list },
		{ "game:", add_list },
		{ "player:", add_list },
		{ "game:", add_game },
	};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		struct rebuild b = { site, kinds[i].kind, r };
		struct err why = { 0 };

		if (store_counts(site->store, kinds[i].kind, kinds[i].fn, &b, &why) < 0)
			archive_count_failure(r, kinds[i].kind, &why);
	}
}
