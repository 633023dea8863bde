/* Templates that live as long as the process, parsed once.  For pbm/text/template*.c only. */
#ifndef PBM_TEXT_TEMPLATE_CACHE_H
#define PBM_TEXT_TEMPLATE_CACHE_H

#include "pbm/text/template_parse.h"

/* The nodes of a text that template_text() returned: they live as long as the text.  NULL: it
 * doesn't parse, e says why. */
const struct node_list *template_cache(const char *text, struct err *e);

#endif
