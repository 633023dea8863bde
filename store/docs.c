#include "store/docs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/base/io.h"
#include "store/document/document_file.h"

#define PATHS_A_PAGE 1000
#define TAIL 4096 /* bytes that are read first; most lines are shorter */

static int take_path(const struct db_row *row, struct arena *, void *out, struct err *e)
{
	const char *path = db_row_text(row, 0);

	if (!acts_is_path(path))
		return err_set(e, ERR_DAMAGED, "pbm.db: \"%.60s\" is no file of acts", path);
	snprintf(out, ACTS_PATH_SIZE, "%s", path);
	return 0;
}

int doc_acts_paths(struct db *db, struct gathered *out, struct err *e)
{
	return gather_rows(out, db, DB_PATHS,
	                   DB_ARGS(db_text("acts/"), db_text("acts0"), db_count(SIZE_MAX)),
	                   take_path, ACTS_PATH_SIZE, e);
}

static int64_t sum_of_acts(const char *bytes, size_t n)
{
	char hash[ACTS_HASH_SIZE];

	acts_last_hash(bytes, n, hash);
	hash[2 * sizeof(int64_t)] = '\0';
	return (int64_t)strtoull(hash, NULL, 16);
}

int64_t doc_sum(const char *path, const char *bytes, size_t n)
{
	return acts_is_path(path) ? sum_of_acts(bytes, n) : document_file_sum_of(bytes, n);
}

bool doc_has_sum(const char *path, const char *bytes, size_t n, int64_t sum)
{
	return doc_sum(path, bytes, n) == sum || document_file_sum_of(bytes, n) == sum;
}

/* Does a line end before the last one? */
static bool has_last_line(const struct str *s)
{
	return s->len > 1 && memrchr(s->data, '\n', s->len - 1);
}

int doc_tail(int dirfd, const char *path, struct str *out, int64_t *size, struct err *e)
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

/* Without a database there are only files. */
static bool has_rows(const struct store *s)
{
	return s->db && db_is_shared(s->db);
}

static int read_file(int dirfd, const char *path, struct str *out, struct err *e)
{
	struct document_file d = { 0 };
	AUTO(mem_free) char *bytes = NULL;
	size_t n = 0;

	snprintf(d.path, sizeof d.path, "%s", path);
	document_file_path(path, &d);
	int rc = document_file_load(&d, dirfd, &bytes, &n, e);
	if (rc == 0)
		str_add_n(out, bytes, n);
	return rc;
}

/* A row of DB_DOCUMENT: the sum, where `at` is OF_SUM; else bytes that begin at this place of the file,
 * or are all of it. */
#define OF_SUM (-2)
struct part {
	const char *bytes;
	size_t len;
	int64_t at, sum;
};

static int copy_part(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	struct part *p = out;
	const char *bytes = db_row_bytes(row, 0, &p->len);

	p->bytes = arena_strndup(a, bytes, p->len);
	p->at = db_row_int(row, 1);
	p->sum = db_row_int(row, 2);
	return 0;
}

/* Puts the bytes of a row after those of the file before them. */
static int add_part(const char *path, const struct part *p, struct str *out, struct err *e)
{
	if (p->at > (int64_t)out->len)
		return err_set(e, ERR_DAMAGED, "%s: the file is shorter than what pbm wrote", path);
	out->len = p->at > 0 ? (size_t)p->at : 0;
	str_add_n(out, p->bytes, p->len);
	return 0;
}

static int complain_missing(const char *path, bool has_sum, struct err *e)
{
	return err_set(e, has_sum ? ERR_DAMAGED : ERR_NOT_FOUND, "%s: there is no such document",
	               path);
}

/* Reads the rows first: then the file has what was settled meanwhile.  *sum is set if it is known:
 * then *summed is true. */
static int read_newest(struct store *s, const char *path, struct str *out, int64_t *sum,
                       bool *summed, struct err *e)
{
	AUTO(gather_release) struct gathered rows = { 0 };
	struct err why = { 0 };
	int rc = gather_rows(&rows, s->db, DB_DOCUMENT, DB_ARGS(db_text(path)), copy_part,
	                     sizeof(struct part), e);
	const struct part *first = rows.count ? gather_at(&rows, 0) : NULL;

	*summed = first && first->at == OF_SUM;
	if (*summed)
		*sum = first->sum;
	size_t i = *summed;
	bool whole = i < rows.count && ((const struct part *)gather_at(&rows, i))->at < 0;

	str_clear(out);
	if (rc == 0 && i == rows.count && has_rows(s))
		rc = complain_missing(path, *summed, e);
	else if (rc == 0 && !whole && (rc = read_file(s->dirfd, path, out, &why)) < 0) {
		err_set(e, why.code, "%s", why.text);
		if (rc == ERR_SYSTEM && s->marked)
			db_fail(s->db, &why);
	}
	for (; rc == 0 && i < rows.count; i++)
		rc = add_part(path, gather_at(&rows, i), out, e);
	return rc;
}

int doc_file(struct store *s, const char *path, struct str *out, struct err *e)
{
	int64_t sum;
	bool summed;

	return has_rows(s) ? read_newest(s, path, out, &sum, &summed, e)
	                   : read_file(s->dirfd, path, out, e);
}

