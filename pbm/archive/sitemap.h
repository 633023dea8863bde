/* Writes files for search engines: robots.txt, and with archive-url sitemap.xml (an index of
 * parts, sitemaps.org): "sitemap/pages.xml" has the front page, kinds of games and months,
 * "sitemap/012.xml" the games of the folder games/012.  Only for the files of this folder. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pbm/site/site.h"

/* Writes the parts that have one of these boards, and the other files that can have changed. */
int sitemap_write(struct site *site, const int64_t *boards, size_t n, struct err *e);

/* Writes the part with this number and sets it to the next one; 0: there is none. */
int sitemap_again(struct site *site, int64_t *part, struct err *e);
