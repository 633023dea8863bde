/* Files in the archive's folder. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/archive/place/place.h"
#include "pbm/base/io.h"
#include "pbm/site/guard.h"
#include "store/store.h"

#define PATH_SIZE 1200

/* ---- the way to a file: folder by folder, so that a user who may write into the archive's
 * folder can't lead pbm elsewhere, by a link or by his own folder with a name of ours.  ---- */

/* Folders that no other user may list: the names in them are secret. */
static mode_t mode_of(const char *folder)
{
	return strcmp(folder, ARCHIVE_LIVE) == 0 ? 0711 : 0755;
}

/* The name for an error, which is logged: that of a live page is secret. */
static const char *shown(const char *name)
{
	return strncmp(name, ARCHIVE_LIVE "/", sizeof ARCHIVE_LIVE) == 0 ? "a live page" : name;
}

/* Refuses the folder at fd, opened by this name, unless it is ours. */
static int check_folder(const struct site *site, int fd, const char *name, mode_t mode,
                        struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_sys(e, "stat %s", shown(name));
	if (!guard_is_ours(site->dir, &st))
		return err_set(e, ERR_PERM,
		               "%.600s belongs to user %u: pbm writes only into its own folders of "
		               "the archive; look what is in it, then delete it or chown it",
		               ARCHIVE_PATH(site, name), (unsigned)st.st_uid);
	if (mode == 0711 && (st.st_mode & 0777 & ~mode) && fchmod(fd, mode) < 0)
		return err_sys(e, "chmod %s", shown(name));
	return 0;
}

/* The archive's folder itself; it may be another user's, and a link may lead to it. */
static int open_root(const struct site *site, bool make, struct err *e)
{
	const char *path = ARCHIVE_PATH(site, "");
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
	int fd = open(path, flags);

	if (fd < 0 && errno == ENOENT && make) {
		int rc = io_make_dirs(AT_FDCWD, path, 0755, e);
		if (rc < 0)
			return rc;
		fd = open(path, flags);
	}
	return fd >= 0 ? fd : errno == ENOENT ? ERR_NOT_FOUND : err_sys(e, "open %s", path);
}

/* Opens one folder further down, and closes fd.  name is the whole path so far. */
static int open_step(const struct site *site, int fd, const char *name, bool make, struct err *e)
{
	const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
	mode_t mode = mode_of(name);
	int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

	if (make && mkdirat(fd, last, mode) < 0 && errno != EEXIST) {
		int rc = err_sys(e, "mkdir %s", shown(name));
		close(fd);
		return rc;
	}
	int next = openat(fd, last, flags), rc = 0;
	if (next < 0)
		rc = errno == ENOENT ? ERR_NOT_FOUND
		                     : err_sys(e, "open %s in the archive", shown(name));
	close(fd);
	if (next < 0)
		return rc;
	rc = check_folder(site, next, name, mode, e);
	if (rc == 0)
		return next;
	close(next);
	return rc;
}

/* The folder of this name below the archive's; "": itself.  ERR_NOT_FOUND, without a sentence. */
static int open_folder(const struct site *site, const char *name, bool make, struct err *e)
{
	char part[PATH_SIZE];
	int fd = open_root(site, make, e);

	for (const char *p = name; fd >= 0 && *p;) {
		const char *end = strchrnul(p, '/');

		snprintf(part, sizeof part, "%.*s", (int)(end - name), name);
		fd = open_step(site, fd, part, make, e);
		p = *end ? end + 1 : end;
	}
	return fd;
}

/* The folder that has the file of this name; *last is the rest of the name. */
static int open_folder_of(const struct site *site, const char *name, bool make, const char **last,
                          struct err *e)
{
	const char *slash = strrchr(name, '/');

	*last = slash ? slash + 1 : name;
	return open_folder(site, PRINTED(PATH_SIZE, "%.*s", slash ? (int)(slash - name) : 0, name),
	                   make, e);
}

/* ---- files ---- */

static bool has(const struct site *site, const char *name)
{
	return access(ARCHIVE_PATH(site, name), F_OK) == 0;
}

static int read_bytes(const struct site *site, const char *name, size_t max, char **out,
                      size_t *len, struct err *e)
{
	return io_read_file(AT_FDCWD, ARCHIVE_PATH(site, name), max, out, len, e);
}

