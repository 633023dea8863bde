#include "pbm/archive/feeds.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/archive/page_words.h"
#include "pbm/archive/pages.h"
#include "pbm/base/clock.h"

#define ENTRIES 30

struct atom_feed {
	struct site *site;
	struct arena arena;
	const char *up;
	json_t *entries;
	int64_t updated;
};

static int add_entry(const struct game_row *row, void *arg)
{
	struct atom_feed *f = arg;
	struct arena *a = &f->arena;
	const struct site *s = f->site;
	char text[400], iso[CLOCK_ISO_SIZE];
	struct str words = STR_FIXED(text);
	const char *page = archive_game_path(a, row->board, "html");
	const char *url = *s->archive_url ? arena_printf(a, "%s/%s", s->archive_url, page)
	                                  : arena_printf(a, "%s%s", f->up, page);

	page_result(row->players, row->result, row->reason, &words);
	clock_write_iso(row->ended, iso);
	const char *id = *s->archive_url ? url
	                                 : arena_printf(a, "tag:%s,%.10s:board/%" PRId64, s->host,
	                                                iso, row->board);
	json_array_append_new(f->entries,
	                      json_pack("{s:s, s:s, s:s, s:s, s:s}", "title",
	                                arena_printf(a, "%s: %s against %s", rules_title(row->game),
	                                             row->players[0], row->players[1]),
	                                "url", url, "id", id, "updated", iso, "words", text));
	if (row->ended > f->updated)
		f->updated = row->ended;
	return 0;
}

/* Names, and where the feed and its page are. */
static json_t *context_of(struct atom_feed *f, const char *heading, const char *folder)
{
	struct arena *a = &f->arena;
	const struct site *s = f->site;
	char iso[CLOCK_ISO_SIZE];
	json_t *c = json_pack("{s:s, s:s, s:O}", "up", f->up, "heading", heading, "entries",
	                      f->entries);

	clock_write_iso(f->updated, iso);
	json_object_set_new(c, "updated", json_string(iso));
	if (*s->archive_url) {
		const char *base = arena_printf(a, "%s/%s", s->archive_url, folder);

		json_object_set_new(c, "id", json_string(base));
		json_object_set_new(c, "page", json_string(arena_printf(a, "%sindex.html", base)));
		json_object_set_new(c, "self", json_string(arena_printf(a, "%sfeed.xml", base)));
	} else {
		json_object_set_new(
			c, "id",
			json_string(arena_printf(a, "tag:%s,2026:archive/%s", s->host, folder)));
		json_object_set_new(c, "page", json_string("index.html"));
	}
	return c;
}

int feed_write(struct site *site, const struct list_name *l, struct err *e)
{
	const struct finished_place top = { INT64_MAX, INT64_MAX };
	struct atom_feed f = { .site = site, .up = "", .entries = json_array() };
	const char *folder = "",
		   *heading = arena_printf(&f.arena, "Games at %s", archive_site_name(site));
	int rc;

	if (strcmp(l->kind, "all") == 0) {
		rc = store_finished(site->store, NULL, NULL, top, 0, ENTRIES, add_entry, &f, e);
	} else {
		f.up = l->up;
		folder = arena_printf(&f.arena, "%s/", l->folder);
		heading = arena_printf(&f.arena, "%s: games at %s", l->heading,
		                       archive_site_name(site));
		rc = list_games(site, l, top, ENTRIES, add_entry, &f, e);
	}
	if (rc == 0)
		rc = archive_write(site, arena_printf(&f.arena, "%sfeed.xml", folder),
		                   "archive/feed.xml", context_of(&f, heading, folder), e);
	json_decref(f.entries);
	arena_release(&f.arena);
	return rc;
}
