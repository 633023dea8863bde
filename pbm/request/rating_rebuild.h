/* Computes all ratings again from the games, as the runs that rated them did: the same
 * games give the same bytes.  It is needed when a result was changed or a game was taken
 * back, and it checks the ratings otherwise. */
#ifndef PBM_REQUEST_RATING_REBUILD_H
#define PBM_REQUEST_RATING_REBUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "pbm/base/err.h"
#include "store/document.h"
#include "store/store.h"

struct rebuild_report {
	int64_t games;  /* rated games */
	int64_t wrong;  /* whose documents had other ratings */
	int64_t unread; /* games that can't be read; they are left out */
};

/* write: puts right ratings into the documents and the index, all in one transaction, and
 * marks their pages; the store must be open for writing. */
int rating_rebuild(struct store *s, bool write, struct rebuild_report *r, struct err *e);

/* A player's rating in the kind of game was, and is now, in hundredths of a point. */
typedef void rating_moved_fn(const char *userid, int64_t before, int64_t now, void *arg);

/* After a game got another result, or none: computes the ratings of that kind of game again
 * and writes those that differ, in the open transaction, with the index.  Calls moved for each
 * player whose rating is another one by RATING_MOVED and more. */
#define RATING_MOVED 100
int rating_rebuild_kind(struct store *s, const struct game_doc *changed, rating_moved_fn *moved,
                        void *arg, struct err *e);

#endif
