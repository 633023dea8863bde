/* A list is cut into pages of a hundred games, numbered from the oldest games.  So a
 * game that ends changes only the newest page, and the cost of its end does not
 * grow with the archive.  "game/suicide.html" always shows the newest two pages;
 * "game/suicide.7.html" is a page that no longer changes.  (No userid has a dot.) */
#include "pbm/archive/lists.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "pbm/archive/pages.h"
#include "pbm/archive/players.h"
#include "pbm/record/match.h"
#include "store/store_counts.h"
#include "store/store_documents.h"
#include "store/store_ladder.h"
#include "store/store_questions.h"

#define PAGE_ROWS 100
#define NEWEST 30 /* games on the front page */
#define LADDER_ROWS 100
#define LIST_NAME 100
#define LISTS_OF_GAME 4

static void lower_case(const char *userid, char out[LIST_NAME])
{
	size_t i = 0;

	for (; userid[i] && i + 1 < LIST_NAME; i++)
		out[i] = (char)(userid[i] >= 'A' && userid[i] <= 'Z' ? userid[i] + 32 : userid[i]);
	out[i] = '\0';
}

static void month_of(int64_t t, char out[8])
{
	time_t tt = (time_t)t;
	struct tm tm;

	out[0] = '\0';
	if (gmtime_r(&tt, &tm))
		strftime(out, 8, "%Y-%m", &tm);
}

static int64_t month_begins(const char *month)
{
	struct tm tm = { .tm_mday = 1 };

	if (sscanf(month, "%d-%d", &tm.tm_year, &tm.tm_mon) != 2)
		return 0;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	return timegm(&tm);
}

/* The names of a game's lists, besides "all"; returns how many they are. */
static size_t names_of(const struct game_doc *d, char names[LISTS_OF_GAME][LIST_NAME])
{
	char key[LIST_NAME], month[8];
	size_t n = 0;

	month_of(d->ended, month);
	snprintf(names[n++], LIST_NAME, "month:%s", month);
	snprintf(names[n++], LIST_NAME, "game:%.80s", d->game);
	for (int seat = 0; seat < 2; seat++) {
		if (seat && strcasecmp(d->players[0], d->players[1]) == 0)
			break;
		lower_case(d->players[seat], key);
		snprintf(names[n++], LIST_NAME, "player:%.80s", key);
	}
	return n;
}

void archive_lists_add(json_t *lists, const struct game_doc *d)
{
	char names[LISTS_OF_GAME][LIST_NAME];
	size_t n = names_of(d, names);

	for (size_t i = 0; i < n; i++) {
		json_int_t had = json_integer_value(json_object_get(lists, names[i]));

		json_object_set_new(lists, names[i], json_integer(had + 1));
	}
}

bool archive_lists_share(const json_t *lists, const struct game_doc *d)
{
	char names[LISTS_OF_GAME][LIST_NAME];
	size_t n = names_of(d, names);
	bool shared = json_object_get(lists, "all") != NULL;

	for (size_t i = 0; i < n; i++)
		shared |= json_object_get(lists, names[i]) != NULL;
	return shared;
}

/* The rows of one page, and the place where the next page begins. */
struct walk {
	struct finished_place at;
	json_t *rows;
};

static int add_row(const struct game_row *row, void *arg)
{
	struct walk *w = arg;
	json_t *o = json_pack("{s:I, s:s, s:s, s:s, s:s, s:s*}", "board", (json_int_t)row->board,
	                      "title", rules_title(row->game), "white", row->players[0], "black",
	                      row->players[1], "result", row->result, "reason", row->reason);

	json_object_set_new(o, "date", archive_date(row->ended));
	json_object_set_new(o, "url",
	                    json_sprintf("games/%03lld/%lld.html", (long long)(row->board / 1000),
	                                 (long long)row->board));
	json_array_append_new(w->rows, o);
	w->at = (struct finished_place){ row->ended, row->board };
	return 0;
}

struct listing {
	const char *name, *kind, *key; /* "game:suicide", "game", "suicide" */
	const char *userid, *game;     /* the arguments for store_finished() */
	int64_t since, pages;
};

static void read_name(struct listing *s, char kind[LIST_NAME])
{
	size_t n = strcspn(s->name, ":");

	snprintf(kind, LIST_NAME, "%.*s", (int)n, s->name);
	s->kind = kind;
	s->key = s->name + n + 1;
	if (strcmp(kind, "player") == 0)
		s->userid = s->key;
	else if (strcmp(kind, "game") == 0)
		s->game = s->key;
	else
		s->since = month_begins(s->key);
}

/* The place of the newest game of a list; of a month, the start of the next
 * month. */
static struct finished_place top_of(const struct listing *s)
{
	char next[8];

