/* File names are read once a run: mails that arrive later wait for the next run.  A file
 * is opened only when its turn comes. */
#include "mail/transport/source_maildir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/transport/maildir.h"
#include "pbm/base/array.h"
#include "pbm/base/io.h"
#include "pbm/base/mem.h"

/* A longer base name is cut before ":2,S" is added. */
#define MAX_BASE 230
#define MAX_TWINS 1000 /* mails of the same name in a folder */

enum maildir_place { NEW, CUR, PROCESSED, QUARANTINE, PLACES };
static const char *const places[PLACES] = { "new", "cur", ".Processed/cur", ".Quarantine/cur" };

struct maildir_entry {
	uint64_t stamp; /* the number that begins the name */
	char *name;
	enum maildir_place place;
};

struct maildir_source {
	int dir;
	struct maildir_entry *v;
	size_t n, cap, at;
	bool scanned;
	size_t newest; /* not 0: only so many, of the filed mails */
	bool touched[PLACES];
};

static void add_entry(struct maildir_source *m, const char *name, enum maildir_place place)
{
	*ARRAY_ADD(NULL, m) = (struct maildir_entry){ strtoull(name, NULL, 10), mem_strdup(name),
		                                      place };
}

static void free_entries(struct maildir_source *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->v[i].name);
	free(m->v);
}

static int scan_place(struct maildir_source *m, enum maildir_place place, struct err *e)
{
	int fd = openat(m->dir, places[place], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!d) {
		int rc = err_sys(e, "open %s", places[place]);

		if (fd >= 0)
			close(fd);
		return rc;
	}
	for (errno = 0; (entry = readdir(d)); errno = 0) {
		if (entry->d_name[0] != '.')
			add_entry(m, entry->d_name, place);
	}
	int rc = errno ? err_sys(e, "read %s", places[place]) : 0;
	closedir(d);
	return rc;
}

