#include "pbm/archive/pages/feeds.h"

#include <string.h>

#include "pbm/archive/pages/pages.h"

#define ENTRIES 30

static json_t *first_of(const json_t *rows)
{
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(rows) && i < ENTRIES; i++)
		json_array_append(list, json_array_get(rows, i));
	return list;
}

/* A list has at least one game; its newest one ended last. */
static const char *updated_of(const json_t *rows)
{
	const json_t *ended = json_object_get(json_array_get(rows, 0), "ended");
	const char *iso = json_string_value(json_object_get(ended, "iso"));

	return iso ? iso : "1970-01-01T00:00:00Z";
}

/* Addresses of the feed, its page and its games. base: begins the games' addresses; tag: their
 * ids, if the addresses are none. */
static json_t *context_of(const struct site *s, struct arena *a, const char *up, const char *folder)
{
	if (!*s->conf.archive_url)
		return json_pack("{s:s, s:s, s:s, s:s}", "base", up, "tag",
		                 arena_printf(a, "tag:%s", s->conf.host), "id",
		                 arena_printf(a, "tag:%s,2026:archive/%s", s->conf.host, folder),
		                 "page", "index.html");
	const char *base = arena_printf(a, "%s/", s->conf.archive_url);
	const char *id = arena_printf(a, "%s%s", base, folder);

	return json_pack("{s:s, s:s, s:s, s:s}", "base", base, "id", id, "page",
	                 arena_printf(a, "%sindex.html", id), "self",
	                 arena_printf(a, "%sfeed.xml", id));
}

int feed_write(struct site *site, const struct list_name *l, const json_t *rows, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	const char *name = archive_site_name(site), *up = "", *folder = "";
	const char *heading = arena_printf(&a, "Games at %s", name);

	if (strcmp(l->kind, "all") != 0) {
		up = l->up;
		folder = arena_printf(&a, "%s/", l->folder);
		heading = arena_printf(&a, "%s: games at %s", l->heading, name);
	}
	json_t *c = context_of(site, &a, up, folder);
	json_object_set_new(c, "heading", json_string(heading));
	json_object_set_new(c, "updated", json_string(updated_of(rows)));
	json_object_set_new(c, "entries", first_of(rows));
	return archive_write(site, arena_printf(&a, "%sfeed.xml", folder), "archive/feed.xml", c,
	                     e);
}
