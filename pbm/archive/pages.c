#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "pbm/archive/pages.h"
#include "pbm/archive/statics.h"
#include "pbm/base/io.h"
#include "pbm/record/match.h"
#include "pbm/record/pgn.h"
#include "pbm/request/rating.h"
#include "pbm/text/template.h"
#include "store/store_documents.h"

#define PAGE_MAX (16 * 1024 * 1024) /* four times the longest document */

/* "games/001/1234.html" for board 1234 and "html". */
static const char *game_path(struct arena *a, int64_t board, const char *ending)
{
	return arena_printf(a, "games/%03lld/%lld.%s", (long long)(board / 1000), (long long)board,
	                    ending);
}

int archive_write_bytes(struct site *site, const char *name, const char *bytes, size_t n,
                        struct err *e)
{
	char path[1200], dir[1200];

	snprintf(path, sizeof path, "%.1000s/archive/%.150s", site->dir, name);
	snprintf(dir, sizeof dir, "%.*s", (int)(strrchr(path, '/') - path), path);
	int rc = io_make_dirs(AT_FDCWD, dir, 0755, e);
	/* Pages can always be made again, so they are not synced one by one. */
	return rc == 0 ? io_replace(AT_FDCWD, path, bytes, n, 0644, IO_LAZY, e) : rc;
}

static int write_page(struct site *site, const char *name, const struct str *text, struct err *e)
{
	if (text->truncated)
		return err_set(e, ERR_LIMIT, "it has more than %d bytes", PAGE_MAX);
	return archive_write_bytes(site, name, text->data, text->len, e);
}

int archive_write(struct site *site, const char *name, const char *template, json_t *context,
                  struct err *e)
{
	struct str s;

	json_object_set_new(context, "host", json_string(site->host));
	json_object_set_new(context, "static", static_urls(site));
	str_init(&s, PAGE_MAX);
	int rc = template_render(site->template_dir, template, context, &s, e);
	if (rc == 0)
		rc = write_page(site, name, &s, e);
	str_release(&s);
	json_decref(context);
	return rc;
}

json_t *archive_date(int64_t t)
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

	for (size_t i = 0; i < m->ply;) {
		bool white = m->positions[i].to_move == WHITE;
		const char *first = white ? m->moves[i].event->san : "…";
		size_t second = white ? i + 1 : i;

		json_array_append_new(
			list, json_pack("{s:i, s:s, s:s}", "number", (int)m->positions[i].fullmove,
		                        "white", first, "black",
		                        second < m->ply ? m->moves[second].event->san : ""));
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

/* The change of both ratings, or null. */
static json_t *ratings_json(const struct match *m)
{
	char text[200];
	struct str s = STR_FIXED(text);

	rating_write_change(m, &s);
	return s.len ? json_string(text) : json_null();
}

static int write_game_page(struct site *site, struct arena *a, const struct match *m, struct err *e)
{
	const struct game_doc *d = &m->doc;
	json_t *c = json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:s*, s:i, s:s}", "board",
	                      (json_int_t)d->board, "title", m->game.rules->title, "game", d->game,
	                      "options", d->options, "white", d->players[WHITE], "black",
	                      d->players[BLACK], "result", d->result, "reason", d->reason,
	                      "ply_count", (int)m->ply, "up", "../../");

	json_object_set_new(c, "started", archive_date(d->created));
	json_object_set_new(c, "ended", archive_date(d->ended));
	json_object_set_new(c, "rated", json_string(match_is_rated(m) ? "yes" : "no"));
	json_object_set_new(c, "ratings", ratings_json(m));
	json_object_set_new(c, "start_diagram", diagram_json(m, 0));
	json_object_set_new(c, "end_diagram", diagram_json(m, m->ply));
	json_object_set_new(c, "moves", moves_json(m));
	json_object_set_new(c, "pgn_url", json_sprintf("%lld.pgn", (long long)d->board));
	json_object_set_new(c, "json_url", json_sprintf("%lld.json", (long long)d->board));
	return archive_write(site, game_path(a, d->board, "html"), "archive/game.html", c, e);
}

/* The public copy of a game's document leaves out the chat of the players, and what only
 * one of them may read. */
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
	memset(copy.secret, 0, sizeof copy.secret);
	str_init(&s, PAGE_MAX);
	game_doc_write(&copy, &s);
	int rc = write_page(site, game_path(a, doc->board, "json"), &s, e);
	str_release(&s);
	return rc;
}

int archive_write_game(struct site *site, struct arena *a, int64_t board, struct game_doc *doc,
                       struct err *e)
{
	struct match m;
	struct str pgn;
	int rc = store_game_get(site->store, a, board, doc, e);

	if (rc == 0)
		rc = match_load(a, doc, &m, e);
	if (rc == 0)
		rc = write_game_page(site, a, &m, e);
	if (rc == 0)
		rc = write_game_json(site, a, doc, e);
	if (rc == 0) {
		str_init(&pgn, PAGE_MAX);
		pgn_write(&m, site->host, &pgn);
		rc = write_page(site, game_path(a, board, "pgn"), &pgn, e);
		str_release(&pgn);
	}
	return rc;
}
