#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pbm/base/mem.h"
#include "pbm/text/html_escape.h"
#include "pbm/text/template.h"
#include "pbm/text/template_parse.h"

/* The depth to which partials may be nested. */
#define PARTIAL_DEPTH_MAX 16
/* Nodes rendered and bytes of partials parsed, together.  Far more than any page
 * of ours needs; it stops a partial that includes itself many times over. */
#define STEPS_MAX 2000000
#define NAME_MAX_BYTES 128

struct renderer {
	const json_t *context[TEMPLATE_DEPTH_MAX]; /* innermost last */
	size_t depth;
	size_t partial_depth;
	size_t steps;
	bool html;
	bool lasting; /* the texts of partials live as long as the process */
	template_partial_fn *partial;
	void *arg;
	struct str *out;
	struct err *e;
};

static int render_nodes(struct renderer *r, const struct node_list *list, size_t from, size_t to);

static int spend(struct renderer *r, size_t steps)
{
	if (steps > STEPS_MAX - r->steps)
		return err_set(r->e, ERR_LIMIT, "the template doesn't come to an end");
	r->steps += steps;
	return 0;
}

/* The value of a name, NULL when there is none.  The first part of a dotted name
 * is looked up from the innermost context outwards, each further part only in the
 * value of the part before it. */
static const json_t *look_up(const struct renderer *r, struct slice name)
{
	const char *end = name.p + name.n, *dot = memchr(name.p, '.', name.n);
	const json_t *found = NULL;
	size_t n = dot ? (size_t)(dot - name.p) : name.n;

	if (name.n == 1 && dot)
		return r->context[r->depth - 1];
	for (size_t i = r->depth; i-- > 0 && !found;)
		found = json_object_getn(r->context[i], name.p, n);
	while (found && dot) {
		const char *part = dot + 1;

		dot = memchr(part, '.', (size_t)(end - part));
		n = (size_t)((dot ? dot : end) - part);
		found = json_object_getn(found, part, n);
	}
	return found;
}

static bool is_true(const json_t *v)
{
	if (!v)
		return false;
	switch (json_typeof(v)) {
	case JSON_STRING: return json_string_length(v) > 0;
	case JSON_INTEGER:
	case JSON_REAL: return json_number_value(v) != 0.0;
	case JSON_ARRAY: return json_array_size(v) > 0;
	default: return json_is_true(v) || json_is_object(v);
	}
}

