#include "pbm/archive/pages/statics.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/archive/pages/pages.h"
#include "pbm/base/mem.h"
#include "pbm/text/template.h"

#define FOLDER "static/"
#define HASH_BYTES 8 /* of the 32 of BLAKE2b; written in hexadecimal */

/* The addresses of this process.  A template's text stays where it is as long as the
 * process lives. */
struct address {
	struct address *next;
	const char *text;
	char *url;
};
static struct address *addresses;

static char *make_url(const char *text, const char *name)
{
	struct arena a = { 0 };
	unsigned char hash[crypto_generichash_BYTES];
	char hex[2 * HASH_BYTES + 1];
	const char *ending = strrchr(name, '.');

	crypto_generichash(hash, sizeof hash, (const unsigned char *)text, strlen(text), NULL, 0);
	sodium_bin2hex(hex, sizeof hex, hash, HASH_BYTES);
	char *url = mem_strdup(arena_printf(&a, FOLDER "%s%s", hex, ending ? ending : ""));
	arena_release(&a);
	return url;
}

static const char *text_of(const struct site *site, const char *name)
{
	struct arena a = { 0 };
	const char *text = template_text(site->template_dir, arena_printf(&a, FOLDER "%s", name));

	arena_release(&a);
	return text;
}

const char *static_url(const struct site *site, const char *name)
{
	const char *text = text_of(site, name);
	struct address *at = addresses;

	if (!text)
		return NULL;
	while (at && at->text != text)
		at = at->next;
	if (!at) {
		at = mem_alloc(sizeof *at);
		*at = (struct address){ addresses, text, make_url(text, name) };
		addresses = at;
	}
	return at->url;
}

static json_t *make_urls(const struct site *site)
{
	static const struct {
		const char *key, *name;
	} files[] = {
		{ "css", "site.css" },
		{ "game_js", "game.js" },
		{ "live_js", "live.js" },
		{ "live_css", "live.css" },
		{ "search_js", "search.js" },
		{ "board_js", "chessground.js" },
		{ "board_css", "chessground.css" },
		{ "logo", "logo.svg" },
	};
	json_t *o = json_object();

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const char *url = static_url(site, files[i].name);

		if (url)
			json_object_set_new(o, files[i].key, json_string(url));
	}
	return o;
}

/* Every page asks for them. */
json_t *static_urls(const struct site *site)
{
	static char *dir;
	static json_t *urls;

	if (!urls || strcmp(dir, site->template_dir) != 0) {
		free(dir);
		json_decref(urls);
		dir = mem_strdup(site->template_dir);
		urls = make_urls(site);
	}
	return json_incref(urls);
}

int statics_write(struct site *site, struct archive_report *r)
{
	int rc = 0;

	for (const struct embedded_file *f = embedded_files; f->name; f++) {
		if (strncmp(f->name, FOLDER, strlen(FOLDER)) != 0)
			continue;
		const char *name = f->name + strlen(FOLDER), *text = text_of(site, name);
		const char *url = static_url(site, name);
		struct err why = { 0 };

		if (archive_write_bytes(site, url, text, strlen(text), &why) == 0)
			continue;
		archive_count_failure(r, f->name, &why);
		rc = rc < 0 ? rc : why.code;
	}
	return rc;
}
