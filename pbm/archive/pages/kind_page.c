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
#define NAMED 3 /* plies of all openings with names; replaying all would cost too much */

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
	json_object_update_new(c, json_pack("{s:b, s:b, s:o, s:o}", "any_place",
	                                    json_array_size(settled.rows) > 0, "any_provisional",
	                                    json_array_size(more.rows) > 0, "places", settled.rows,
	                                    "provisional", more.rows));
	arena_release(&settled.a);
	arena_release(&more.a);
	return rc;
}

/* The turns that a branch shows after so many plies. */
static const size_t widths[OPENING_PLIES] = { 12, 5, 3, 2, 6, 4, 3, 2, 2, 1, 1, 1 };

/* The turns that followed a line of the tree. */
struct branch {
	struct site *site;
	struct arena *a;
	const char *game, *line; /* "e3 b5", or "" */
	int ply;                 /* how many plies the line has */
	int named;               /* plies up to which openings have names here */
	struct opening_line at;
	json_t *children;
	struct err *e;
	int rc;
};

/* Writes down a turn, and makes *next the branch after it. */
static json_t *add_turn(struct branch *b, const struct games_tally *t, struct branch *next)
{
	const char *line = arena_printf(b->a, "%s%s%s", b->line, *b->line ? " " : "", t->key);
	const char *number = b->ply % 2 == 0 ? "" : "…";
	bool listed = b->ply < OPENING_LISTED;
	struct opening_name name = { 0 };

	*next = *b;
	next->line = line;
	next->ply++;
	next->children = json_array();
	if (b->ply < b->named)
		opening_line_play(&next->at, t->key, strlen(t->key), &name);
	json_t *o = json_pack("{s:I, s:I, s:I, s:I, s:s, s:s?, s:s, s:o}", "n", (json_int_t)t->n,
	                      "won", (json_int_t)t->won, "lost", (json_int_t)t->lost, "drawn",
	                      (json_int_t)t->drawn, "name", name.text, "folder",
	                      listed ? list_opening_folder(b->a, b->game, line) : NULL, "turn",
	                      arena_printf(b->a, "%d. %s%s", b->ply / 2 + 1, number, t->key),
	                      "children", next->children);
	json_array_append_new(b->children, o);
	return o;
}

static void end_turn(json_t *turn)
{
	bool any = json_array_size(json_object_get(turn, "children")) > 0;

	json_object_set_new(turn, "any", json_boolean(any));
}

static int grow(struct branch *b);

static int add_tally(const struct games_tally *t, void *arg)
{
	struct branch *b = arg, next;
	json_t *turn = add_turn(b, t, &next);

	/* The end of a single game is on its page. */
	if (t->n > 1)
		b->rc = grow(&next);
	end_turn(turn);
	return b->rc < 0;
}

/* The plies up to OPENING_LISTED, from the tallies. */
static int grow(struct branch *b)
{
	if (b->ply >= OPENING_LISTED)
		return 0;
	int rc = store_tallies(
		b->site->store,
		arena_printf(b->a, "opening:%s%s%s", b->game, *b->line ? " " : "", b->line),
		widths[b->ply], add_tally, b, b->e);
	return rc < 0 ? rc : b->rc;
}

/* The plies after them, from the games. */
static void grow_deep(struct branch *b, struct opening_games *games)
{
	struct opening_branch *turns;
	size_t n = store_opening_branches(b->a, games, &turns);

	for (size_t i = 0; i < n && i < widths[b->ply]; i++) {
		struct branch next;
		json_t *turn = add_turn(b, &turns[i].tally, &next);

		if (turns[i].tally.n > 1 && next.ply < OPENING_PLIES)
			grow_deep(&next, &turns[i].games);
		end_turn(turn);
	}
}

json_t *kind_page_openings(struct site *site, struct arena *a, const char *game, const char *turns,
                           int *rc, struct err *e)
{
	struct opening_line at = opening_line_start(game);

	opening_line_play_all(&at, turns, &(struct opening_name){ 0 });
	struct branch b = { .site = site,
		            .a = a,
		            .game = game,
		            .line = turns,
		            .named = *turns ? OPENING_PLIES : NAMED,
		            .at = at,
		            .children = json_array(),
		            .e = e };
	struct opening_games games;
	size_t counted;

	for (const char *turn = turns; *turn; turn += opening_head(turn, 1), turn += *turn == ' ')
		b.ply++;
	if (b.ply < OPENING_LISTED) {
		*rc = grow(&b);
	} else {
		*rc = store_opening_games(site->store, a, game, turns, &games, &counted, e);
		if (*rc == 0)
			grow_deep(&b, &games);
	}
	return b.children;
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
	AUTO(arena_release) struct arena a = { 0 };
	struct games_tally t;
	json_t *openings = NULL;
	int rc = store_tally(site->store, "kind", game, &t, e);

	json_object_set_new(c, "game", json_string(game));
	add_rules(site, game, c);
	if (rc == 0)
		rc = add_standings(site, game, c, e);
	if (rc == 0)
		openings = kind_page_openings(site, &a, game, "", &rc, e);
	json_object_set_new(c, "any_opening", json_boolean(json_array_size(openings) > 0));
	json_object_set_new(c, "openings", openings ? openings : json_array());
	json_object_set_new(c, "all",
	                    json_pack("{s:I, s:b, s:I, s:I, s:I}", "n", (json_int_t)t.n, "one",
	                              t.n == 1, "won", (json_int_t)t.won, "lost",
	                              (json_int_t)t.lost, "drawn", (json_int_t)t.drawn));
	return rc;
}
