/* Pages below archive/: what the game pages and the list pages have in common.
 * Private to archive*.c. */
#ifndef PBM_ARCHIVE_PAGE_H
#define PBM_ARCHIVE_PAGE_H

#include <jansson.h>
#include <stdint.h>

#include "pbm/base/mem.h"
#include "pbm/site.h"

/* "games/001/1234.html" for board 1234 and "html". */
const char *archive_game_path(struct arena *a, int64_t board, const char *ending);

/* Renders a template into archive/name; takes over context.  Nothing waits for
 * the disk: archive_publish() syncs once for all. */
int archive_write(struct site *site, const char *name, const char *template, json_t *context,
                  struct err *e);

/* "2026-12-01", "" for 0. */
json_t *archive_date(int64_t t);

/* The pages of one game; it is added to lists, which may be NULL. */
int archive_write_game(struct site *site, int64_t board, json_t *lists, struct err *e);

/* The lists that games are in, in an object {"game:suicide": games added}.  add:
 * one game that has ended; write: the pages that can have changed by all that
 * were added, or failed to be and are in the index, and the front page. */
void archive_lists_add(json_t *lists, const struct game_doc *d);
int archive_lists_write(struct site *site, json_t *lists, size_t failed, struct err *e);

/* All pages of all lists. */
int archive_lists_rebuild(struct site *site, struct err *e);

#endif
