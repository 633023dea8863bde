#include "pbm/archive/front_page.h"

#include <jansson.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/archive/lists.h"
#include "pbm/archive/pages/feeds.h"
#include "pbm/archive/pages/list_name.h"
#include "pbm/archive/pages/pages.h"
#include "pbm/archive/pages/puzzle_page.h"
#include "pbm/archive/pages/tournament_page.h"
#include "pbm/archive/players.h"
#include "pbm/archive/search_index.h"
#include "store/store_counts.h"
#include "store/store_documents.h"
#include "store/store_marks.h"
#include "store/store_numbers.h"
#include "store/store_questions.h"
#include "store/store_ratings.h"

#define RUNNING_MOST 10000      /* games that are counted in each run */
#define SHOWN "archive-running" /* what the page shows of the lobby: struct lobby */
#define SEEKS 10
#define CARDS 10
#define NEWEST 40 /* games, cards included */
#define MONTHS 12
#define YEAR_CHARS 4

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

static int keep_place(const struct rating_row *row, void *arg)
{
	json_object_update_new(arg, json_pack("{s:s, s:I}", "key", row->player, "rating",
	                                      (json_int_t)((row->rating + 50) / 100)));
	return 1;
}

/* Adds "leader" to each game: {"key", "userid", "rating"}, the first of its standings. */
static int add_leaders(struct site *site, json_t *games, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	json_t *game;
	size_t i;
	int rc = 0;

	json_array_foreach(games, i, game) {
		json_auto_t *leader = json_object();
		const char *name = json_string_value(json_object_get(game, "game")), *key;
		struct player_doc p;

		if (rc == 0)
			rc = store_ranking(site->store, name, 1, 0, keep_place, leader, e);
		key = json_string_value(json_object_get(leader, "key"));
		if (key && store_player_name(site->store, &a, key, &p, NULL) == 0) {
			json_object_set_new(leader, "userid", json_string(p.userid));
			json_object_set(game, "leader", leader);
		}
	}
	return rc;
}

/* A moment of the lobby: the number of running games, and the seeks that everybody may see. */
struct lobby {
	struct site *site;
	json_t *seeks;
	int64_t running;
	uint64_t hash; /* of all this */
};

static int add_seek(const struct game_row *row, void *arg)
{
	struct lobby *l = arg;
	AUTO(arena_release) struct arena a = { 0 };
	struct game_doc d;

	if (json_array_size(l->seeks) < SEEKS &&
	    store_game_get(l->site->store, &a, row->board, &d, NULL) == 0 && !d.private_game) {
		const char *by = d.players[game_offer_seat(&d)];

		l->hash = l->hash * 31 + (uint64_t)d.board;
		json_array_append_new(
			l->seeks,
			json_pack("{s:I, s:s, s:s, s:s, s:s, s:b, s:i, s:b, s:i, s:i, s:i}",
		                  "board", (json_int_t)d.board, "game", d.game, "title",
		                  rules_title(d.game), "options", d.options, "by", by, "rated",
		                  d.rated, "days", d.days, "one_day", d.days == 1, "reserve",
		                  d.reserve, "from", d.rating_min, "to", d.rating_max));
	}
	return 0;
}

/* Looks at the lobby; the caller releases seeks. */
static int look_at_lobby(struct site *site, struct lobby *l, struct err *e)
{
	*l = (struct lobby){ .site = site, .seeks = json_array() };
	int rc = store_running_size(site->store, RUNNING_MOST + 1, &l->running, e);

	if (rc == 0)
		rc = store_games(site->store, GAME_ANYONE, NULL, GAMES_OFFERS, 2 * SEEKS, 0,
		                 add_seek, l, e);
	l->hash = (l->hash << 24 ^ (uint64_t)l->running) & INT64_MAX;
	return rc;
}

/* Adds the picture of the final position to the row of a game, if its files have been written: to
 * load ten games for a drawing would be a quarter of the work of publishing one. */
static void add_picture(const struct site *site, json_t *row)
{
	AUTO(arena_release) struct arena a = { 0 };
	const char *name = archive_game_path(&a, json_integer_value(json_object_get(row, "board")),
	                                     "png");

	if (archive_has(site, name))
		json_object_set_new(row, "picture", json_string(name));
}

/* The newest games: some as cards, the others as rows. */
static void add_newest(const struct site *site, json_t *newest, json_t *c)
{
	json_t *cards = json_array(), *rows = json_array(), *row;
	size_t i;

	json_array_foreach(newest, i, row) {
		if (i < CARDS)
			add_picture(site, row);
		json_array_append(i < CARDS ? cards : rows, row);
	}
	json_object_update_new(c, json_pack("{s:o, s:b, s:o}", "cards", cards, "more",
	                                    json_array_size(rows) > 0, "games", rows));
}

/* The rules that a site without finished games offers. */
static json_t *rules_json(void)
{
	json_t *list = json_array();

	for (size_t i = 0; rules_all[i]; i++)
		json_array_append_new(list, json_pack("{s:s, s:s}", "game", rules_all[i]->name,
		                                      "title", rules_all[i]->title));
	return list;
}

