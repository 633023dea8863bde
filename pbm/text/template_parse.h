/* Parses a Mustache template into a flat list of nodes, which can be rendered any
 * number of times.  The nodes point into the text, which must outlive them.  The
 * parser handles standalone lines, delimiters and nesting, so that the renderer
 * needs only the nodes.  For pbm/text/template_render.c only. */
#pragma once

#include <stddef.h>

#include "pbm/base/err.h"

/* The depth to which sections, and contexts, may be nested. */
#define TEMPLATE_DEPTH_MAX 64

struct slice {
	const char *p;
	size_t n;
};

enum node_type {
	NODE_TEXT,
	NODE_VALUE,    /* {{name}}: escaped in an HTML template */
	NODE_RAW,      /* {{{name}}} and {{&name}} */
	NODE_SECTION,  /* {{#name}} */
	NODE_INVERTED, /* {{^name}} */
	NODE_CLOSE,    /* {{/name}} */
	NODE_PARTIAL   /* {{>name}} */
};

struct node {
	enum node_type type;
	struct slice text;   /* the name; for NODE_TEXT the text itself */
	struct slice indent; /* blanks before a partial that is alone on its line */
	size_t end;          /* for a section: the index of its NODE_CLOSE */
};

struct node_list {
	struct node *v;
	size_t n, cap;
};

/* Fills *out, which the caller releases, even after an error.  ERR_BAD, with the
 * line number, for a tag that is not closed, closes no section, has no name or
 * sets wrong delimiters; ERR_LIMIT for sections nested too deeply. */
int template_parse(const char *text, struct node_list *out, struct err *e);
void template_parse_release(struct node_list *list);
