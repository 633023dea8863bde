#include "pbm/text/markdown.h"

#include <md4c.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "pbm/text/markdown_entity.h"
#include "pbm/text/markdown_fill.h"
#include "pbm/text/markdown_marker.h"
#include "pbm/text/markdown_table.h"

#define WIDTH_MIN 20
#define WIDTH_MAX 72
#define COLUMNS_MIN 10 /* text keeps so many columns, however deep its block is nested */
#define INPUT_MAX (1024 * 1024)
#define LEVELS_MAX 12
#define BLOCK_MAX (64 * 1024) /* bytes of one paragraph or code block */
#define URL_MAX 2000
#define CODE_KEPT_WHOLE 40 /* code up to this long stays on one line */

/* A quote or a list item: its first line starts with marker, the others with
 * rest. */
struct level {
	char marker[MARKER_SIZE], rest[MARKER_SIZE];
	bool started;
	bool counted; /* marker is a number that was counted, not yet read in the source */
};

struct list {
	bool tight, numbered;
	bool begun;      /* its first item is known */
	bool interrupts; /* no other block stands between a paragraph and the list */
	unsigned next;
};

struct writer {
	const char *source, *source_end;
	struct str *out;
	size_t start, width;
	struct level level[LEVELS_MAX];
	size_t depth;
	struct list list[LEVELS_MAX];
	size_t lists;
	struct str text;     /* of the block or cell being read */
	struct str url;      /* of the link being read */
	size_t link, code;   /* where a link's text, and inline code, starts in text */
	bool gap;            /* a blank line is due before the next line */
	bool in_code;        /* in a code block */
	bool bare, in_cell;  /* in a heading, where code gets no quotation marks; in a cell */
	bool past_paragraph; /* the block that ended last was a paragraph */
	struct table table;
	struct err *e;
};

static int fail_too_large(struct writer *w, const char *what)
{
	return err_set(w->e, ERR_LIMIT, "the page has %s", what);
}

static void trim(struct str *s, size_t from)
{
	while (s->len > from && s->data[s->len - 1] == ' ')
		s->data[--s->len] = '\0';
}

static void write_gap(struct writer *w)
{
	size_t from = w->out->len;

	if (w->gap && from > w->start) {
		for (size_t i = 0; i < w->depth && w->level[i].started; i++)
			str_add(w->out, w->level[i].rest);
		trim(w->out, from);
		str_add_char(w->out, '\n');
	}
	w->gap = false;
}

static void write_line(void *arg, const char *line, size_t n)
{
	struct writer *w = arg;

	write_gap(w);
	size_t from = w->out->len;
	for (size_t i = 0; i < w->depth; i++) {
		struct level *l = &w->level[i];

		str_add(w->out, l->started ? l->rest : l->marker);
		l->started = true;
	}
	fill_write(w->out, line, n);
	trim(w->out, from);
	str_add_char(w->out, '\n');
}

/* The columns that the markers of quotes and lists leave for text. */
static size_t columns_left(const struct writer *w)
{
	size_t used = 0;

	for (size_t i = 0; i < w->depth; i++)
		used += strlen(w->level[i].rest);
	return w->width > used + COLUMNS_MIN ? w->width - used : COLUMNS_MIN;
}

static void flush_text(struct writer *w)
{
	struct filler f = { .at = w->text.data, .width = columns_left(w) };

	while (fill_next(&f))
		write_line(w, f.line, f.n);
	str_clear(&w->text);
}

static void write_heading(struct writer *w, unsigned level)
{
	static const char rules[] = "=-";
	char rule[WIDTH_MAX];
	size_t n = fill_columns(w->text.data, w->text.len);

	flush_text(w);
	if (level > 2)
		return;
	n = n < columns_left(w) ? n : columns_left(w);
	memset(rule, rules[level - 1], n);
	write_line(w, rule, n);
	w->gap = level == 1;
}

static void write_code(struct writer *w)
{
	for (const char *p = w->text.data; *p;) {
		size_t n = strcspn(p, "\n");
		AUTO(str_release) struct str line = str_heap(n + 8);

		str_add(&line, "    ");
		str_add_n(&line, p, n);
		write_line(w, line.data, line.len);
		p += n + (p[n] == '\n');
	}
	str_clear(&w->text);
}

static int push_level(struct writer *w, const char *marker)
{
	if (w->depth == LEVELS_MAX)
		return fail_too_large(w, "too many quotes and lists inside each other");
	struct level *l = &w->level[w->depth++];
	snprintf(l->marker, sizeof l->marker, "%s", marker);
	snprintf(l->rest, sizeof l->rest, "%*s", (int)strlen(l->marker), "");
	l->started = l->counted = false;
	return 0;
}

static int enter_list(struct writer *w, bool tight, bool numbered, unsigned next)
{
	if (w->lists == LEVELS_MAX)
		return fail_too_large(w, "too many lists inside each other");
	w->list[w->lists++] = (struct list){
		.tight = tight,
		.numbered = numbered,
		.interrupts = numbered && w->past_paragraph,
		.next = next,
	};
	return 0;
}

