/* Libraries that few runs need are loaded when one does: finding and binding the
 * shared objects that a program names takes longer than all an idle run has to do.
 * A library that is missing is an error of what needs it.  Never unloads. */
#ifndef PBM_BASE_LATE_H
#define PBM_BASE_LATE_H

#include <stdbool.h>

#include "pbm/base/err.h"

struct late_function {
	const char *name;
	void *slot; /* address of the pointer that leads to it from then on */
};

struct late_library {
	const char *name;     /* for people */
	const char *files[3]; /* shared objects, the best first: one is enough; NULL ends them */
	const struct late_function *functions; /* a NULL name ends them */
	bool loaded;
};

/* Fills all slots; the second time it does nothing.  Until it has returned 0 no slot
 * may be used.  ERR_SYSTEM says which file or function is missing. */
int late_load(struct late_library *l, struct err *e);

#endif