	if (s->userid || s->game)
		return (struct finished_place){ INT64_MAX, INT64_MAX };
	month_of(s->since + 32 * 86400, next);
	return (struct finished_place){ month_begins(next), 0 };
}

/* Number 0 means the newest pages; their file name has no number. */
static const char *file_of(struct arena *a, const struct listing *s, int64_t number)
{
	return number ? arena_printf(a, "%s/%s.%" PRId64 ".html", s->kind, s->key, number)
	              : arena_printf(a, "%s/%s.html", s->kind, s->key);
}

static json_t *link_to(const struct listing *s, int64_t number, bool newest)
{
	char name[LIST_NAME + 40];

	if (newest)
		snprintf(name, sizeof name, "%.90s.html", s->key);
	else
		snprintf(name, sizeof name, "%.90s.%" PRId64 ".html", s->key, number);
	return json_string(name);
}

static int write_page(struct site *site, const struct listing *s, int64_t number, json_t *rows,
                      struct err *e)
{
	struct arena a = { 0 };
	json_t *c = json_pack("{s:s, s:s, s:o}", "heading", s->game ? rules_title(s->game) : s->key,
	                      "up", "../", "games", rows);
	int64_t older = number ? number - 1 : s->pages - 2;

	if (older > 0)
		json_object_set_new(c, "older", link_to(s, older, false));
	if (number)
		json_object_set_new(c, "newer", link_to(s, number + 1, number + 1 > s->pages - 2));
	if (s->game)
		json_object_set_new(c, "ladder", json_sprintf("../standings/%s.html", s->key));
	int rc = archive_write(site, file_of(&a, s, number), "archive/list.html", c, e);
	arena_release(&a);
	return rc;
}

/* Writes the newest pages, then the numbered ones downwards that may have changed:
 * the pages that did not exist, or were the newest, before the games were added. */
static int write_list(struct site *site, const char *name, int64_t added, struct err *e)
{
	char kind[LIST_NAME];
	struct listing s = { .name = name };
	int64_t n;
	int rc = store_count(site->store, name, &n, e);

	read_name(&s, kind);
	s.pages = (n + PAGE_ROWS - 1) / PAGE_ROWS;
	int64_t old = added < n ? (n - added + PAGE_ROWS - 1) / PAGE_ROWS - 2 : 0;
	int64_t number = s.pages > 2 ? s.pages - 2 : 0;
	size_t want = (size_t)(n - number * PAGE_ROWS);
	struct walk w = { .at = top_of(&s) };

	for (int64_t page = 0; rc == 0; page = number--) {
		w.rows = json_array();
		rc = store_finished(site->store, s.userid, s.game, w.at, s.since, want, add_row, &w,
		                    e);
		/* The newest page is written first: links of older pages lead to it. */
		if (rc == 0)
			rc = write_page(site, &s, page, json_incref(w.rows), e);
		json_decref(w.rows);
		want = PAGE_ROWS;
		if (number <= 0 || number < old)
			break;
	}
	return rc;
}

struct names {
	json_t *list;
	const char *folder;
};

static int add_name(const char *name, int64_t n, void *arg)
{
	struct names *names = arg;
	bool game = strcmp(names->folder, "game") == 0, month = strcmp(names->folder, "month") == 0;
	json_t *o = json_pack("{s:s, s:s, s:I}", "name", name, "title",
	                      game ? rules_title(name) : name, "count", (json_int_t)n);

	json_object_set_new(o, "url", json_sprintf("%s/%s.html", names->folder, name));
	if (game)
		json_object_set_new(o, "ladder", json_sprintf("standings/%s.html", name));
	/* Months come newest first. */
	json_array_insert_new(names->list, month ? 0 : json_array_size(names->list), o);
	return 0;
}

static int write_front(struct site *site, struct err *e)
{
	struct names games = { json_array(), "game" }, months = { json_array(), "month" };
	struct walk newest = { { INT64_MAX, INT64_MAX }, json_array() };
	json_t *players = json_array();
	int64_t all = 0;
	int rc = store_count(site->store, "all", &all, e);

	if (rc == 0)
		rc = store_counts(site->store, "game:", add_name, &games, e);
	if (rc == 0)
		rc = store_counts(site->store, "month:", add_name, &months, e);
	if (rc == 0)
		rc = store_finished(site->store, NULL, NULL, newest.at, 0, NEWEST, add_row, &newest,
		                    e);
	if (rc == 0)
		rc = archive_players_letters(site, players, e);
	if (rc == 0)
		rc = archive_write(site, "index.html", "archive/index.html",
		                   json_pack("{s:s, s:b, s:I, s:O, s:O, s:O, s:O}", "up", "", "any",
		                             all > 0, "all", (json_int_t)all, "by_game", games.list,
		                             "by_month", months.list, "games", newest.rows,
		                             "by_letter", players),
		                   e);
	json_decref(games.list);
	json_decref(months.list);
	json_decref(newest.rows);
	json_decref(players);
	return rc;
}

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
	bool found = store_player_get(l->site->store, &l->a, row->player, &p, NULL) == 0;
	json_t *place = json_pack("{s:s, s:o, s:b, s:I, s:I, s:o}", "userid",
	                          found ? p.userid : row->player, "url",
	                          json_sprintf("../player/%s.html", row->player), "computer",
	                          found && strcmp(p.role, "computer") == 0, "rating",
	                          (json_int_t)((row->rating + 50) / 100), "games",
	                          (json_int_t)row->games, "date", archive_date(row->ended));

	if (!l->provisional)
		json_object_set_new(place, "place",
		                    json_integer((json_int_t)json_array_size(l->rows) + 1));
	json_array_append_new(l->rows, place);
	return 0;
}

