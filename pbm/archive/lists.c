#include "pbm/archive/lists.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/archive/feeds.h"
#include "pbm/archive/kind_page.h"
#include "pbm/archive/month_pgn.h"
#include "pbm/archive/moved_names.h"
#include "pbm/archive/old_pages.h"
#include "pbm/archive/page_words.h"
#include "pbm/archive/pages.h"
#include "pbm/archive/player_page.h"
#include "pbm/archive/search_index.h"
#include "store/keys.h"

#define PAGE_ROWS 50

void list_add_row(json_t *rows, const struct game_row *row)
{
	char text[400], key[2][KEY_USERID_MAX + 1] = { "", "" };
	struct str words = STR_FIXED(text);

	page_result(row->players, row->result, row->reason, &words);
	for (int seat = 0; seat < 2; seat++)
		key_fold(row->players[seat], key[seat], sizeof key[seat]);
	json_t *o = json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:o}", "board",
	                      (json_int_t)row->board, "title", rules_title(row->game), "game",
	                      row->game, "white", row->players[0], "black", row->players[1],
	                      "white_key", key[0], "black_key", key[1], "words", text, "turns",
	                      (int)row->ply, "ended", page_date(row->ended));

	json_object_set_new(o, "url",
	                    json_sprintf("games/%03" PRId64 "/%" PRId64 ".html", row->board / 1000,
	                                 row->board));
	json_array_append_new(rows, o);
}

/* A list and its pages while they are written. */
struct paging {
	struct site *site;
	struct arena arena;
	struct list_name list;
	struct list_due *due; /* NULL: all pages are written */
	int64_t games, pages;
	size_t met; /* games of due that were met so far */
};

/* The rows of one page. */
struct page_rows {
	struct paging *p;
	struct finished_place last;
	bool has_due; /* one of the games that are published now */
	json_t *rows; /* NULL: not wanted */
};

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int take_row(const struct game_row *row, void *arg)
{
	struct page_rows *page = arg;
	const struct list_due *due = page->p->due;

	page->last = (struct finished_place){ row->ended, row->board };
	if (page->rows)
		list_add_row(page->rows, row);
	else if (due && bsearch(&row->board, due->v, due->n, sizeof row->board, by_number)) {
		page->has_due = true;
		page->p->met++;
	}
	return 0;
}

static json_t *link_to(const struct paging *p, int64_t number)
{
	return number > p->pages - 2 ? json_string("index.html")
	                             : json_sprintf("%" PRId64 ".html", number);
}

/* Page 0 is the newest one. */
static int write_page(struct paging *p, int64_t number, json_t *rows, struct err *e)
{
	const struct list_name *l = &p->list;
	int64_t older = number ? number - 1 : p->pages - 2;
	const char *template = "archive/list.html";
	json_t *c = json_pack("{s:s, s:s, s:s, s:I, s:O}", "heading", l->heading, "up", l->up,
	                      "name", l->name, "count", (json_int_t)p->games, "games", rows);
	int rc = 0;

	if (older > 0)
		json_object_set_new(c, "older", link_to(p, older));
	if (number)
		json_object_set_new(c, "newer", link_to(p, number + 1));
	if (number)
		json_object_set_new(c, "number", json_integer(number));
	if (l->game)
		json_object_set_new(
			c, "kind",
			json_pack("{s:s, s:s}", "title", rules_title(l->game), "game", l->game));
	if (!number && strcmp(l->kind, "player") == 0) {
		template = "archive/player.html";
		rc = player_page_add(p->site, l->key, c, e);
	} else if (!number && strcmp(l->kind, "game") == 0) {
		template = "archive/kind.html";
		rc = kind_page_add(p->site, l->key, c, e);
	} else if (!number && strcmp(l->kind, "month") == 0) {
		json_object_set_new(c, "pgn", month_pgn_files(l, p->games));
	}
	if (rc < 0) {
		json_decref(c);
		return rc;
	}
	const char *name = number ? arena_printf(&p->arena, "%s/%" PRId64 ".html", l->folder,
	                                         number)
	                          : arena_printf(&p->arena, "%s/index.html", l->folder);
	return archive_write(p->site, name, template, c, e);
}

enum page_work { PAGE_LOOK, PAGE_WRITE_DUE, PAGE_WRITE };

