#include "pbm/archive.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/match.h"
#include "pbm/pgn.h"
#include "pbm/template.h"

#define PAGE_MAX (4 * 1024 * 1024)
#define DUE_CHUNK 256
#define LIST_MAX 1000                /* newest games on the page of a game or a player */

/* Page names below archive/. */
static const char *game_path(struct arena *a, int64_t board, const char *ending)
{
	return arena_printf(a, "games/%03lld/%lld.%s", (long long)(board / 1000), (long long)board,
	                    ending);
}

static int write_page(struct site *site, const char *name, const char *text, size_t len,
                      struct err *e)
{
	char path[1200], dir[1200];

	snprintf(path, sizeof path, "%.1000s/archive/%.150s", site->dir, name);
	snprintf(dir, sizeof dir, "%.*s", (int)(strrchr(path, '/') - path), path);
	int rc = io_make_dirs(AT_FDCWD, dir, 0755, e);
	/* Pages can always be made again, so nothing waits for the disk here. */
	return rc == 0 ? io_replace(AT_FDCWD, path, text, len, 0644, IO_LAZY, e) : rc;
}

static int write_template(struct site *site, const char *name, const char *template,
                          json_t *context, struct err *e)
{
	struct str s;

	str_init(&s, PAGE_MAX);
	int rc = template_render(site->template_dir, template, context, &s, e);
	if (rc == 0)
		rc = write_page(site, name, s.data, s.len, e);
	str_release(&s);
	json_decref(context);
	return rc;
}

static json_t *date_json(int64_t t)
{
	char text[32] = "";
	time_t tt = (time_t)t;
	struct tm tm;

	if (t && gmtime_r(&tt, &tm))
		strftime(text, sizeof text, "%Y-%m-%d", &tm);
	return json_string(text);
}

static json_t *moves_json(const struct match *m)
{
	json_t *list = json_array();

	for (size_t i = 0; i < m->ply; ) {
		bool white = m->positions[i].to_move == WHITE;
		const char *first = white ? m->moves[i].event->san : "…";
		size_t second = white ? i + 1 : i;

		json_array_append_new(list, json_pack("{s:i, s:s, s:s}",
			"number", (int)m->positions[i].fullmove, "white", first,
			"black", second < m->ply ? m->moves[second].event->san : ""));
		i = second + 1;
	}
	return list;
}

static json_t *diagram_json(const struct match *m, size_t ply)
{
	struct str s;

	str_init(&s, 8192);
	game_draw(&m->game, &m->positions[ply], WHITE, ply ? &m->moves[ply - 1].move : NULL, &s);
	json_t *text = json_string(s.data);
	str_release(&s);
	return text;
}

static int write_game_page(struct site *site, struct arena *a, const struct match *m, struct err *e)
{
	const struct game_doc *d = &m->doc;
	json_t *c = json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:s*, s:i, s:s, s:s}",
		"board", (json_int_t)d->board, "title", m->game.rules->title, "game", d->game,
		"options", d->options, "white", d->players[WHITE], "black", d->players[BLACK],
		"result", d->result, "reason", d->reason, "ply_count", (int)m->ply,
		"host", site->host, "up", "../../");

	json_object_set_new(c, "started", date_json(d->created));
	json_object_set_new(c, "ended", date_json(d->ended));
	json_object_set_new(c, "start_diagram", diagram_json(m, 0));
	json_object_set_new(c, "end_diagram", diagram_json(m, m->ply));
	json_object_set_new(c, "moves", moves_json(m));
	json_object_set_new(c, "pgn_url", json_sprintf("%lld.pgn", (long long)d->board));
	json_object_set_new(c, "json_url", json_sprintf("%lld.json", (long long)d->board));
	return write_template(site, game_path(a, d->board, "html"), "archive/game.html", c, e);
}

/* Notes and private settings never enter a game's document, so it may be shown
 * as it is; what players said to each other stays out of the public copy. */
