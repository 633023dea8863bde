/* Words for people: dates, durations, filled paragraphs, lists. */
#ifndef PBM_TEXT_TEXT_H
#define PBM_TEXT_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "pbm/base/str.h"

#define TEXT_WIDTH 72

/* "Tue 1 Dec 2026, 18:00 (UTC)" */
void text_date(int64_t t, struct str *out);
/* "6 days 22 hours", "3 hours 5 minutes", "less than a minute"; seconds < 0 as 0. */
void text_duration(int64_t seconds, struct str *out);
/* Appends text with lines filled to TEXT_WIDTH; its own line ends stay. */
void text_fill(const char *text, struct str *out);
/* "a, b or c" (last word given); the items are added one by one. */
void text_list(struct str *out, size_t i, size_t n, const char *item, const char *last);

#endif
