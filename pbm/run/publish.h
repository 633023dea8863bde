/* Publishes the games that ended, and tells the operator of pages that could not be
 * written. */
#ifndef PBM_RUN_PUBLISH_H
#define PBM_RUN_PUBLISH_H

#include <stddef.h>

#include "pbm/site/site.h"

/* archive_publish(); *games is the number of games published.  Pages that could not be
 * written are no error: the next run tries again, and if it fails too, the operator is told. */
int publish_games(struct site *site, size_t *games, struct err *e);

/* live_publish(), in the same way.  Trouble goes to *halt and stops nothing else; only a store
 * that may not be used any more is an error. */
int publish_live_pages(struct site *site, struct err *halt, struct err *e);

#endif
