/* What a child gives up before it looks at its first frame. */
#ifndef PBM_BASE_CHILD_CONFINE_H
#define PBM_BASE_CHILD_CONFINE_H

#include "pbm/base/child.h"

/* Called in the new child, whose parent has this process id.  Moves fd to standard input,
 * calls plan->prepare(arg) and takes away what plan->trust forbids.  Ends the process when
 * the parent is gone already or the descriptors can't be closed. */
void child_confine(const struct child_plan *plan, int fd, pid_t parent, void *arg);

#endif
