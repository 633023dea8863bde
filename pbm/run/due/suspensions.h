/* Ends suspensions whose time is over. */
#pragma once

#include <stdint.h>

#include "pbm/base/err.h"
#include "pbm/site/site.h"

/* Tells each player whose suspension has ended by `now`, and removes it from his document, in
 * one transaction: so a run that is killed and repeated tells each player once. */
int suspensions_run(struct site *site, int64_t now, struct err *e);
