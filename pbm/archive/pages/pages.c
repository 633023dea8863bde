#include <string.h>

#include "pbm/archive/pages/pages.h"
#include "pbm/archive/pages/statics.h"
#include "pbm/text/template.h"
#include "store/document/keys.h"

const char *archive_site_name(const struct site *site)
{
	return strcmp(site->conf.name, SITE_NAME_STANDARD) == 0 ? site->conf.host : site->conf.name;
}

const char *archive_game_path(struct arena *a, int64_t board, const char *ending)
{
	return arena_printf(a, "games/%03lld/%lld.%s", (long long)(board / 1000), (long long)board,
	                    ending);
}

const char *archive_embed_path(struct arena *a, int64_t board)
{
	return arena_printf(a, "embed/%03lld/%lld.html", (long long)(board / 1000),
	                    (long long)board);
}

int archive_write_text(struct site *site, const char *name, const struct str *text, struct err *e)
{
	if (text->truncated)
		return err_set(e, ERR_LIMIT, "it has more than %d bytes", ARCHIVE_PAGE_MAX);
	return archive_write_bytes(site, name, text->data, text->len, e);
}

int archive_write(struct site *site, const char *name, const char *template, json_t *context,
                  struct err *e)
{
	AUTO(str_release) struct str s = str_heap(ARCHIVE_PAGE_MAX);

	json_object_set_new(context, "host", json_string(site->conf.host));
	json_object_set_new(context, "address", json_string(site->address));
	json_object_set_new(context, "site", json_string(archive_site_name(site)));
	json_object_set_new(context, "static", static_urls(site));
	int rc = template_render(site->template_dir, template, context, &s, e);
	if (rc == 0)
		rc = archive_write_text(site, name, &s, e);
	json_decref(context);
	return rc;
}

void archive_player_path(const char *userid, struct str *out)
{
	char key[KEY_USERID_MAX + 1];

	if (key_fold(userid, key, sizeof key))
		str_addf(out, "player/%s/index.html", key);
}

const char *archive_tournament_path(struct arena *a, const char *name)
{
	char key[KEY_USERID_MAX + 1] = "";

	key_fold(name, key, sizeof key);
	return arena_printf(a, "tournament/%s/index.html", key);
}

int archive_write_search(struct site *site, const char *name, json_t *data, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	json_auto_t *key = json_string(name);
	/* ASCII alone: it can't be misread, whatever encoding the page is thought to have. */
	AUTO(mem_free)
	char *text = json_dumps(data, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_SORT_KEYS);
	AUTO(mem_free) char *quoted = json_dumps(key, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
	const char *script = arena_printf(&a, "pbmSearch(%s,%s);\n", quoted, text);
	int rc = archive_write_bytes(site, arena_printf(&a, "search/%s.js", name), script,
	                             strlen(script), e);

	json_decref(data);
	return rc;
}
