/* Is enough space left on the disk?  If not, a run takes no mail: the mails wait at
 * their source, and the space left is for sending the outbox and telling the operator. */
#ifndef PBM_RUN_DISK_SPACE_H
#define PBM_RUN_DISK_SPACE_H

#include "pbm/base/err.h"
#include "pbm/site/site.h"

/* 0 when the site's disk has disk-reserve MiB and enough inodes left; else ERR_TEMP
 * with a sentence, and the operator is told if there is space for that.  The store is
 * open for writing. */
int disk_space_check(struct site *site, struct err *e);

#endif