/* Writes 85.0 as "85", and other numbers with at most 15 digits. */
static void add_real(struct str *out, const json_t *v)
{
	double d = json_real_value(v);
	char buf[64];

	if (fabs(d) < 1e15 && d == floor(d)) {
		str_addf(out, "%.0f", d);
		return;
	}
	/* Not printf: Jansson's decimal point is the same in every locale. */
	size_t n = json_dumpb(v, buf, sizeof buf, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
	str_add_n(out, buf, n < sizeof buf ? n : 0);
}

static void add_value(struct renderer *r, const json_t *v, bool escape)
{
	if (json_is_string(v) && escape)
		html_escape(r->out, json_string_value(v), json_string_length(v));
	else if (json_is_string(v))
		str_add_n(r->out, json_string_value(v), json_string_length(v));
	else if (json_is_integer(v))
		str_addf(r->out, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
	else if (json_is_real(v))
		add_real(r->out, v);
	else if (json_is_boolean(v))
		str_add(r->out, json_is_true(v) ? "true" : "false");
}

static int render_inside(struct renderer *r, const struct node_list *list, size_t at,
                         const json_t *v)
{
	if (r->depth == TEMPLATE_DEPTH_MAX)
		return err_set(r->e, ERR_LIMIT, "more than %d contexts inside each other",
		               TEMPLATE_DEPTH_MAX);
	r->context[r->depth++] = v;
	int rc = render_nodes(r, list, at + 1, list->v[at].end);
	r->depth--;
	return rc;
}

static int render_section(struct renderer *r, const struct node_list *list, size_t at)
{
	const json_t *v = look_up(r, list->v[at].text);

	if (!is_true(v))
		return 0;
	if (!json_is_array(v))
		return render_inside(r, list, at, v);
	for (size_t i = 0; i < json_array_size(v); i++) {
		int rc = render_inside(r, list, at, json_array_get(v, i));

		if (rc < 0)
			return rc;
	}
	return 0;
}

/* The partial's text with indent before each line; the caller frees it. */
static char *indented(const char *text, struct slice indent, size_t max)
{
	struct str s;

	str_init(&s, max);
	for (const char *line = text; *line;) {
		const char *nl = strchr(line, '\n');
		size_t n = nl ? (size_t)(nl - line) + 1 : strlen(line);

		str_add_n(&s, indent.p, indent.n);
		str_add_n(&s, line, n);
		line += n;
	}
	return str_detach(&s);
}

static int render_list(struct renderer *r, const char *name, const struct node_list *list,
                       const struct err *why)
{
	if (!list)
		return err_set(r->e, why->code, "%s: %s", name, why->text);
	r->partial_depth++;
	int rc = render_nodes(r, list, 0, list->n);
	r->partial_depth--;
	return rc;
}

/* Parses a partial whose text does not last, or is indented. */
static int render_parsed(struct renderer *r, const char *name, const char *text,
                         struct slice indent)
{
	AUTO(mem_free) char *copy = indent.n ? indented(text, indent, STEPS_MAX) : mem_strdup(text);
	struct node_list list;
	struct err why = { 0 };
	int rc = spend(r, strlen(copy));

	if (rc == 0) {
		int parsed = template_parse(copy, &list, &why);

		rc = render_list(r, name, parsed < 0 ? NULL : &list, &why);
		template_parse_release(&list);
	}
	return rc;
}

#define CHAINS 256

struct kept_template {
	struct kept_template *next;
	const char *text;
	struct node_list list;
};
static struct kept_template *kept[CHAINS]; /* by the address of the text */

/* The nodes of a text that template_text() returned: they live as long as the text.  NULL: it
 * doesn't parse, e says why. */
static const struct node_list *template_cache(const char *text, struct err *e)
{
	struct kept_template **chain = &kept[(uintptr_t)text / sizeof(max_align_t) % CHAINS],
			     *k = *chain;

	while (k && k->text != text)
		k = k->next;
	if (k)
		return &k->list;
	struct node_list list;
	int rc = template_parse(text, &list, e);

	if (rc < 0) {
		template_parse_release(&list);
		return NULL;
	}
	k = mem_alloc(sizeof *k);
	*k = (struct kept_template){ .next = *chain, .text = text, .list = list };
	*chain = k;
	return &k->list;
}

static int render_partial(struct renderer *r, const struct node *node)
{
	char name[NAME_MAX_BYTES];

	if (node->text.n >= sizeof name)
		return err_set(r->e, ERR_BAD, "the name of a partial is too long");
	memcpy(name, node->text.p, node->text.n);
	name[node->text.n] = '\0';
	const char *text = r->partial ? r->partial(name, r->arg) : NULL;
	if (!text)
		return 0;
	if (r->partial_depth == PARTIAL_DEPTH_MAX)
		return err_set(r->e, ERR_LIMIT, "%s: more than %d partials inside each other", name,
		               PARTIAL_DEPTH_MAX);
	if (!r->lasting || node->indent.n)
		return render_parsed(r, name, text, node->indent);
	struct err why = { 0 };
	const struct node_list *list = template_cache(text, &why);

	return render_list(r, name, list, &why);
}

static int render_node(struct renderer *r, const struct node_list *list, size_t at)
{
	const struct node *node = &list->v[at];

	switch (node->type) {
	case NODE_TEXT: str_add_n(r->out, node->text.p, node->text.n); return 0;
	case NODE_VALUE:
	case NODE_RAW:
		add_value(r, look_up(r, node->text), r->html && node->type == NODE_VALUE);
		return 0;
	case NODE_SECTION: return render_section(r, list, at);
	case NODE_INVERTED:
		return is_true(look_up(r, node->text)) ? 0
		                                       : render_nodes(r, list, at + 1, node->end);
	case NODE_PARTIAL: return render_partial(r, node);
	case NODE_CLOSE: break;
	}
	return 0;
}

static int render_nodes(struct renderer *r, const struct node_list *list, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		const struct node *node = &list->v[i];
		int rc = spend(r, 1);

		if (rc == 0)
			rc = render_node(r, list, i);
		if (rc == 0 && r->out->truncated)
			rc = err_set(r->e, ERR_LIMIT, "the text would be longer than %zu bytes",
			             r->out->max);
		if (rc < 0)
			return rc;
		if (node->type == NODE_SECTION || node->type == NODE_INVERTED)
			i = node->end;
	}
	return 0;
}

/* Renders the nodes, and cuts what an error has left. */
static int render_all(struct renderer r, const struct node_list *list)
{
	struct str *out = r.out;
	size_t before = out->len;
	int rc = render_nodes(&r, list, 0, list->n);

	if (rc < 0)
		str_cut(out, before);
	return rc;
}

static struct renderer renderer(const json_t *context, bool html, template_partial_fn *partial,
                                void *arg, struct str *out, struct err *e)
{
	return (struct renderer){ .context = { context },
		                  .depth = 1,
		                  .html = html,
		                  .partial = partial,
		                  .arg = arg,
		                  .out = out,
		                  .e = e };
}

int template_render_text(const char *text, const json_t *context, bool html,
                         template_partial_fn *partial, void *arg, struct str *out, struct err *e)
{
	struct node_list list;
	int rc = template_parse(text, &list, e);

	if (rc == 0)
		rc = render_all(renderer(context, html, partial, arg, out, e), &list);
	template_parse_release(&list);
	return rc;
}

int template_render_lasting(const char *text, const json_t *context, bool html,
                            template_partial_fn *partial, void *arg, struct str *out, struct err *e)
{
	struct renderer r = renderer(context, html, partial, arg, out, e);
	struct err why = { 0 };
	const struct node_list *list = template_cache(text, &why);

	r.lasting = true;
	return list ? render_all(r, list) : err_set(e, why.code, "%s", why.text);
}