static int enter_item(struct writer *w)
{
	struct list *list = &w->list[w->lists - 1];
	char marker[MARKER_SIZE] = "- ";

	if (list->numbered)
		snprintf(marker, sizeof marker, "%u. ", list->next++ % 1000000000);
	int rc = push_level(w, marker);
	if (rc == 0)
		w->level[w->depth - 1].counted = list->numbered;
	return rc;
}

/* Gives the items that begin at this text their numbers as they were typed.  A
 * list that follows a paragraph's line at once stays without a blank line
 * before it: it may be a sentence that goes on with "1. d4". */
static void read_numbers(struct writer *w, const char *at)
{
	struct list *list = w->lists ? &w->list[w->lists - 1] : NULL;
	size_t back = 0;

	for (size_t i = w->depth; i-- > 0 && !w->level[i].started;) {
		struct level *l = &w->level[i];

		if (!l->counted)
			continue;
		l->counted = false;
		if (!marker_typed(w->source, at, back++, l->marker))
			continue;
		snprintf(l->rest, sizeof l->rest, "%*s", (int)strlen(l->marker), "");
		if (back == 1 && list)
			list->next = (unsigned)strtoul(l->marker, NULL, 10) + 1;
	}
	if (back && list && !list->begun && list->interrupts && marker_follows_text(w->source, at))
		w->gap = false;
	if (list)
		list->begun = true;
}

static int enter_quote(struct writer *w)
{
	int rc = push_level(w, "> ");

	if (rc == 0)
		memcpy(w->level[w->depth - 1].rest, "> ", 3);
	return rc;
}

/* Headings, rules, code and tables get a blank line before them, unless a list
 * item begins with them. */
static void stand_apart(struct writer *w)
{
	w->gap = w->depth == 0 || w->level[w->depth - 1].started;
}

static int open_block(struct writer *w, MD_BLOCKTYPE type, const void *detail)
{
	const MD_BLOCK_UL_DETAIL *ul = detail;
	const MD_BLOCK_OL_DETAIL *ol = detail;
	const MD_BLOCK_TABLE_DETAIL *table = detail;

	switch (type) {
	case MD_BLOCK_QUOTE: return enter_quote(w);
	case MD_BLOCK_UL: return enter_list(w, ul->is_tight, false, 0);
	case MD_BLOCK_OL: return enter_list(w, ol->is_tight, true, ol->start);
	case MD_BLOCK_LI: return enter_item(w);
	case MD_BLOCK_H:
	case MD_BLOCK_HR:
	case MD_BLOCK_CODE: stand_apart(w); return 0;
	case MD_BLOCK_TABLE:
		stand_apart(w);
		return table_start(&w->table, table->col_count)
		               ? 0
		               : fail_too_large(w, "a table of too many columns");
	default: return 0;
	}
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *arg)
{
	struct writer *w = arg;

	/* The text of a tight list's item ends where a block starts in it. */
	if (type != MD_BLOCK_TH && type != MD_BLOCK_TD)
		flush_text(w);
	w->in_code = type == MD_BLOCK_CODE;
	w->bare = type == MD_BLOCK_H;
	w->in_cell = type == MD_BLOCK_TH || type == MD_BLOCK_TD;
	int rc = open_block(w, type, detail);
	w->past_paragraph = false;
	return rc;
}

static void leave_list(struct writer *w)
{
	w->lists--;
	w->gap = w->lists == 0 || !w->list[w->lists - 1].tight;
}

static void leave_item(struct writer *w)
{
	flush_text(w);
	if (!w->level[w->depth - 1].started)
		write_line(w, "", 0);
	w->depth--;
}

static int leave_cell(struct writer *w, const MD_BLOCK_TD_DETAIL *td)
{
	enum table_align align = td->align == MD_ALIGN_RIGHT    ? TABLE_RIGHT
	                         : td->align == MD_ALIGN_CENTER ? TABLE_CENTER
	                                                        : TABLE_LEFT;
	table_quote_code(&w->text);
	bool fits = table_add(&w->table, w->text.data, align);

	str_clear(&w->text);
	return fits ? 0 : fail_too_large(w, "a table of too many cells");
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *arg)
{
	struct writer *w = arg;
	const MD_BLOCK_H_DETAIL *h = detail;

	w->in_code = w->bare = w->in_cell = false;
	w->past_paragraph = type == MD_BLOCK_P;
	switch (type) {
	case MD_BLOCK_QUOTE:
		w->depth--;
		w->gap = true;
		break;
	case MD_BLOCK_UL:
	case MD_BLOCK_OL: leave_list(w); break;
	case MD_BLOCK_LI: leave_item(w); break;
	case MD_BLOCK_HR:
		write_line(w, "----", 4);
		w->gap = true;
		break;
	case MD_BLOCK_H: write_heading(w, h->level); break;
	case MD_BLOCK_CODE:
		write_code(w);
		w->gap = true;
		break;
	case MD_BLOCK_P:
		flush_text(w);
		w->gap = true;
		break;
	case MD_BLOCK_TH:
	case MD_BLOCK_TD: return leave_cell(w, detail);
	case MD_BLOCK_TABLE:
		table_write(&w->table, columns_left(w), write_line, w);
		table_release(&w->table);
		w->gap = true;
		break;
	default: break;
	}
	return 0;
}

