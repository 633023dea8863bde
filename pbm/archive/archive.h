/* The archive: static web pages of finished games, with PGN and JSON to download,
 * and lists of them by date, game and player.  A page that cannot be written does not
 * stop the others. */
#ifndef PBM_ARCHIVE_ARCHIVE_H
#define PBM_ARCHIVE_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

#include "pbm/site/site.h"

struct archive_report {
	size_t games;    /* games whose pages were written */
	size_t failed;   /* games and lists with a page that could not be written */
	char first[400]; /* the first of these, and why */
};

/* Writes the pages of an archive without games: front page, help, and the files that they refer
 * to. */
int archive_begin(struct site *site, struct err *e);

/* Writes the pages of all games that are marked in the store, then the lists that
 * those games are in, and removes the marks.  A game whose pages, or one of whose lists,
 * could not be written keeps its mark, so the next run tries again.  The store must be
 * open for writing.  Fails when the pages cannot be flushed, or the marks not removed. */
int archive_publish(struct site *site, struct archive_report *r, struct err *e);

/* Writes all pages and lists again, from the store: pbm archive. */
int archive_rebuild(struct site *site, struct archive_report *r, struct err *e);

/* Logs and counts a page that could not be written.  For the files of this folder. */
void archive_count_failure(struct archive_report *r, const char *page, const struct err *why);

#endif
