/* Opening: the mode, the version of the schema, and its upgrades. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/base/io.h"
#include "pbm/base/mem.h"
#include "store/sqlite/sqlite.h"

#define APPLICATION_ID 0x70626d31 /* "pbm1" */
#define BUSY_MILLISECONDS 3000
/* Bytes of some ten mails.  Each run reads them; folding them costs four flushes. */
#define LOG_KEPT (1 << 20)

/* Each step is one transaction: after a crash between two steps the database is whole,
 * of the version in between. */
static int take_steps(struct sqlite_db *d, int64_t version, struct err *e)
{
	char stamp[100];
	int rc = 0;

	for (; rc == 0 && version < SQLITE_SCHEMA_VERSION; version++) {
		sqlite3_snprintf(sizeof stamp, stamp,
		                 "PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT",
		                 APPLICATION_ID, (int)version + 1);
		rc = sqlite_execute(d, "BEGIN IMMEDIATE", e);
		for (const char *const *s = sqlite_steps[version]; rc == 0 && *s; s++)
			rc = sqlite_execute(d, *s, e);
		if (rc == 0)
			rc = sqlite_execute(d, stamp, e);
		if (rc < 0)
			sqlite_execute(d, "ROLLBACK", NULL);
	}
	/* sqlite_version_of() reads the version in the file itself. */
	return rc == 0 ? sqlite_execute(d, "PRAGMA wal_checkpoint(TRUNCATE)", e) : rc;
}

static int check_version(struct sqlite_db *d, enum db_mode mode, struct err *e)
{
	int64_t id, version = 0, tables = 0;
	int rc = sqlite_ask_number(d, "PRAGMA application_id", &id, e);

	if (rc == 0)
		rc = sqlite_ask_number(d, "PRAGMA user_version", &version, e);
	if (rc == 0)
		rc = sqlite_ask_number(d, "SELECT count(*) FROM sqlite_schema", &tables, e);
	if (rc < 0)
		return rc;
	if (tables == 0 && mode >= DB_CREATE)
		return take_steps(d, 0, e);
	if (id != APPLICATION_ID || version < 1)
		return err_set(e, ERR_DAMAGED,
		               "pbm.db: not a database of pbm; pbm reindex makes a new one");
	if (version > SQLITE_SCHEMA_VERSION)
		return err_set(e, ERR_BAD,
		               "pbm.db: its version is %lld; this program knows versions up to %d",
		               (long long)version, SQLITE_SCHEMA_VERSION);
	if (version < SQLITE_SCHEMA_VERSION && mode <= DB_STILL)
		return err_set(
			e, ERR_BAD,
			"pbm.db: its version is %lld; the next pbm tick brings it to version %d",
			(long long)version, SQLITE_SCHEMA_VERSION);
	return version < SQLITE_SCHEMA_VERSION ? take_steps(d, version, e) : 0;
}

static int configure(struct sqlite_db *d, enum db_mode mode, struct err *e)
{
	int rc = 0;

	if (mode == DB_STILL)
		rc = sqlite_execute(d, "PRAGMA locking_mode=EXCLUSIVE", e);
	else if (mode == DB_BUILD)
		rc = sqlite_execute(d,
		                    "PRAGMA main.locking_mode=EXCLUSIVE; PRAGMA synchronous=OFF;"
		                    "PRAGMA journal_mode=MEMORY; PRAGMA cache_size=-16384",
		                    e);
	else if (mode != DB_READ)
		/* secure_delete=FAST: Debian's default would write every freed page once
		 * more.  temp_store=MEMORY: rolling back to a mark needs no file. */
		rc = sqlite_execute(d,
		                    "PRAGMA synchronous=FULL; PRAGMA secure_delete=FAST;"
		                    "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-32768;"
		                    "PRAGMA wal_autocheckpoint=8000",
		                    e);
	if (rc == 0 && (mode == DB_WRITE || mode == DB_CREATE))
		rc = sqlite_set_journal(d, "wal", e);
	return rc == 0 ? check_version(d, mode, e) : rc;
}

