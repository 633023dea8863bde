/* One kind of variable, and the readers of the kinds of values. */
#pragma once

#include "pbm/base/err.h"
#include "pbm/base/mem.h"

struct setting;

/* Reads a value that a player wrote, without blanks around it and not empty.  0: *value is
 * the value to keep; 1: it is not one of the right values; ERR_BAD: the same, and *why says
 * more than the list of right values. */
typedef int setting_read_fn(const struct setting *s, struct arena *a, const char *text,
                            const char **value, struct err *why);

struct setting {
	const char *name;
	const char *aliases;       /* other names, with blanks between them; MAY be NULL */
	const char *standard;      /* the value of a player who has not set it; "": none */
	setting_read_fn *read;     /* NULL: a language that has templates */
	const char *const *values; /* settings_read_choice(): each followed by its synonyms,
	                            * "de|german|deutsch"; NULL at the end */
	long min, max;             /* of a number; of a duration in seconds; of a text in bytes */
	const char *right;         /* the right values in words: "on or off" */
	const char *help;          /* half a line */
	/* Changes only which mails the player gets, when, and how they look: no game, no clock,
	 * and nothing that others see.  Any reply token of the player's proves such a line.  (A
	 * timezone counts in a game without weekends from the next turn on, and gains nothing.) */
	bool own_mails;
	/* MAY be NULL.  With this value mails of running games don't come, so while there are such
	 * games no token proves it. */
	const char *silent;
	/* MAY be NULL.  What the value means is checked elsewhere: 0, or ERR_BAD and *why, and
	 * *shown (in the arena, MAY be NULL) points at the place. */
	int (*check)(struct arena *a, const char *value, const char **shown, struct err *why);
};

setting_read_fn settings_read_choice;   /* one of s->values */
setting_read_fn settings_read_hour;     /* off, or 8:00, 08:00, 8 */
setting_read_fn settings_read_number;   /* s->min to s->max */
setting_read_fn settings_read_duration; /* off, or 10m, 2h, 1d: kept as "10m" */
setting_read_fn settings_read_zone;     /* a timezone of the system's database */
setting_read_fn settings_read_puzzle;   /* off, daily or weekly, perhaps with games */
setting_read_fn settings_read_text;     /* one line */

/* The seconds of a duration as settings_read_duration() keeps it; 0 for any other text. */
long settings_duration(const char *value);
