#include "pbm/program/backup.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pbm/base/io.h"
#include "pbm/base/str.h"
#include "pbm/program/manifest.h"
#include "store/store_copy.h"

#define FILE_MAX (1u << 30)    /* an outbox that has waited for days */
#define QUEUES "pbm.db.backup" /* beside pbm.db while a backup is written */
#define DEPTH 4
#define TMP_MAX_BYTES 1100

struct backup {
	struct archive *out;
	int dirfd;
	time_t since; /* files older than this are in it already; 0: all */
	struct manifest manifest;
	struct err *e;
};

static int set_archive_error(struct archive *a, const char *what, struct err *e)
{
	const char *why = archive_error_string(a);

	return err_set(e, ERR_SYSTEM, "%.200s: %.250s", what, why ? why : "failed");
}

static int write_member(struct backup *b, const char *name, const struct stat *st,
                        const char *bytes, size_t n)
{
	struct archive_entry *entry = archive_entry_new();
	int rc = 0;

	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, st->st_mode & 0777);
	archive_entry_set_mtime(entry, st->st_mtim.tv_sec, 0);
	archive_entry_set_size(entry, (la_int64_t)n);
	if (archive_write_header(b->out, entry) != ARCHIVE_OK ||
	    archive_write_data(b->out, bytes, n) != (la_ssize_t)n)
		rc = set_archive_error(b->out, name, b->e);
	archive_entry_free(entry);
	return rc;
}

/* as: the file's name in the archive. */
static int add_file(struct backup *b, const char *path, const char *as, const struct stat *st)
{
	char *bytes = NULL;
	size_t n = 0;
	int rc = io_read_file(b->dirfd, path, FILE_MAX, &bytes, &n, b->e);

	if (rc == 0)
		rc = write_member(b, as, st, bytes, n);
	if (rc == 0)
		manifest_add(&b->manifest, as, st->st_mode, bytes, n);
	free(bytes);
	return rc;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);

	return n > k && strcmp(s + n - k, end) == 0;
}

static int add_folder(struct backup *b, const char *path, int depth);

/* Leaves out half-written files (.tmp), and files that vanish while it reads. */
static int add_path(struct backup *b, const char *path, int depth)
{
	struct stat st;

	if (ends_with(path, ".tmp"))
		return 0;
	if (fstatat(b->dirfd, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : err_sys(b->e, "%s", path);
	if (S_ISDIR(st.st_mode))
		return depth > 0 ? add_folder(b, path, depth - 1) : 0;
	return S_ISREG(st.st_mode) && st.st_ctim.tv_sec >= b->since ? add_file(b, path, path, &st)
	                                                            : 0;
}

static int add_folder(struct backup *b, const char *path, int depth)
{
	int fd = openat(b->dirfd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	char below[1024];
	int rc = 0;

	if (!d)
		return err_sys(b->e, "open %s", path);
	while (rc == 0 && (entry = readdir(d))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(below, sizeof below, "%.700s/%.300s", path, entry->d_name);
		rc = add_path(b, below, depth);
	}
	closedir(d);
	return rc;
}

static int add_parts(struct backup *b)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && manifest_parts[i]; i++)
		rc = add_path(b, manifest_parts[i], DEPTH);
	return rc;
}

static int add_queues(struct backup *b, struct site *site)
{
	char path[1100];
	struct stat st;
	int rc = store_copy_queues(site->store, site_path(site, QUEUES, path, sizeof path), b->e);

	if (rc == 0 && fstatat(b->dirfd, QUEUES, &st, AT_SYMLINK_NOFOLLOW) < 0)
		rc = err_sys(b->e, QUEUES);
	if (rc == 0)
		rc = add_file(b, QUEUES, "pbm.db", &st);
	unlinkat(b->dirfd, QUEUES, 0);
	return rc;
}

static int add_manifest(struct backup *b)
{
	const struct stat st = { .st_mode = 0600, .st_mtim.tv_sec = time(NULL) };
	int rc = manifest_finish(&b->manifest, b->e);

	return rc == 0 ? write_member(b, MANIFEST_NAME, &st, b->manifest.text.data,
	                              b->manifest.text.len)
	               : rc;
}

/* What goes into a backup. */
struct contents {
	struct site *site; /* NULL: all is still, because the caller has the lock */
	int (*lock)(struct site *site, struct err *e);
};

/* First adds everything, while the site may be at work; then, under the lock, adds what
 * has changed since.  Of two entries with one name in an archive the later counts. */
static int add_moving(struct backup *b, const struct contents *c)
{
	time_t began = time(NULL);
	int rc = add_parts(b);

	if (rc == 0)
		rc = c->lock(c->site, b->e);
	b->since = began - 1; /* a clock may be coarse */
	if (rc == 0)
		rc = add_parts(b);
	return rc == 0 ? add_queues(b, c->site) : rc;
}

static int add_still(struct backup *b)
{
	int rc = add_parts(b);

	return rc == 0 ? add_path(b, "pbm.db", 0) : rc;
}

static int add_all(struct backup *b, const struct contents *c)
{
	int rc = c->site ? add_moving(b, c) : add_still(b);

	return rc == 0 ? add_manifest(b) : rc;
}

static int set_filter(struct archive *a, const char *path)
{
	static const struct {
		const char *end;
		int code;
	} filters[] = {
		{ ".tar", ARCHIVE_FILTER_NONE },
		{ ".tar.gz", ARCHIVE_FILTER_GZIP },
		{ ".tar.xz", ARCHIVE_FILTER_XZ },
		{ ".tar.zst", ARCHIVE_FILTER_ZSTD },
	};

	for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++)
		if (ends_with(path, filters[i].end))
			return archive_write_add_filter(a, filters[i].code);
	return ARCHIVE_FATAL;
}

