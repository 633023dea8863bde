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

#include "pbm/base/array.h"
#include "pbm/base/io.h"
#include "pbm/base/mem.h"
#include "pbm/program/manifest.h"
#include "store/store_copy.h"

#define FILE_MAX (1u << 30)    /* an outbox that has waited for days */
#define QUEUES "pbm.db.backup" /* beside pbm.db while a backup is written */
#define DEPTH 4
#define TMP_MAX_BYTES 1100

/* A file as the first pass saw it.  Each change of a document makes another inode, and any other
 * change shows in the times; whether the clock went back meanwhile does not matter. */
struct seen_file {
	char *path;
	ino_t inode;
	off_t size;
	struct timespec changed, modified;
};

struct backup {
	struct archive *out;
	int dirfd;
	struct {
		size_t n, cap;
		struct seen_file *v;
	} seen;
	bool again; /* the second pass: seen is sorted by path */
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
	AUTO(mem_free) char *bytes = NULL;
	size_t n = 0;
	int rc = io_read_file(b->dirfd, path, FILE_MAX, &bytes, &n, b->e);

	if (rc == 0)
		rc = write_member(b, as, st, bytes, n);
	if (rc == 0)
		manifest_add(&b->manifest, as, st->st_mode, bytes, n);
	return rc;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);

	return n > k && strcmp(s + n - k, end) == 0;
}

static int by_path(const void *x, const void *y)
{
	return strcmp(((const struct seen_file *)x)->path, ((const struct seen_file *)y)->path);
}

static void note_seen(struct backup *b, const char *path, const struct stat *st)
{
	*ARRAY_ADD(NULL, &b->seen) = (struct seen_file){ .path = mem_strdup(path),
		                                         .inode = st->st_ino,
		                                         .size = st->st_size,
		                                         .changed = st->st_ctim,
		                                         .modified = st->st_mtim };
}

static bool is_same_time(const struct timespec *x, const struct timespec *y)
{
	return x->tv_sec == y->tv_sec && x->tv_nsec == y->tv_nsec;
}

