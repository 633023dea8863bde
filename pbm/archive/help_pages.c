#include "pbm/archive/help_pages.h"

#include <jansson.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/archive/pages/drawings.h"
#include "pbm/archive/pages/help_html.h"
#include "pbm/archive/pages/pages.h"
#include "pbm/archive/pages/statics.h"
#include "pbm/commands/help/help.h"
#include "pbm/commands/words/command.h"
#include "pbm/people/settings.h"
#include "pbm/text/template.h"

#define PAGE_MAX (1024 * 1024)
#define LANGUAGES_MAX 50

/* All pages in one language. */
struct help_pages {
	struct site *site;
	struct arena a;
	const struct language *language;
	const char *codes[LANGUAGES_MAX]; /* of all languages */
	size_t code_count;
	struct archive_report *r;
	int rc; /* of the first failure */
};

/* The folder below help/ and rules/: "" or "de/". */
static const char *folder_of(struct help_pages *p, const struct language *l)
{
	return l ? arena_printf(&p->a, "%s/", language_code(l)) : "";
}

/* The language's text in sentences.json for an English text. */
static const char *say(struct help_pages *p, const char *english)
{
	struct str s = str_in(&p->a, PAGE_MAX);

	language_say(p->language, english, &s);
	return s.data;
}

/* "Suicide chess" of a page that begins with "# Suicide chess". */
static const char *title_of(struct help_pages *p, const char *markdown)
{
	markdown += strspn(markdown, "# ");
	return arena_strndup(&p->a, markdown, strcspn(markdown, "\n"));
}

/* The page in the other languages: [{"code", "name", "url"}]. */
static json_t *others_json(struct help_pages *p, const char *room, const char *file)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->code_count; i++) {
		const struct language *l;

		if (!language_find(p->site->template_dir, p->codes[i], &l) || l == p->language)
			continue;
		json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "code", p->codes[i],
		                                      "name", language_name(l), "url",
		                                      arena_printf(&p->a, "%s/%s%s", room,
		                                                   folder_of(p, l), file)));
	}
	return list;
}

static int render(struct help_pages *p, const char *path, json_t *context, struct err *e)
{
	AUTO(str_release) struct str s = str_heap(PAGE_MAX);

	int rc = template_render_in(p->site->template_dir, p->language, "archive/help.html",
	                            context, &s, e);
	if (rc == 0)
		rc = archive_write_bytes(p->site, path, s.data, s.len, e);
	json_decref(context);
	return rc;
}

/* Writes a page: room is "help" or "rules", file "draw.html"; body is HTML. */
static void write_page(struct help_pages *p, const char *room, const char *file, const char *title,
                       const struct str *body, const struct help_source *h)
{
	const char *up = p->language ? "../../" : "../";
	const char *path = arena_printf(&p->a, "%s/%s%s", room, folder_of(p, p->language), file);
	json_t *c = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:b}", "up", up, "host",
	                      p->site->conf.host, "language", language_code(p->language), "title",
	                      title, "body", body->data, "index",
	                      arena_printf(&p->a, "help/%sindex.html", folder_of(p, p->language)),
	                      "playable", h && h->games);
	struct err why = { 0 };

	json_object_set_new(c, "site", json_string(archive_site_name(p->site)));
	json_object_set_new(c, "static", static_urls(p->site));
	json_object_set_new(c, "others", others_json(p, room, file));
	json_object_set_new(c, "men", h && h->drawn ? drawings_men(p->site, up) : json_null());
	int rc = render(p, path, c, &why);
	if (rc < 0) {
		archive_count_failure(p->r, path, &why);
		p->rc = p->rc < 0 ? p->rc : rc;
	}
}

/* Links a page of rules to its game, below the heading. */
static int add_seek(struct help_pages *p, const struct rules *rules, struct str *body,
                    struct err *e)
{
	const char *end = strstr(body->data, "</h1>\n"), *head = "";
	json_auto_t *c = json_pack("{s:s, s:s}", "game", rules->name, "address", p->site->address);
	AUTO(str_release) struct str s = str_heap(PAGE_MAX);