static int open_output(struct backup *b, const char *path, int fd)
{
	b->out = archive_write_new();
	if (!b->out)
		return err_set(b->e, ERR_TEMP, "no memory for an archive");
	archive_write_set_format_pax_restricted(b->out);
	if (set_filter(b->out, path) != ARCHIVE_OK)
		return err_set(b->e, ERR_BAD,
		               "%.200s: the name must end in .tar, .tar.gz, .tar.xz or .tar.zst",
		               path);
	archive_write_set_bytes_in_last_block(b->out, 1);
	return archive_write_open_fd(b->out, fd) == ARCHIVE_OK
	               ? 0
	               : set_archive_error(b->out, path, b->e);
}

/* Gives the file its name when all of it is on the disk. */
static int rename_finished(struct backup *b, const char *tmp, const char *path, int fd)
{
	if (archive_write_close(b->out) != ARCHIVE_OK)
		return set_archive_error(b->out, path, b->e);
	if (fsync(fd) < 0 || rename(tmp, path) < 0)
		return err_sys(b->e, "%s", path);
	const char *slash = strrchr(path, '/');
	char dir[1024];
	snprintf(dir, sizeof dir, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	return io_sync_dir(AT_FDCWD, dir, b->e);
}

/* Makes the file that becomes the backup, beside it, with a name that nobody can foresee:
 * a link that somebody has put there is not followed.  It has the site's secret and the
 * players' password hashes, so its mode is 0600. */
static int create_temporary(const char *path, char tmp[TMP_MAX_BYTES], struct err *e)
{
	if ((size_t)snprintf(tmp, TMP_MAX_BYTES, "%s.XXXXXX.tmp", path) >= TMP_MAX_BYTES)
		return err_set(e, ERR_LIMIT, "the path is too long: %.100s", path);
	int fd = mkostemps(tmp, (int)strlen(".tmp"), O_CLOEXEC);
	return fd < 0 ? err_sys(e, "create %s", tmp) : fd;
}

static int write_backup(const char *dir, const struct contents *contents, const char *path,
                        size_t *count, struct err *e)
{
	struct backup b = { .e = e };
	char tmp[TMP_MAX_BYTES];
	int rc = 0, fd = -1;

	manifest_init(&b.manifest);
	b.dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (b.dirfd < 0)
		rc = err_sys(e, "open %s", dir);
	if (rc == 0)
		rc = fd = create_temporary(path, tmp, e);
	if (rc >= 0)
		rc = open_output(&b, path, fd);
	if (rc == 0)
		rc = add_all(&b, contents);
	if (rc == 0)
		rc = rename_finished(&b, tmp, path, fd);
	archive_write_free(b.out);
	if (rc < 0 && fd >= 0)
		unlink(tmp);
	if (fd >= 0)
		close(fd);
	if (b.dirfd >= 0)
		close(b.dirfd);
	*count = b.manifest.count;
	manifest_release(&b.manifest);
	return rc;
}

int backup_write(struct site *site, int (*lock)(struct site *site, struct err *e), const char *path,
                 size_t *count, struct err *e)
{
	const struct contents contents = { site, lock };

	return write_backup(site->dir, &contents, path, count, e);
}

int backup_write_still(const char *dir, const char *path, size_t *count, struct err *e)
{
	return write_backup(dir, &(const struct contents){ 0 }, path, count, e);
}
