/* A mustache template as a flat list of nodes, ready to be rendered any number
 * of times.  Nodes point into the text, which must outlive them.  Standalone
 * lines, delimiters and nesting are settled here; the renderer never looks at
 * the text again.  For pbm/text/template_render.c only. */
#ifndef PBM_TEXT_TEMPLATE_PARSE_H
#define PBM_TEXT_TEMPLATE_PARSE_H

#include <stddef.h>

#include "pbm/base/err.h"

/* Sections within sections, and contexts within contexts. */
#define TEMPLATE_DEPTH_MAX 64

struct slice {
	const char *p;
	size_t n;
};

enum node_type {
	NODE_TEXT,
	NODE_VALUE,    /* {{name}}: escaped if the template escapes */
	NODE_RAW,      /* {{{name}}} and {{&name}} */
	NODE_SECTION,  /* {{#name}} */
	NODE_INVERTED, /* {{^name}} */
	NODE_CLOSE,    /* {{/name}} */
	NODE_PARTIAL   /* {{>name}} */
};

struct node {
	enum node_type type;
	struct slice text;   /* the name; of NODE_TEXT the text itself */
	struct slice indent; /* blanks before a partial alone on its line */
	size_t end;          /* of a section: the index of its NODE_CLOSE */
};

struct node_list {
	struct node *v;
	size_t n, cap;
};

/* Fills *out, which the caller releases, also after a failure.  ERR_BAD with
 * the line number for a tag that is not closed, closes nothing, has no name or
 * sets wrong delimiters; ERR_LIMIT for sections nested too deeply. */
int template_parse(const char *text, struct node_list *out, struct err *e);
void template_parse_release(struct node_list *list);

#endif