/* Finds the games of a page, and writes it as `work` says; PAGE_WRITE_DUE: if it has a due
 * game.  *from is the place of its newest game, and becomes that of the next page. */
static int do_page(struct paging *p, int64_t number, enum page_work work,
                   struct finished_place *from, struct err *e)
{
	size_t n = number ? PAGE_ROWS
	                  : (size_t)(p->games - (p->pages > 2 ? p->pages - 2 : 0) * PAGE_ROWS);
	struct page_rows look = { .p = p, .last = *from };
	int rc = 0;

	if (work != PAGE_WRITE || p->due)
		rc = list_games(p->site, &p->list, *from, n, take_row, &look, e);
	if (rc == 0 && (work == PAGE_WRITE || (work == PAGE_WRITE_DUE && look.has_due))) {
		look.rows = json_array();
		rc = list_games(p->site, &p->list, *from, n, take_row, &look, e);
		if (rc == 0)
			rc = write_page(p, number, look.rows, e);
		json_decref(look.rows);
	}
	*from = look.last;
	return rc;
}

static bool has_feed(const struct list_name *l)
{
	return strcmp(l->kind, "player") == 0 || strcmp(l->kind, "game") == 0;
}

/* The newest page leads to the others, so it is written last; but the very first one first,
 * because the others lead to it. */
static int write_pages(struct paging *p, int64_t old, struct err *e)
{
	const struct finished_place top = { INT64_MAX, INT64_MAX };
	struct finished_place from = top;
	size_t due = p->due ? p->due->n : 0;
	bool first = !archive_has(p->site,
	                          arena_printf(&p->arena, "%s/index.html", p->list.folder));
	int rc = do_page(p, 0, first ? PAGE_WRITE : PAGE_LOOK, &from, e);

	for (int64_t number = p->pages - 2; rc == 0 && number > 0; number--) {
		bool wanted = !p->due || number >= old;

		if (!wanted && p->met >= due)
			break;
		rc = do_page(p, number, wanted ? PAGE_WRITE : PAGE_WRITE_DUE, &from, e);
	}
	from = top;
	if (rc == 0 && !first)
		rc = do_page(p, 0, PAGE_WRITE, &from, e);
	return rc == 0 && has_feed(&p->list) ? feed_write(p->site, &p->list, e) : rc;
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

/* What a list has besides its pages, and which the newest page refers to. */
static int write_others(struct paging *p, size_t failed, struct err *e)
{
	const struct list_name *l = &p->list;

	if (strcmp(l->kind, "month") == 0)
		return month_pgn_write(p->site, l, p->due, failed, e);
	if (strcmp(l->kind, "months") == 0 || strcmp(l->kind, "player") == 0)
		return search_list_write(p->site, l, p->due, failed, e);
	return 0;
}

static bool has_pages(const struct paging *p)
{
	return p->games && strcmp(p->list.kind, "months") != 0;
}

/* What fails does not stop the rest. */
static int write_all(struct paging *p, int64_t old, size_t failed, struct err *e)
{
	int others = write_others(p, failed, e);
	int pages = has_pages(p) ? write_pages(p, old, e) : 0;
	int moved = old_pages_replace(p->site, &p->list, e);

	if (moved == 0 && has_pages(p) && strcmp(p->list.kind, "player") == 0)
		moved = moved_names_write(p->site, p->list.key, e);

	return others < 0 ? others : pages < 0 ? pages : moved;
}

int list_pages_write(struct site *site, struct list_due *due, size_t failed, struct err *e)
{
	struct paging p = { .site = site, .due = due };
	int rc = open_list(&p, due->name, e);
	int64_t before = p.games - (int64_t)(due->n + failed);

	/* The last page that had a number before: the one behind it has got one now. */
	int64_t old = before > 0 ? (before + PAGE_ROWS - 1) / PAGE_ROWS - 2 : 0;
	qsort(due->v, due->n, sizeof *due->v, by_number);
	if (rc == 0)
		rc = write_all(&p, old, failed, e);
	arena_release(&p.arena);
	return rc;
}

int list_pages_rebuild(struct site *site, const char *name, struct err *e)
{
	struct paging p = { .site = site };
	int rc = open_list(&p, name, e);

	if (rc == 0)
		rc = write_all(&p, 0, 0, e);
	arena_release(&p.arena);
	return rc;
}