static int write_game_json(struct site *site, struct arena *a, const struct game_doc *doc,
                           struct err *e)
{
	struct game_doc copy = *doc;
	struct str s;
	size_t n = 0;

	copy.events = arena_alloc(a, (doc->event_count + 1) * sizeof *copy.events);
	for (size_t i = 0; i < doc->event_count; i++)
		if (doc->events[i].kind != EVENT_CHAT)
			copy.events[n++] = doc->events[i];
	copy.event_count = n;
	str_init(&s, PAGE_MAX);
	game_doc_write(&copy, &s);
	int rc = write_page(site, game_path(a, doc->board, "json"), s.data, s.len, e);
	str_release(&s);
	return rc;
}

static int publish_game(struct site *site, int64_t board, struct err *e)
{
	struct arena a = {0};
	struct game_doc doc;
	struct match m;
	struct str pgn;
	int rc = store_game_get(site->store, &a, board, &doc, e);

	if (rc == 0)
		rc = match_load(&a, &doc, &m, e);
	if (rc == 0)
		rc = write_game_page(site, &a, &m, e);
	if (rc == 0)
		rc = write_game_json(site, &a, &doc, e);
	if (rc == 0) {
		str_init(&pgn, PAGE_MAX);
		pgn_write(&m, site->host, &pgn);
		rc = write_page(site, game_path(&a, board, "pgn"), pgn.data, pgn.len, e);
		str_release(&pgn);
	}
	arena_release(&a);
	return rc;
}

/* One walk over the finished games, newest first, fills all indexes: by month,
 * by game, by player. */
struct index {
	json_t *months;              /* [{month, games: […]}] */
	json_t *games, *players;     /* {key: {title, count, rows: […]}} */
};

static json_t *row_json(const struct game_row *row, const char *title)
{
	json_t *o = json_pack("{s:I, s:s, s:s, s:s, s:s, s:s*}", "board", (json_int_t)row->board,
		"title", title, "white", row->players[0], "black", row->players[1],
		"result", row->result, "reason", row->reason);

	json_object_set_new(o, "date", date_json(row->ended));
	json_object_set_new(o, "url", json_sprintf("games/%03lld/%lld.html",
	                    (long long)(row->board / 1000), (long long)row->board));
	return o;
}

static void add_to(json_t *lists, const char *key, const char *title, json_t *row)
{
	json_t *list = json_object_get(lists, key);

	if (!list) {
		list = json_pack("{s:s, s:i, s:[]}", "title", title, "count", 0, "rows");
		json_object_set_new(lists, key, list);
	}
	json_t *rows = json_object_get(list, "rows");
	json_object_set_new(list, "count",
	                    json_integer(json_integer_value(json_object_get(list, "count")) + 1));
	if (json_array_size(rows) < LIST_MAX)
		json_array_append(rows, row);
}

static int index_row(const struct game_row *row, void *arg)
{
	struct index *ix = arg;
	const struct rules *r = rules_find(row->game, strlen(row->game), NULL);
	const char *title = r ? r->title : row->game;
	json_t *o = row_json(row, title);
	char month[8];
	size_t n = json_array_size(ix->months);
	json_t *last = n ? json_array_get(ix->months, n - 1) : NULL;

	snprintf(month, sizeof month, "%s", json_string_value(json_object_get(o, "date")));
	if (!last || strcmp(json_string_value(json_object_get(last, "month")), month) != 0) {
		last = json_pack("{s:s, s:[]}", "month", month, "games");
		json_array_append_new(ix->months, last);
	}
	json_array_append(json_object_get(last, "games"), o);
	add_to(ix->games, row->game, title, o);
	add_to(ix->players, row->players[0], row->players[0], o);
	if (strcasecmp(row->players[0], row->players[1]) != 0)
		add_to(ix->players, row->players[1], row->players[1], o);
	json_decref(o);
	return 0;
}

/* The pages of one kind ("game/suicide.html"), and their links for the front. */
static int write_lists(struct site *site, const char *folder, json_t *lists, json_t *links,
                       struct err *e)
{
	const char *key;
	json_t *list;
	int rc = 0;

