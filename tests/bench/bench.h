/* Helpers of make bench's sections. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pbm/base/err.h"

#define RUNS 3

/* Seconds since some instant. */
double bench_now(void);
/* Seconds of processor time that this process and its children have used. */
double bench_cpu(void);
/* Sorts v. */
double bench_median(double *v, size_t n);
_Noreturn void bench_fail(const char *what, const struct err *e);

void bench_parse(void);
/* Sites of 1000 games and more, ten times larger each, up to most. */
void bench_store(const char *pbm, int64_t most);
/* One more game on a site that is there already, with players out of so many; another seed takes
 * others, whose pages may not be in memory yet.  The site:
 *   tests/bench/simulate DIR GAMES PLAYERS && pbm -C DIR archive --rebuild */
void bench_publish(const char *dir, int64_t players, uint64_t seed);
/* The list of seeks, with formulas. */
void bench_sought(void);
/* Drawn positions. */
void bench_pictures(void);
/* Sites of 1000 players and more, ten times more each, up to most. */
void bench_archive(int64_t most);
/* One line about a site that is there already, of tests/simulate DIR GAMES. */
void bench_site(const char *pbm, const char *path, int64_t games);
/* Milliseconds of the slowest question that a command asks the store of a simulated site;
 * each: prints all of them. */
double bench_questions(const char *dir, int64_t players, bool each);
/* Prints the peak KiB of one run of the program; of main() in a fresh process. */
int bench_peak(const char *pbm, const char *dir, const char *word);
/* n more games on the site, and a mail with a first move for each. */
void bench_work(const char *dir, size_t n);