	if (end)
		head = arena_strndup(&p->a, body->data,
		                     (size_t)(end + strlen("</h1>\n") - body->data));
	const char *rest = arena_strdup(&p->a, body->data + strlen(head));
	str_add(&s, head);
	int rc = template_render_in(p->site->template_dir, p->language, "archive/help-seek.html", c,
	                            &s, e);
	str_add(&s, rest);
	str_clear(body);
	str_add(body, s.data);
	return rc;
}

static void write_markdown(struct help_pages *p, const char *room, const char *file,
                           const char *markdown, const struct rules *rules)
{
	struct help_source h = {
		.site = p->site,
		.arena = &p->a,
		.language = p->language,
		.up = p->language ? "../../" : "../",
		.markdown = markdown,
		.rules = rules,
	};
	struct err why = { 0 };
	AUTO(str_release) struct str body = str_heap(PAGE_MAX);

	int rc = help_html(&h, &body, &why);
	if (rc == 0 && rules)
		rc = add_seek(p, rules, &body, &why);
	if (rc == 0) {
		write_page(p, room, file, title_of(p, markdown), &body, &h);
	} else {
		archive_count_failure(p->r, file, &why);
		p->rc = p->rc < 0 ? p->rc : rc;
	}
}

/* The page on a setting, and its values. */
static const char *add_values(struct help_pages *p, const char *markdown, const char *name)
{
	struct err why = { 0 };
	const struct setting *v = setting_find(name, &why);

	if (!v)
		return markdown;
	const char *right = arena_printf(&p->a, "Right values: %s.", v->right);
	const char *usual = arena_printf(&p->a, "The usual value: %s.",
	                                 *v->standard ? v->standard : "none");

	return arena_printf(&p->a, "%s\n%s\n\n%s\n", markdown, say(p, right), say(p, usual));
}

static const char *setting_summary(struct help_pages *p, const char *name)
{
	const struct setting *v = setting_find(name, NULL);

	return v ? say(p, v->help) : "";
}

/* The lists of the index. */
struct lists {
	json_t *pages, *rules, *settings;
};

/* The pages in the order in which players need them; others follow. */
static const char *const order[] = {
	"start",    "members",     "playing",   "moves",  "ifs",       "draw",       "undo",
	"time",     "vacation",    "challenge", "seek",   "computers", "formulas",   "watching",
	"rating",   "tournaments", "teams",     "ladder", "settings",  "digest",     "multiple",
	"identity", "privacy",     "leaving",   "faq",    "directors", "moderators", "accounts",
};
#define ORDERED (sizeof order / sizeof *order)

static bool is_ordered(const char *name)
{
	for (size_t i = 0; i < ORDERED; i++) {
		size_t n = strlen(order[i]);

		if (strncmp(name, order[i], n) == 0 && strcmp(name + n, ".md") == 0)
			return true;
	}
	return false;
}

/* Writes the page of a built-in file "help/…" and adds it to its list. */
static void write_file(struct help_pages *p, const char *name, struct lists *lists)
{
	const char *md = template_text_in(p->site->template_dir, p->language, name);
	const char *topic = strrchr(name, '/') + 1;
	int n = (int)strcspn(topic, ".");
	const char *room = "help", *file = arena_printf(&p->a, "%.*s.html", n, topic);
	const struct rules *rules = NULL;
	json_t *list = lists->pages;
	const char *title = NULL, *summary = "";

	if (!md)
		return;
	if (strncmp(name, "help/games/", 11) == 0) {
		rules = rules_find(topic, (size_t)n, NULL);
		summary = rules ? say(p, rules->summary) : "";
		room = "rules";
		list = lists->rules;
	} else if (strncmp(name, "help/set/", 9) == 0) {
		title = arena_strndup(&p->a, topic, (size_t)n);
		summary = setting_summary(p, title);
		md = add_values(p, md, title);
		file = arena_printf(&p->a, "set-%s", file);
		list = lists->settings;
	}
	write_markdown(p, room, file, md, rules);
	json_array_append_new(
		list,
		json_pack("{s:s, s:s, s:s}", "title", title ? title : title_of(p, md), "url",
	                  arena_printf(&p->a, "%s/%s%s", room, folder_of(p, p->language), file),
	                  "summary", summary));
}

