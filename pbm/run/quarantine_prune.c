#include "pbm/run/quarantine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/base/array.h"
#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/outbox/operator.h"
#include "store/shared/store_inbox.h"
#include "store/store_marks.h"

#define MONTH (30 * CLOCK_DAY)
#define MIB 1048576
#define BLOCK 4096 /* a file takes whole blocks of the disk */
#define ROWS_A_PAGE 500
#define WHY_MAX 8192           /* bytes of a reason */
#define TOLD "quarantine-told" /* value in the store: when the operator was told */

/* One file, or the mail that it belongs to. */
struct kept {
	char name[QUARANTINE_NAME + 1];
	int64_t at; /* of the mail's file; 0: there is only another one */
	int64_t bytes;
	bool proved;
};

struct folder {
	int fd;
	struct store *store; /* that has them as rows; NULL: files in a folder */
	struct kept *v;
	size_t n, cap;
	int64_t bytes;
};

static int64_t round_up(int64_t bytes)
{
	return (bytes + BLOCK - 1) / BLOCK * BLOCK;
}

/* Adds mails, reasons, and the remains of a cut write of both. */
static void add_file(struct folder *f, const char *file)
{
	static const char *const ends[] = { ".eml", ".why", ".eml.tmp", ".why.tmp" };
	struct stat st;
	size_t end = 0;

	if (strspn(file, "0123456789abcdef") != QUARANTINE_NAME)
		return;
	while (end < sizeof ends / sizeof ends[0] && strcmp(file + QUARANTINE_NAME, ends[end]) != 0)
		end++;
	if (end == sizeof ends / sizeof ends[0] ||
	    fstatat(f->fd, file, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
		return;
	struct kept *k = ARRAY_ADD(NULL, f);

	*k = (struct kept){ .at = end == 0 ? (int64_t)st.st_mtime : 0,
		            .bytes = round_up((int64_t)st.st_size) };
	memcpy(k->name, file, QUARANTINE_NAME);
	f->bytes += k->bytes;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct kept *)a)->name, ((const struct kept *)b)->name);
}

/* Files of the same name become one entry. */
static void join_files(struct folder *f)
{
	size_t kept = 0;

	if (f->n)
		qsort(f->v, f->n, sizeof *f->v, by_name);
	for (size_t i = 0; i < f->n; i++) {
		struct kept *last = kept ? &f->v[kept - 1] : NULL;

		if (!last || strcmp(last->name, f->v[i].name) != 0) {
			f->v[kept++] = f->v[i];
			continue;
		}
		last->bytes += f->v[i].bytes;
		last->at = f->v[i].at > last->at ? f->v[i].at : last->at;
	}
	f->n = kept;
}

static int add_row(const struct aside_mail *m, void *arg)
{
	struct folder *f = arg;
	struct kept *k = ARRAY_ADD(NULL, f);

	*k = (struct kept){ .at = m->at,
		            .bytes = round_up((int64_t)m->len) + BLOCK,
		            .proved = m->proved };
	snprintf(k->name, sizeof k->name, "%s", m->name);
	f->bytes += k->bytes;
	return 0;
}

static int read_rows(struct folder *f, struct err *e)
{
	size_t before;
	int rc;

	do {
		before = f->n;
		rc = store_aside_list(f->store, before ? f->v[before - 1].name : "", ROWS_A_PAGE,
		                      add_row, f, e);
	} while (rc == 0 && f->n - before == ROWS_A_PAGE);
	return rc < 0 ? rc : 1;
}

