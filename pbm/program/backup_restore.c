/* Reading a backup: everything is read and compared with the manifest before anything is
 * written, and again while it is written. */
#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/base/io.h"
#include "pbm/program/backup.h"
#include "pbm/program/manifest.h"
#include "store/check/store_reindex.h"

#define FILE_MAX (1u << 30) /* bytes of a member */
#define NAME_MAX_BYTES 1024
#define BLOCK 65536
/* pbm.conf gets its name last: without it, what a restore that was cut off has written is
 * no site. */
#define CONF "pbm.conf"
#define CONF_UNTIL_DONE "pbm.conf.restored"

/* One walk through an archive. */
struct backup_walk {
	struct archive *in;
	struct manifest manifest;      /* made from the members so far */
	const struct manifest *before; /* of the first walk; NULL: this is the first */
	int dirfd;                     /* where the second walk writes the members */
	bool listed;                   /* the archive's own manifest came */
	bool unlisted_is_fine;
	struct err *e;
};

static int complain(struct backup_walk *r, const char *what)
{
	const char *why = archive_error_string(r->in);

	return err_set(r->e, ERR_DAMAGED, "%.200s: %.250s", what, why ? why : "cannot be read");
}

static int write_file(struct backup_walk *r, const char *name, mode_t mode, const char *bytes,
                      size_t n)
{
	const char *slash = strrchr(name, '/');
	int rc = 0;

	if (strcmp(name, CONF) == 0)
		name = CONF_UNTIL_DONE;
	const char *folder = PRINTED(NAME_MAX_BYTES, "%.*s", slash ? (int)(slash - name) : 0, name);
	if (slash)
		rc = io_make_dirs(r->dirfd, folder, 0700, r->e);
	/* All of it is synced at the end, before pbm.db gets its name. */
	return rc == 0 ? io_replace(r->dirfd, name, bytes, n, mode & 0644, IO_LAZY, r->e) : rc;
}

static int take_bytes(struct backup_walk *r, const char *name, mode_t mode, const char *bytes,
                      size_t n)
{
	size_t from = r->manifest.text.len;

	if (strcmp(name, MANIFEST_NAME) == 0) {
		int rc = manifest_finish(&r->manifest, r->e);

		r->listed = true;
		return rc == 0 ? manifest_compare(&r->manifest, bytes, n, r->e) : rc;
	}
	manifest_add(&r->manifest, name, mode, bytes, n);
	if (!r->before)
		return 0;
	return manifest_begins_with(r->before, &r->manifest, from)
	               ? write_file(r, name, mode, bytes, n)
	               : err_set(r->e, ERR_DAMAGED, "\"%.200s\" changed while it was read", name);
}

/* A backup may come from anybody: only a site's own files are restored. */
static int take_member(struct backup_walk *r, struct archive_entry *entry)
{
	const char *name = archive_entry_pathname(entry);
	la_int64_t n = archive_entry_size(entry);

	if (r->listed)
		return err_set(r->e, ERR_DAMAGED, "\"%.200s\" comes after the manifest",
		               name ? name : "");
	if (!name || strlen(name) >= NAME_MAX_BYTES ||
	    (!manifest_allows(name) && strcmp(name, MANIFEST_NAME) != 0) ||
	    archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) || n < 0 ||
	    n > (la_int64_t)FILE_MAX)
		return err_set(r->e, ERR_BAD, "\"%.200s\" does not belong into a site",
		               name ? name : "");
	AUTO(mem_free) char *bytes = mem_alloc((size_t)n + 1);
	return archive_read_data(r->in, bytes, (size_t)n) == (la_ssize_t)n
	               ? take_bytes(r, name, archive_entry_perm(entry), bytes, (size_t)n)
	               : complain(r, name);
}

static int open_input(struct backup_walk *r, int fd)
{
	r->in = archive_read_new();
	if (!r->in)
		return err_set(r->e, ERR_TEMP, "no memory for an archive");
	/* These alone: for other formats libarchive would start other programs. */
	archive_read_support_format_tar(r->in);
	archive_read_support_filter_gzip(r->in);
	archive_read_support_filter_xz(r->in);
	archive_read_support_filter_zstd(r->in);
	if (lseek(fd, 0, SEEK_SET) < 0)
		return err_sys(r->e, "seek");
	return archive_read_open_fd(r->in, fd, BLOCK) == ARCHIVE_OK
	               ? 0
	               : complain(r, "it is no backup");
}

