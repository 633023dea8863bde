#include "pbm/archive/pages/puzzle_page.h"

#include "games/variants/registry.h"
#include "pbm/archive/pages/drawings.h"
#include "pbm/archive/pages/page_words.h"
#include "pbm/archive/pages/pages.h"
#include "pbm/base/clock.h"
#include "pbm/record/puzzle.h"
#include "store/store_marks.h"
#include "store/store_questions.h"
#include "store/store_work.h"

#define LISTED 400
#define MARKED 400                 /* after a long pause */
#define SHOWN "archive-puzzle-day" /* the day of the newest puzzle that was marked */

static const char *path_of(struct arena *a, int64_t day)
{
	struct str path = STR_LOCAL(40);

	puzzle_write_path(day, &path);
	return arena_strdup(a, path.data);
}

static json_t *page_json(const struct site *site, struct arena *a, const struct game_doc *d,
                         const struct puzzle *p)
{
	const struct match *m = &p->board;
	const struct pos *pos = &m->positions[0];
	struct str words = STR_LOCAL(1000), turns = STR_LOCAL(400);
	struct svg_look look = { .side = pos->to_move, .coordinates = true };

	svg_text(&m->game, pos, &words);
	puzzle_write_turns(p, 0, m->ply, &turns);
	return json_pack("{s:s, s:s, s:s, s:b, s:s, s:s, s:o, s:o, s:o, s:s, s:I, s:s, s:s}", "up",
	                 "../", "title", m->game.rules->title, "game", m->game.rules->name,
	                 "white_moves", pos->to_move == WHITE, "position", words.data, "solution",
	                 turns.data, "men", drawings_men(site, "../"), "drawing",
	                 drawings_board(&m->game, pos, &look), "day", page_date(d->puzzle_day),
	                 "url", archive_game_path(a, d->board, "html"), "ply", (json_int_t)p->ply,
	                 "white", d->players[0], "black", d->players[1]);
}

int puzzle_page_write(struct site *site, struct arena *a, const struct game_doc *d, struct err *e)
{
	struct puzzle p;

	if (!d->puzzle_day || d->puzzle_day > clock_now() || !puzzle_read(a, d, &p))
		return 0;
	return archive_write(site, path_of(a, d->puzzle_day), "archive/puzzle.html",
	                     page_json(site, a, d, &p), e);
}

int puzzle_page_remove(struct site *site, struct arena *a, const struct game_doc *d, struct err *e)
{
	return d->puzzle_day ? archive_remove(site, path_of(a, d->puzzle_day), e) : 0;
}

struct puzzle_list {
	struct arena a;
	json_t *rows;
};

static int add_row(const struct game_row *row, void *arg)
{
	struct puzzle_list *l = arg;

	json_array_append_new(
		l->rows, json_pack("{s:s, s:s, s:o}", "url", path_of(&l->a, row->puzzle), "title",
	                           rules_title(row->game), "day", page_date(row->puzzle)));
	return 0;
}

int puzzle_page_list(struct site *site, json_t *front, struct err *e)
{
	struct puzzle_list l = { .rows = json_array() };
	int rc = store_puzzles(site->store, NULL, clock_now() + 1, LISTED, add_row, &l, e);
	json_t *first = json_array_get(l.rows, 0);

	json_object_set_new(front, "puzzle", first ? json_incref(first) : json_null());
	if (rc == 0 && first)
		rc = archive_write(site, "puzzles/index.html", "archive/puzzles.html",
		                   json_pack("{s:s, s:O}", "up", "../", "rows", l.rows), e);
	json_decref(l.rows);
	arena_release(&l.a);
	return rc;
}

struct marking {
	struct store *store;
	int64_t shown, newest;
	struct err *e;
};

static int mark(const struct game_row *row, void *arg)
{
	struct marking *m = arg;

	if (row->puzzle <= m->shown)
		return 1;
	m->newest = row->puzzle > m->newest ? row->puzzle : m->newest;
	return store_work_add(m->store, WORK_GAME, row->board, 0, m->e);
}

static int newest_day(const struct game_row *row, void *arg)
{
	*(int64_t *)arg = row->puzzle;
	return 0;
}

int puzzle_pages_mark(struct site *site, struct err *e)
{
	struct marking m = { .store = site->store, .e = e };
	int64_t now = clock_now(), newest = 0;
	int rc = store_puzzles(site->store, NULL, now + 1, 1, newest_day, &newest, e);

	if (rc == 0 && newest)
		rc = store_value(site->store, SHOWN, &m.shown, e);
	if (rc < 0 || newest <= m.shown)
		return rc;
	rc = store_begin(site->store, e);
	if (rc == 0)
		rc = store_puzzles(site->store, NULL, now + 1, MARKED, mark, &m, e);
	if (rc == 0)
		rc = store_value_set(site->store, SHOWN, m.newest, e);
	return store_end(site->store, rc, e);
}