/* 0: there is no folder. */
static int read_folder(struct site *site, struct folder *f, struct err *e)
{
	const struct dirent *entry;

	if (f->store)
		return read_rows(f, e);
	f->fd = open(SITE_PATH(site, QUARANTINE_FOLDER), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (f->fd < 0)
		return errno == ENOENT ? 0 : err_sys(e, "open " QUARANTINE_FOLDER);
	int copy = dup(f->fd);
	DIR *d = copy < 0 ? NULL : fdopendir(copy);
	if (!d) {
		int rc = err_sys(e, "read " QUARANTINE_FOLDER);

		if (copy >= 0)
			close(copy);
		return rc;
	}
	while ((entry = readdir(d)))
		add_file(f, entry->d_name);
	closedir(d);
	join_files(f);
	return 1;
}

static void read_proof(struct folder *f, struct kept *k)
{
	char file[QUARANTINE_NAME + 8], *text = NULL;
	size_t len;

	snprintf(file, sizeof file, "%s.why", k->name);
	if (!f->store && io_read_file(f->fd, file, WHY_MAX, &text, &len, NULL) == 0)
		k->proved = strstr(text, "\n" QUARANTINE_PROVED "\n") != NULL;
	free(text);
}

static void delete_entry(struct folder *f, const struct kept *k)
{
	static const char *const ends[] = { ".eml", ".eml.tmp", ".why.tmp", ".why" };
	char file[QUARANTINE_NAME + 12];

	f->bytes -= k->bytes;
	if (f->store)
		store_aside_drop(f->store, k->name, NULL); /* the transaction keeps an error */
	for (size_t i = 0; !f->store && i < sizeof ends / sizeof ends[0]; i++) {
		snprintf(file, sizeof file, "%s%s", k->name, ends[i]);
		if (unlinkat(f->fd, file, 0) < 0 && errno != ENOENT)
			log_error("%s/%s can't be deleted: %s", QUARANTINE_FOLDER, file,
			          strerror(errno));
	}
}

/* Deletes mails that have been kept long enough, and reasons without a mail. */
static void delete_old(struct folder *f, int64_t before)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->n; i++) {
		if (f->v[i].at < before)
			delete_entry(f, &f->v[i]);
		else
			f->v[kept++] = f->v[i];
	}
	f->n = kept;
}

/* Strangers' mails first, then the others; the oldest first. */
static int by_worth(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	if (x->proved != y->proved)
		return x->proved ? 1 : -1;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Makes room for some more, so that a flood is not sorted for each mail. */
static size_t delete_most(struct folder *f, int64_t limit)
{
	size_t gone = 0;

	for (size_t i = 0; i < f->n; i++)
		read_proof(f, &f->v[i]);
	if (f->n)
		qsort(f->v, f->n, sizeof *f->v, by_worth);
	while (gone < f->n && f->bytes > limit / 10 * 9)
		delete_entry(f, &f->v[gone++]);
	return gone;
}

static int tell_full(struct site *site, size_t gone, struct err *e)
{
	char text[500];
	int64_t told = 0, now = clock_now();
	int rc = store_value(site->store, TOLD, &told, e);

	snprintf(
		text, sizeof text,
		"The quarantine was full (quarantine-megabytes = %ld), and the server deleted %zu mails there, the oldest ones of senders without a proof first.  It goes on so, and says this once a month.",
		site->conf.quarantine_megabytes, gone);
	log_warn("%s", text);
	if (rc < 0 || (told && now - told < MONTH))
		return rc;
	rc = operator_tell(site, "quarantine full", "the quarantine is full", text, e);
	return rc < 0 ? rc : store_value_set(site->store, TOLD, now, e);
}

int quarantine_prune(struct site *site, struct err *e)
{
	struct folder f = { .fd = -1, .store = store_is_shared(site->store) ? site->store : NULL };
	int64_t limit = (int64_t)site->conf.quarantine_megabytes * MIB;
	int rc = read_folder(site, &f, e);

	if (rc == 1 && site->conf.quarantine_days)
		delete_old(&f, clock_now() - (int64_t)site->conf.quarantine_days * CLOCK_DAY);
	if (rc == 1 && f.bytes > limit)
		rc = tell_full(site, delete_most(&f, limit), e);
	if (f.fd >= 0)
		close(f.fd);
	free(f.v);
	return rc < 0 ? rc : store_value_set(site->store, QUARANTINE_PRUNED, clock_now(), e);
}

int quarantine_prune_daily(struct site *site, struct err *e)
{
	int64_t last = 0, now = clock_now();
	int rc = store_value(site->store, QUARANTINE_PRUNED, &last, e);

	if (rc < 0 || (last <= now && now - last < CLOCK_DAY))
		return rc;
	rc = store_begin(site->store, e);
	if (rc == 0)
		rc = quarantine_prune(site, e);
	rc = store_end(site->store, rc, e);
	return rc < 0 ? rc : 1;
}
