/* The backup before a site of an older version gets this version's layout. */
#ifndef PBM_PROGRAM_UPGRADE_H
#define PBM_PROGRAM_UPGRADE_H

#include <stdint.h>

#include "pbm/base/err.h"

/* For store_before_upgrade(): writes the backup beside the site's folder or, where pbm may not
 * write there, into it; nothing if upgrade-backup is no.  The log says where it is. */
int upgrade_save(const char *dir, int64_t found, int64_t known, struct err *e);

#endif
