/* The front page: the last games as cards, search, what is played here, how to join.  Only for
 * the files of this folder. */
#pragma once

#include "pbm/site/site.h"

/* *due: does the page show an old number of running games? */
int front_page_is_due(struct site *site, bool *due, struct err *e);

/* Notes the number that the page on the disk shows; in the open transaction. */
int front_page_done(struct site *site, struct err *e);

int front_page_write(struct site *site, struct err *e);
