#include "pbm/archive/pages/statics.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "pbm/text/language.h"
#include "pbm/text/template.h"

#define FOLDER "static/"
#define WORDS FOLDER "archive.js" /* of a language, for language.js */
#define HASH_BYTES 8              /* of the 32 of BLAKE2b; written in hexadecimal */

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
	AUTO(arena_release) struct arena a = { 0 };
	unsigned char hash[crypto_generichash_BYTES];
	char hex[2 * HASH_BYTES + 1];
	const char *ending = strrchr(name, '.');

	crypto_generichash(hash, sizeof hash, (const unsigned char *)text, strlen(text), NULL, 0);
	sodium_bin2hex(hex, sizeof hex, hash, HASH_BYTES);
	return mem_strdup(arena_printf(&a, FOLDER "%s%s", hex, ending ? ending : ""));
}

/* The address of a template: of "static/site.css" or "de/static/archive.js". */
static const char *url_of(const struct site *site, const char *name)
{
	const char *text = template_text(site->template_dir, name);
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

const char *static_url(const struct site *site, const char *name)
{
	AUTO(arena_release) struct arena a = { 0 };

	return url_of(site, arena_printf(&a, FOLDER "%s", name));
}

#define CODES_MAX 20

struct codes {
	size_t n;
	char list[CODES_MAX][LANGUAGE_CODE_MAX + 1];
};

static void add_code(const char *code, void *arg)
{
	struct codes *c = arg;

	if (c->n < CODES_MAX)
		snprintf(c->list[c->n++], sizeof c->list[0], "%s", code);
}

/* The languages that have words for the pages: [{"code", "name", "url"}]. */
static json_t *make_languages(const struct site *site)
{
	struct codes codes = { 0 };
	json_t *all = json_array();

	language_each(site->template_dir, add_code, &codes);
	for (size_t i = 0; i < codes.n; i++) {
		AUTO(arena_release) struct arena a = { 0 };
		const struct language *l;
		const char *url = url_of(site, arena_printf(&a, "%s/" WORDS, codes.list[i]));

		if (url && language_find(site->template_dir, codes.list[i], &l))
			json_array_append_new(all,
			                      json_pack("{s:s, s:s, s:s}", "code", codes.list[i],
			                                "name", language_name(l), "url", url));
	}
	return all;
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
		{ "language_js", "language.js" },
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
	json_object_set_new(o, "languages", make_languages(site));
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

/* A template of that name, if there is one. */
static int write_one(struct site *site, const char *name, struct archive_report *r)
{
	const char *text = template_text(site->template_dir, name);
	struct err why = { 0 };

	if (!text || archive_write_bytes(site, url_of(site, name), text, strlen(text), &why) == 0)
		return 0;
	archive_count_failure(r, name, &why);
	return why.code;
}

int statics_write(struct site *site, struct archive_report *r)
{
	struct codes codes = { 0 };
	int rc = 0;

	for (const struct embedded_file *f = embedded_files; f->name; f++) {
		int one = strncmp(f->name, FOLDER, strlen(FOLDER)) == 0
		                  ? write_one(site, f->name, r)
		                  : 0;

		rc = rc < 0 ? rc : one;
	}
	language_each(site->template_dir, add_code, &codes);
	for (size_t i = 0; i < codes.n; i++) {
		AUTO(arena_release) struct arena a = { 0 };
		int one = write_one(site, arena_printf(&a, "%s/" WORDS, codes.list[i]), r);

		rc = rc < 0 ? rc : one;
	}
	return rc;
}
