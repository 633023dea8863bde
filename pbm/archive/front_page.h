/* The front page: the last games as cards, search, what is played here, how to join.  Only for
 * the files of this folder. */
#ifndef PBM_ARCHIVE_FRONT_PAGE_H
#define PBM_ARCHIVE_FRONT_PAGE_H

#include "pbm/site/site.h"

int front_page_write(struct site *site, struct err *e);

#endif
