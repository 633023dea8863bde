/* The notes that go into one mail. */
#pragma once

#include "pbm/request/request.h"

/* The notes for one reader, about one board unless board is 0. */
struct bundle {
	const char *reader; /* userid, NULL: the sender */
	int64_t board;
	const char *subject; /* of notes about several boards, or NULL */
	size_t n;
	const struct note *notes[REQUEST_NOTES_MAX];
};

static inline bool bundle_has(const struct bundle *b, unsigned flag)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->notes[i]->flags & flag)
			return true;
	return false;
}
