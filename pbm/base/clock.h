/* The one place that reads the time.  Tests, the demo and rehearsals set it. */
#ifndef PBM_BASE_CLOCK_H
#define PBM_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"

/* Seconds since 1970-01-01T00:00:00Z. */
int64_t clock_now(void);

/* From here on clock_now() answers t.  A negative t gives the real time back. */
void clock_set(int64_t t);

/* Milliseconds of a clock that only tests set, for waits and budgets. */
int64_t clock_ms(void);

/* From here on clock_ms() answers t.  A negative t gives the real clock back. */
void clock_set_ms(int64_t t);

#define CLOCK_ISO_SIZE 24

/* "2026-12-01T17:00:00Z", UTC, RFC 3339.  buf has CLOCK_ISO_SIZE bytes. */
char *clock_write_iso(int64_t t, char *buf);

/* Reads what clock_write_iso() writes.  ERR_BAD otherwise. */
int clock_read_iso(const char *text, int64_t *out, struct err *e);

#endif
