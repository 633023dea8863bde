#include "store/document/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/array.h"
#include "pbm/base/io.h"
#include "pbm/base/mem.h"

#define PATH_BYTES 1024

int files_create(int dirfd, struct err *e)
{
	static const char *const folders[] = { "games", "players", "tournaments", "acts" };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof folders / sizeof *folders; i++)
		rc = io_make_dirs(dirfd, folders[i], FILES_DIR_MODE, e);
	return rc;
}

bool files_has(int dirfd, const char *path)
{
	return faccessat(dirfd, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

int files_touch(int dirfd, const char *path, struct err *e)
{
	int fd = openat(dirfd, path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, FILES_MODE);

	if (fd < 0)
		return err_sys(e, "create %s", path);
	close(fd);
	return 0;
}

int files_write(int dirfd, const char *path, const char *bytes, size_t n, struct err *e)
{
	char dir[PATH_BYTES];
	const char *slash = strrchr(path, '/');

	snprintf(dir, sizeof dir, "%.*s", slash ? (int)(slash - path) : 0, path);
	int rc = slash ? io_make_dirs(dirfd, dir, FILES_DIR_MODE, e) : 0;
	return rc == 0 ? io_replace(dirfd, path, bytes, n, FILES_MODE, IO_LAZY, e) : rc;
}

int files_write_at(int dirfd, const char *path, int64_t at, const char *bytes, size_t n,
                   struct err *e)
{
	int fd = openat(dirfd, path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, FILES_MODE);

	if (fd < 0)
		return err_sys(e, "open %s", path);
	int rc = lseek(fd, at, SEEK_SET) < 0 ? err_sys(e, "seek in %s", path)
	                                     : io_write_all(fd, bytes, n, e);
	if (close(fd) < 0 && rc == 0)
		rc = err_sys(e, "close %s", path);
	return rc;
}

int files_sync(int dirfd, struct err *e)
{
	return io_sync_fs(dirfd, io_written(), e);
}

struct dir_names {
	char **v;
	size_t n, cap;
};

static void names_release(struct dir_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->v[i]);
	free(names->v);
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* Reads the names in a directory.  *is_dir: false if path is none. */
static int names_read(int dirfd, const char *path, struct dir_names *out, bool *is_dir,
                      struct err *e)
{
	int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	*is_dir = d != NULL;
	if (!d)
		return errno == ENOTDIR || errno == ELOOP ? 0 : err_sys(e, "open %s", path);
	while (errno = 0, (entry = readdir(d)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			*ARRAY_ADD(NULL, out) = mem_strdup(entry->d_name);
	int rc = errno ? err_sys(e, "read %s", path) : 0;
	closedir(d);
	if (out->n)
		qsort(out->v, out->n, sizeof out->v[0], by_version);
	return rc;
}

int files_walk(int dirfd, const char *dir, int levels, files_fn *fn, void *arg, struct err *e)
{
	struct dir_names names = { 0 };
	char path[PATH_BYTES];
	bool is_dir = false;
	int rc = levels ? names_read(dirfd, dir, &names, &is_dir, e) : 0;

	if (rc == 0 && !is_dir)
		return fn(dir, arg, e);
	for (size_t i = 0; rc == 0 && i < names.n; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, names.v[i]);
		rc = files_walk(dirfd, path, levels - 1, fn, arg, e);
	}
	names_release(&names);
	return rc;
}

int files_set_aside(int dirfd, const char *path, char *where, struct err *e)
{
	int rc = io_make_dirs(dirfd, "damaged", FILES_DIR_MODE, e);

	for (int n = 1; rc == 0; n++) {
		char *flat = where + strlen("damaged/");

		snprintf(where, FILES_ASIDE_MAX, "damaged/%.400s", path);
		for (char *p = flat; *p; p++)
			if (*p == '/')
				*p = '_';
		if (n > 1)
			snprintf(flat + strlen(flat), 20, ".%d", n);
		if (io_rename_new(dirfd, path, where) == 0)
			return 0;
		if (errno != EEXIST)
			rc = err_sys(e, "rename %s to %s", path, where);
	}
	return rc;
}
