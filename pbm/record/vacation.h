/* A player's vacations: days that he announces, and days that the server takes for him
 * when a clock has run out.  What the player's document says is turned into events of his
 * games, which their clocks follow.  No I/O here; the clock is passed in. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pbm/base/mem.h"
#include "pbm/base/zone.h"
#include "store/document/document.h"

#define VACATION_DAYS 30   /* in a calendar year; also in any 365 days, of their own accord */
#define VACATION_PIECE 7   /* days taken at a time of their own accord */
#define VACATION_MOVED 60  /* days within which the player has moved somewhere */
#define VACATION_AHEAD 365 /* days that one can be announced ahead */

/* "2026-12-20" as days since 1970-01-01; false: there is no such day. */
bool vacation_read_day(const char *text, int64_t *day);
/* The year of a day, and a year's first day. */
int vacation_year(int64_t day);
int64_t vacation_new_year(int year);

/* The vacation that lasts at t, or else the next one; NULL: none is known. */
const struct player_vacation *vacation_next(const struct player_doc *p, int64_t t);
/* The end of the vacation that lasts at t, with those that follow it at once; 0: none. */
int64_t vacation_until(const struct player_doc *p, int64_t t);

/* The days of vacation between two instants.  A day that has begun counts whole. */
int vacation_days(const struct player_doc *p, int64_t from, int64_t until);
/* The days that are left in a year of the player's timezone; 0 or more. */
int vacation_left(const struct player_doc *p, const struct zone *z, int year);

/* Adds a vacation and forgets those that ended two years before now.  The caller has
 * checked that it overlaps none. */
void vacation_add(struct arena *a, struct player_doc *p, const struct player_vacation *v,
                  int64_t now);
/* Ends the present vacation, and cancels those to come.  false: there is none. */
bool vacation_end(struct arena *a, struct player_doc *p, int64_t now);

/* The vacation that the server takes for the player when a clock runs out at this time:
 * VACATION_PIECE days or what is left of VACATION_DAYS in 365 days.  false: none is left. */
bool vacation_automatic(const struct player_doc *p, int64_t from, struct player_vacation *out);
