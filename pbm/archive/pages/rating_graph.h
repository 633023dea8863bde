/* A player's ratings as a drawing.  Only for the files of this folder. */
#ifndef PBM_ARCHIVE_PAGES_RATING_GRAPH_H
#define PBM_ARCHIVE_PAGES_RATING_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "pbm/base/str.h"

/* Appends an inline <svg> of ratings (in points, the oldest first, at least two): a line, and
 * lines at round numbers.  label: the same in words, which need no escape in HTML. */
void rating_graph(const int64_t *ratings, size_t n, const char *label, struct str *out);

#endif
