/* Room on the disk.  A run that would fill the disk takes no mail: mails wait at
 * their source, and what is left is enough to send what was promised and to say
 * that something must be done. */
#ifndef PBM_RUN_DISK_SPACE_H
#define PBM_RUN_DISK_SPACE_H

#include "pbm/base/err.h"
#include "pbm/site/site.h"

/* 0 when the site's disk has disk-reserve MiB left, and names for as many files;
 * ERR_TEMP with a sentence when not.  The operator is told then, as far as there
 * is room for that; the store is open for writing. */
int disk_space_check(struct site *site, struct err *e);

#endif
