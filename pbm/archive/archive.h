/* The archive: static web pages of finished games, with PGN and JSON to download,
 * and lists of them by date, game and player.  A page that cannot be written does not
 * stop the others. */
#pragma once

#include "pbm/archive/pages/pages.h"
#include "pbm/site/site.h"

/* Writes what an archive without games has: front page, help, and what they refer to. */
int archive_begin(struct site *site, struct err *e);

/* Writes the pages of all games that are marked in the store, then the lists that
 * those games are in, and removes the marks.  A game whose pages, or one of whose lists,
 * could not be written keeps its mark, so the next run tries again.  The store must be
 * open for writing.  Fails when the pages cannot be flushed, or the marks not removed. */
int archive_publish(struct site *site, struct archive_report *r, struct err *e);

/* Writes all pages and lists again, from the store: pbm archive. */
int archive_rebuild(struct site *site, struct archive_report *r, struct err *e);