/* Is the file there, with these bytes?  After a power cut it may have others. */
static bool is_same(int dir, const char *name, const char *bytes, size_t n)
{
	struct stat st;
	AUTO(mem_free) char *text = NULL;
	size_t len;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || (size_t)st.st_size != n ||
	    io_read_file(dir, name, n, &text, &len, NULL) < 0)
		return false;
	return len == n && memcmp(text, bytes, n) == 0;
}

static int write_bytes(struct site *site, const char *name, const char *bytes, size_t n,
                       struct err *e)
{
	const char *last;
	/* A web server is another user, so ignore the umask of cron's line. */
	mode_t mask = umask(022);
	AUTO(io_close) int dir = open_folder_of(site, name, true, &last, e);
	int rc = dir < 0 ? dir : 0;

	/* Pages can be made again, so they are not synced one by one. */
	if (rc == 0 && !is_same(dir, last, bytes, n))
		rc = io_replace(dir, last, bytes, n, 0644, IO_LAZY, e);
	umask(mask);
	return rc < 0 ? err_set(e, (enum err_code)rc, "%s: no such folder", shown(name)) : 0;
}

static int remove_file(const struct site *site, const char *name, struct err *e)
{
	const char *last;
	int rc = 0, dir = open_folder_of(site, name, false, &last, e);

	if (dir < 0)
		return dir == ERR_NOT_FOUND ? 0 : dir;
	if (unlinkat(dir, last, 0) < 0 && errno != ENOENT)
		rc = err_sys(e, "unlink %s", shown(name));
	close(dir);
	return rc;
}

static int remove_folder(const struct site *site, const char *name, struct err *e);

/* Removes everything in the open folder, and closes it. */
static int remove_all(const struct site *site, int fd, const char *name, struct err *e)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;
	int rc = 0;

	if (!dir) {
		close(fd);
		return err_sys(e, "read %s", shown(name));
	}
	while (rc == 0 && (entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		AUTO(arena_release) struct arena a = { 0 };
		struct stat st;
		const char *below = arena_printf(&a, "%s/%s", name, entry->d_name);

		if (fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISDIR(st.st_mode))
			rc = remove_folder(site, below, e);
		else if (unlinkat(fd, entry->d_name, 0) < 0 && errno != ENOENT)
			rc = err_sys(e, "unlink %s", shown(below));
	}
	closedir(dir);
	return rc;
}

static int remove_folder(const struct site *site, const char *name, struct err *e)
{
	const char *last;
	int fd = open_folder(site, name, false, e);
	int rc = fd >= 0 ? remove_all(site, fd, name, e) : fd;

	if (rc < 0)
		return rc == ERR_NOT_FOUND ? 0 : rc;
	fd = open_folder_of(site, name, false, &last, e);
	if (fd < 0)
		return fd;
	if (unlinkat(fd, last, AT_REMOVEDIR) < 0)
		rc = err_sys(e, "rmdir %s", shown(name));
	close(fd);
	return rc;
}

static int each_folder(const struct site *site, const char *name,
                       int (*fn)(const char *folder, void *arg), void *arg, struct err *e)
{
	const char *path = ARCHIVE_PATH(site, name);
	struct dirent *entry;
	AUTO(io_close_dir) DIR *dir = opendir(path);
	int rc = 0;

	if (!dir)
		return errno == ENOENT ? 0 : err_sys(e, "open %s", path);
	while (rc == 0 && (entry = readdir(dir))) {
		AUTO(arena_release) struct arena a = { 0 };

		if (entry->d_name[0] != '.')
			rc = fn(arena_printf(&a, "%s/%s", name, entry->d_name), arg);
	}
	return rc;
}

static int sync_all(struct site *site, struct err *e)
{
	AUTO(io_close) int fd = open_folder(site, "", true, e);

	if (fd < 0)
		return fd;
	return io_sync_fs(fd, io_written(), e);
}

static int sync_first(struct site *site, struct err *e)
{
	AUTO(io_close) int fd = open_folder(site, "", true, e);

	if (fd < 0)
		return fd;
	return store_light_after(site->store, fd, e);
}

const struct archive_place place_files = {
	.write_bytes = write_bytes,
	.has = has,
	.read = read_bytes,
	.remove = remove_file,
	.remove_folder = remove_folder,
	.each_folder = each_folder,
	.sync = sync_all,
	.sync_first = sync_first,
};
