#include "pbm/base/array.h"

#include <string.h>

#define FEWEST 16

void *array_room(struct arena *a, void *items, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return items;
	if (n >= ARRAY_MAX)
		mem_exhausted();
	*cap = n < FEWEST ? FEWEST : 2 * n;
	if (!a)
		return mem_resize(items, *cap * size);
	void *more = arena_alloc(a, *cap * size);
	if (n)
		memcpy(more, items, n * size);
	return more;
}
