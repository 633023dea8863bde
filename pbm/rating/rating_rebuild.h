/* Computes all ratings again from the games, as the runs that rated them did: the same
 * games give the same bytes.  It is needed when a result was changed or a game was taken
 * back, and it checks the ratings otherwise. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "store/document/document.h"
#include "store/store.h"

struct rebuild_report {
	int64_t games;  /* rated games */
	int64_t wrong;  /* whose documents had other ratings */
	int64_t unread; /* games that can't be read; they are left out */
};

/* write: puts right ratings into the documents and the index, all in one transaction, and
 * marks their pages; the store must be open for writing. */
int rating_rebuild(struct store *s, bool write, struct rebuild_report *r, struct err *e);

/* For this file and rating_again.c: writes what was computed of one game.  keep: the change
 * follows from an act, so the document keeps the ratings of the day of play, too. */
struct rated;
int rating_rebuild_write(struct store *s, struct rated *g, bool keep, struct err *e);
