/* The one array that grows.  A list keeps its items, their number n and the number cap that
 * its memory has room for; all zero is an empty list. */
#pragma once

#include "pbm/base/mem.h"

/* Limits one list.  A longer list ends the process as if memory had run out (mem.h); a list that
 * strangers fill needs a lower maximum, which its owner checks. */
#define ARRAY_MAX ((size_t)1 << 26)

/* Returns items with room for at least one more than the n there are, each of size bytes, and
 * sets *cap.  The memory comes from the arena, or from the heap if a is NULL. */
MEM_NONNULL void *array_room(struct arena *a, void *items, size_t n, size_t *cap, size_t size);

/* A pointer to one more item, not yet filled in, at the end of a struct that has the members
 * v, n and cap. */
#define ARRAY_ADD(a, list)                                                                         \
	((list)->v = array_room(a, (list)->v, (list)->n, &(list)->cap, sizeof *(list)->v),         \
	 &(list)->v[(list)->n++])
