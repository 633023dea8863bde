#include "pbm/archive/lists.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/archive/old_pages.h"
#include "pbm/archive/pages/feeds.h"
#include "pbm/archive/pages/game_files.h"
#include "pbm/archive/pages/kind_page.h"
#include "pbm/archive/pages/page_words.h"
#include "pbm/archive/pages/pages.h"
#include "pbm/archive/pages/player_page.h"
#include "pbm/archive/search_index.h"
#include "store/document/keys.h"

/* All games of a month as PGN: "month/2026-12.pgn", and, after each 250 games, a further file,
 * "month/2026-12.2.pgn".  So a game that ends changes the last file alone. */
#define PART 250
#define GAME_MAX (16 * 1024 * 1024)
#define PART_MAX ((size_t)1 << 30)

static const char *file_of(struct arena *a, const struct list_name *l, int64_t part)
{
	return part > 1 ? arena_printf(a, "%s.%" PRId64 ".pgn", l->folder, part)
	                : arena_printf(a, "%s.pgn", l->folder);
}

/* Appends the file of a game.  A bucket would be asked for each game of the month, one after the other, so
 * its text is made again. */
static int add_game(struct site *site, int64_t board, struct str *out, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	char *bytes;
	size_t n;
	int rc;

	if (site->bucket) {
		rc = game_files_pgn(site, &a, board, out, e);
	} else {
		rc = archive_read(site, archive_game_path(&a, board, "pgn"), GAME_MAX, &bytes, &n,
		                  e);
		if (rc == 0) {
			str_add_n(out, bytes, n);
			free(bytes);
		}
	}
	return rc;
}

/* The games' own files, one after the other, the oldest first.  A game that has no file yet is
 * published in a later run. */
static int write_part(struct site *site, const struct list_name *l, const struct list_part *p,
                      struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	AUTO(str_release) struct str all = str_heap(PART_MAX);
	AUTO(str_release) struct str game = str_heap(GAME_MAX);
	json_t *row;
	size_t i;
	int rc = 0;

	json_array_foreach(p->rows, i, row) {
		struct err why = { 0 };

		str_clear(&game);
		rc = add_game(site, json_integer_value(json_array_get(row, 0)), &game, &why);
		if (rc < 0 && rc != ERR_NOT_FOUND) {
			err_set(e, why.code, "%s", why.text);
			break;
		}
		if (rc == 0 && all.len)
			str_add_char(&all, '\n');
		str_add_n(&all, game.len ? game.data : "", game.len);
		rc = 0;
	}
	if (rc == 0)
		rc = archive_write_text(site, file_of(&a, l, p->number), &all, e);
	return rc;
}

/* The files of a month with so many games, as seen from its page: [{"url", "number"}]. */
static json_t *month_pgn_files(const struct list_name *l, int64_t games)
{
	json_t *files = json_array();

	for (int64_t part = 1; part == 1 || part <= (games + PART - 1) / PART; part++) {
		AUTO(arena_release) struct arena a = { 0 };

		json_array_append_new(
			files, json_pack("{s:s, s:I, s:b}", "url",
		                         arena_printf(&a, "../../%s", file_of(&a, l, part)),
		                         "number", (json_int_t)part, "several", games > PART));
	}
	return files;
}

#define PAGE_ROWS 50

void list_add_row(json_t *rows, const struct game_row *row)
{
	char text[400], key[2][KEY_USERID_MAX + 1] = { "", "" };
	struct str words = STR_FIXED(text);
	AUTO(arena_release) struct arena a = { 0 };

	page_result(row->players, row->result, row->reason, &words);
	for (int seat = 0; seat < 2; seat++)
		key_fold(row->players[seat], key[seat], sizeof key[seat]);
	json_array_append_new(rows,
	                      json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:o}",
	                                "board", (json_int_t)row->board, "url",
	                                archive_game_path(&a, row->board, "html"), "title",
	                                rules_title(row->game), "game", row->game, "white",
	                                row->players[0], "black", row->players[1], "white_key",
	                                key[0], "black_key", key[1], "words", text, "turns",
	                                (int)row->ply, "ended", page_date(row->ended)));
}

/* A list and its pages while they are written. */
struct paging {
	struct site *site;
	struct arena arena;
	struct list_name list;
	const struct list_due *due; /* NULL: all pages are written */
	int64_t games, pages;
	size_t met; /* games of due that were met so far */
};

/* The rows of one page. */
struct page_rows {
	const struct paging *p;
	struct finished_place last;
	size_t met;   /* games that are published now */
	json_t *rows; /* NULL: not wanted */
};

