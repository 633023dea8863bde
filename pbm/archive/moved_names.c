#include "pbm/archive/moved_names.h"

#include <jansson.h>

#include "pbm/archive/pages/pages.h"
#include "pbm/archive/pages/player_page.h"
#include "pbm/base/mem.h"
#include "store/document/keys.h"
#include "store/store_counts.h"
#include "store/store_documents.h"
#include "store/store_player_lists.h"

struct leading {
	struct site *site;
	struct arena arena;
	const char *key, *heading; /* of the player */
	struct err *err;
};

static int lead_on(const char *name, void *arg)
{
	struct leading *l = arg;
	const char *to = arena_printf(&l->arena, "../%s/index.html", l->key);

	return archive_write(
		l->site, arena_printf(&l->arena, "player/%s/index.html", name),
		"archive/moved.html",
		json_pack("{s:s, s:s, s:s}", "up", "../../", "heading", l->heading, "to", to),
		l->err);
}

int moved_names_write(struct site *site, const char *key, struct err *e)
{
	struct leading l = { .site = site, .key = key, .err = e };

	l.heading = player_page_userid(site, &l.arena, key);
	int rc = store_renamed_to(site->store, key, lead_on, &l, e);
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
