#include "store/inside_acts.h"

#include <stdio.h>
#include <stdlib.h>

#include "pbm/base/io.h"

static int take_path(const struct db_row *row, struct arena *a, void *out, struct err *e)
{
	const char *path = db_row_text(row, 0);

	(void)a;
	if (!acts_is_path(path))
		return err_set(e, ERR_DAMAGED, "pbm.db: \"%.60s\" is no file of acts", path);
	snprintf(out, ACTS_PATH_SIZE, "%s", path);
	return 0;
}

int store_acts_paths(struct db *db, struct gathered *out, struct err *e)
{
	return gather_rows(out, db, DB_ACTS_PATHS, DB_NONE, take_path, ACTS_PATH_SIZE, e);
}

int store_acts_file(int dirfd, const char *path, struct str *out, struct err *e)
{
	char *bytes = NULL;
	size_t n = 0;
	struct err why = { 0 };
	int rc = io_read_file(dirfd, path, ACTS_FILE_MAX, &bytes, &n, &why);

	if (rc < 0)
		return err_set(e, rc == ERR_SYSTEM ? ERR_SYSTEM : ERR_DAMAGED, "%s", why.text);
	str_add_n(out, bytes, n);
	free(bytes);
	return 0;
}
