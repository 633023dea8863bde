/* The programs of pbm.  People start PREFIX/bin/pbm; PREFIX/libexec/pbm has the others, each with
 * one duty and the libraries for it. */
#pragma once

#define LIBEXEC_VERSION "0.1" /* of all of them */

#include <stddef.h>

#include "pbm/base/err.h"

/* Writes the path of the program "pbm", or of "pbm-…", to path.  PREFIX is the nearest folder
 * above the running program that has it, so a build tree needs no installation.  ERR_SYSTEM: it
 * is not there. */
int libexec_find(const char *name, char *path, size_t size, struct err *e);

/* Goes on as that program; returns only if that fails. */
int libexec_become(const char *name, char *const argv[], struct err *e);

/* The same with the command line that libexec_remember() was given; nothing may have been read from
 * standard input. */
void libexec_remember(char *const argv[]);
int libexec_again(const char *name, struct err *e);

/* Runs that program to its end, without standard output.  It dies with this process.  ERR_TEMP:
 * it failed; e has the first line that it wrote to standard error. */
int libexec_run(const char *name, char *const argv[], struct err *e);
