/* Mails of somebody whose account is deleted leave the quarantine. */
#ifndef PBM_RUN_QUARANTINE_FORGET_H
#define PBM_RUN_QUARANTINE_FORGET_H

#include "pbm/site/site.h"
#include "store/document.h"

/* Removes the kept mails whose From names a confirmed address of p.  What can't be read stays, and goes
 * with its age. */
void quarantine_forget(struct site *site, const struct player_doc *p);

#endif