static int add_month(const char *name, int64_t n, void *arg)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct list_name l;

	list_read(&a, arena_printf(&a, "month:%s", name), &l);
	json_array_insert_new(arg, 0,
	                      json_pack("{s:s, s:s, s:s#, s:I}", "month", name, "title", l.heading,
	                                "name", l.heading, (int)strcspn(l.heading, " "), "count",
	                                (json_int_t)n));
	return 0;
}

/* Appends the months that have games, newest first: {"month": "2026-12", "title": "December
 * 2026", "name": "December", "count"}. */
static int list_months(struct site *site, json_t *months, struct err *e)
{
	return store_counts(site->store, "month:", add_month, months, e);
}

/* month/index.html, the list of all months by year; the front page lists only the last ones. */
static int write_months_page(struct site *site, const json_t *months, struct err *e)
{
	json_t *years = json_array(), *list = NULL, *month;
	const char *last = "";
	size_t i;

	json_array_foreach(months, i, month) {
		const char *name = json_string_value(json_object_get(month, "month"));

		if (!list || strncmp(name, last, YEAR_CHARS) != 0) {
			list = json_array();
			json_array_append_new(years, json_pack("{s:s%, s:o}", "year", name,
			                                       (size_t)YEAR_CHARS, "months", list));
		}
		json_array_append(list, month);
		last = name;
	}
	return archive_write(site, "month/index.html", "archive/months.html",
	                     json_pack("{s:s, s:o}", "up", "../", "years", years), e);
}

/* Adds the last months, and whether there are others. */
static void add_months(const json_t *months, json_t *c)
{
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(months) && i < MONTHS; i++)
		json_array_append(list, json_array_get(months, i));
	json_object_set_new(c, "by_month", list);
	json_object_set_new(c, "years", json_boolean(json_array_size(months) > MONTHS));
}

static int fill_page(struct site *site, json_t *newest, const json_t *months, json_t *c,
                     struct err *e)
{
	json_t *games = json_array(), *letters = json_array();
	int64_t all = 0;
	struct lobby lobby;
	int rc = look_at_lobby(site, &lobby, e);

	if (rc == 0)
		rc = store_count(site->store, "all", &all, e);
	bool many = lobby.running > RUNNING_MOST;
	json_object_update_new(
		c, json_pack("{s:I, s:b, s:b, s:b, s:o, s:b, s:b, s:I, s:o, s:o, s:o}", "running",
	                     (json_int_t)(many ? RUNNING_MOST : lobby.running), "many_run", many,
	                     "one_runs", lobby.running == 1, "any_seek",
	                     json_array_size(lobby.seeks) > 0, "seeks", lobby.seeks, "any", all > 0,
	                     "one", all == 1, "all", (json_int_t)all, "rules",
	                     all ? json_null() : rules_json(), "by_game", games, "by_letter",
	                     letters));
	add_months(months, c);
	if (rc == 0)
		rc = store_counts(site->store, "game:", add_game, games, e);
	if (rc == 0)
		rc = add_leaders(site, games, e);
	if (rc == 0)
		rc = archive_players_letters(site, letters, e);
	if (rc == 0)
		rc = store_finished(site->store, NULL, NULL,
		                    (struct finished_place){ INT64_MAX, INT64_MAX }, 0, NEWEST,
		                    add_row, newest, e);
	if (rc == 0)
		rc = tournament_page_front(site, c, e);
	if (rc == 0)
		rc = puzzle_page_list(site, c, e);
	add_newest(site, newest, c);
	return rc;
}

int front_page_is_due(struct site *site, bool *due, struct err *e)
{
	struct lobby lobby;
	int64_t shown = 0;
	int rc = look_at_lobby(site, &lobby, e);

	if (rc == 0)
		rc = store_value(site->store, SHOWN, &shown, e);
	*due = (int64_t)lobby.hash != shown;
	json_decref(lobby.seeks);
	return rc;
}

int front_page_done(struct site *site, struct err *e)
{
	struct lobby lobby;
	int rc = look_at_lobby(site, &lobby, e);

	json_decref(lobby.seeks);
	return rc == 0 ? store_value_set(site->store, SHOWN, (int64_t)lobby.hash, e) : rc;
}

int front_page_write(struct site *site, struct err *e)
{
	json_auto_t *newest = json_array(), *months = json_array();
	json_auto_t *c = json_pack("{s:s, s:s}", "up", "", "name", site->conf.name);
	int rc = list_months(site, months, e);

	if (rc == 0)
		rc = fill_page(site, newest, months, c, e);
	if (rc == 0) {
		/* The page leads to it.  A failure does not stop the rest. */
		int years = json_array_size(months) > MONTHS ? write_months_page(site, months, e)
		                                             : 0;
		int page = archive_write(site, "index.html", "archive/index.html", json_incref(c),
		                         e);
		int manifest = search_manifest_write(site, e);
		int feed = feed_write(site, &(struct list_name){ .name = "all", .kind = "all" },
		                      newest, e);

		rc = years < 0 ? years : page < 0 ? page : manifest < 0 ? manifest : feed;
	}
	return rc;
}
