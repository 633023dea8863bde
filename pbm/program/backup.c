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
#include "store/store_copy.h"
#include "store/store_reindex.h"

#define FILE_MAX (1u << 30)    /* an outbox that has waited for days */
#define QUEUES "pbm.db.backup" /* beside pbm.db while a backup is written */
#define DEPTH 4

/* What a site's archive may hold, and nothing else; a folder with all below it. */
static const char *const parts[] = { "pbm.conf", "secret",  "templates", "quarantine",
	                             "damaged",  "players", "games",     NULL };

struct backup {
	struct archive *out;
	int dirfd;
	time_t since; /* files older than this are in it already; 0: all */
	size_t count;
	struct err *e;
};

static int complain(struct archive *a, const char *what, struct err *e)
{
	const char *why = archive_error_string(a);

	return err_set(e, ERR_SYSTEM, "%.200s: %.250s", what, why ? why : "failed");
}

static int add_bytes(struct backup *b, const char *name, const struct stat *st, const char *bytes,
                     size_t n)
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
		rc = complain(b->out, name, b->e);
	archive_entry_free(entry);
	b->count++;
	return rc;
}

/* as: the name in the archive. */
static int add_file(struct backup *b, const char *path, const char *as, const struct stat *st)
{
	char *bytes = NULL;
	size_t n = 0;
	int rc = io_read_file(b->dirfd, path, FILE_MAX, &bytes, &n, b->e);

	if (rc == 0)
		rc = add_bytes(b, as, st, bytes, n);
	free(bytes);
	return rc;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);

	return n > k && strcmp(s + n - k, end) == 0;
}

static int add_folder(struct backup *b, const char *path, int depth);

/* Half-written files are left alone; what vanishes meanwhile, too. */
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

	for (size_t i = 0; rc == 0 && parts[i]; i++)
		rc = add_path(b, parts[i], DEPTH);
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

/* Everything, beside a site at work; then, when nothing can change any more,
 * what changed meanwhile: an archive's later entry counts. */
static int add_all(struct backup *b, struct site *site, int (*lock)(struct site *, struct err *))
{
	time_t began = time(NULL);
	int rc = add_parts(b);

	if (rc == 0)
		rc = lock(site, b->e);
	b->since = began - 1; /* a clock may be coarse */
	if (rc == 0)
		rc = add_parts(b);
	return rc == 0 ? add_queues(b, site) : rc;
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
	return archive_write_open_fd(b->out, fd) == ARCHIVE_OK ? 0 : complain(b->out, path, b->e);
}

/* The file has its name only when all of it is on the disk. */
static int finish(struct backup *b, const char *tmp, const char *path, int fd)
{
	if (archive_write_close(b->out) != ARCHIVE_OK)
		return complain(b->out, path, b->e);
	if (fsync(fd) < 0 || rename(tmp, path) < 0)
		return err_sys(b->e, "%s", path);
	const char *slash = strrchr(path, '/');
	char dir[1024];
	snprintf(dir, sizeof dir, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	return io_sync_dir(AT_FDCWD, dir, b->e);
}

int backup_write(struct site *site, int (*lock)(struct site *site, struct err *e), const char *path,
                 size_t *count, struct err *e)
{
	struct backup b = { .e = e };
	char tmp[1100];
	int rc;

	snprintf(tmp, sizeof tmp, "%.1000s.tmp", path);
	b.dirfd = open(site->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* The site's secret and the players' password hashes are in it. */
	int fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (b.dirfd < 0 || fd < 0)
		rc = err_sys(e, "open %s", fd < 0 ? tmp : site->dir);
	else
		rc = open_output(&b, path, fd);
	if (rc == 0)
		rc = add_all(&b, site, lock);
	if (rc == 0)
		rc = finish(&b, tmp, path, fd);
	archive_write_free(b.out);
	if (rc < 0 && fd >= 0)
		unlink(tmp);
	if (fd >= 0)
		close(fd);
	if (b.dirfd >= 0)
		close(b.dirfd);
	*count = b.count;
	return rc;
}

/* A backup can come from anywhere: nothing but a site's own files, as files. */
static bool is_part(const char *name)
{
	if (strcmp(name, "pbm.db") == 0)
		return true;
	for (size_t i = 0; parts[i]; i++) {
		size_t n = strlen(parts[i]);

		if (strncmp(name, parts[i], n) == 0 && (name[n] == '\0' || name[n] == '/'))
			return !strstr(name, "/../") && name[strlen(name) - 1] != '/';
	}
	return false;
}

static int extract_one(struct archive *in, struct archive_entry *entry, int dirfd, struct err *e)
{
	const char *name = archive_entry_pathname(entry);
	la_int64_t n = archive_entry_size(entry);
	char folder[1024];

	if (!name || strlen(name) >= sizeof folder || !is_part(name) ||
	    archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) || n < 0 ||
	    n > (la_int64_t)FILE_MAX)
		return err_set(e, ERR_BAD, "\"%.200s\" does not belong into a site",
		               name ? name : "");
	char *bytes = mem_alloc((size_t)n + 1);
	int rc = archive_read_data(in, bytes, (size_t)n) == (la_ssize_t)n ? 0
	                                                                  : complain(in, name, e);
	const char *slash = strrchr(name, '/');
	snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - name) : 0, name);
	if (rc == 0 && slash)
		rc = io_make_dirs(dirfd, folder, 0700, e);
	/* All of it is synced at the end, before pbm.db gets its name. */
	if (rc == 0)
		rc = io_replace(dirfd, name, bytes, (size_t)n, archive_entry_perm(entry) & 0644,
		                IO_LAZY, e);
	free(bytes);
	return rc;
}

static int extract(const char *path, int dirfd, struct err *e)
{
	struct archive *in = archive_read_new();
	struct archive_entry *entry;
	int rc = 0, got = ARCHIVE_OK;

	if (!in)
		return err_set(e, ERR_TEMP, "no memory for an archive");
	archive_read_support_format_tar(in);
	archive_read_support_filter_all(in);
	if (archive_read_open_filename(in, path, 65536) != ARCHIVE_OK)
		rc = complain(in, path, e);
	while (rc == 0 && (got = archive_read_next_header(in, &entry)) == ARCHIVE_OK)
		rc = extract_one(in, entry, dirfd, e);
	if (rc == 0 && got != ARCHIVE_EOF)
		rc = complain(in, path, e);
	archive_read_free(in);
	return rc;
}

static int make_empty(const char *dir, struct err *e)
{
	const struct dirent *entry;
	int rc = io_make_dirs(AT_FDCWD, dir, 0755, e), n = 0;

	if (rc < 0)
		return rc;
	DIR *d = opendir(dir);
	if (!d)
		return err_sys(e, "open %s", dir);
	while ((entry = readdir(d)))
		n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(d);
	return n ? err_set(e, ERR_CONFLICT, "%.300s is not empty", dir) : 0;
}

int backup_restore(const char *path, const char *dir, int *left_out, struct err *e)
{
	int rc = make_empty(dir, e);
	int dirfd = rc < 0 ? -1 : open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (rc == 0 && dirfd < 0)
		rc = err_sys(e, "open %s", dir);
	if (rc == 0)
		rc = extract(path, dirfd, e);
	if (rc == 0)
		rc = site_complete(dir, e);
	if (dirfd >= 0)
		close(dirfd);
	if (rc < 0)
		return rc;
	*left_out = store_reindex(dir, NULL, NULL, e);
	return *left_out < 0 ? *left_out : 0;
}
