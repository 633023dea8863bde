/* The only place that reads the time.  Tests, the demo and rehearsals can set it. */
#ifndef PBM_BASE_CLOCK_H
#define PBM_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"

/* Seconds since 1970-01-01T00:00:00Z. */
int64_t clock_now(void);

/* After this clock_now() returns t; with a negative t it returns the real time
 * again. */
void clock_set(int64_t t);

/* Milliseconds of the monotonic clock, which clock_set() does not change: for
 * waits and time budgets. */
int64_t clock_ms(void);

/* After this clock_ms() returns t, in tests; with a negative t it returns the monotonic
 * clock again. */
void clock_set_ms(int64_t t);

#define CLOCK_ISO_SIZE 24

/* "2026-12-01T17:00:00Z", UTC, RFC 3339.  buf has CLOCK_ISO_SIZE bytes. */
char *clock_write_iso(int64_t t, char *buf);

/* Reads a text that clock_write_iso() could have written; ERR_BAD for any other. */
int clock_read_iso(const char *text, int64_t *out, struct err *e);

#endif
