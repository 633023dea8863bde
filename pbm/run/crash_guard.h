/* Tells a fault of this program from an end from outside during one piece of work: handlers of
 * signals that faults cause write a mark into a file.  Limits turn work without an end, or with
 * too much memory, into a fault.  There is one guard in a process.  An earlier handler of a
 * signal is called afterwards. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* Until crash_guard_end() a fault writes the byte mark at this offset of fd.  cpu: seconds of
 * processor time after which the process ends, which is a fault, too.  memory: bytes of address
 * space that may be added, 0: no limit; with a limit, running out of memory is a fault. */
void crash_guard_begin(int fd, off_t offset, char mark, int cpu, size_t memory);
void crash_guard_end(void);
