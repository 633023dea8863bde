#include "pbm/archive/front_page.h"

#include <jansson.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/archive/drawings.h"
#include "pbm/archive/feeds.h"
#include "pbm/archive/lists.h"
#include "pbm/archive/pages.h"
#include "pbm/archive/players.h"
#include "pbm/archive/search_index.h"
#include "pbm/archive/tourney_page.h"
#include "pbm/record/match.h"
#include "store/store_counts.h"
#include "store/store_documents.h"

#define CARDS 10
#define NEWEST 40 /* games, cards included */

static int add_row(const struct game_row *row, void *arg)
{
	list_add_row(arg, row);
	return 0;
}

static int add_game(const char *name, int64_t n, void *arg)
{
	json_array_append_new(arg, json_pack("{s:s, s:s, s:I}", "game", name, "title",
	                                     rules_title(name), "count", (json_int_t)n));
	return 0;
}

/* Months come newest first. */
static int add_month(const char *name, int64_t n, void *arg)
{
	struct arena a = { 0 };
	struct list_name l;

	list_read(&a, arena_printf(&a, "month:%s", name), &l);
	json_array_insert_new(arg, 0,
	                      json_pack("{s:s, s:s, s:I}", "month", name, "title", l.heading,
	                                "count", (json_int_t)n));
	arena_release(&a);
	return 0;
}

/* Adds the final position to the row of a game.  A game whose document is broken has none. */
static int add_drawing(struct site *site, json_t *row, struct err *e)
{
	struct arena a = { 0 };
	struct game_doc doc;
	struct match m;
	struct svg_look look = { .side = WHITE };
	struct err why = { 0 };
	int64_t board = json_integer_value(json_object_get(row, "board"));
	int rc = store_game_get(site->store, &a, board, &doc, &why);

	if (rc == 0)
		rc = match_load(&a, &doc, &m, &why);
	if (rc == 0) {
		look.last = m.ply ? &m.moves[m.ply - 1].move : NULL;
		json_object_set_new(row, "drawing",
		                    drawings_board(&m.game, match_position(&m), &look));
	}
	arena_release(&a);
	bool broken = rc == ERR_BAD || rc == ERR_DAMAGED || rc == ERR_NOT_FOUND;
	return rc == 0 || broken ? 0 : err_set(e, rc, "board %lld: %s", (long long)board, why.text);
}

int front_page_write(struct site *site, struct err *e)
{
	json_t *rows = json_array(), *cards = json_array(), *games = json_array();
	json_t *months = json_array(), *letters = json_array();
	int64_t all = 0;
	int rc = store_count(site->store, "all", &all, e);

	if (rc == 0)
		rc = store_counts(site->store, "game:", add_game, games, e);
	if (rc == 0)
		rc = store_counts(site->store, "month:", add_month, months, e);
	if (rc == 0)
		rc = store_finished(site->store, NULL, NULL,
		                    (struct finished_place){ INT64_MAX, INT64_MAX }, 0, NEWEST,
		                    add_row, rows, e);
	if (rc == 0)
		rc = archive_players_letters(site, letters, e);
	for (int i = 0; rc == 0 && i < CARDS && json_array_size(rows); i++) {
		rc = add_drawing(site, json_array_get(rows, 0), e);
		json_array_append(cards, json_array_get(rows, 0));
		json_array_remove(rows, 0);
	}
	json_t *c = json_pack("{s:s, s:b, s:b, s:I, s:s, s:s}", "up", "", "any", all > 0, "one",
	                      all == 1, "all", (json_int_t)all, "address", site->address, "name",
	                      site->name);
	json_object_set_new(c, "men", drawings_men(site, ""));
	json_object_set_new(c, "cards", cards);
	json_object_set_new(c, "more", json_boolean(json_array_size(rows) > 0));
	json_object_set_new(c, "games", rows);
	json_object_set_new(c, "by_game", games);
	json_object_set_new(c, "by_month", months);
	json_object_set_new(c, "by_letter", letters);
	if (rc == 0)
		rc = tourney_page_front(site, c, e);
	if (rc < 0) {
		json_decref(c);
		return rc;
	}
	/* What fails does not stop the rest. */
	rc = archive_write(site, "index.html", "archive/index.html", c, e);
	int manifest = search_manifest_write(site, e);
	int feed = feed_write(site, &(struct list_name){ .name = "all", .kind = "all" }, e);
	return rc < 0 ? rc : manifest < 0 ? manifest : feed;
}