/* Is the file in the archive already, and still the same? */
static bool is_unchanged(const struct backup *b, const char *path, const struct stat *st)
{
	const struct seen_file key = { .path = (char *)(uintptr_t)path };

	if (!b->again || !b->seen.n)
		return false;
	const struct seen_file *f = bsearch(&key, b->seen.v, b->seen.n, sizeof key, by_path);
	return f && f->inode == st->st_ino && f->size == st->st_size &&
	       is_same_time(&f->changed, &st->st_ctim) && is_same_time(&f->modified, &st->st_mtim);
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
	if (!S_ISREG(st.st_mode) || is_unchanged(b, path, &st))
		return 0;
	if (!b->again)
		note_seen(b, path, &st);
	return add_file(b, path, path, &st);
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

static int add_each(struct backup *b, const char *const *parts)
{
	int rc = 0;

	for (; rc == 0 && *parts; parts++)
		rc = add_path(b, *parts, DEPTH);
	return rc;
}

static int add_parts(struct backup *b)
{
	int rc = add_each(b, manifest_parts);

	return rc == 0 ? add_each(b, manifest_documents) : rc;
}

static int add_document(const char *path, const char *bytes, size_t n, void *arg)
{
	struct backup *b = arg;
	const struct stat st = { .st_mode = S_IFREG | 0600, .st_mtim.tv_sec = time(NULL) };
	int rc = write_member(b, path, &st, bytes, n);

	if (rc == 0)
		manifest_add(&b->manifest, path, st.st_mode, bytes, n);
	return rc;
}

static int add_queues(struct backup *b, struct site *site)
{
	const char *path = SITE_PATH(site, QUEUES);
	struct stat st;

	int rc = store_is_shared(site->store)
	                 ? store_copy_all(site->store, path, add_document, b, b->e)
	                 : store_copy_queues(site->store, path, b->e);

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

/* The contents of a backup. */
struct contents {
	struct site *site; /* NULL: all is still, because the caller has the lock */
	int (*lock)(struct site *site, struct err *e);
};

/* First adds everything, while the site may be at work; then, under the lock, adds what
 * has changed since.  Of two entries with one name in an archive the later counts. */
static int add_moving(struct backup *b, const struct contents *c)
{
	int rc = add_parts(b);

	if (rc == 0)
		rc = c->lock(c->site, b->e);
	if (b->seen.n)
		qsort(b->seen.v, b->seen.n, sizeof *b->seen.v, by_path);
	b->again = true;
	if (rc == 0)
		rc = add_parts(b);
	return rc == 0 ? add_queues(b, c->site) : rc;
}

/* The documents of a server are rows: files of theirs in the folder are those of an earlier
 * store. */
static int add_server(struct backup *b, const struct contents *c)
{
	int rc = add_each(b, manifest_parts);

	if (rc == 0)
		rc = site_open_store(c->site, STORE_READ, b->e);
	return rc == 0 ? add_queues(b, c->site) : rc;
}

static int add_still(struct backup *b)
{
	int rc = add_parts(b);

	return rc == 0 ? add_path(b, "pbm.db", 0) : rc;
}

static int add_all(struct backup *b, const struct contents *c)
{
	int rc = !c->site                                          ? add_still(b)
	         : strcmp(c->site->conf.store_url, "sqlite:") == 0 ? add_moving(b, c)
	                                                           : add_server(b, c);

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

/* The folder of path, with its slash; "." when path has none. */
static void folder_of(const char *path, char dir[TMP_MAX_BYTES])
{
	const char *slash = strrchr(path, '/');

	snprintf(dir, TMP_MAX_BYTES, "%.*s", slash ? (int)(slash - path) + 1 : 1,
	         slash ? path : ".");
}

/* The file that becomes the backup has no name until all of it is on the disk: it has the site's
 * secret and the players' password hashes, and nobody would look for what a killed backup leaves.
 * Where that cannot be, it has the name FILE.tmp, and the next backup removes it.  A link that
 * somebody has put there is not followed. */
struct output {
	int fd;
	bool nameless;
	char tmp[TMP_MAX_BYTES];
};

static int create_output(const char *path, struct output *o, struct err *e)
{
	char dir[TMP_MAX_BYTES];

	if ((size_t)snprintf(o->tmp, sizeof o->tmp, "%s.tmp", path) >= sizeof o->tmp)
		return err_set(e, ERR_LIMIT, "the path is too long: %.100s", path);
	folder_of(path, dir);
	if (unlink(o->tmp) < 0 && errno != ENOENT)
		return err_sys(e, "remove %s", o->tmp);
	o->fd = access("/proc/self/fd", X_OK) == 0
	                ? open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600)
	                : -1;
	o->nameless = o->fd >= 0;
	if (!o->nameless)
		o->fd = open(o->tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return o->fd < 0 ? err_sys(e, "create %s", o->tmp) : 0;
}

/* Gives the file its name when all of it is on the disk. */
static int rename_finished(struct backup *b, const struct output *o, const char *path)
{
	char dir[TMP_MAX_BYTES], self[40];

	snprintf(self, sizeof self, "/proc/self/fd/%d", o->fd);
	if (archive_write_close(b->out) != ARCHIVE_OK)
		return set_archive_error(b->out, path, b->e);
	if (fsync(o->fd) < 0 ||
	    (o->nameless && linkat(AT_FDCWD, self, AT_FDCWD, o->tmp, AT_SYMLINK_FOLLOW) < 0) ||
	    rename(o->tmp, path) < 0)
		return err_sys(b->e, "%s", path);
	folder_of(path, dir);
	return io_sync_dir(AT_FDCWD, dir, b->e);
}

static void close_output(const struct output *o, bool finished)
{
	if (o->fd < 0)
		return;
	if (!finished)
		unlink(o->tmp);
	close(o->fd);
}

static void release(struct backup *b)
{
	for (size_t i = 0; i < b->seen.n; i++)
		free(b->seen.v[i].path);
	free(b->seen.v);
	archive_write_free(b->out);
	if (b->dirfd >= 0)
		close(b->dirfd);
	manifest_release(&b->manifest);
}

static int write_backup(const char *dir, const struct contents *contents, const char *path,
                        size_t *count, struct err *e)
{
	struct backup b = { .e = e };
	struct output o = { .fd = -1 };
	int rc = 0;

	manifest_init(&b.manifest);
	b.dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (b.dirfd < 0)
		rc = err_sys(e, "open %s", dir);
	if (rc == 0)
		rc = create_output(path, &o, e);
	if (rc == 0)
		rc = open_output(&b, path, o.fd);
	if (rc == 0)
		rc = add_all(&b, contents);
	if (rc == 0)
		rc = rename_finished(&b, &o, path);
	close_output(&o, rc == 0);
	*count = b.manifest.count;
	release(&b);
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
