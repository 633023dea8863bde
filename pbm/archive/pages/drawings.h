/* Drawings of positions for the templates of pages.  Only for the files of this folder. */
#pragma once

#include <jansson.h>

#include "pbm/picture/svg.h"
#include "pbm/site/site.h"

/* The pictures of the men, as HTML: once on each page that has drawings, before them.  up
 * leads from the page to the archive's folder: "../../". */
json_t *drawings_men(const struct site *site, const char *up);

/* The drawing of a position, as HTML. */
json_t *drawings_board(const struct game *g, const struct pos *p, const struct svg_look *look);