static int write_ladder(struct site *site, const char *game, struct err *e)
{
	struct ladder l = { .site = site, .rows = json_array() };
	struct ladder more = { .site = site, .rows = json_array(), .provisional = true };
	int rc = store_ladder(site->store, game, LADDER_ROWS, 0, add_place, &l, e);

	if (rc == 0)
		rc = store_ladder_provisional(site->store, game, LADDER_ROWS, 0, add_place, &more,
		                              e);
	if (rc == 0)
		rc = archive_write(site, arena_printf(&l.a, "standings/%s.html", game),
		                   "archive/standings.html",
		                   json_pack("{s:s, s:s, s:b, s:O, s:b, s:O}", "up", "../", "title",
		                             rules_title(game), "any", json_array_size(l.rows) > 0,
		                             "places", l.rows, "any_provisional",
		                             json_array_size(more.rows) > 0, "provisional",
		                             more.rows),
		                   e);
	json_decref(l.rows);
	json_decref(more.rows);
	arena_release(&l.a);
	arena_release(&more.a);
	return rc;
}

static void note_failure(const char *name, json_t *broken, struct archive_report *r,
                         const struct err *why)
{
	archive_count_failure(r, strcmp(name, "all") == 0 ? "the front page" : name, why);
	if (broken)
		json_object_set_new(broken, name, json_true());
}

/* Writes one list and, if it is a game's, the ladder.  added: the number of games that may
 * be new in it. */
static void write_one(struct site *site, const char *name, int64_t added, json_t *broken,
                      struct archive_report *r)
{
	struct err why = { 0 };
	int rc = write_list(site, name, added, &why);

	if (strncmp(name, "game:", 5) == 0) {
		int ladder = write_ladder(site, name + 5, &why);

		rc = rc < 0 ? rc : ladder;
	}
	if (rc < 0)
		note_failure(name, broken, r, &why);
}

static void write_front_page(struct site *site, json_t *broken, struct archive_report *r)
{
	struct err why = { 0 };

	if (write_front(site, &why) < 0)
		note_failure("all", broken, r, &why);
}

/* Is this the list of a player who had none before? */
static bool is_new_player(struct site *site, const char *name, int64_t added)
{
	int64_t n = 0;

	return strncmp(name, "player:", 7) == 0 &&
	       (store_count(site->store, name, &n, NULL) < 0 || n <= added);
}

void archive_lists_write(struct site *site, json_t *lists, size_t failed, json_t *broken,
                         struct archive_report *r)
{
	json_t *added, *players = json_object();
	const char *name;

	json_object_foreach(lists, name, added) {
		int64_t n = json_integer_value(added) + (int64_t)failed;

		write_one(site, name, n, broken, r);
		if (is_new_player(site, name, n))
			json_object_set_new(players, name + strlen("player:"), json_true());
	}
	archive_players_write(site, players, broken, r);
	json_decref(players);
	write_front_page(site, broken, r);
}

struct rebuild {
	struct site *site;
	const char *kind;
	struct archive_report *r;
};

static int rebuild_list(const char *key, int64_t n, void *arg)
{
	struct rebuild *rebuild = arg;
	char name[LIST_NAME];

	snprintf(name, sizeof name, "%s%.80s", rebuild->kind, key);
	write_one(rebuild->site, name, n, NULL, rebuild->r);
	return 0;
}

void archive_lists_rebuild(struct site *site, struct archive_report *r)
{
	static const char *const kinds[] = { "month:", "game:", "player:" };

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		struct rebuild rebuild = { site, kinds[i], r };
		struct err why = { 0 };

		if (store_counts(site->store, kinds[i], rebuild_list, &rebuild, &why) < 0)
			note_failure(kinds[i], NULL, r, &why);
	}
	archive_players_rebuild(site, r);
	write_front_page(site, NULL, r);
}
