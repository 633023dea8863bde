#include "pbm/archive/pages/help_html.h"

#include <stdio.h>
#include <string.h>

#include "games/variants/registry.h"
#include "pbm/commands/help/help_board.h"
#include "pbm/text/markdown_html.h"
#include "pbm/text/template.h"

#define PAGE_MAX (1024 * 1024)
#define FENCE "```"
#define MARK '\x01' /* around the number of a figure, in the Markdown and the HTML */
#define FIGURES_MAX 100

struct figures {
	size_t n;
	const char *v[FIGURES_MAX];
};

/* Copies the page with a paragraph in the place of each block that becomes a figure. */
static void take_figures(struct help_source *h, struct figures *f, struct str *out)
{
	const char *page = h->markdown, *open, *close;

	while ((open = strstr(page, FENCE)) && (close = help_block_end(open))) {
		AUTO(str_release) struct str figure = str_heap(PAGE_MAX);

		str_add_n(out, page, (size_t)(open - page));
		page = close + strlen(FENCE);
		if ((open == h->markdown || open[-1] == '\n') && f->n < FIGURES_MAX &&
		    help_html_figure(h, open, close, &figure)) {
			str_addf(out, "\n%c%zu%c\n", MARK, f->n, MARK);
			f->v[f->n++] = arena_strdup(h->arena, figure.data);
		} else {
			str_add_n(out, open, (size_t)(page - open));
		}
	}
	str_add(out, page);
}

/* Copies HTML with the figures in the place of their paragraphs. */
static void put_figures(const struct figures *f, const char *html, struct str *out)
{
	static const char opening[] = { '<', 'p', '>', MARK, '\0' };
	static const char closing[] = { MARK, '<', '/', 'p', '>', '\0' };
	const char *at, *end;
	size_t i;

	while ((at = strstr(html, opening)) && (end = strstr(at, closing))) {
		str_add_n(out, html, (size_t)(at - html));
		if (sscanf(at + strlen(opening), "%zu", &i) == 1 && i < f->n)
			str_add(out, f->v[i]);
		html = end + strlen(closing);
	}
	str_add(out, html);
}

/* Appends the address of the page on a topic, below the archive's folder:
 * "help/de/draw.html", "rules/suicide.html".  False: there is none. */
static bool help_html_address(const struct site *site, const struct language *l, const char *topic,
                              struct str *out)
{
	AUTO(arena_release) struct arena a = { 0 };
	const char *code = l ? arena_printf(&a, "%s/", language_code(l)) : "";
	const struct rules *rules = rules_find(topic, strlen(topic), NULL);
	bool found = true;

	if (strcmp(topic, "index") == 0 || strcmp(topic, "commands") == 0 ||
	    template_text(site->template_dir, arena_printf(&a, "help/%s.md", topic)))
		str_addf(out, "help/%s%s.html", code, topic);
	else if (strcmp(topic, "games") == 0)
		str_addf(out, "help/%sindex.html#rules", code);
	else if (rules)
		str_addf(out, "rules/%s%s.html", code, rules->name);
	else if (template_text(site->template_dir, arena_printf(&a, "help/set/%s.md", topic)))
		str_addf(out, "help/%sset-%s.html", code, topic);
	else
		found = false;
	return found;
}

/* Copies HTML with a link around each command that asks for a help page. */
static void link_commands(const struct help_source *h, const char *html, struct str *out)
{
	static const char opening[] = "<code>help ", closing[] = "</code>";
	const char *at;

	while ((at = strstr(html, opening))) {
		const char *word = at + strlen(opening);
		size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-");
		char topic[40], address[100];
		struct str s = STR_FIXED(address);

		snprintf(topic, sizeof topic, "%.*s", (int)n, word);
		str_add_n(out, html, (size_t)(at - html));
		html = word + n;
		if (n && n < sizeof topic && strncmp(html, closing, strlen(closing)) == 0 &&
		    help_html_address(h->site, h->language, topic, &s)) {
			html += strlen(closing);
			str_addf(out, "<a href=\"%s%s\">%s%s%s</a>", h->up, address, opening, topic,
			         closing);
		} else {
			str_add_n(out, at, (size_t)(html - at));
		}
	}
	str_add(out, html);
}

int help_html(struct help_source *h, struct str *out, struct err *e)
{
	struct figures f = { 0 };
	AUTO(str_release) struct str md = str_heap(PAGE_MAX);
	AUTO(str_release) struct str plain = str_heap(PAGE_MAX);
	AUTO(str_release) struct str drawn = str_heap(PAGE_MAX);

	if (strchr(h->markdown, MARK))
		return err_set(e, ERR_BAD, "the page has a control character");
	take_figures(h, &f, &md);
	int rc = markdown_html(md.data, &plain, e);
	if (rc == 0) {
		put_figures(&f, plain.data, &drawn);
		link_commands(h, drawn.data, out);
	}
	return rc;
}
