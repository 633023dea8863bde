/* Limits the files that a child may read. */
#pragma once

/* From now on this process opens files for reading only, and only those that name lookup and
 * TLS need (libraries, settings of the machine, certificates), and this one; file may be
 * NULL.  So it can read neither the site nor /proc.  It can't trace other processes either.
 * Without Landlock in the kernel (Linux 5.13) nothing changes, and nothing under the
 * sanitizers.  The filter of system calls of a limited child lets this call through. */
void child_limit_files(const char *file);

/* The same for another program, which it may execute. */
void child_limit_files_of_program(const char *program);