	json_object_foreach(lists, key, list) {
		char name[200];
		const char *title = json_string_value(json_object_get(list, "title"));

		snprintf(name, sizeof name, "%s/%.100s.html", folder, key);
		json_array_append_new(links, json_pack("{s:s, s:s, s:s, s:s, s:O}", "name", key,
			"userid", key, "title", title, "url", name, "count", json_object_get(list, "count")));
		if (rc == 0)
			rc = write_template(site, name, "archive/list.html",
			                    json_pack("{s:s, s:s, s:s, s:O}", "heading", title, "up", "../",
			                              "host", site->host, "games", json_object_get(list, "rows")), e);
	}
	return rc;
}

static int write_indexes(struct site *site, struct err *e)
{
	struct index ix = { json_array(), json_object(), json_object() };
	json_t *games = json_array(), *players = json_array();
	int rc = store_games(site->store, NULL, NULL, GAMES_FINISHED, SIZE_MAX / 2, 0, index_row, &ix, e);

	if (rc == 0)
		rc = write_lists(site, "game", ix.games, games, e);
	if (rc == 0)
		rc = write_lists(site, "player", ix.players, players, e);
	if (rc == 0)
		rc = write_template(site, "index.html", "archive/index.html",
		                    json_pack("{s:s, s:O, s:O, s:O, s:s}", "host", site->host, "by_date",
		                              ix.months, "games", games, "players", players, "up", ""), e);
	json_decref(games);
	json_decref(players);
	json_decref(ix.months);
	json_decref(ix.games);
	json_decref(ix.players);
	return rc;
}

struct due { size_t n; int64_t boards[DUE_CHUNK]; };

static int collect(int64_t board, void *arg)
{
	struct due *d = arg;

	d->boards[d->n++] = board;
	return d->n == DUE_CHUNK;
}

static int forget(struct site *site, const struct due *d, struct err *e)
{
	int rc = store_begin(site->store, e);

	for (size_t i = 0; rc == 0 && i < d->n; i++)
		rc = store_archive_done(site->store, d->boards[i], e);
	if (rc < 0) {
		store_abort(site->store);
		return rc;
	}
	return store_commit(site->store, e);
}

/* The marks go only after the indexes are written too: a crash in between does
 * the work again. */
int archive_publish(struct site *site, size_t *count, struct err *e)
{
	struct due d;
	bool more;
	int rc;

	do {
		size_t done = 0;

		d.n = 0;
		rc = store_archive_due(site->store, DUE_CHUNK, collect, &d, e);
		for (size_t i = 0; rc == 0 && i < d.n; i++) {
			struct err why = {0};

			if (publish_game(site, d.boards[i], &why) == 0) {
				d.boards[done++] = d.boards[i];
				continue;
			}
			/* Its mark stays, and the next run tries again. */
			log_error("board %lld is not in the archive: %s", (long long)d.boards[i], why.text);
		}
		bool full = d.n == DUE_CHUNK && done == d.n;
		*count += d.n = done;
		if (rc == 0 && d.n)
			rc = write_indexes(site, e);
		if (rc == 0 && d.n)
			rc = forget(site, &d, e);
		more = full;
	} while (rc == 0 && more);
	return rc;
}

static int mark_row(const struct game_row *row, void *arg)
{
	struct due *d = arg;

	d->boards[d->n++] = row->board;
	return 0;
}

int archive_rebuild(struct site *site, size_t *count, struct err *e)
{
	int rc = 0;
	size_t offset = 0;
	struct due d;

	do {
		d.n = 0;
		rc = store_games(site->store, NULL, NULL, GAMES_FINISHED, DUE_CHUNK, offset, mark_row, &d, e);
		for (size_t i = 0; rc == 0 && i < d.n; i++)
			rc = publish_game(site, d.boards[i], e);
		offset += d.n;
		*count += d.n;
	} while (rc == 0 && d.n == DUE_CHUNK);
	return rc == 0 ? write_indexes(site, e) : rc;
}
