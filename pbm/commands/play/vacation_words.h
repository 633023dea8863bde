/* Reads the days of a vacation in the forms in which people write them.  Knows no player: whether
 * the days can be taken is asked in cmd_time.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pbm/base/mem.h"

/* The words of "vacation from 20.12.2026 to 3 January", without those between the days.  A day is
 * written as "2026-12-20"; "now", "tomorrow" and "off" are these words in any language; another word
 * stays as it was typed.  n is 3 when there are more than two. */
struct vacation_words {
	size_t n;
	const char *words[3];
};

/* A day without a year is the next one from today on (days since 1970-01-01).  "until 3.1." begins
 * now. */
struct vacation_words vacation_words_read(struct arena *a, const char *text, int64_t today);

/* The day as "2026-12-20". */
const char *vacation_words_day(struct arena *a, int64_t day);
