/* All lists of finished games, from the index alone.  Only for the files of this folder. */
#ifndef PBM_ARCHIVE_REBUILD_H
#define PBM_ARCHIVE_REBUILD_H

#include "pbm/archive/archive.h"

/* Writes all pages of all lists; failures are counted in r. */
void lists_rebuild(struct site *site, struct archive_report *r);

#endif
