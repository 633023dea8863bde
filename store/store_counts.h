/* Counts the finished games of each list of the web archive.  A list's name is "all",
 * "game:suicide", "month:2026-12" or "player:alice" (the folded userid). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

/* *out is 0 when there is no such list. */
int store_count(struct store *s, const char *list, int64_t *out, struct err *e);

/* The lists of a kind ("game:") that have games, in the order of their names; fn gets
 * each name without the kind. */
typedef int count_fn(const char *name, int64_t n, void *arg);
int store_counts(struct store *s, const char *kind, count_fn *fn, void *arg, struct err *e);

/* The same, but only those after kind and `after` in the order of their names, and at most
 * `limit` of them. */
int store_counts_after(struct store *s, const char *kind, const char *after, size_t limit,
                       count_fn *fn, void *arg, struct err *e);
