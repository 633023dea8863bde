#include "pbm/archive/sitemap.h"

#include <inttypes.h>
#include <jansson.h>

#include "games/variants/registry.h"
#include "pbm/archive/pages/pages.h"
#include "pbm/base/clock.h"
#include "store/store_counts.h"
#include "store/store_questions.h"

#define FOLDER 1000 /* boards of a folder of games, and of a part; 50,000 are allowed */
#define ROWS 250

struct sitemap {
	struct site *site;
	struct arena arena;
	json_t *urls;
	const char *folder; /* of add_list() */
	int64_t last, end;  /* the board that came last, and the one after the part */
	size_t rows;
};

static void add_url(struct sitemap *m, const char *path, int64_t changed)
{
	json_t *o = json_object();

	json_object_set_new(
		o, "url",
		json_string(arena_printf(&m->arena, "%s/%s", m->site->conf.archive_url, path)));
	if (changed)
		json_object_set_new(o, "changed", json_string(CLOCK_ISO(changed)));
	json_array_append_new(m->urls, o);
}

static int add_row(const struct game_row *row, void *arg)
{
	struct sitemap *m = arg;

	m->rows++;
	m->last = row->board;
	if (row->state == GAME_FINISHED && row->board < m->end)
		add_url(m, archive_game_path(&m->arena, row->board, "html"), row->ended);
	return 0;
}

static int write_out(struct sitemap *m, const char *name, const char *template, struct err *e)
{
	return archive_write(m->site, name, template, json_pack("{s:O}", "urls", m->urls), e);
}

static void release(struct sitemap *m)
{
	json_decref(m->urls);
	arena_release(&m->arena);
}

static const char *part_name(struct arena *a, int64_t part)
{
	return arena_printf(a, "sitemap/%03" PRId64 ".xml", part);
}

/* A folder without finished games has no part. */
static int write_part(struct site *site, int64_t part, struct err *e)
{
	struct sitemap m = { .site = site,
		             .urls = json_array(),
		             .last = part * FOLDER - 1,
		             .end = (part + 1) * FOLDER };
	int rc = 0;

	do {
		size_t left = (size_t)(m.end - 1 - m.last);

		m.rows = 0;
		rc = store_boards(site->store, m.last, left < ROWS ? left : ROWS, add_row, &m, e);
	} while (rc == 0 && m.rows == ROWS && m.last < m.end - 1);
	const char *name = part_name(&m.arena, part);
	if (rc == 0)
		rc = json_array_size(m.urls) ? write_out(&m, name, "archive/sitemap.xml", e)
		                             : archive_remove(site, name, e);
	release(&m);
	return rc;
}

static int add_list(const char *name, int64_t, void *arg)
{
	struct sitemap *m = arg;

	add_url(m, arena_printf(&m->arena, "%s/%s/index.html", m->folder, name), 0);
	return 0;
}

static int write_pages(struct site *site, struct err *e)
{
	struct sitemap m = { .site = site, .urls = json_array(), .folder = "game" };

	add_url(&m, "index.html", 0);
	add_url(&m, "help/index.html", 0);
	add_url(&m, "help/start.html", 0);
	if (archive_has(site, "puzzles/index.html"))
		add_url(&m, "puzzles/index.html", 0);
	for (size_t i = 0; rules_all[i]; i++)
		add_url(&m, arena_printf(&m.arena, "rules/%s.html", rules_all[i]->name), 0);
	int rc = store_counts(site->store, "game:", add_list, &m, e);
	m.folder = "month";
	if (rc == 0)
		rc = store_counts(site->store, "month:", add_list, &m, e);
	if (rc == 0)
		rc = write_out(&m, "sitemap/pages.xml", "archive/sitemap.xml", e);
	release(&m);
	return rc;
}

static int write_index(struct site *site, struct err *e)
{
	struct sitemap m = { .site = site, .urls = json_array() };
	int64_t most;
	int rc = store_boards_last(site->store, &most, e);

	add_url(&m, "sitemap/pages.xml", 0);
	for (int64_t part = 0; rc == 0 && part <= most / FOLDER; part++) {
		const char *name = part_name(&m.arena, part);

		if (archive_has(site, name))
			add_url(&m, name, 0);
	}
	if (rc == 0)
		rc = write_out(&m, "sitemap.xml", "archive/sitemap-index.xml", e);
	release(&m);
	return rc;
}

static int write_robots(struct site *site, struct err *e)
{
	return archive_write(site, "robots.txt", "archive/robots.txt",
	                     json_pack("{s:s}", "url", site->conf.archive_url), e);
}

int sitemap_write(struct site *site, const int64_t *boards, size_t n, struct err *e)
{
	int rc = write_robots(site, e);
	int64_t done = -1;

	if (!*site->conf.archive_url)
		return rc;
	/* Boards rise. */
	for (size_t i = 0; rc == 0 && i < n; i++)
		if (boards[i] / FOLDER != done) {
			done = boards[i] / FOLDER;
			rc = write_part(site, done, e);
		}
	if (rc == 0)
		rc = write_pages(site, e);
	return rc == 0 ? write_index(site, e) : rc;
}

int sitemap_again(struct site *site, int64_t *part, struct err *e)
{
	int64_t most = 0, now = *part;

	*part = 0;
	if (!*site->conf.archive_url)
		return 0;
	int rc = write_part(site, now, e);
	if (rc == 0)
		rc = store_boards_last(site->store, &most, e);
	if (rc == 0 && now < most / FOLDER)
		*part = now + 1;
	/* The index was written before its first parts, where archive-url is new. */
	return rc == 0 && *part == 0 ? write_index(site, e) : rc;
}
