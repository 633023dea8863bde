#include "pbm/text/text_html.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "pbm/base/utf8.h"
#include "pbm/text/text.h"
#include "pbm/text/text_html_lines.h"
#include "pbm/text/text_html_table.h"

/* Writes the block that begins at line i, and returns its lines; 0: it is of another kind. */
typedef size_t write_block(const struct html_lines *p, size_t i);

/* The bytes of a line's first word; what stands in quotation marks is never broken. */
static size_t first_word(const struct text_line *l)
{
	bool quoted = false;
	size_t n = 0;

	for (; n < l->n && (quoted || l->s[n] != ' '); n++)
		quoted ^= l->s[n] == '"';
	return n;
}

/* Did the line end only because the first word of the next one did not fit? */
static bool is_full(const struct text_line *l, const struct text_line *next, size_t width)
{
	return l->indent + utf8_columns(l->s, l->n) + 1 + utf8_columns(next->s, first_word(next)) >
	       width;
}

/* Lines that flow, or stay apart where they did in the text. */
static void add_flow(const struct html_lines *p, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		html_add_line(p, &p->v[i]);
		if (i + 1 < to)
			str_add(p->out,
			        is_full(&p->v[i], &p->v[i + 1], TEXT_WIDTH) ? "\n" : "<br>\n");
	}
}

/* ---- headings, rules and quotations ---- */

static bool is_rule(const struct html_lines *p, size_t i)
{
	const struct text_line *l = &p->v[i];
	char c = i < p->n && l->n >= 3 ? l->s[0] : '\0';

	for (size_t k = 0; c && k < l->n; k++)
		if (l->s[k] != c)
			return false;
	return (c == '=' || c == '-') && l->indent == 0;
}

static size_t write_heading(const struct html_lines *p, size_t i)
{
	if (is_rule(p, i)) {
		str_add(p->out, "<hr>\n");
		return 1;
	}
	if (html_is_blank(p, i + 1) || !is_rule(p, i + 1) || p->v[i].indent)
		return 0;
	bool first = p->v[i + 1].s[0] == '=';
	str_add(p->out, first ? "<h3>" : "<h4>");
	html_add_line(p, &p->v[i]);
	str_add(p->out, first ? "</h3>\n" : "</h4>\n");
	return 2;
}

static bool is_quote(const struct html_lines *p, size_t i)
{
	return !html_is_blank(p, i) && p->v[i].indent == 0 && p->v[i].s[0] == '|' &&
	       (p->v[i].n == 1 || p->v[i].s[1] == ' ');
}

/* The line without its mark, which counts as its indent. */
static struct text_line unquoted(const struct html_lines *p, size_t i)
{
	struct text_line l = p->v[i];
	size_t mark = l.n > 1 ? 2 : 1;

	return (struct text_line){ .s = l.s + mark, .n = l.n - mark, .indent = mark };
}

static bool has_blanks(const struct text_line *l)
{
	return l->n > 2 && memmem(l->s, l->n, "   ", 3);
}

/* Somebody's text: a drawing in it keeps its columns. */
static size_t write_quote(const struct html_lines *p, size_t i)
{
	bool drawn = false;
	size_t n = 0;

	for (; is_quote(p, i + n); n++) {
		struct text_line l = unquoted(p, i + n);
		drawn |= has_blanks(&l);
	}
	if (n == 0)
		return 0;
	str_add(p->out, "<blockquote style=\"border-left:3px solid #ccc;margin:0;"
	                "padding-left:10px\">");
	str_add(p->out, drawn ? "<pre>" : "");
	for (size_t k = i; k < i + n; k++) {
		struct text_line l = unquoted(p, k);
		struct text_line next = k + 1 < i + n ? unquoted(p, k + 1) : l;

		html_add_line(p, &l);
		str_add(p->out, drawn || is_full(&l, &next, TEXT_QUOTED) ? "\n" : "<br>\n");
	}
	str_add(p->out, drawn ? "</pre></blockquote>\n" : "</blockquote>\n");
	return n;
}

static bool keeps_columns(const struct html_lines *p, size_t i)
{
	return !html_is_blank(p, i) && (p->v[i].indent >= INDENT_CODE || html_is_drawing(&p->v[i]));
}

static bool draw_block(const struct html_lines *p, size_t i, size_t n)
{
	const struct text_line *first = &p->v[i], *last = &p->v[i + n - 1];
	const char *from = first->s - first->indent;

	return p->draw && p->draw(from, (size_t)(last->s + last->n - from), p->arg, p->out);
}

/* The lines of a block; a drawing ends at an empty line. */
static size_t code_lines(const struct html_lines *p, size_t i)
{
	bool drawing = false;
	size_t n = 0;

	for (;; n++) {
		if (keeps_columns(p, i + n))
			drawing |= html_is_drawing(&p->v[i + n]);
		else if (n == 0 || drawing || i + n >= p->n || !html_is_blank(p, i + n) ||
		         !keeps_columns(p, i + n + 1))
			return n;
	}
}

static size_t write_code(const struct html_lines *p, size_t i)
{
	size_t n = code_lines(p, i), least = SIZE_MAX;

	if (n == 0 || draw_block(p, i, n))
		return n;
	for (size_t k = i; k < i + n; k++)
		if (!html_is_blank(p, k) && p->v[k].indent < least)
			least = p->v[k].indent;
	str_add(p->out, "<pre>");
	for (size_t k = i; k < i + n; k++) {
		for (size_t blanks = least; blanks < p->v[k].indent; blanks++)
			str_add_char(p->out, ' ');
		html_add_line(p, &p->v[k]);
		str_add_char(p->out, '\n');
	}
	str_add(p->out, "</pre>\n");
	return n;
}

