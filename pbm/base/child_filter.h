/* The filter of system calls that a child loads into the kernel before its first frame. */
#pragma once

#include "pbm/base/child.h"

/* Makes the filter of this level of trust ready, so that each child that this process
 * forks only has to load it.  Without this call, child_filter_load() does it. */
void child_filter_make(enum child_trust trust);

/* Loads the filter and checks that it is in force.  False: this process runs without it,
 * for example because the kernel knows no such filters.  Always true under the sanitizers,
 * which need calls that the filter forbids. */
bool child_filter_load(enum child_trust trust);
