/* Tells a fault of this program from an end that comes from outside, while one piece of
 * work is done: handlers of the signals that faults make write a mark into a file.  Also
 * makes faults of work that never ends or takes too much memory, by limits.  There is
 * one guard in a process.  A handler that was there before is called afterwards. */
#ifndef PBM_RUN_CRASH_GUARD_H
#define PBM_RUN_CRASH_GUARD_H

#include <stddef.h>
#include <sys/types.h>

/* Until crash_guard_end() a fault writes the byte mark at this offset of fd.  cpu:
 * seconds of processor time after which the process ends, a fault too.  memory: bytes
 * of address space that may be added, 0: no limit; with a limit, running out of memory
 * is a fault. */
void crash_guard_begin(int fd, off_t offset, char mark, int cpu, size_t memory);
void crash_guard_end(void);

#endif
