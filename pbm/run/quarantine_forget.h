/* Removes the mails of a deleted account from the quarantine. */
#pragma once

#include "pbm/site/site.h"
#include "store/document/document.h"

/* Removes the kept mails whose From names a confirmed address of p.  A file that can't be read
 * stays until it is too old. */
void quarantine_forget(struct site *site, const struct player_doc *p);
