#include "pbm/archive/old_pages.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/archive/pages/pages.h"
#include "pbm/archive/pages/player_page.h"
#include "pbm/base/mem.h"
#include "store/document/keys.h"
#include "store/store_counts.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"

#define SMALL_PAGE 4096 /* no page that leads on is larger */

static int lead_on(struct site *site, const char *name, const char *up, const char *heading,
                   const char *folder, struct err *e)
{
	return archive_write(site, name, "archive/moved.html",
	                     json_pack("{s:s, s:s, s:s}", "up", up, "heading", heading, "to",
	                               PRINTED(300, "../%.250s/index.html", folder)),
	                     e);
}

static int lead_to_list(struct site *site, const char *name, const struct list_name *l,
                        struct err *e)
{
	return lead_on(site, name, "../", l->heading, l->folder, e);
}

/* Does the page lead to another one already? */
static bool is_moved(struct site *site, const char *name)
{
	AUTO(mem_free) char *text = NULL;
	size_t n;

	if (archive_read(site, name, SMALL_PAGE, &text, &n, NULL) < 0)
		return false;
	return strstr(text, "http-equiv=\"refresh\"") != NULL;
}

/* The page without a number is the last one: if it leads to another, all do. */
int old_pages_replace(struct site *site, const struct list_name *l, struct err *e)
{
	static const char *const kinds[] = { "player", "game", "month" };
	AUTO(arena_release) struct arena a = { 0 };
	const char *first = arena_printf(&a, "%s.html", l->folder);
	const char *standings = arena_printf(&a, "standings/%s.html", l->key);
	bool had = false;
	int rc = 0;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		had |= strcmp(l->kind, kinds[i]) == 0;
	had = had && archive_has(site, first) && !is_moved(site, first);
	for (int number = 1; had && rc == 0; number++) {
		const char *name = arena_printf(&a, "%s.%d.html", l->folder, number);

		if (!archive_has(site, name))
			break;
		rc = lead_to_list(site, name, l, e);
	}
	if (had && rc == 0 && strcmp(l->kind, "game") == 0 && archive_has(site, standings))
		rc = lead_to_list(site, standings, l, e);
	if (had && rc == 0)
		rc = lead_to_list(site, first, l, e);
	return rc;
}

/* Removes "player/alice.1.html", "player/alice.2.html" and so on. */
static int remove_numbered(struct site *site, struct arena *a, const char *name, const char *ending,
                           struct err *e)
{
	for (int number = 1;; number++) {
		const char *file = arena_printf(a, "%s.%d.%s", name, number, ending);

		if (!archive_has(site, file))
			return 0;
		int rc = archive_remove(site, file, e);
		if (rc < 0)
			return rc;
	}
}

int old_pages_remove_player(struct site *site, const char *key, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	const char *pages = arena_printf(&a, "player/%s", key);
	const char *shards = arena_printf(&a, "search/player/%s", key);
	int rc = archive_remove(site, arena_printf(&a, "%s.html", pages), e);

	if (rc == 0)
		rc = remove_numbered(site, &a, pages, "html", e);
	if (rc == 0)
		rc = archive_remove(site, arena_printf(&a, "%s.js", shards), e);
	if (rc == 0)
		rc = remove_numbered(site, &a, shards, "js", e);
	return rc == 0 ? archive_remove_folder(site, pages, e) : rc;
}

struct leading {
	struct site *site;
	struct arena arena;
	const char *key, *heading; /* of the player */
	struct err *err;
};

static int lead_to_player(const char *name, void *arg)
{
	struct leading *l = arg;

	return lead_on(l->site, arena_printf(&l->arena, "player/%s/index.html", name), "../../",
	               l->heading, l->key, l->err);
}

int moved_names_write(struct site *site, const char *key, struct err *e)
{
	struct leading l = { .site = site, .key = key, .err = e };

	l.heading = player_page_userid(site, &l.arena, key);
	int rc = store_renamed_to(site->store, key, lead_to_player, &l, e);
	arena_release(&l.arena);
	return rc;
}

int moved_name_restore(struct site *site, const char *key, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	struct player_doc p;
	char to[KEY_USERID_MAX + 1];
	int64_t n = 0;
	int rc = 0;

	if (store_player_at(site->store, &a, key, &p, NULL) == 0 && p.renamed &&
	    key_fold(p.renamed, to, sizeof to)) {
		rc = store_count(site->store, arena_printf(&a, "player:%s", to), &n, e);
		if (rc == 0 && n > 0)
			rc = moved_names_write(site, to, e);
	}
	return rc;
}
