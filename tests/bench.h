/* What the sections of make bench share. */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include <stddef.h>

#include "pbm/base/err.h"

#define RUNS 3

/* Seconds since some instant. */
double bench_now(void);
/* Sorts v. */
double bench_median(double *v, size_t n);
_Noreturn void bench_fail(const char *what, const struct err *e);

void bench_parse(void);

#endif
