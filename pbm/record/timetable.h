/* When the server reminds the player to move, warns him, and ends the game.  The
 * times are computed from the game's record alone, so that the same record always
 * gives the same times. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pbm/record/calendar.h"

#define TIMETABLE_DAY 86400
#define TIMETABLE_FORFEIT 7   /* days from the deadline to the end, without -forfeit */
#define TIMETABLE_REMINDERS 2 /* in one turn, at most */
#define TIMETABLE_OFTEN 8     /* the same in documents of older programs */
#define TIMETABLE_OFFER 30    /* days an offer stands */
#define TIMETABLE_IDLE 90     /* days after which a game that nobody touches is closed */

/* The turn that is running; times are Unix seconds.  Lengths are seconds that count in
 * the calendar; the forfeit and the idle time pass on weekends too. */
struct turn_clock {
	struct calendar calendar; /* of the player to move */
	int64_t started;          /* when the turn began */
	int64_t free;             /* time for this turn */
	int64_t bank;             /* time left in the reserve */
	int64_t given;            /* time added to this turn, as after an outage */
	bool has_total;           /* there is a limit for all moves of a side together */
	int64_t total;            /* the time left of it */
	int64_t nag;              /* from started to the first reminder */
	int64_t forfeit;          /* from the deadline to the end of the game */
	int reminders;            /* sent in this turn */
	int64_t reminded;         /* time of the last reminder */
	int64_t warned;           /* time of the warning in this turn, 0: none */
	int64_t up;               /* when the opponent was told that no time is left, 0: not yet */
	int64_t touched; /* when a player last did something, 0: the game is never closed */
	bool often;      /* as older programs reminded */
	bool alone;      /* one player has both sides: no reminders */
};

/* DUTY_PLAY: a turn waits to be played (struct game_secret). */
enum duty { DUTY_NONE, DUTY_REMIND, DUTY_TIME_UP, DUTY_WARN, DUTY_END, DUTY_LAPSE, DUTY_PLAY };

/* The time from which the opponent may claim the game. */
int64_t timetable_deadline(const struct turn_clock *c);
/* The time from which the reserve is used; never after the deadline. */
int64_t timetable_reserve(const struct turn_clock *c);

/* When the server ends the game: c->forfeit after the deadline, or TIMETABLE_IDLE days
 * after it was touched, but at least a day after the warning. */
int64_t timetable_end(const struct turn_clock *c);

/* The server's next duty, and its time.  The first reminder comes nag seconds after the start of
 * the turn, and a last one a day before the deadline.  Between them is at least a day; there are
 * at most TIMETABLE_REMINDERS in a turn, and none after the deadline or on the last day of the
 * game.  At the deadline the time is up; that happens once.  The warning comes a day before the
 * end. */
enum duty timetable_next(const struct turn_clock *c, int64_t *at);
/* The same as programs computed it that reminded TIMETABLE_OFTEN times; their documents have
 * that time. */
int64_t timetable_next_often(const struct turn_clock *c);
/* The same as programs computed it that also knew no DUTY_TIME_UP and never closed a game; their
 * documents have that time. */
int64_t timetable_next_once(const struct turn_clock *c);

/* Seconds from the start of a turn to the first reminder, without -nag: a day
 * less than a turn has, at least one day. */
int64_t timetable_nag(int days);
/* ... of older programs: half of the days for a turn, at least one. */
int64_t timetable_nag_often(int days);
