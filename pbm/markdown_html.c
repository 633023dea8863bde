#include <md4c.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "pbm/html.h"
#include "pbm/markdown.h"
#include "pbm/markdown_entity.h"

#define INPUT_MAX (1024 * 1024)
#define NESTING_MAX 100

struct html {
	struct str *out;
	size_t images;             /* inside of ![…]: its text only */
	size_t nesting;
	struct err *e;
};

/* What is written before and behind each block and span; NULL where it takes
 * more than a fixed text, or nothing. */
struct markup { const char *open, *close; };
static const struct markup blocks[] = {
	[MD_BLOCK_QUOTE] = { "<blockquote>\n", "</blockquote>\n" },
	[MD_BLOCK_UL] = { "<ul>\n", "</ul>\n" },
	[MD_BLOCK_OL] = { NULL, "</ol>\n" },
	[MD_BLOCK_LI] = { "<li>", "</li>\n" },
	[MD_BLOCK_HR] = { "<hr>\n", NULL },
	[MD_BLOCK_CODE] = { NULL, "</code></pre>\n" },
	[MD_BLOCK_P] = { "<p>", "</p>\n" },
	[MD_BLOCK_TABLE] = { "<table>\n", "</table>\n" },
	[MD_BLOCK_THEAD] = { "<thead>\n", "</thead>\n" },
	[MD_BLOCK_TBODY] = { "<tbody>\n", "</tbody>\n" },
	[MD_BLOCK_TR] = { "<tr>", "</tr>\n" },
	[MD_BLOCK_TH] = { NULL, "</th>" },
	[MD_BLOCK_TD] = { NULL, "</td>" },
};
static const struct markup spans[] = {
	[MD_SPAN_EM] = { "<em>", "</em>" },
	[MD_SPAN_STRONG] = { "<strong>", "</strong>" },
	[MD_SPAN_A] = { NULL, "</a>" },
	[MD_SPAN_CODE] = { "<code>", "</code>" },
};

static const struct markup *markup_of(const struct markup *table, size_t n, size_t type)
{
	static const struct markup none = { NULL, NULL };

	return type < n ? &table[type] : &none;
}

static void add_if(struct str *out, const char *text)
{
	if (text)
		str_add(out, text);
}

static void add_entity(struct str *out, const char *entity, size_t n)
{
	char buf[64];
	struct str s = STR_FIXED(buf);

	entity_write(&s, entity, n);
	html_escape(out, s.data, s.len);
}

static void add_attribute(struct str *out, const MD_ATTRIBUTE *a)
{
	for (size_t i = 0; a->size && a->substr_offsets[i] < a->size; i++) {
		const char *s = a->text + a->substr_offsets[i];
		size_t n = a->substr_offsets[i + 1] - a->substr_offsets[i];

		if (a->substr_types[i] == MD_TEXT_ENTITY)
			add_entity(out, s, n);
		else if (a->substr_types[i] == MD_TEXT_NORMAL)
			html_escape(out, s, n);
	}
}

/* Relative, or with a scheme that runs nothing.  An entity could hide a colon,
 * so an address that has one must be plain up to there. */
static bool is_harmless(const MD_ATTRIBUTE *a)
{
	static const char *const schemes[] = { "http:", "https:", "mailto:" };
	size_t plain = 0;

	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		size_t n = strlen(schemes[i]);

		if (a->size >= n && strncasecmp(a->text, schemes[i], n) == 0)
			return true;
	}
	while (plain < a->size && !strchr(":&/?#", a->text[plain]))
		plain++;
	return plain == a->size || (a->text[plain] != ':' && a->text[plain] != '&');
}

static void open_link(struct html *h, const MD_SPAN_A_DETAIL *a)
{
	str_add(h->out, "<a");
	if (is_harmless(&a->href)) {
		str_add(h->out, " href=\"");
		add_attribute(h->out, &a->href);
		str_add(h->out, "\"");
	}
	str_add(h->out, ">");
}

