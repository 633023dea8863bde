#include "pbm/archive/search_index.h"

#include <inttypes.h>

#include "games/variants/registry.h"
#include "pbm/archive/pages/list_parts.h"
#include "pbm/archive/pages/pages.h"
#include "pbm/archive/pages/tournament_page.h"
#include "pbm/archive/players.h"
#include "store/document/keys.h"
#include "store/store_counts.h"
#include "store/store_tallies.h"

#define PART 800

static int write_part(struct site *site, const struct list_name *l, const struct list_part *p,
                      struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	const char *name = l->game ? arena_printf(&a, "game/%s/%s", l->game, l->rest)
	                           : arena_printf(&a, "player/%s", l->key);

	if (p->number < p->parts)
		name = arena_printf(&a, "%s.%" PRId64, name, p->number);
	return archive_write_search(site, name,
	                            json_pack("{s:I, s:I, s:O}", "parts", (json_int_t)p->parts,
	                                      "part", (json_int_t)p->number, "games", p->rows),
	                            e);
}

static int add_month(const struct games_tally *t, void *arg)
{
	json_object_set_new(arg, t->key, json_integer((json_int_t)t->n));
	return 0;
}

static int write_months(struct site *site, const char *game, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	json_t *months = json_object();
	int rc = store_tallies(site->store, arena_printf(&a, "months:%s", game), SIZE_MAX,
	                       add_month, months, e);

	if (rc == 0)
		rc = archive_write_search(site, arena_printf(&a, "game/%s/months", game), months,
		                          e);
	else
		json_decref(months);
	return rc;
}

int search_list_write(struct site *site, const struct list_name *l, const struct list_due *due,
                      size_t failed, struct err *e)
{
	int rc = list_parts_write(site, l, PART, due, failed, write_part, e);

	return rc == 0 && l->game ? write_months(site, l->game, e) : rc;
}

static int add_game(const char *name, int64_t, void *arg)
{
	json_object_set_new(arg, name, json_string(rules_title(name)));
	return 0;
}

/* {"spring": ["Spring", "suicide"]}; ladders are found by their games. */
static int add_tournaments(struct site *site, json_t *manifest, struct err *e)
{
	json_t *rows = json_array(), *found = json_object(), *row;
	size_t i;
	int rc = tournament_page_list(site, rows, e);

	json_array_foreach(rows, i, row) {
		const char *name = json_string_value(json_object_get(row, "name"));
		char key[KEY_USERID_MAX + 1];

		if (!json_is_true(json_object_get(row, "ladder")) &&
		    key_fold(name, key, sizeof key))
			json_object_set_new(
				found, key,
				json_pack("[s, O]", name, json_object_get(row, "game")));
	}
	json_object_set_new(manifest, "tournaments", found);
	json_decref(rows);
	return rc;
}

/* All games, and their other names. */
static void add_rules(json_t *manifest)
{
	json_t *all = json_object(), *aliases = json_object();

	for (size_t i = 0; rules_all[i]; i++) {
		const struct rules *r = rules_all[i];

		json_object_set_new(all, r->name, json_string(r->title));
		for (const char *const *alias = r->aliases; alias && *alias; alias++)
			json_object_set_new(aliases, *alias, json_string(r->name));
	}
	json_object_set_new(manifest, "rules", all);
	json_object_set_new(manifest, "aliases", aliases);
}

int search_manifest_write(struct site *site, struct err *e)
{
	json_t *games = json_object(), *letters = json_array();
	json_t *manifest = json_pack("{s:i, s:o, s:o, s:o}", "format", 3, "games", games, "letters",
	                             letters, "endings", list_endings());
	int rc = store_counts(site->store, "game:", add_game, games, e);

	add_rules(manifest);
	if (rc == 0)
		rc = archive_players_letters(site, letters, e);
	if (rc == 0)
		rc = add_tournaments(site, manifest, e);
	if (rc == 0)
		return archive_write_search(site, "manifest", manifest, e);
	json_decref(manifest);
	return rc;
}