static int take_row(const struct game_row *row, void *arg)
{
	struct page_rows *page = arg;

	page->last = (struct finished_place){ row->ended, row->board };
	page->met += list_parts_due(page->p->due, row->board);
	if (page->rows)
		list_add_row(page->rows, row);
	return 0;
}

static json_t *link_to(const struct paging *p, int64_t number)
{
	return number > p->pages - 2 ? json_string("index.html")
	                             : json_sprintf("%" PRId64 ".html", number);
}

/* The opening one turn shorter: the tree of openings shows the frequent ones alone, so many pages
 * are found from here only.  NULL: there is none. */
static json_t *shorter(struct arena *a, const struct list_name *l)
{
	const char *last = strrchr(l->rest, ' ');

	if (strcmp(l->kind, "opening") != 0 || !last)
		return NULL;
	const char *line = arena_strndup(a, l->rest, (size_t)(last - l->rest));
	return json_pack("{s:s, s:s}", "turns", list_turns(a, line), "folder",
	                 list_opening_folder(a, l->game, line));
}

/* The parts that the newest page of a list has besides its games, and the template for it. */
static int add_own(struct paging *p, json_t *c, const char **template, struct err *e)
{
	const struct list_name *l = &p->list;
	int rc = 0;

	if (strcmp(l->kind, "player") == 0) {
		*template = "archive/player.html";
		return player_page_add(p->site, l->key, c, e);
	}
	if (strcmp(l->kind, "game") == 0) {
		*template = "archive/kind.html";
		return kind_page_add(p->site, l->key, c, e);
	}
	if (strcmp(l->kind, "month") == 0)
		json_object_set_new(c, "pgn", month_pgn_files(l, p->games));
	if (strcmp(l->kind, "opening") != 0)
		return 0;
	json_t *after = kind_page_openings(p->site, &p->arena, l->game, l->rest, &rc, e);
	json_object_set_new(c, "any_after", json_boolean(json_array_size(after) > 0));
	json_object_set_new(c, "after", after);
	return rc;
}

/* Page 0 is the newest one. */
static int write_page(struct paging *p, int64_t number, json_t *rows, struct err *e)
{
	const struct list_name *l = &p->list;
	int64_t older = number ? number - 1 : p->pages - 2;
	const char *template = "archive/list.html";
	json_t *c = json_pack("{s:s, s:s, s:s, s:I, s:O}", "heading", l->heading, "up", l->up,
	                      "name", l->name, "count", (json_int_t)p->games, "games", rows);

	if (older > 0)
		json_object_set_new(c, "older", link_to(p, older));
	if (number)
		json_object_set_new(c, "newer", link_to(p, number + 1));
	if (number)
		json_object_set_new(c, "number", json_integer(number));
	if (l->game)
		json_object_set_new(c, "kind",
		                    json_pack("{s:s, s:s, s:o*}", "title", rules_title(l->game),
		                              "game", l->game, "shorter", shorter(&p->arena, l)));
	int rc = number ? 0 : add_own(p, c, &template, e);
	if (rc < 0) {
		json_decref(c);
		return rc;
	}
	const char *name = number ? arena_printf(&p->arena, "%s/%" PRId64 ".html", l->folder,
	                                         number)
	                          : arena_printf(&p->arena, "%s/index.html", l->folder);
	return archive_write(p->site, name, template, c, e);
}

/* Finds the games of a page.  *from: the place of its newest game; becomes that of the next
 * older page.  rows: gets them, unless it is NULL; *met: the number of them that are due. */
static int find_rows(const struct paging *p, int64_t number, json_t *rows,
                     struct finished_place *from, size_t *met, struct err *e)
{
	size_t n = number ? PAGE_ROWS
	                  : (size_t)(p->games - (p->pages > 2 ? p->pages - 2 : 0) * PAGE_ROWS);
	struct page_rows page = { .p = p, .last = *from, .rows = rows };
	int rc = list_games(p->site, &p->list, *from, n, take_row, &page, e);

	*from = page.last;
	*met = page.met;
	return rc;
}

/* Writes an older page, if it is wanted, or if a game of it is due. */
static int do_older_page(struct paging *p, int64_t number, bool wanted, struct finished_place *from,
                         struct err *e)
{
	struct finished_place begin = *from;
	json_auto_t *rows = json_array();
	size_t met;
	int rc = find_rows(p, number, wanted ? rows : NULL, from, &met, e);

	p->met += met;
	if (rc == 0 && met && !wanted)
		rc = find_rows(p, number, rows, &begin, &met, e);
	if (rc == 0 && (met || wanted))
		rc = write_page(p, number, rows, e);
	return rc;
}

