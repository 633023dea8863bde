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
#include "pbm/record/match.h"
#include "store/store_counts.h"
#include "store/store_documents.h"
#include "store/store_ladder.h"
#include "store/store_questions.h"

#define PAGE_ROWS 100
#define NEWEST 30 /* games on the front page */
#define LADDER_ROWS 100
#define LIST_NAME 100

static void count_game(json_t *lists, const char *kind, const char *key)
{
	char name[LIST_NAME];

	snprintf(name, sizeof name, "%.10s:%.80s", kind, key);
	json_int_t n = json_integer_value(json_object_get(lists, name));
	json_object_set_new(lists, name, json_integer(n + 1));
}

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

void archive_lists_add(json_t *lists, const struct game_doc *d)
{
	char key[LIST_NAME], month[8];

	month_of(d->ended, month);
	count_game(lists, "month", month);
	count_game(lists, "game", d->game);
	lower_case(d->players[0], key);
	count_game(lists, "player", key);
	if (strcasecmp(d->players[0], d->players[1]) != 0) {
		lower_case(d->players[1], key);
		count_game(lists, "player", key);
	}
}

static const char *title_of(const char *game)
{
	const struct rules *r = rules_find(game, strlen(game), NULL);

	return r ? r->title : game;
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
	                      "title", title_of(row->game), "white", row->players[0], "black",
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
	json_t *c = json_pack("{s:s, s:s, s:s, s:o}", "heading",
	                      s->game ? title_of(s->game) : s->key, "up", "../", "host", site->host,
	                      "games", rows);
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
	                      game ? title_of(name) : name, "count", (json_int_t)n);

	json_object_set_new(o, "url", json_sprintf("%s/%s.html", names->folder, name));
	if (game)
		json_object_set_new(o, "ladder", json_sprintf("standings/%s.html", name));
	/* Months come newest first. */
	json_array_insert_new(names->list, month ? 0 : json_array_size(names->list), o);
	return 0;
}

/* Writes "players/a.html": the players whose names begin with the letter.  It shows
 * no numbers, so that only a new player changes it. */
static int write_letter(struct site *site, char letter, struct err *e)
{
	char kind[] = { 'p', 'l', 'a', 'y', 'e', 'r', ':', letter, '\0' }, file[40];
	struct names names = { json_array(), "player" };
	struct arena a = { 0 };
	json_t *rows = json_array(), *row;
	size_t i;
	int rc = store_counts(site->store, kind, add_name, &names, e);

	json_array_foreach(names.list, i, row) {
		const char *rest = json_string_value(json_object_get(row, "name"));

		json_array_append_new(
			rows, json_pack("{s:o, s:o}", "userid", json_sprintf("%c%s", letter, rest),
		                        "url", json_sprintf("../player/%c%s.html", letter, rest)));
	}
	json_decref(names.list);
	snprintf(file, sizeof file, "players/%c.html", letter);
	if (rc == 0)
		rc = archive_write(site, file, "archive/players.html",
		                   json_pack("{s:s, s:s, s:s#, s:O}", "host", site->host, "up",
		                             "../", "letter", &letter, 1, "players", rows),
		                   e);
	json_decref(rows);
	arena_release(&a);
	return rc;
}

static int stop_at_first(const char *name, int64_t n, void *arg)
{
	(void)name;
	(void)n;
	*(bool *)arg = true;
	return 1;
}

static const char letters[] = "0123456789_abcdefghijklmnopqrstuvwxyz-";

