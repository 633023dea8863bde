/* Looks at everything that a site needs, and says of each thing whether it is well, what that
 * means, and what to do.  It changes nothing of the site, but what it is told to mend. */
#pragma once

#include <stdbool.h>

#include "pbm/base/err.h"

enum finding_level { FINDING_OK, FINDING_SKIP, FINDING_WARN, FINDING_BAD };

struct finding {
	const char *name; /* of the check; it never changes */
	enum finding_level level;
	const char *means; /* a sentence without its point */
	const char *todo;  /* the same; NULL when there is nothing to do */
};

struct doctor_task {
	const char *dir;
	bool offline; /* asks no mail server and no DNS server */
	bool engines; /* tries the other engines of pbm.conf, and keeps the verdicts */
	bool fix;     /* mends modes, owners, the archive and the index */
	const char
		*address; /* gets a test mail, and another one goes out and must come back; NULL */
	/* One run of the site, as pbm tick does it: brings the test mail in. */
	int (*run)(const char *dir, struct err *e);
	void (*show)(const struct finding *f, void *arg);
	void *arg;
};

/* "ok", "skip", "warn", "bad" */
extern const char *const finding_words[];

/* Runs all checks, and calls show() for each finding at once.  The worst level. */
enum finding_level doctor_examine(const struct doctor_task *task);
