/* Dates and times in a flat line (mail/reply/reply_class.h), by their digits
 * alone.  Says whether there is one; never reads which day it is. */
#pragma once

#include <stdbool.h>

/* Does flat hold a year from 1900 to 2099, or a whole date ("1/12/26",
 * "2026-12-01")? */
bool reply_has_date(const char *flat);

/* The same, or a time of day ("17:00", "17.00"). */
bool reply_has_date_or_time(const char *flat);