/* ---- lists ---- */

/* The bytes of "- " or "12. " at the beginning of the line; 0: none. */
static size_t marker(const struct html_lines *p, size_t i)
{
	const struct text_line *l = &p->v[i];
	size_t n = 0;

	if (html_is_blank(p, i))
		return 0;
	while (n < l->n && n < 4 && isdigit((unsigned char)l->s[n]))
		n++;
	if (n ? n < l->n && l->s[n] == '.' : l->s[0] == '-')
		n++;
	else
		return 0;
	return n < l->n && l->s[n] == ' ' ? n + strspn(l->s + n, " ") : 0;
}

/* One item; its further lines stand to the right of the mark. */
static size_t write_item(const struct html_lines *p, size_t i)
{
	size_t mark = marker(p, i), n = 1;
	struct text_line first = p->v[i];

	first.s += mark;
	first.n -= mark;
	while (!html_is_blank(p, i + n) && p->v[i + n].indent > p->v[i].indent && !marker(p, i + n))
		n++;
	if (p->v[i].s[0] == '-')
		str_add(p->out, "<li>");
	else
		str_addf(p->out, "<li value=%d>", atoi(p->v[i].s));
	html_add_line(p, &first);
	if (n > 1)
		str_add(p->out, is_full(&p->v[i], &p->v[i + 1], TEXT_WIDTH) ? "\n" : "<br>\n");
	add_flow(p, i + 1, i + n);
	str_add(p->out, "</li>\n");
	return n;
}

/* Does the list go on at line j?  Numbers may be set to the right: " 9." and "10.". */
static bool is_aligned(const struct html_lines *p, size_t i, size_t j)
{
	return p->v[j].indent == p->v[i].indent ||
	       p->v[j].indent + marker(p, j) == p->v[i].indent + marker(p, i);
}

static size_t write_list(const struct html_lines *p, size_t i)
{
	size_t n = 0, indent = p->v[i].indent;
	bool dashes = p->v[i].s[0] == '-';

	if (!marker(p, i) || indent >= INDENT_CODE)
		return 0;
	str_add(p->out, dashes ? "<ul>\n" : "<ol>\n");
	for (;;) {
		n += write_item(p, i + n);
		size_t next = html_is_blank(p, i + n) ? n + 1 : n;
		if (!marker(p, i + next) || !is_aligned(p, i, i + next) ||
		    (p->v[i + next].s[0] == '-') != dashes)
			break;
		n = next;
	}
	str_add(p->out, dashes ? "</ul>\n" : "</ol>\n");
	return n;
}

/* ---- terms and their explanations ---- */

static bool is_term(const struct html_lines *p, size_t i)
{
	return !html_is_blank(p, i) && !html_is_blank(p, i + 1) && p->v[i].indent < INDENT_CODE &&
	       p->v[i].indent && p->v[i + 1].indent >= p->v[i].indent + 3 &&
	       !(html_has_gap(&p->v[i]) && html_has_gap(&p->v[i + 1]));
}

static size_t write_terms(const struct html_lines *p, size_t i)
{
	size_t n = 0;

	for (; is_term(p, i + n); n++) {
		size_t from = i + n + 1, to = from;

		while (!html_is_blank(p, to) && p->v[to].indent >= p->v[i + n].indent + 3)
			to++;
		str_add(p->out, "<p style=\"margin:0 0 8px\"><b>");
		html_add_line(p, &p->v[i + n]);
		str_add(p->out, "</b><br>\n");
		add_flow(p, from, to);
		str_add(p->out, "</p>\n");
		n = to - i - 1;
	}
	return n;
}

/* ---- the rest ---- */

static size_t write_paragraph(const struct html_lines *p, size_t i)
{
	size_t n = 1;

	while (!html_is_blank(p, i + n) && p->v[i + n].indent == p->v[i].indent &&
	       !marker(p, i + n) && !is_quote(p, i + n) &&
	       !(html_is_row(p, i + n) && html_is_row(p, i + n + 1)) && !is_term(p, i + n) &&
	       !(i + n + 1 < p->n && is_rule(p, i + n + 1)))
		n++;
	str_add(p->out, p->v[i].indent ? "<p style=\"margin-left:16px\">" : "<p>");
	add_flow(p, i, i + n);
	str_add(p->out, "</p>\n");
	return n;
}

static struct text_line *split(const char *text, size_t *count)
{
	size_t n = 1;

	for (const char *c = text; *c; c++)
		n += *c == '\n';
	struct text_line *v = mem_alloc(n * sizeof *v);
	for (*count = 0; *text; (*count)++) {
		struct text_line *l = &v[*count];

		l->indent = strspn(text, " ");
		l->s = text + l->indent;
		l->n = strcspn(l->s, "\n");
		text = l->s + l->n + (l->s[l->n] == '\n');
		while (l->n && l->s[l->n - 1] == ' ')
			l->n--;
	}
	return v;
}

void text_html(const char *text, text_draw *draw, void *arg, struct str *out)
{
	static write_block *const kinds[] = { write_heading,  write_quote,     write_list,
		                              write_terms,    text_html_table, write_code,
		                              write_paragraph };
	struct html_lines p = { .out = out, .draw = draw, .arg = arg };
	AUTO(mem_free) struct text_line *v = split(text, &p.n);

	p.v = v;
	for (size_t i = 0; i < p.n;) {
		size_t taken = 0;

		for (size_t k = 0; !html_is_blank(&p, i) && taken == 0; k++)
			taken = kinds[k](&p, i);
		i += taken ? taken : 1;
	}
}