static void add_url(struct str *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c <= ' ' || c == '<' || c == '>' || c == 0x7f)
			str_addf(out, "%%%02X", (unsigned)c);
		else
			str_add_char(out, s[i]);
	}
}

static void read_attribute(struct str *out, const MD_ATTRIBUTE *a)
{
	for (size_t i = 0; a->size && a->substr_offsets[i] < a->size; i++) {
		size_t from = a->substr_offsets[i], to = a->substr_offsets[i + 1];

		if (a->substr_types[i] == MD_TEXT_ENTITY)
			entity_write(out, a->text + from, to - from);
		else if (a->substr_types[i] == MD_TEXT_NORMAL)
			add_url(out, a->text + from, to - from);
	}
}

static int enter_span(MD_SPANTYPE type, void *detail, void *arg)
{
	struct writer *w = arg;
	const MD_SPAN_A_DETAIL *a = detail;

	if (type == MD_SPAN_CODE)
		w->code = w->text.len;
	if (type == MD_SPAN_A) {
		w->link = w->text.len;
		str_clear(&w->url);
		read_attribute(&w->url, &a->href);
	}
	return 0;
}

/* "text <url>", or "<url>" alone where the text says the same. */
static void leave_link(struct writer *w)
{
	const char *text = w->text.data + w->link, *url = w->url.data;

	if (strncmp(url, "mailto:", 7) == 0)
		url += 7;
	if (strcmp(text, url) == 0 || strcmp(text, w->url.data) == 0)
		w->text.data[w->text.len = w->link] = '\0';
	else
		str_add_char(&w->text, ' ');
	str_addf(&w->text, "<%s>", url);
}

static void leave_code(struct writer *w)
{
	AUTO(mem_free) char *code = mem_strdup(w->text.data + w->code);
	const char *quote = w->bare || strchr(code, '"') ? "" : w->in_cell ? TABLE_CODE_MARK : "\"";

	if (strlen(code) <= CODE_KEPT_WHOLE)
		for (char *p = code; *p; p++)
			*p = *p == ' ' ? FILL_HARD_BLANK : *p;
	w->text.data[w->text.len = w->code] = '\0';
	str_addf(&w->text, "%s%s%s", quote, code, quote);
}

static int leave_span(MD_SPANTYPE type, void *, void *arg)
{
	struct writer *w = arg;

	if (type == MD_SPAN_CODE)
		leave_code(w);
	if (type == MD_SPAN_A)
		leave_link(w);
	return 0;
}

/* No control character of the source reaches the mail. */
static void add_text(struct writer *w, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (w->in_code && c == '\t')
			str_add(&w->text, "    ");
		else if (w->in_code && c == '\n')
			str_add_char(&w->text, '\n');
		else if (c >= 0x20 && c != 0x7f)
			str_add_char(&w->text, s[i]);
		else
			str_add_char(&w->text, ' ');
	}
}

static int add_inline(MD_TEXTTYPE type, const MD_CHAR *s, MD_SIZE n, void *arg)
{
	struct writer *w = arg;

	if (s >= w->source && s < w->source_end)
		read_numbers(w, s);
	switch (type) {
	case MD_TEXT_BR: str_add_char(&w->text, '\n'); break;
	case MD_TEXT_SOFTBR: str_add_char(&w->text, ' '); break;
	case MD_TEXT_NULLCHAR: break;
	case MD_TEXT_ENTITY: entity_write(&w->text, s, n); break;
	default: add_text(w, s, n); break;
	}
	return w->text.truncated ? fail_too_large(w, "a paragraph that is too long") : 0;
}

int markdown_text(const char *md, size_t width, struct str *out, struct err *e)
{
	static const MD_PARSER parser = {
		.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_COLLAPSEWHITESPACE,
		.enter_block = enter_block,
		.leave_block = leave_block,
		.enter_span = enter_span,
		.leave_span = leave_span,
		.text = add_inline,
	};
	size_t n = strlen(md);

	if (n > INPUT_MAX)
		return err_set(e, ERR_LIMIT, "the page is longer than %d bytes", INPUT_MAX);
	AUTO(mem_free) struct writer *w = mem_alloc(sizeof *w);
	w->source = md;
	w->source_end = md + n;
	w->out = out;
	w->start = out->len;
	w->width = width < WIDTH_MIN ? WIDTH_MIN : width > WIDTH_MAX ? WIDTH_MAX : width;
	w->e = e;
	str_init(&w->text, BLOCK_MAX);
	str_init(&w->url, URL_MAX);
	mem_watch();
	int rc = md_parse(md, (MD_SIZE)n, &parser, w);
	mem_watched();
	if (rc == 0 && out->truncated)
		rc = err_set(e, ERR_LIMIT, "the page would be longer than %zu bytes", out->max);
	if (rc < 0)
		str_cut(out, w->start);
	str_release(&w->text);
	str_release(&w->url);
	table_release(&w->table);
	return rc;
}
