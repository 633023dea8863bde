#include "pbm/archive/pages/kind_page.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "games/game.h"
#include "games/variants/registry.h"
#include "pbm/archive/pages/drawings.h"
#include "pbm/archive/pages/list_name.h"
#include "pbm/archive/pages/page_words.h"
#include "pbm/people/roles.h"
#include "pbm/record/opening_name.h"
#include "store/document/opening.h"
#include "store/store_questions.h"
#include "store/store_ratings.h"
#include "store/store_tallies.h"

#define PLACES 50
#define PROVISIONAL 20
#define NAMED 3 /* plies of openings with names; replaying all would cost too much */

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

/* The turns that followed a line of the tree. */
struct branch {
	struct site *site;
	struct arena *a;
	const char *game, *line; /* "e3 b5", or "" */
	int ply;                 /* how many plies the line has */
	struct opening_line at;
	json_t *children;
	struct err *e;
	int rc;
};

static int grow(struct branch *b);

static int add_turn(const struct games_tally *t, void *arg)
{
	struct branch *b = arg;
	const char *line = arena_printf(b->a, "%s%s%s", b->line, *b->line ? " " : "", t->key);
	struct branch next = { b->site, b->a,         b->game, line, b->ply + 1,
		               b->at,   json_array(), b->e,    0 };
	const char *number = b->ply % 2 == 0 ? "" : "…";
	struct opening_name name = { 0 };
	json_t *o = json_pack("{s:I, s:I, s:I, s:I, s:s, s:o}", "n", (json_int_t)t->n, "won",
	                      (json_int_t)t->won, "lost", (json_int_t)t->lost, "drawn",
	                      (json_int_t)t->drawn, "folder",
	                      list_opening_folder(b->a, b->game, line), "children", next.children);

	if (b->ply < NAMED)
		opening_line_play(&next.at, t->key, strlen(t->key), &name);
	json_object_set_new(o, "name", json_string(name.text));
	json_object_set_new(
		o, "turn",
		json_string(arena_printf(b->a, "%d. %s%s", b->ply / 2 + 1, number, t->key)));
	/* The end of a single game is on its page. */
	if (t->n > 1)
		b->rc = grow(&next);
	json_object_set_new(o, "any", json_boolean(json_array_size(next.children) > 0));
	json_array_append_new(b->children, o);
	return b->rc < 0;
}

static int grow(struct branch *b)
{
	static const size_t widths[OPENING_PLIES] = { 12, 5, 3, 2 };

	if (b->ply >= OPENING_PLIES)
		return 0;
	int rc = store_tallies(
		b->site->store,
		arena_printf(b->a, "opening:%s%s%s", b->game, *b->line ? " " : "", b->line),
		widths[b->ply], add_turn, b, b->e);
	return rc < 0 ? rc : b->rc;
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
	struct branch tree = {
		site, &a, game, "", 0, opening_line_start(game), json_array(), e, 0
	};
	int rc = store_tally(site->store, "kind", game, &t, e);

	json_object_set_new(c, "game", json_string(game));
	add_rules(site, game, c);
	if (rc == 0)
		rc = add_standings(site, game, c, e);
	if (rc == 0)
		rc = grow(&tree);
	json_object_set_new(c, "any_opening", json_boolean(json_array_size(tree.children) > 0));
	json_object_set_new(c, "openings", tree.children);
	json_object_set_new(c, "all",
	                    json_pack("{s:I, s:b, s:I, s:I, s:I}", "n", (json_int_t)t.n, "one",
	                              t.n == 1, "won", (json_int_t)t.won, "lost",
	                              (json_int_t)t.lost, "drawn", (json_int_t)t.drawn));
	arena_release(&a);
	return rc;
}
