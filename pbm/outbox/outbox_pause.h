/* The pauses before the next attempt with a sink that was down. */
#pragma once

#include "pbm/site/site.h"

/* 1: the pause lasts, and the log says so. */
int outbox_pause_lasts(struct site *site, struct err *e);

/* Counts the sink's failures in a row and sets the pause after them; trouble->code is 0 when
 * the sink works.  Within a transaction. */
int outbox_pause_note(struct site *site, const struct err *trouble, int64_t now, struct err *e);
