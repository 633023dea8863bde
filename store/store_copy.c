#include "store/store_copy.h"

#include <fcntl.h>
#include <unistd.h>

#include "store/document/files.h"
#include "store/store_backend.h"
#include "store/store_inside.h"

int store_copy_queues(struct store *s, const char *path, struct err *e)
{
	char old[STORE_PATH_MAX];
	struct db *copy = NULL;

	unlink(path);
	int rc = files_touch(AT_FDCWD, path, e);
	store_path(s, STORE_DB, old);
	if (rc == 0)
		rc = db_open(store_backend(), path, DB_BUILD, &copy, e);
	if (rc == 0)
		rc = db_adopt(copy, old, e);
	if (rc < 0) {
		db_close(copy);
		return rc;
	}
	rc = db_build_done(copy, e);
	return rc == 0 ? db_fold(store_backend(), path, e) : rc;
}
