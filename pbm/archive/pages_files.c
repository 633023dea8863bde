/* Files in the archive's folder. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/archive/pages.h"
#include "pbm/base/io.h"

#define PATH_SIZE 1200

static const char *path_of(const struct site *site, const char *name, char path[PATH_SIZE])
{
	return site_archive_path(site, name, path, PATH_SIZE);
}

bool archive_has(const struct site *site, const char *name)
{
	char path[PATH_SIZE];

	return access(path_of(site, name, path), F_OK) == 0;
}

int archive_read(const struct site *site, const char *name, size_t max, char **out, size_t *len,
                 struct err *e)
{
	char path[PATH_SIZE];

	return io_read_file(AT_FDCWD, path_of(site, name, path), max, out, len, e);
}

/* Is the file there, with these bytes?  After a power cut it may have others. */
static bool is_same(const char *path, const char *bytes, size_t n)
{
	struct stat st;
	char *text;
	size_t len;

	if (stat(path, &st) < 0 || (size_t)st.st_size != n ||
	    io_read_file(AT_FDCWD, path, n, &text, &len, NULL) < 0)
		return false;
	bool same = len == n && memcmp(text, bytes, n) == 0;
	free(text);
	return same;
}

int archive_write_bytes(struct site *site, const char *name, const char *bytes, size_t n,
                        struct err *e)
{
	char path[PATH_SIZE], dir[PATH_SIZE];
	int rc = 0;

	path_of(site, name, path);
	if (is_same(path, bytes, n))
		return 0;
	snprintf(dir, sizeof dir, "%.*s", (int)(strrchr(path, '/') - path), path);
	/* A web server is another user, whatever the umask of the line for cron is. */
	mode_t mask = umask(022);
	if (access(dir, F_OK) != 0)
		rc = io_make_dirs(AT_FDCWD, dir, 0755, e);
	/* Pages can always be made again, so they are not synced one by one. */
	if (rc == 0)
		rc = io_replace(AT_FDCWD, path, bytes, n, 0644, IO_LAZY, e);
	umask(mask);
	return rc;
}

int archive_remove(const struct site *site, const char *name, struct err *e)
{
	char path[PATH_SIZE];

	return unlink(path_of(site, name, path)) == 0 || errno == ENOENT
	               ? 0
	               : err_sys(e, "unlink %s", path);
}

static int remove_any(const struct site *site, const char *name, struct err *e)
{
	char path[PATH_SIZE];
	struct stat st;
	bool folder = lstat(path_of(site, name, path), &st) == 0 && S_ISDIR(st.st_mode);

	return folder ? archive_remove_folder(site, name, e) : archive_remove(site, name, e);
}

int archive_remove_folder(const struct site *site, const char *name, struct err *e)
{
	char path[PATH_SIZE];
	struct dirent *entry;
	DIR *dir = opendir(path_of(site, name, path));
	int rc = 0;

	if (!dir)
		return errno == ENOENT ? 0 : err_sys(e, "open %s", path);
	while (rc == 0 && (entry = readdir(dir))) {
		struct arena a = { 0 };

		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			rc = remove_any(site, arena_printf(&a, "%s/%s", name, entry->d_name), e);
		arena_release(&a);
	}
	closedir(dir);
	return rc == 0 && rmdir(path) < 0 ? err_sys(e, "rmdir %s", path) : rc;
}

int archive_sync(struct site *site, struct err *e)
{
	char path[1200];
	int fd = open(site_archive_path(site, "", path, sizeof path),
	              O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return err_sys(e, "open %s", path);
	int rc = syncfs(fd) < 0 ? err_sys(e, "sync %s", path) : 0;
	close(fd);
	return rc;
}
