/* Pages below archive/: what the game pages and the list pages have in common.
 * Private to archive*.c. */
#ifndef PBM_ARCHIVE_PAGES_H
#define PBM_ARCHIVE_PAGES_H

#include <jansson.h>
#include <stdint.h>

#include "pbm/base/mem.h"
#include "pbm/site/site.h"

/* Renders a template into archive/name; takes over context.  Nothing waits for
 * the disk: archive_publish() syncs once for all. */
int archive_write(struct site *site, const char *name, const char *template, json_t *context,
                  struct err *e);

/* "2026-12-01", "" for 0. */
json_t *archive_date(int64_t t);

/* The pages of one game; it is added to lists, which may be NULL. */
int archive_write_game(struct site *site, int64_t board, json_t *lists, struct err *e);

#endif
