#include "pbm/archive/pages/kind_page.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "games/game.h"
#include "games/variants/registry.h"
#include "pbm/archive/pages/drawings.h"
#include "pbm/archive/pages/opening_tree.h"
#include "pbm/archive/pages/page_words.h"
#include "pbm/people/roles.h"
#include "store/store_questions.h"
#include "store/store_ratings.h"
#include "store/store_tallies.h"

#define PLACES 50
#define PROVISIONAL 20

struct ladder {
	struct site *site;
	struct arena a;
	json_t *rows;
	bool provisional;
};

static int add_place(const struct rating_row *row, void *arg)
{
	struct ladder *l = arg;
	struct player_doc p;
	bool found = store_player_name(l->site->store, &l->a, row->player, &p, NULL) == 0;
	json_t *place = json_pack("{s:s, s:s, s:b, s:I, s:I, s:o}", "userid",
	                          found ? p.userid : row->player, "key", row->player, "computer",
	                          found && roles_is_computer(&p), "rating",
	                          (json_int_t)((row->rating + 50) / 100), "games",
	                          (json_int_t)row->games, "ended", page_date(row->ended));

	if (!l->provisional)
		json_object_set_new(place, "place",
		                    json_integer((json_int_t)json_array_size(l->rows) + 1));
	json_array_append_new(l->rows, place);
	return 0;
}

static int add_standings(struct site *site, const char *game, json_t *c, struct err *e)
{
	struct ladder settled = { .site = site, .rows = json_array() };
	struct ladder more = { .site = site, .rows = json_array(), .provisional = true };
	int rc = store_ranking(site->store, game, PLACES, 0, add_place, &settled, e);

	if (rc == 0)
		rc = store_ranking_provisional(site->store, game, PROVISIONAL, 0, add_place, &more,
		                               e);
	json_object_set_new(c, "any_place", json_boolean(json_array_size(settled.rows) > 0));
	json_object_set_new(c, "any_provisional", json_boolean(json_array_size(more.rows) > 0));
	json_object_set_new(c, "places", settled.rows);
	json_object_set_new(c, "provisional", more.rows);
	arena_release(&settled.a);
	arena_release(&more.a);
	return rc;
}

/* Adds the game's rules in a line, and how it begins. */
static void add_rules(struct site *site, const char *game, json_t *c)
{
	const struct rules *r = rules_find(game, strlen(game), NULL);
	struct game g = { .rules = r };
	struct svg_look look = { .side = WHITE };
	struct pos start;
	char text[200] = "";

	if (r)
		snprintf(text, sizeof text, "%s", r->summary);
	text[0] = (char)toupper((unsigned char)text[0]);
	json_object_set_new(c, "summary", json_string(text));
	if (!r || game_setup(&g, NULL, &start, NULL) < 0)
		return;
	json_object_set_new(c, "men", drawings_men(site, "../../"));
	json_object_set_new(c, "drawing", drawings_board(&g, &start, &look));
}

int kind_page_add(struct site *site, const char *game, json_t *c, struct err *e)
{
	struct arena a = { 0 };
	struct games_tally t;
	json_t *openings = NULL;
	int rc = store_tally(site->store, "kind", game, &t, e);

	json_object_set_new(c, "game", json_string(game));
	add_rules(site, game, c);
	if (rc == 0)
		rc = add_standings(site, game, c, e);
	if (rc == 0)
		openings = opening_tree(site, &a, game, "", &rc, e);
	json_object_set_new(c, "any_opening", json_boolean(json_array_size(openings) > 0));
	json_object_set_new(c, "openings", openings ? openings : json_array());
	json_object_set_new(c, "all",
	                    json_pack("{s:I, s:b, s:I, s:I, s:I}", "n", (json_int_t)t.n, "one",
	                              t.n == 1, "won", (json_int_t)t.won, "lost",
	                              (json_int_t)t.lost, "drawn", (json_int_t)t.drawn));
	arena_release(&a);
	return rc;
}
