#include "pbm/text/template_parse.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/base/array.h"

#define DELIM_MAX 16

struct parser {
	const char *text, *at; /* the whole template; the part not parsed yet */
	char open[DELIM_MAX], close[DELIM_MAX];
	size_t stack[TEMPLATE_DEPTH_MAX]; /* indices of the sections that are open */
	size_t depth;
	struct node_list *list;
	struct err *e;
};

/* One tag of the template, from start to just after its last byte.  name is the
 * text after the sigil, without blanks around it. */
struct tag {
	const char *start, *end;
	char sigil;
	struct slice name;
};

/* The node of each sigil; ' ' means that a tag has none.  alone: when such a tag
 * is alone on its line, the whole line is left out. */
static const struct sigil {
	char c;
	enum node_type type;
	bool alone;
} sigils[] = {
	{ ' ', NODE_VALUE, false },  { '{', NODE_RAW, false },     { '&', NODE_RAW, false },
	{ '#', NODE_SECTION, true }, { '^', NODE_INVERTED, true }, { '/', NODE_CLOSE, true },
	{ '>', NODE_PARTIAL, true }, { '!', NODE_TEXT, true },     { '=', NODE_TEXT, true },
};

static const struct sigil *find_sigil(char c)
{
	for (size_t i = 1; i < sizeof sigils / sizeof *sigils; i++)
		if (sigils[i].c == c)
			return &sigils[i];
	return &sigils[0];
}

static int fail(struct parser *p, const char *where, const char *what)
{
	int line = 1;

	for (const char *c = p->text; c < where; c++)
		line += *c == '\n';
	return err_set(p->e, ERR_BAD, "line %d: %s", line, what);
}

static struct node *add_node(struct parser *p, enum node_type type, struct slice text)
{
	struct node *node = ARRAY_ADD(NULL, p->list);

	*node = (struct node){ .type = type, .text = text };
	return node;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_space(char c)
{
	return is_blank(c) || c == '\n' || c == '\r';
}

static struct slice trim(const char *from, const char *to)
{
	while (from < to && is_space(*from))
		from++;
	while (to > from && is_space(to[-1]))
		to--;
	return (struct slice){ from, (size_t)(to - from) };
}

/* True when the tag's line has only blanks beside it; then *from is the start of that line and
 * *behind is the start of the next. */
static bool stands_alone(const struct parser *p, const struct tag *t, const char **from,
                         const char **behind)
{
	const char *a = t->start, *b = t->end;

	while (a > p->text && is_blank(a[-1]))
		a--;
	if (a > p->text && a[-1] != '\n')
		return false;
	while (is_blank(*b))
		b++;
	if (*b == '\r' && b[1] == '\n')
		b++;
	if (*b != '\n' && *b != '\0')
		return false;
	*from = a;
	*behind = *b ? b + 1 : b;
	return true;
}

/* Reads the tag whose opening delimiter is at start. */
static int read_tag(struct parser *p, const char *start, struct tag *t)
{
	const char *body = start + strlen(p->open);
	char ending[DELIM_MAX + 1] = "";
	size_t n = 0;

	t->start = start;
	t->sigil = ' ';
	while (is_space(*body))
		body++;
	if (find_sigil(*body)->c != ' ')
		t->sigil = *body++;
	if (t->sigil == '{')
		ending[n++] = '}';
	if (t->sigil == '=')
		ending[n++] = '=';
	memcpy(ending + n, p->close, strlen(p->close) + 1);
	const char *end = strstr(body, ending);
	if (!end)
		return fail(p, start, "this tag is not closed");
	t->name = trim(body, end);
	t->end = end + strlen(ending);
	return 0;
}

/* {{=<% %>=}} sets the delimiters of the tags after it. */
static int set_delimiters(struct parser *p, const struct tag *t)
{
	struct slice s = t->name;
	size_t a = 0, b;

	while (a < s.n && !is_space(s.p[a]))
		a++;
	for (b = a; b < s.n && is_space(s.p[b]);)
		b++;
	size_t n = s.n - b;
	if (a == 0 || n == 0 || a >= DELIM_MAX || n >= DELIM_MAX || memchr(s.p, '=', s.n) ||
	    memchr(s.p + b, ' ', n) || memchr(s.p + b, '\n', n))
		return fail(p, t->start, "delimiters are set like {{=<% %>=}}");
	memcpy(p->open, s.p, a);
	p->open[a] = '\0';
	memcpy(p->close, s.p + b, n);
	p->close[n] = '\0';
	return 0;
}

static int close_section(struct parser *p, const struct tag *t)
{
	if (p->depth == 0)
		return fail(p, t->start, "this tag closes a section that is not open");
	struct node *section = &p->list->v[p->stack[--p->depth]];
	if (section->text.n != t->name.n || memcmp(section->text.p, t->name.p, t->name.n) != 0)
		return fail(p, t->start,
		            "this tag closes another section than the last one opened");
	section->end = p->list->n;
	add_node(p, NODE_CLOSE, t->name);
	return 0;
}

static int add_tag(struct parser *p, const struct tag *t, struct slice indent)
{
	enum node_type type = find_sigil(t->sigil)->type;

	if (t->sigil == '!')
		return 0;
	if (t->sigil == '=')
		return set_delimiters(p, t);
	for (size_t i = 0; i < t->name.n; i++)
		if (is_space(t->name.p[i]))
			return fail(p, t->start, "a name has no blanks inside");
	if (t->name.n == 0)
		return fail(p, t->start, "this tag has no name");
	if (type == NODE_CLOSE)
		return close_section(p, t);
	if (type == NODE_SECTION || type == NODE_INVERTED) {
		if (p->depth == TEMPLATE_DEPTH_MAX)
			return err_set(p->e, ERR_LIMIT, "more than %d sections inside each other",
			               TEMPLATE_DEPTH_MAX);
		p->stack[p->depth++] = p->list->n;
	}
	add_node(p, type, t->name)->indent = indent;
	return 0;
}

int template_parse(const char *text, struct node_list *out, struct err *e)
{
	struct parser p = {
		.text = text, .at = text, .open = "{{", .close = "}}", .list = out, .e = e
	};

	*out = (struct node_list){ 0 };
	for (;;) {
		const char *start = strstr(p.at, p.open), *from = start, *behind;
		struct slice indent = { 0 };

		if (!start)
			break;
		struct tag t = { .start = start, .end = start };
		int rc = read_tag(&p, start, &t);
		if (rc < 0)
			return rc;
		behind = t.end;
		if (find_sigil(t.sigil)->alone && stands_alone(&p, &t, &from, &behind))
			indent = (struct slice){ from, (size_t)(start - from) };
		if (from > p.at)
			add_node(&p, NODE_TEXT, (struct slice){ p.at, (size_t)(from - p.at) });
		rc = add_tag(&p, &t, indent);
		if (rc < 0)
			return rc;
		p.at = behind;
	}
	if (p.depth)
		return fail(&p, out->v[p.stack[p.depth - 1]].text.p, "this section is not closed");
	if (*p.at)
		add_node(&p, NODE_TEXT, (struct slice){ p.at, strlen(p.at) });
	return 0;
}

void template_parse_release(struct node_list *list)
{
	free(list->v);
	*list = (struct node_list){ 0 };
}
