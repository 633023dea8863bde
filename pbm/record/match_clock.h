/* The parts of a replay that are about clocks, for match.c alone. */
#pragma once

#include "pbm/record/match.h"
#include "pbm/record/timetable.h"

/* Changes the replayed state by a vacation, a timezone, a gift, a pause or the end of the time. */
int match_replay_clock(struct match *m, const struct event *ev, struct err *e);

/* Could this be the due time of the game's document?  Older programs computed it
 * otherwise, or not at all. */
bool match_may_be_due(const struct match *m, int64_t due);

/* The server's next duty for this game if no mail comes, and its time. */
enum duty match_duty(const struct match *m, int64_t *at);