static int by_age(const void *a, const void *b)
{
	const struct maildir_entry *x = a, *y = b;

	if (x->stamp != y->stamp)
		return x->stamp < y->stamp ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int scan(struct maildir_source *m, struct err *e)
{
	int rc = scan_place(m, m->newest ? PROCESSED : NEW, e);

	if (rc == 0 && !m->newest)
		rc = scan_place(m, CUR, e);
	if (rc == 0 && m->n)
		qsort(m->v, m->n, sizeof *m->v, by_age);
	if (m->newest && m->n > m->newest)
		m->at = m->n - m->newest;
	m->scanned = rc == 0;
	return rc;
}

/* At most max bytes of fd. */
static int read_some(int fd, size_t max, struct mail_raw *out, struct err *e)
{
	while (out->len < max) {
		ssize_t n = read(fd, out->bytes + out->len, max - out->len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(e, "read %s", out->id);
		if (n == 0)
			break;
		out->len += (size_t)n;
	}
	out->bytes[out->len] = '\0';
	return 1;
}

/* The time in a mail's name, 9 to 11 digits before the first point; 0: none. */
static int64_t named_time(const struct maildir_entry *entry)
{
	size_t digits = strspn(entry->name, "0123456789");

	return digits >= 9 && digits <= 11 && entry->name[digits] == '.' ? (int64_t)entry->stamp
	                                                                 : 0;
}

/* When the mail came: the time in its name or that of its file, whichever is earlier. */
static int64_t came_at(const struct maildir_entry *entry, const struct stat *st)
{
	int64_t named = named_time(entry), mtime = (int64_t)st->st_mtime;

	return named > 0 && named < mtime ? named : mtime;
}

static int read_mail(int fd, const struct maildir_entry *entry, size_t max, struct mail_raw *out,
                     struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_sys(e, "stat %s", entry->name);
	if (!S_ISREG(st.st_mode))
		return 0;
	size_t size = (size_t)st.st_size < max ? (size_t)st.st_size : max;
	*out = (struct mail_raw){
		.bytes = mem_alloc(size + 1),
		.oversize = (size_t)st.st_size > max,
		.received = came_at(entry, &st),
	};
	snprintf(out->id, sizeof out->id, "%s", entry->name);
	int rc = read_some(fd, size, out, e);
	if (rc < 0)
		mail_raw_release(out);
	return rc;
}

/* 0: it is no mail, or gone. */
static int open_entry(struct maildir_source *m, const struct maildir_entry *entry, size_t max,
                      struct mail_raw *out, struct err *e)
{
	const char *path = PRINTED(300, "%s/%s", places[entry->place], entry->name);
	int fd = openat(m->dir, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && (errno == ENOENT || errno == ELOOP || errno == ENXIO))
		return 0;
	if (fd < 0)
		return err_sys(e, "open %s", path);
	int rc = read_mail(fd, entry, max, out, e);
	close(fd);
	return rc;
}

static int maildir_next(void *self, size_t max, struct mail_raw *out, struct err *e)
{
	struct maildir_source *m = self;
	int rc = m->scanned ? 0 : scan(m, e);

	while (rc == 0 && m->at < m->n) {
		const struct maildir_entry *entry = &m->v[m->at++];

		rc = open_entry(m, entry, max, out, NULL);
		if (rc < 0) /* try twice, because later mails may build on this one */
			rc = open_entry(m, entry, max, out, e);
		if (rc < 0) /* name the mail that failed */
			snprintf(out->id, sizeof out->id, "%s", entry->name);
	}
	return rc;
}

/* Moves the file from to a free name in place.  1: done; 0: there is no such file. */
static int move_to(struct maildir_source *m, const char *from, const char *id,
                   enum maildir_place place, struct err *e)
{
	size_t base = strcspn(id, ":");
	char to[400];

	for (int twin = 0; twin < MAX_TWINS; twin++) {
		char suffix[16] = "";

		if (twin)
			snprintf(suffix, sizeof suffix, ".%d", twin);
		snprintf(to, sizeof to, "%s/%.*s%s:2,S", places[place],
		         base < MAX_BASE ? (int)base : MAX_BASE, id, suffix);
		if (io_rename_new(m->dir, from, to) == 0)
			return 1;
		if (errno == ENOENT)
			return 0;
		if (errno != EEXIST)
			break;
	}
	return err_sys(e, "rename %s to %s", from, to);
}

static int maildir_settle(void *self, const char *id, enum mail_fate fate, struct err *e)
{
	struct maildir_source *m = self;
	enum maildir_place place = fate == MAIL_QUARANTINED ? QUARANTINE : PROCESSED;
	char from[300];

	if (fate == MAIL_RETRY)
		return 0;
	if (!*id || strchr(id, '/') || strlen(id) > NAME_MAX)
		return err_set(e, ERR_BAD, "not a file name of a Maildir: %.100s", id);
	for (enum maildir_place p = NEW; p <= CUR; p++) {
		snprintf(from, sizeof from, "%s/%s", places[p], id);
		int rc = move_to(m, from, id, place, e);

		if (rc < 0)
			return rc;
		if (rc == 0)
			continue;
		m->touched[p] = m->touched[place] = true;
		return 0;
	}
	return 0; /* settled before */
}

/* Syncs the targets first: a power cut in between may leave a mail under two names,
 * but never under none. */
static int maildir_flush(void *self, struct err *e)
{
	struct maildir_source *m = self;
	int rc = 0;

	for (size_t i = PLACES; i-- > 0 && rc == 0;) {
		if (m->touched[i])
			rc = io_sync_dir(m->dir, places[i], e);
		m->touched[i] = m->touched[i] && rc < 0;
	}
	return rc;
}

/* A mail in a folder for settled ones. */
struct maildir_kept {
	struct maildir_entry entry;
	int64_t came, bytes;
};

static int by_coming(const void *a, const void *b)
{
	const struct maildir_kept *x = a, *y = b;

	if (x->came != y->came)
		return x->came < y->came ? -1 : 1;
	return by_age(&x->entry, &y->entry);
}

/* Looks at the files of the folder.  Returns the bytes of all. */
static int64_t measure(const struct maildir_source *m, enum maildir_place place,
                       struct maildir_kept *v, size_t *n)
{
	int64_t sum = 0;
	char path[300];
	struct stat st;

	*n = 0;
	for (size_t i = 0; i < m->n; i++) {
		struct maildir_entry entry = m->v[i];

		snprintf(path, sizeof path, "%s/%s", places[place], entry.name);
		if (fstatat(m->dir, path, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
			continue;
		v[*n].entry = entry;
		v[*n].came = named_time(&entry) ? named_time(&entry) : (int64_t)st.st_mtime;
		v[(*n)++].bytes = (int64_t)st.st_size;
		sum += (int64_t)st.st_size;
	}
	return sum;
}

static int delete_kept(struct maildir_source *m, enum maildir_place place, int64_t before,
                       int64_t most, struct err *e)
{
	AUTO(mem_free) struct maildir_kept *v = mem_alloc((m->n + 1) * sizeof *v);
	char path[300];
	size_t n;
	int64_t sum = measure(m, place, v, &n);
	int rc = 0;

	qsort(v, n, sizeof *v, by_coming);
	for (size_t i = 0; rc == 0 && i < n && (v[i].came < before || sum > most); i++) {
		snprintf(path, sizeof path, "%s/%s", places[place], v[i].entry.name);
		if (unlinkat(m->dir, path, 0) < 0 && errno != ENOENT)
			rc = err_sys(e, "delete %s", path);
		sum -= v[i].bytes;
	}
	return rc;
}

static int maildir_prune(void *self, enum mail_fate fate, int64_t before, int64_t bytes,
                         struct err *e)
{
	enum maildir_place place = fate == MAIL_QUARANTINED ? QUARANTINE : PROCESSED;
	const struct maildir_source *m = self;
	struct maildir_source list = { .dir = m->dir };
	int rc = scan_place(&list, place, e);

	if (rc == 0)
		rc = delete_kept(&list, place, before, bytes, e);
	free_entries(&list);
	return rc;
}

static void maildir_close(void *self)
{
	struct maildir_source *m = self;

	free_entries(m);
	close(m->dir);
	free(m);
}

static const struct mail_source_ops ops = {
	.name = "maildir",
	.next = maildir_next,
	.settle = maildir_settle,
	.flush = maildir_flush,
	.prune = maildir_prune,
	.close = maildir_close,
};

int source_maildir_open(const char *path, struct mail_source *out, struct err *e)
{
	int dir = maildir_open(path, e);

	if (dir < 0)
		return dir;
	int rc = maildir_make_folder(dir, ".Processed", e);
	if (rc == 0)
		rc = maildir_make_folder(dir, ".Quarantine", e);
	if (rc < 0) {
		close(dir);
		return rc;
	}
	struct maildir_source *m = mem_alloc(sizeof *m);
	m->dir = dir;
	*out = (struct mail_source){ &ops, m };
	return 0;
}

int source_maildir_filed(const char *path, size_t newest, struct mail_source *out, struct err *e)
{
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return err_sys(e, "open %s", path);
	struct maildir_source *m = mem_alloc(sizeof *m);
	m->dir = dir;
	m->newest = newest;
	*out = (struct mail_source){ &ops, m };
	return 0;
}