/* The text of a body's <h1>. */
static const char *heading_of(struct help_pages *p, const char *body)
{
	const char *at = strstr(body, "<h1>"), *end = at ? strstr(at, "</h1>") : NULL;

	return end ? arena_strndup(&p->a, at + 4, (size_t)(end - at - 4)) : p->site->conf.host;
}

/* Writes a page whose body is a template. */
static void write_made(struct help_pages *p, const char *file, const char *template,
                       json_t *context)
{
	struct err why = { 0 };
	AUTO(str_release) struct str body = str_heap(PAGE_MAX);

	int rc = template_render_in(p->site->template_dir, p->language, template, context, &body,
	                            &why);
	if (rc == 0)
		write_page(p, "help", file, heading_of(p, body.data), &body, NULL);
	else
		archive_count_failure(p->r, file, &why);
	p->rc = p->rc < 0 ? p->rc : rc;
	json_decref(context);
}

static json_t *group_json(struct help_pages *p, size_t group)
{
	json_t *list = json_array();

	for (size_t t = 0; command_tables[t]; t++)
		for (const struct command *c = command_tables[t]; c->word; c++)
			if (c->group == group)
				json_array_append_new(list,
				                      json_pack("{s:s, s:s}", "usage", c->usage,
				                                "help", say(p, c->help)));
	return json_pack("{s:s, s:o}", "title", say(p, help_group_title(group)), "commands", list);
}

static void write_commands(struct help_pages *p)
{
	json_t *groups = json_array();

	for (size_t g = 0; g < GROUPS; g++)
		json_array_append_new(groups, group_json(p, g));
	write_made(p, "commands.html", "archive/help-commands.html",
	           json_pack("{s:o}", "groups", groups));
}

static void write_language(struct help_pages *p)
{
	struct lists lists = { json_array(), json_array(), json_array() };

	for (size_t i = 0; i < ORDERED; i++)
		write_file(p, arena_printf(&p->a, "help/%s.md", order[i]), &lists);
	for (const struct embedded_file *f = embedded_files; f->name; f++)
		if (strncmp(f->name, "help/", 5) == 0 && !is_ordered(f->name + 5))
			write_file(p, f->name, &lists);
	write_commands(p);
	write_made(p, "index.html", "archive/help-index.html",
	           json_pack("{s:s, s:s, s:o, s:o, s:o}", "up", p->language ? "../../" : "../",
	                     "commands",
	                     arena_printf(&p->a, "help/%scommands.html", folder_of(p, p->language)),
	                     "pages", lists.pages, "rules", lists.rules, "settings",
	                     lists.settings));
}

static void add_language(const char *code, void *arg)
{
	struct help_pages *p = arg;

	/* A language without help pages of its own would have English ones. */
	const char *own = arena_printf(&p->a, "%s/help/start.md", code);
	bool english = strcmp(code, LANGUAGE_ENGLISH) == 0;
	if (p->code_count < LANGUAGES_MAX && (english || template_text(p->site->template_dir, own)))
		p->codes[p->code_count++] = arena_strdup(&p->a, code);
}

int help_pages_write(struct site *site, struct archive_report *r)
{
	struct help_pages p = { .site = site, .r = r };

	language_each(site->template_dir, add_language, &p);
	for (size_t i = 0; i < p.code_count; i++)
		if (language_find(site->template_dir, p.codes[i], &p.language))
			write_language(&p);
	arena_release(&p.a);
	return p.rc;
}
