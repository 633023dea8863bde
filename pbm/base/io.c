#include "pbm/base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pbm/base/mem.h"

#define PATH_MAX_BYTES 1024

int io_read_all(int fd, size_t max, struct str *out, struct err *e)
{
	char buf[16384];

	for (;;) {
		ssize_t n = read(fd, buf, sizeof buf);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(e, "read");
		if (n == 0)
			return 0;
		if (out->len + (size_t)n > max)
			return err_set(e, ERR_LIMIT, "more than %zu bytes", max);
		str_add_n(out, buf, (size_t)n);
	}
}

/* Reads at most size bytes, even if the file has grown. */
static int read_bytes(int fd, char *bytes, size_t size, size_t *len, struct err *e)
{
	ssize_t now = 1;

	for (*len = 0; *len < size && now > 0; *len += (size_t)now) {
		do
			now = read(fd, bytes + *len, size - *len);
		while (now < 0 && errno == EINTR);
		if (now < 0)
			return err_sys(e, "read");
	}
	bytes[*len] = '\0';
	return 0;
}

static int read_open_file(int fd, size_t max, char **out, size_t *len, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_sys(e, "stat");
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_BAD, "not a regular file");
	size_t size = (size_t)st.st_size;
	if (size > max)
		return err_set(e, ERR_LIMIT, "%zu bytes, the limit is %zu", size, max);
	*out = mem_alloc(size + 1);
	int rc = read_bytes(fd, *out, size, len, e);
	if (rc < 0)
		free(*out);
	return rc;
}

int io_read_file(int dirfd, const char *path, size_t max, char **out, size_t *len, struct err *e)
{
	int fd = openat(dirfd, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char *bytes = NULL;

	if (fd < 0 && errno == ENOENT)
		return err_set(e, ERR_NOT_FOUND, "%s: no such file", path);
	if (fd < 0)
		return err_sys(e, "open %s", path);
	struct err why = { 0 };
	int rc = read_open_file(fd, max, &bytes, len, &why);
	close(fd);
	if (rc < 0)
		return err_set(e, why.code, "%.200s: %.200s", path, why.text);
	*out = bytes;
	return 0;
}

int io_write_all(int fd, const char *bytes, size_t n, struct err *e)
{
	while (n) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return err_sys(e, "write");
		bytes += done;
		n -= (size_t)done;
	}
	return 0;
}

int io_sync_dir(int dirfd, const char *path, struct err *e)
{
	AUTO(io_close) int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return err_sys(e, "open %s", path);
	return fsync(fd) < 0 ? err_sys(e, "fsync %s", path) : 0;
}

/* The writes that the last flush of each file system covers; a site has rarely more than two. */
static struct {
	uint64_t now;
	size_t next;
	struct {
		dev_t dev;
		uint64_t covers;
	} flushed[4];
} flushes;
#define FLUSHED (sizeof flushes.flushed / sizeof flushes.flushed[0])

uint64_t io_written(void)
{
	return ++flushes.now;
}

/* The place of this file system, or a new one. */
static size_t place_of(dev_t dev)
{
	for (size_t i = 0; i < FLUSHED; i++)
		if (flushes.flushed[i].dev == dev)
			return i;
	size_t i = flushes.next++ % FLUSHED;
	flushes.flushed[i].dev = dev;
	flushes.flushed[i].covers = 0;
	return i;
}

int io_sync_fs(int dirfd, uint64_t written, struct err *e)
{
	struct stat st;

	if (fstat(dirfd, &st) < 0)
		return err_sys(e, "stat");
	if (flushes.flushed[place_of(st.st_dev)].covers >= written)
		return 0;
	if (syncfs(dirfd) < 0)
		return err_sys(e, "syncfs");
	flushes.flushed[place_of(st.st_dev)].covers = flushes.now;
	return 0;
}

/* Writes the directory part of path to buf; "." when path has none. */
static void parent_of(const char *path, char *buf, size_t size)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		snprintf(buf, size, ".");
	else
		snprintf(buf, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

static int write_temporary(int dirfd, const char *tmp, const char *bytes, size_t n, mode_t mode,
                           enum io_durability how, struct err *e)
{
	int fd = openat(dirfd, tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

	/* A crash left it, or somebody prepared it, who may have it open. */
	if (fd < 0 && errno == EEXIST && unlinkat(dirfd, tmp, 0) == 0)
		fd = openat(dirfd, tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0)
		return err_sys(e, "create %s", tmp);
	int rc = io_write_all(fd, bytes, n, e);
	if (rc == 0 && how == IO_DURABLE && fsync(fd) < 0)
		rc = err_sys(e, "fsync %s", tmp);
	if (close(fd) < 0 && rc == 0)
		rc = err_sys(e, "close %s", tmp);
	return rc;
}

int io_replace(int dirfd, const char *path, const char *bytes, size_t n, mode_t mode,
               enum io_durability how, struct err *e)
{
	char tmp[PATH_MAX_BYTES], dir[PATH_MAX_BYTES];

	if ((size_t)snprintf(tmp, sizeof tmp, "%s.tmp", path) >= sizeof tmp)
		return err_set(e, ERR_LIMIT, "the path is too long: %.100s", path);
	int rc = write_temporary(dirfd, tmp, bytes, n, mode, how, e);
	if (rc == 0 && renameat(dirfd, tmp, dirfd, path) < 0)
		rc = err_sys(e, "rename %s", tmp);
	if (rc < 0) {
		unlinkat(dirfd, tmp, 0);
		return rc;
	}
	if (how == IO_LAZY)
		return 0;
	parent_of(path, dir, sizeof dir);
	return io_sync_dir(dirfd, dir, e);
}

int io_make_dirs(int dirfd, const char *path, mode_t mode, struct err *e)
{
	char part[PATH_MAX_BYTES];

	if ((size_t)snprintf(part, sizeof part, "%s", path) >= sizeof part)
		return err_set(e, ERR_LIMIT, "the path is too long: %.100s", path);
	for (char *p = part + 1;; p++) {
		char c = *p;

		if (c != '/' && c != '\0')
			continue;
		*p = '\0';
		if (mkdirat(dirfd, part, mode) < 0 && errno != EEXIST)
			return err_sys(e, "mkdir %s", part);
		*p = c;
		if (c == '\0')
			return 0;
	}
}

int io_rename_new(int dirfd, const char *from, const char *to)
{
#ifdef RENAME_NOREPLACE
	return renameat2(dirfd, from, dirfd, to, RENAME_NOREPLACE);
#else /* musl */
	return (int)syscall(SYS_renameat2, dirfd, from, dirfd, to, 1U);
#endif
}

void io_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

void io_close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

void io_close_file(FILE **file)
{
	if (*file)
		fclose(*file);
}
