/* The pages that this machine is writing, of those that share a store: a note in the site's folder.  A machine that
 * stood still or was cut off while it wrote may write an old page after another one has taken over and
 * written the new one.  So a note that is still there in the next run is work for whoever publishes then. */
#pragma once

#include "pbm/site/site.h"
#include "store/store_work.h"

/* Before the pages are written. */
int in_hand_note_boards(const struct site *site, enum work_kind kind, const struct work *v,
                        size_t n, struct err *e);
int in_hand_note_tournament(const struct site *site, const char *name, struct err *e);

/* All that was noted is written, and its marks are removed. */
void in_hand_clear(const struct site *site);

/* Marks again what a run before this one had in hand.  The store must be open for writing. */
int in_hand_again(const struct site *site, struct err *e);
