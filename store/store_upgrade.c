#include "store/store_upgrade.h"

#include <stdio.h>

#include "store/store_backend.h"
#include "store/store_inside.h"

static store_upgrade_fn *before;

void store_before_upgrade(store_upgrade_fn *fn)
{
	before = fn;
}

int store_layout(const char *dir, int64_t *found, int64_t *known, struct err *e)
{
	const char *url = store_backend_url();
	char path[STORE_PATH_MAX];

	snprintf(path, sizeof path, "%.900s/%s", dir, STORE_DB);
	return db_version(store_backend(), url ? url : path, found, known, e);
}

int store_tell_upgrade(const struct store *s, struct err *e)
{
	char path[STORE_PATH_MAX];
	int64_t found, known;

	/* Those who open the store tell of a layout that cannot be read.  A server has backups of its
	 * own. */
	if (!before || store_backend_url() || store_layout(s->dir, &found, &known, NULL) < 0 ||
	    found < 1 || found >= known)
		return 0;
	store_path(s, STORE_DB, path);
	int rc = db_fold(store_backend(), path, e);
	if (rc == 0)
		rc = store_layout(s->dir, &found, &known, e);
	return rc == 0 && found < known ? before(s->dir, found, known, e) : rc;
}