static int add_letters(struct site *site, json_t *list, struct err *e)
{
	int rc = 0;

	for (const char *p = letters; rc == 0 && *p; p++) {
		char kind[] = { 'p', 'l', 'a', 'y', 'e', 'r', ':', *p, '\0' };
		bool any = false;

		rc = store_counts(site->store, kind, stop_at_first, &any, e);
		if (any)
			json_array_append_new(list, json_pack("{s:s#, s:o}", "letter", p, 1, "url",
			                                      json_sprintf("players/%c.html", *p)));
	}
	return rc;
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
		rc = add_letters(site, players, e);
	if (rc == 0)
		rc = archive_write(site, "index.html", "archive/index.html",
		                   json_pack("{s:s, s:s, s:b, s:I, s:O, s:O, s:O, s:O}", "host",
		                             site->host, "up", "", "any", all > 0, "all",
		                             (json_int_t)all, "by_game", games.list, "by_month",
		                             months.list, "games", newest.rows, "by_letter",
		                             players),
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
};

static int add_place(const struct rating_row *row, void *arg)
{
	struct ladder *l = arg;
	struct player_doc p;
	const char *name = store_player_get(l->site->store, &l->a, row->player, &p, NULL) == 0
	                           ? p.userid
	                           : row->player;

	json_array_append_new(l->rows,
	                      json_pack("{s:i, s:s, s:o, s:I, s:I, s:o}", "place",
	                                (int)json_array_size(l->rows) + 1, "userid", name, "url",
	                                json_sprintf("../player/%s.html", row->player), "rating",
	                                (json_int_t)((row->rating + 50) / 100), "games",
	                                (json_int_t)row->games, "date", archive_date(row->ended)));
	return 0;
}

static int write_ladder(struct site *site, const char *game, struct err *e)
{
	struct ladder l = { .site = site, .rows = json_array() };
	int rc = store_ladder(site->store, game, LADDER_ROWS, 0, add_place, &l, e);

	if (rc == 0)
		rc = archive_write(site, arena_printf(&l.a, "standings/%s.html", game),
		                   "archive/standings.html",
		                   json_pack("{s:s, s:s, s:s, s:b, s:O}", "host", site->host, "up",
		                             "../", "title", title_of(game), "any",
		                             json_array_size(l.rows) > 0, "places", l.rows),
		                   e);
	json_decref(l.rows);
	arena_release(&l.a);
	return rc;
}

/* Writes the ladder of a list's game.  Sets letter[] for a list of a player who is
 * new. */
static int write_companions(struct site *site, const char *name, int64_t added, bool letter[256],
                            struct err *e)
{
	int64_t n;
	int rc = store_count(site->store, name, &n, e);

	if (rc == 0 && strncmp(name, "game:", 5) == 0)
		rc = write_ladder(site, name + 5, e);
	if (strncmp(name, "player:", 7) == 0 && n <= added)
		letter[(unsigned char)name[7]] = true;
	return rc;
}

int archive_lists_write(struct site *site, json_t *lists, size_t failed, struct err *e)
{
	bool letter[256] = { false };
	const char *name;
	json_t *added;
	int rc = 0;

	json_object_foreach(lists, name, added) {
		int64_t n = json_integer_value(added) + (int64_t)failed;

		if (rc == 0)
			rc = write_list(site, name, n, e);
		if (rc == 0)
			rc = write_companions(site, name, n, letter, e);
	}
	for (int i = 0; rc == 0 && i < 256; i++)
		if (letter[i])
			rc = write_letter(site, (char)i, e);
	return rc == 0 ? write_front(site, e) : rc;
}

struct rebuild {
	struct site *site;
	const char *kind;
	struct err *e;
};

static int rebuild_list(const char *key, int64_t n, void *arg)
{
	struct rebuild *r = arg;
	char name[LIST_NAME];

	snprintf(name, sizeof name, "%s%.90s", r->kind, key);
	int rc = write_list(r->site, name, n, r->e);
	if (rc == 0 && strcmp(r->kind, "game:") == 0)
		rc = write_ladder(r->site, key, r->e);
	return rc;
}

int archive_lists_rebuild(struct site *site, struct err *e)
{
	static const char *const kinds[] = { "month:", "game:", "player:" };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof kinds / sizeof kinds[0]; i++) {
		struct rebuild r = { site, kinds[i], e };

		rc = store_counts(site->store, kinds[i], rebuild_list, &r, e);
	}
	for (const char *p = letters; rc == 0 && *p; p++) {
		char kind[] = { 'p', 'l', 'a', 'y', 'e', 'r', ':', *p, '\0' };
		bool any = false;

		rc = store_counts(site->store, kind, stop_at_first, &any, e);
		if (rc == 0 && any)
			rc = write_letter(site, *p, e);
	}
	return rc == 0 ? write_front(site, e) : rc;
}
