/* Takes from a child, before it looks at its first frame, what it must not have. */
#pragma once

#include "pbm/base/child.h"

/* Is this program built with the address sanitizer?  It reserves terabytes of address space,
 * reads /proc/self/maps and writes reports to standard error, so some limits can't be set. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif

/* Called in the new child, whose parent has this process id.  Moves fd to standard input and
 * removes the rights that plan->trust forbids.  clean: the zygote has forked it, and has given
 * up what only a fork of the program inherits.  Ends the process when the parent is gone already
 * or the descriptors can't be closed.  False: the child has every limit but the filter of system
 * calls. */
bool child_confine(const struct child_plan *plan, int fd, pid_t parent, bool clean);

/* The same for the zygote, which must be able to fork and to load libraries. */
void child_be_zygote(int fd, pid_t parent);

/* Notes how much memory is in use, for the limits of all children that this process forks. */
void child_measure_memory(void);

/* From now on other processes of the same user can neither read this process's memory nor
 * trace it, and it leaves no core dump.  Not under the sanitizers. */
void child_hide_memory(void);
