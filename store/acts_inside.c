#include "store/acts_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/base/io.h"
#include "store/document/document_file.h"

#define TAIL 4096 /* bytes that are read first; most lines are shorter */

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

int64_t store_acts_sum(const char *bytes, size_t n)
{
	char hash[ACTS_HASH_SIZE];

	acts_last_hash(bytes, n, hash);
	hash[2 * sizeof(int64_t)] = '\0';
	return (int64_t)strtoull(hash, NULL, 16);
}

bool store_acts_have_sum(const char *bytes, size_t n, int64_t sum)
{
	return store_acts_sum(bytes, n) == sum || document_file_sum_of(bytes, n) == sum;
}

/* Does a line end before the last one? */
static bool has_last_line(const struct str *s)
{
	return s->len > 1 && memrchr(s->data, '\n', s->len - 1);
}

int store_acts_tail(int dirfd, const char *path, struct str *out, int64_t *size, struct err *e)
{
	struct stat st = { 0 };
	off_t tail = TAIL / 2;
	int fd = openat(dirfd, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), rc = 0;

	if (fd < 0 && errno == ENOENT)
		return err_set(e, ERR_DAMAGED, "%s: the file is missing", path);
	if (fd < 0 || fstat(fd, &st) < 0)
		rc = err_sys(e, "open %s", path);
	do {
		tail *= 2;
		str_clear(out);
		if (rc == 0 && lseek(fd, st.st_size > tail ? st.st_size - tail : 0, SEEK_SET) < 0)
			rc = err_sys(e, "seek in %s", path);
		if (rc == 0)
			rc = io_read_all(fd, ACTS_FILE_MAX, out, e);
	} while (rc == 0 && st.st_size > tail && !has_last_line(out));
	if (fd >= 0)
		close(fd);
	*size = rc == 0 ? st.st_size : 0;
	return rc;
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
