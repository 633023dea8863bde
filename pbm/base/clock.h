/* The only place that reads the time.  Tests, the demo and rehearsals can set it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pbm/base/err.h"

#define CLOCK_DAY INT64_C(86400) /* seconds */

/* Seconds since 1970-01-01T00:00:00Z: the machine's clock and clock_shift(). */
int64_t clock_now(void);

/* The time of the machine's clock, or of clock_set(). */
int64_t clock_machine(void);

/* From now on clock_now() is so many seconds ahead of clock_machine(): for a machine
 * whose clock is not believed. */
void clock_shift(int64_t seconds);

/* After this clock_machine() returns t; with a negative t it returns the real time
 * again.  Ends a shift. */
void clock_set(int64_t t);

/* Is that time in force? */
bool clock_is_set(void);

/* Another sign of the time: no setting of the clock changes boottime. */
struct clock_witness {
	int64_t boot;     /* a number for this start of the machine, 0: unknown */
	int64_t boottime; /* seconds since then, those asleep too */
	bool synced;      /* the system keeps its clock right by NTP, and it is right */
};

/* While the time is set there is no witness, unless clock_set_witness() named one. */
struct clock_witness clock_witness(void);
void clock_set_witness(const struct clock_witness *w); /* NULL: the real one again */

/* Milliseconds of the monotonic clock, which clock_set() does not change: for
 * waits and time budgets. */
int64_t clock_ms(void);

/* After this clock_ms() returns t, in tests; with a negative t it returns the monotonic
 * clock again. */
void clock_set_ms(int64_t t);

#define CLOCK_ISO_SIZE 24

/* "2026-12-01T17:00:00Z", UTC, RFC 3339.  buf has CLOCK_ISO_SIZE bytes. */
char *clock_write_iso(int64_t t, char *buf);
/* The same in a buffer of the block at hand. */
#define CLOCK_ISO(t) clock_write_iso(t, (char[CLOCK_ISO_SIZE]){ 0 })

/* Reads a text that clock_write_iso() could have written; ERR_BAD for any other. */
int clock_read_iso(const char *text, int64_t *out, struct err *e);