/* The header of the file has application_id and user_version, with the highest byte first
 * (https://sqlite.org/fileformat.html §1.3).  A log that was not folded in may have a newer
 * one. */
int sqlite_version_of(const char *path, int64_t *out, struct err *e)
{
	unsigned char head[100], *v = head + 60, *id = head + 68;
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? err_set(e, ERR_NOT_FOUND, "%s: no such file", path)
		                       : err_sys(e, "open %s", path);
	ssize_t n = read(fd, head, sizeof head);
	close(fd);
	if (n < 0)
		return err_sys(e, "read %s", path);
	if (n < (ssize_t)sizeof head || ((uint32_t)id[0] << 24 | (uint32_t)id[1] << 16 |
	                                 (uint32_t)id[2] << 8 | id[3]) != APPLICATION_ID)
		return err_set(e, ERR_DAMAGED,
		               "pbm.db: not a database of pbm; pbm reindex makes a new one");
	*out = (int64_t)((uint32_t)v[0] << 24 | (uint32_t)v[1] << 16 | (uint32_t)v[2] << 8 | v[3]);
	return 0;
}

/* The path with its folder's links followed: a site may be reached by one, and SQLite told to
 * follow none follows none in the folder's path either.  On the heap. */
static char *real_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? mem_strndup(path, (size_t)(slash - path) + 1) : mem_strdup("."),
	     *real = realpath(folder, NULL), *out;

	free(folder);
	if (!real)
		return mem_strdup(path);
	const char *name = slash ? slash + 1 : path;
	size_t n = strlen(real) + strlen(name) + 2;
	out = mem_alloc(n);
	snprintf(out, n, "%s/%s", real, name);
	free(real);
	return out;
}

/* SQLite flushes the folder at the first commit of each process, because it asks for the log to be
 * made if there is none.  A log that is there needs no flush of its folder. */
static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
	if (flags & SQLITE_OPEN_WAL && name && access(name, F_OK) == 0)
		flags &= ~SQLITE_OPEN_CREATE;
	return sqlite3_vfs_find(NULL)->xOpen(vfs, name, file, flags, out);
}

static const char *our_vfs(void)
{
	static sqlite3_vfs ours;

	if (!ours.zName) {
		ours = *sqlite3_vfs_find(NULL);
		ours.zName = "pbm";
		ours.xOpen = open_file;
		sqlite3_vfs_register(&ours, 0);
	}
	return ours.zName;
}

/* path is for messages, real what is opened; vfs: NULL for ours. */
static int open_handle(const char *path, const char *real, int flags, const char *vfs,
                       struct sqlite_db **out, struct err *e)
{
	struct sqlite_db *d = mem_alloc(sizeof *d);

	sqlite_own_memory();
	int rc = sqlite3_open_v2(real, &d->handle, flags | SQLITE_OPEN_NOFOLLOW,
	                         vfs ? vfs : our_vfs());

	*out = d;
	sqlite3_busy_timeout(d->handle, BUSY_MILLISECONDS);
	sqlite3_extended_result_codes(d->handle, 1);
	if (rc == SQLITE_OK)
		return 0;
	if ((rc & 0xff) == SQLITE_CANTOPEN && sqlite3_system_errno(d->handle) == ENOENT)
		return err_set(e, ERR_NOT_FOUND, "%s: no such file", path);
	return sqlite_complain(d, path, e);
}

/* "file:PATH?immutable=1" */
static char *immutable_uri(const char *path)
{
	static const char hex[] = "0123456789ABCDEF";
	char *uri = mem_alloc(3 * strlen(path) + 40), *out = uri + sprintf(uri, "file:");

	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;

		if (strchr("%?#", c)) {
			*out++ = '%';
			*out++ = hex[c >> 4];
			*out++ = hex[c & 15];
		} else
			*out++ = (char)c;
	}
	sprintf(out, "?immutable=1");
	return uri;
}

/* SQLite keeps notes for other processes in a file beside a database with a log, and
 * refuses a database where it cannot make that file.  Alone it needs no notes; but for a
 * database without a log it insists that the file cannot change. */