static bool has_feed(const struct list_name *l)
{
	return strcmp(l->kind, "player") == 0 || strcmp(l->kind, "game") == 0;
}

/* Writes the newest page last, because it leads to the others; but the very first page first,
 * because the others lead to it. */
static int write_pages(struct paging *p, int64_t old, struct err *e)
{
	struct finished_place from = { INT64_MAX, INT64_MAX };
	json_auto_t *newest = json_array();
	bool first = !archive_has(p->site,
	                          arena_printf(&p->arena, "%s/index.html", p->list.folder));
	int rc = find_rows(p, 0, newest, &from, &p->met, e);

	if (rc == 0 && first)
		rc = write_page(p, 0, newest, e);
	for (int64_t number = p->pages - 2; rc == 0 && number > 0; number--) {
		bool wanted = !p->due || number >= old;

		if (!wanted && p->met >= p->due->n)
			break;
		rc = do_older_page(p, number, wanted, &from, e);
	}
	if (rc == 0 && !first)
		rc = write_page(p, 0, newest, e);
	if (rc == 0 && has_feed(&p->list))
		rc = feed_write(p->site, &p->list, newest, e);
	return rc;
}

static int open_list(struct paging *p, const char *name, struct err *e)
{
	list_read(&p->arena, name, &p->list);
	int rc = list_count(p->site, &p->list, &p->games, e);
	p->pages = (p->games + PAGE_ROWS - 1) / PAGE_ROWS;
	if (strcmp(p->list.kind, "player") == 0)
		p->list.heading = player_page_userid(p->site, &p->arena, p->list.key);
	return rc;
}

/* Writes what a list has besides its pages, and which the newest page refers to. */
static int write_others(struct paging *p, size_t failed, struct err *e)
{
	const struct list_name *l = &p->list;

	if (strcmp(l->kind, "month") == 0)
		return list_parts_write(p->site, l, PART, p->due, failed, write_part, e);
	if (strcmp(l->kind, "months") == 0 || strcmp(l->kind, "player") == 0)
		return search_list_write(p->site, l, p->due, failed, e);
	return 0;
}

static bool has_pages(const struct paging *p)
{
	return p->games && strcmp(p->list.kind, "months") != 0;
}

/* A page that fails does not stop the rest. */
static int write_all(struct paging *p, int64_t old, size_t failed, struct err *e)
{
	int others = write_others(p, failed, e);
	int pages = has_pages(p) ? write_pages(p, old, e) : 0;
	int moved = old_pages_replace(p->site, &p->list, e);

	if (moved == 0 && has_pages(p) && strcmp(p->list.kind, "player") == 0)
		moved = moved_names_write(p->site, p->list.key, e);

	return others < 0 ? others : pages < 0 ? pages : moved;
}

int list_pages_write(struct site *site, const char *name, const struct list_due *due, size_t failed,
                     struct err *e)
{
	struct paging p = { .site = site, .due = due };
	int rc = open_list(&p, name, e);
	int64_t before = due ? p.games - (int64_t)(due->n + failed) : 0;

	/* The last page that already had a number; the page after it got one in this run. */
	int64_t old = before > 0 ? (before + PAGE_ROWS - 1) / PAGE_ROWS - 2 : 0;
	if (rc == 0)
		rc = write_all(&p, old, failed, e);
	arena_release(&p.arena);
	return rc;
}

/* Writes the newest page, and finds the place of the page after it. */
static int do_newest(struct paging *p, bool wanted, struct finished_place *from, struct err *e)
{
	json_auto_t *rows = json_array();
	int rc = find_rows(p, 0, wanted ? rows : NULL, from, &p->met, e);

	if (rc == 0 && wanted)
		rc = write_page(p, 0, rows, e);
	if (rc == 0 && wanted && has_feed(&p->list))
		rc = feed_write(p->site, &p->list, rows, e);
	return rc;
}

int list_pages_again(struct site *site, const char *name, int64_t *below, size_t *room,
                     struct err *e)
{
	struct paging p = { .site = site };
	struct finished_place from = { INT64_MAX, INT64_MAX };
	bool all = *below == INT64_MAX;
	int rc = open_list(&p, name, e);

	if (rc == 0)
		rc = do_newest(&p, all, &from, e);
	if (all) {
		*room -= 1;
		*below = p.pages > 2 ? p.pages - 1 : 0;
	}
	for (int64_t number = p.pages - 2; rc == 0 && number > 0 && *room; number--) {
		bool wanted = number < *below;

		rc = do_older_page(&p, number, wanted, &from, e);
		*room -= wanted;
		if (rc == 0 && wanted)
			*below = number > 1 ? number : 0;
	}
	arena_release(&p.arena);
	return rc;
}
