/* Measures the room that files take on the disk. */
#pragma once

#include <stdint.h>

/* Bytes of the disk that everything below the folder takes; links are not followed.  What
 * can't be read takes none. */
int64_t space_used(const char *folder);