static int open_still(const char *path, const char *real, struct sqlite_db **out, struct err *e)
{
	struct stat st;

	const char *log = PRINTED(1100, "%.1000s-wal", path);
	if (stat(log, &st) == 0 && st.st_size > 0)
		return open_handle(path, real, SQLITE_OPEN_READONLY, "unix-none", out, e);
	AUTO(mem_free) char *uri = immutable_uri(real);
	return open_handle(path, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL, out, e);
}

/* Closing leaves the log as it is.  A connection that could not read the log, because the disk is full,
 * would take it for empty and cut it off: with all commits that are in it alone. */
static void leave_log(struct sqlite_db *d)
{
	sqlite3_db_config(d->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}

int sqlite_open(const char *path, enum db_mode mode, struct db **out, struct err *e)
{
	static const int flags[] = {
		[DB_READ] = SQLITE_OPEN_READONLY,
		[DB_STILL] = SQLITE_OPEN_READONLY,
		[DB_WRITE] = SQLITE_OPEN_READWRITE,
		[DB_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
		[DB_BUILD] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
	};
	struct sqlite_db *d;
	AUTO(mem_free) char *real = real_path(path);
	int rc = mode == DB_STILL ? open_still(path, real, &d, e)
	                          : open_handle(path, real, flags[mode], NULL, &d, e);

	if (rc == 0)
		rc = configure(d, mode, e);
	if (rc == 0) {
		*out = &d->base;
		return 0;
	}
	leave_log(d);
	sqlite_close(&d->base);
	return rc;
}

/* A process that opens the database reads the whole log. */
void sqlite_keep_log(struct db *base)
{
	struct sqlite_db *d = (struct sqlite_db *)base;
	sqlite3_file *log = NULL;
	sqlite3_int64 size = 0;

	sqlite3_file_control(d->handle, NULL, SQLITE_FCNTL_JOURNAL_POINTER, &log);
	if (log && log->pMethods && log->pMethods->xFileSize(log, &size) == SQLITE_OK &&
	    size <= LOG_KEPT)
		leave_log(d);
}

/* SQLite reads these words when it compiles them, so they are no query that is kept. */
int sqlite_set_durable(struct db *base, bool durable, struct err *e)
{
	struct sqlite_db *d = (struct sqlite_db *)base;

	if (durable != d->hurried)
		return 0;
	int rc = sqlite_execute(
		d, durable ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL", e);
	if (rc == 0)
		d->hurried = !durable;
	return rc;
}

/* Writes the bytes of the log once more where they are: after a flush that failed, Linux takes
 * them for written. */
static int write_again(int fd, struct err *e)
{
	char bytes[65536];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, bytes, sizeof bytes, at)) > 0) {
		if (pwrite(fd, bytes, (size_t)n, at) != n)
			return err_sys(e, "write the log of pbm.db");
		at += n;
	}
	return n < 0 || fdatasync(fd) < 0 ? err_sys(e, "flush the log of pbm.db") : 0;
}

int sqlite_harden(const char *path, struct err *e)
{
	const char *log = PRINTED(1100, "%.1000s-wal", path);
	int fd = open(log, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 0 : err_sys(e, "open %s", log);
	int rc = write_again(fd, e);
	close(fd);
	if (rc == 0) {
		*strrchr(log, '/') = '\0';
		rc = io_sync_dir(AT_FDCWD, log, e); /* the process that made it may not have come
		                                     * so far */
	}
	return rc;
}

void sqlite_close(struct db *base)
{
	struct sqlite_db *d = (struct sqlite_db *)base;

	for (size_t i = 0; i < DB_QUERIES; i++)
		sqlite3_finalize(d->statements[i]);
	sqlite3_close(d->handle);
	free(d->loose);
	free(d);
}

int sqlite_fold(const char *path, struct err *e)
{
	struct sqlite_db *d;
	AUTO(mem_free) char *real = real_path(path);
	int rc = open_handle(path, real, SQLITE_OPEN_READWRITE, NULL, &d, e);

	if (rc == 0)
		rc = sqlite_set_journal(d, "delete", e);
	sqlite_close(&d->base);
	return rc;
}
