/* When the server does something about a clock of its own accord: the player to
 * move is reminded, then warned, and then the game ends.  Pure reckoning on what
 * the game's record says, so that the same record always gives the same time. */
#ifndef PBM_RECORD_TIMETABLE_H
#define PBM_RECORD_TIMETABLE_H

#include <stdbool.h>
#include <stdint.h>

#define TIMETABLE_DAY 86400
#define TIMETABLE_FORFEIT 7 /* days from the deadline to the end, unless -forfeit says otherwise */
#define TIMETABLE_REMINDERS 8 /* in one turn, at most */
#define TIMETABLE_OFFER 30    /* days an offer stands */

/* The turn that is running; times are Unix seconds, lengths seconds. */
struct turn_clock {
	int64_t started;  /* since when the side is to move */
	int64_t free;     /* what it may use for this turn */
	int64_t bank;     /* and what it has in reserve */
	int64_t nag;      /* from started to the first reminder */
	int64_t forfeit;  /* from the deadline to the end of the game */
	int reminders;    /* so many were there in this turn */
	int64_t reminded; /* the last of them */
	int64_t warned;   /* 0: not in this turn */
	bool alone;       /* one player has both sides: nobody waits */
};

enum duty { DUTY_NONE, DUTY_REMIND, DUTY_WARN, DUTY_END, DUTY_LAPSE };

/* From here on the opponent may claim the game. */
int64_t timetable_deadline(const struct turn_clock *c);

/* When the server ends the game: the forfeit's days behind the deadline, and
 * never less than a day behind the warning. */
int64_t timetable_end(const struct turn_clock *c);

/* What comes next, and when:
 *
 * The first reminder comes after nag.  Those behind it come once the days are used
 * up and the reserve begins: a day, two, four … behind the one before, and one a
 * day in front of the deadline; never more than one a day, at most
 * TIMETABLE_REMINDERS in a turn, and none from the deadline on.  The warning comes a
 * day before the end. */
enum duty timetable_next(const struct turn_clock *c, int64_t *at);

/* The days of silence before the first reminder when nobody says otherwise: half
 * of those for a turn, at least one.  In seconds. */
int64_t timetable_nag(int days);

#endif