static void open_code(struct html *h, const MD_BLOCK_CODE_DETAIL *code)
{
	str_add(h->out, "<pre><code");
	if (code->lang.size) {
		str_add(h->out, " class=\"language-");
		add_attribute(h->out, &code->lang);
		str_add(h->out, "\"");
	}
	str_add(h->out, ">");
}

static void open_cell(struct html *h, const char *name, MD_ALIGN align)
{
	static const char *const styles[] = {
		[MD_ALIGN_DEFAULT] = "", [MD_ALIGN_LEFT] = "",
		[MD_ALIGN_CENTER] = " style=\"text-align:center\"",
		[MD_ALIGN_RIGHT] = " style=\"text-align:right\"",
	};

	str_addf(h->out, "<%s%s>", name, styles[align]);
}

static void open_numbered(struct html *h, unsigned start)
{
	if (start == 1)
		str_add(h->out, "<ol>\n");
	else
		str_addf(h->out, "<ol start=\"%u\">\n", start);
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *arg)
{
	struct html *h = arg;
	const MD_BLOCK_H_DETAIL *heading = detail;
	const MD_BLOCK_OL_DETAIL *ol = detail;
	const MD_BLOCK_TD_DETAIL *cell = detail;

	if (h->nesting++ == NESTING_MAX)
		return err_set(h->e, ERR_LIMIT, "the page has too many blocks inside each other");
	add_if(h->out, markup_of(blocks, sizeof blocks / sizeof *blocks, type)->open);
	if (type == MD_BLOCK_H)
		str_addf(h->out, "<h%u>", heading->level);
	else if (type == MD_BLOCK_OL)
		open_numbered(h, ol->start);
	else if (type == MD_BLOCK_CODE)
		open_code(h, detail);
	else if (type == MD_BLOCK_TH || type == MD_BLOCK_TD)
		open_cell(h, type == MD_BLOCK_TH ? "th" : "td", cell->align);
	return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *arg)
{
	struct html *h = arg;
	const MD_BLOCK_H_DETAIL *heading = detail;

	h->nesting--;
	add_if(h->out, markup_of(blocks, sizeof blocks / sizeof *blocks, type)->close);
	if (type == MD_BLOCK_H)
		str_addf(h->out, "</h%u>\n", heading->level);
	return 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *arg)
{
	struct html *h = arg;

	if (h->images == 0)
		add_if(h->out, markup_of(spans, sizeof spans / sizeof *spans, type)->open);
	if (h->images == 0 && type == MD_SPAN_A)
		open_link(h, detail);
	h->images += type == MD_SPAN_IMG;
	return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *arg)
{
	struct html *h = arg;

	(void)detail;
	h->images -= type == MD_SPAN_IMG;
	if (h->images == 0)
		add_if(h->out, markup_of(spans, sizeof spans / sizeof *spans, type)->close);
	return 0;
}

static int add_inline(MD_TEXTTYPE type, const MD_CHAR *s, MD_SIZE n, void *arg)
{
	struct html *h = arg;

	if (type == MD_TEXT_BR)
		str_add(h->out, "<br>\n");
	else if (type == MD_TEXT_SOFTBR)
		str_add(h->out, "\n");
	else if (type == MD_TEXT_ENTITY)
		add_entity(h->out, s, n);
	else
		html_escape(h->out, s, n);
	return 0;
}

int markdown_html(const char *md, struct str *out, struct err *e)
{
	static const MD_PARSER parser = {
		.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML,
		.enter_block = enter_block, .leave_block = leave_block,
		.enter_span = enter_span, .leave_span = leave_span, .text = add_inline,
	};
	struct html h = { .out = out, .e = e };
	size_t n = strlen(md), before = out->len;

	if (n > INPUT_MAX)
		return err_set(e, ERR_LIMIT, "the page is longer than %d bytes", INPUT_MAX);
	int rc = md_parse(md, (MD_SIZE)n, &parser, &h);
	if (rc == 0 && out->truncated)
		rc = err_set(e, ERR_LIMIT, "the page would be longer than %zu bytes", out->max);
	if (rc < 0) {
		out->data[out->len = before] = '\0';
		out->truncated = false;
	}
	return rc;
}