static int walk(struct backup_walk *r, int fd)
{
	struct archive_entry *entry;
	int got = ARCHIVE_OK, rc = open_input(r, fd);

	manifest_init(&r->manifest);
	while (rc == 0 && (got = archive_read_next_header(r->in, &entry)) == ARCHIVE_OK)
		rc = take_member(r, entry);
	if (rc == 0 && got != ARCHIVE_EOF)
		rc = complain(r, "it is damaged");
	archive_read_free(r->in);
	if (rc == 0 && !r->listed && !r->unlisted_is_fine)
		rc = err_set(r->e, ERR_DAMAGED,
		             "it has no manifest: it was cut off, or an older version of pbm wrote "
		             "it; pbm restore --without-manifest takes it as it is");
	return rc;
}

static int open_backup(const char *path, struct err *e)
{
	struct stat st;

	if (sodium_init() < 0)
		return err_set(e, ERR_SYSTEM, "libsodium can't be initialised");
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return err_set(e, ERR_NOT_FOUND, "%.300s: no such file", path);
	if (fd < 0)
		return err_sys(e, "open %.300s", path);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return err_set(e, ERR_BAD, "%.300s is not a regular file", path);
}

/* The first walk.  *out is its manifest, also when it fails. */
static int verify(const char *path, int fd, bool unlisted_is_fine, struct manifest *out,
                  struct err *e)
{
	struct err why = { 0 };
	struct backup_walk r = { .dirfd = -1, .unlisted_is_fine = unlisted_is_fine, .e = &why };
	int rc = walk(&r, fd);

	*out = r.manifest;
	return rc < 0 ? err_set(e, why.code, "%.200s: %.300s", path, why.text) : 0;
}

int backup_verify(const char *path, size_t *count, struct err *e)
{
	struct manifest m;
	AUTO(io_close) int fd = open_backup(path, e);

	if (fd < 0)
		return fd;
	int rc = verify(path, fd, false, &m, e);
	*count = m.count;
	manifest_release(&m);
	return rc;
}

/* The folder must not exist yet, or be empty. */
static int check_empty(const char *dir, struct err *e)
{
	const struct dirent *entry;
	AUTO(io_close_dir) DIR *d = opendir(dir);
	int n = 0;

	if (!d)
		return errno == ENOENT ? 0 : err_sys(e, "open %s", dir);
	while ((entry = readdir(d)))
		n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	return n ? err_set(e, ERR_CONFLICT, "%.300s is not empty", dir) : 0;
}

/* The second walk. */
static int extract(const char *path, int fd, const struct manifest *before, const char *dir,
                   struct err *e)
{
	struct err why = { 0 };
	struct backup_walk r = { .before = before, .unlisted_is_fine = true, .e = &why };
	int rc = io_make_dirs(AT_FDCWD, dir, 0700, e);

	if (rc == 0)
		rc = check_empty(dir, e);
	if (rc < 0)
		return rc;
	r.dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r.dirfd < 0)
		return err_sys(e, "open %s", dir);
	rc = walk(&r, fd);
	if (rc == 0 && r.manifest.count != before->count)
		rc = err_set(&why, ERR_DAMAGED, "it changed while it was read");
	manifest_release(&r.manifest);
	close(r.dirfd);
	return rc < 0 ? err_set(e, why.code, "%.200s: %.300s", path, why.text) : 0;
}

/* Makes the database of the documents, and then a site of the folder. */
static int complete(const char *dir, int *left_out, bool *was_server, struct err *e)
{
	struct err why = { 0 };
	int rc = site_complete(dir, e);

	if (rc == 0)
		rc = site_set_store(dir, CONF_UNTIL_DONE, "sqlite:", e);
	if (rc < 0)
		return rc;
	*was_server = rc;
	rc = 0;
	*left_out = store_reindex(dir, NULL, NULL, e);
	if (*left_out < 0)
		return *left_out;
	int dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dirfd < 0 || renameat(dirfd, CONF_UNTIL_DONE, dirfd, CONF) < 0)
		rc = err_sys(&why, "%s/%s", dir, CONF);
	if (rc == 0)
		rc = io_sync_dir(AT_FDCWD, dir, &why);
	if (dirfd >= 0)
		close(dirfd);
	if (rc < 0)
		*e = why; /* *e may name the first damaged document */
	return rc;
}

int backup_restore(const char *path, const char *dir, bool unlisted_is_fine, int *left_out,
                   bool *was_server, struct err *e)
{
	struct manifest m = { .count = 0 };
	AUTO(io_close) int fd = open_backup(path, e);

	if (fd < 0)
		return fd;
	int rc = check_empty(dir, e);
	if (rc == 0)
		rc = verify(path, fd, unlisted_is_fine, &m, e);
	if (rc == 0)
		rc = extract(path, fd, &m, dir, e);
	manifest_release(&m);
	return rc == 0 ? complete(dir, left_out, was_server, e) : rc;
}
