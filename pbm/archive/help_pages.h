/* The help pages on the web: help/<topic>.html, rules/<game>.html, help/set-<setting>.html, an
 * index and the list of commands; other languages in folders (help/de/…).  Only for the files
 * of this folder. */
#pragma once

#include "pbm/archive/archive.h"
#include "pbm/site/site.h"

/* Writes all of them.  Returns 0, or the code of the first failure, which is also counted in r. */
int help_pages_write(struct site *site, struct archive_report *r);
