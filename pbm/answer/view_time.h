/* Sentences about the time of a board: until when a move must come, who is on vacation. */
#pragma once

#include "pbm/request/request.h"

/* Appends the time left for the running turn, in the reader's timezone, and why a clock
 * stands still or nobody answers; for a finished game, the change of ratings. */
void view_until(const struct request *q, const struct match *m, const char *reader,
                const char *zone, struct str *out);

/* Appends only why a clock stands still or nobody answers, after two blanks. */
void view_pauses(const struct request *q, const struct match *m, const char *reader,
                 const char *zone, struct str *out);

/* Appends that the clock of the seat's player stands still at time t, or will within so many
 * seconds. */
void view_vacation(const struct match *m, uint8_t seat, const char *reader, const char *zone,
                   int64_t t, int64_t ahead, struct str *out);
