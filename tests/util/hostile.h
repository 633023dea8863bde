/* Mails made to hurt, one a row: each is a head, a unit as often as it fits or as
 * often as is said, and a tail.  And mutations of them, the same for a seed. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pbm/base/str.h"

size_t hostile_count(void);
const char *hostile_name(size_t i);

/* Mail i, at most size bytes (as many as that where its row says "fill"). */
void hostile_write(size_t i, size_t size, struct str *out);

/* One of the rows, short, or an ordinary mail, with a few accidents. */
void hostile_mutate(uint64_t seed, struct str *out);