int doc_has(struct store *s, const char *path, struct err *e)
{
	return has_rows(s) ? db_number(s->db, DB_PENDING_GET, DB_ARGS(db_text(path)), NULL, e)
	                   : files_has(s->dirfd, path);
}

static int copy_path(const struct db_row *row, struct arena *a, void *out, struct err *)
{
	*(const char **)out = arena_strdup(a, db_row_text(row, 0));
	return 0;
}

/* A page of paths at a time. */
static int walk_rows(struct store *s, const char *folder, files_fn *fn, void *arg, struct err *e)
{
	char from[STORE_PATH_MAX], to[STORE_PATH_MAX];
	size_t count = PATHS_A_PAGE;
	int rc = 0;

	snprintf(from, sizeof from, "%s/", folder);
	snprintf(to, sizeof to, "%s0", folder); /* the character after the slash */
	while (rc == 0 && count == PATHS_A_PAGE) {
		AUTO(gather_release) struct gathered paths = { 0 };

		rc = gather_rows(&paths, s->db, DB_DOCUMENTS,
		                 DB_ARGS(db_text(from), db_text(to), db_int(PATHS_A_PAGE)),
		                 copy_path, sizeof(char *), e);
		count = paths.count;
		for (size_t i = 0; rc == 0 && i < count; i++) {
			const char *const *path = gather_at(&paths, i);

			snprintf(from, sizeof from, "%s", *path);
			rc = fn(*path, arg, e);
		}
	}
	return rc;
}

int doc_walk(struct store *s, const char *folder, files_fn *fn, void *arg, struct err *e)
{
	bool is_acts = strcmp(folder, "acts") == 0;

	if (has_rows(s))
		return walk_rows(s, folder, fn, arg, e);
	/* Sites of older versions have not got these two. */
	if ((is_acts || strcmp(folder, "tournaments") == 0) && !files_has(s->dirfd, folder))
		return 0;
	return files_walk(s->dirfd, folder, is_acts ? 1 : FILES_DOCUMENTS, fn, arg, e);
}

int doc_walk_all(struct store *s, files_fn *fn, void *arg, struct err *e)
{
	int rc = doc_walk(s, "games", fn, arg, e);

	if (rc == 0)
		rc = doc_walk(s, "players", fn, arg, e);
	return rc == 0 ? doc_walk(s, "tournaments", fn, arg, e) : rc;
}

/* Reads the sum, then the bytes.  If they differ, the writer may have replaced the
 * file in between; then the sum has changed too, and everything is read again. */
int doc_get(struct store *s, const char *path, struct str *out, struct err *e)
{
	int64_t sum = 0, before;
	bool right, summed;
	int rc;

	do {
		before = sum;
		rc = read_newest(s, path, out, &sum, &summed, e);
		right = rc < 0 || !summed || doc_has_sum(path, out->data, out->len, sum);
	} while (!right && sum != before);
	return right ? rc : document_file_complain_changed(path, e);
}

int doc_put(struct store *s, const char *path, const struct str *bytes, int64_t at, struct err *e)
{
	struct err why = { 0 };

	if (s->light) {
		err_set(&why, ERR_BAD, "%s: a document in a light transaction", path);
		db_fail(s->db, &why);
		return err_set(e, why.code, "%s", why.text);
	}
	return db_run(s->db, DB_PENDING_PUT,
	              DB_ARGS(db_text(path), db_bytes(bytes->data, bytes->len), db_int(at)), e);
}

static int write_pending(const struct db_row *row, void *arg, struct err *e)
{
	struct store *s = arg;
	size_t len;
	const char *path = db_row_text(row, 0), *bytes = db_row_bytes(row, 1, &len);
	int64_t at = db_row_int(row, 2);

	s->leftover = true;
	return at < 0 ? files_write(s->dirfd, path, bytes, len, e)
	              : files_write_at(s->dirfd, path, at, bytes, len, e);
}

int doc_settle(struct store *s, struct err *e)
{
	s->leftover = false; /* write_pending() sets it when there is a row */
	int rc = has_rows(s) ? 0 : db_each(s->db, DB_PENDING_ALL, DB_NONE, write_pending, s, e);

	if (s->leftover)
		s->written = io_written();
	s->settled = rc == 0;
	return rc;
}

int doc_flush(struct store *s, struct err *e)
{
	int rc = s->leftover ? io_sync_fs(s->dirfd, s->written, e) : 0;

	if (rc < 0) /* the files are written again before they are flushed again */
		s->settled = false;
	return rc;
}

int doc_forget(struct store *s, struct err *e)
{
	int rc = doc_flush(s, e);

	if (rc == 0)
		rc = db_set_durable(s->db, false, e);
	if (rc == 0)
		rc = db_run(s->db, DB_BEGIN, DB_NONE, e);
	if (rc < 0)
		return rc;
	rc = db_run(s->db, DB_PENDING_CLEAR, DB_NONE, e);
	if (rc == 0)
		return db_run(s->db, DB_COMMIT, DB_NONE, e);
	db_run(s->db, DB_ROLLBACK, DB_NONE, NULL);
	return rc;
}
