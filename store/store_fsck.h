/* What the two halves of fsck share: the one that begins at the files (fsck.c), and
 * the one that begins at the rows of the database (fsck_rows.c). */
#ifndef STORE_STORE_FSCK_H
#define STORE_STORE_FSCK_H

#include "store/inside.h"
#include "store/stored.h"

struct fsck {
	struct store *s; /* its db is NULL when there is none to compare */
	bool repair, accept;
	verify_game_fn *verify;
	report_fn *report;
	void *arg;
	int left;
	int rewritten; /* documents that wait in the database for their files */
	int64_t greatest_board;
};

void fsck_finding(struct fsck *f, bool repaired, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* 1: a newer version of the file waits in the database, 0: none. */
int fsck_is_pending(const struct fsck *f, const char *path, struct err *e);

/* Rows without a document, and rows that don't follow from the others. */
int fsck_rows(struct fsck *f, struct err *e);

#endif
