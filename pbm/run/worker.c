#include "pbm/run/worker.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/libexec.h"
#include "pbm/base/log.h"
#include "pbm/run/clock_check.h"
#include "pbm/run/fetch.h"
#include "pbm/site/secret.h"
#include "store/store_marks.h"

#define FAR 2000 /* microseconds: a mail asks the server about twenty times */
#define SUM 8    /* bytes */
#define TEMPLATE_MAX (1 << 20)
#define DEPTH 8

/* Settings that a machine may have of its own. */
static const char *const own[] = {
	"worker",      "store",          "source",           "source-password", "source-token",
	"source-ca",   "sink",           "sink-password",    "sink-token",      "sink-ca",
	"archive-dir", "archive-region", "archive-password", "archive-ca",      "resolver",
	"timeout",     "log-level",      "disk-reserve",     "quota",           "operator"
};

static bool is_own(const char *name)
{
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (strcmp(own[i], name) == 0)
			return true;
	return false;
}

static const char *digits(struct arena *a, const unsigned char sum[SUM])
{
	char *out = arena_alloc(a, 2 * SUM + 1);

	return sodium_bin2hex(out, 2 * SUM + 1, sum, SUM);
}

static void add(crypto_generichash_state *h, const void *bytes, size_t n)
{
	crypto_generichash_update(h, bytes, n);
}

/* "NAME=SUM " for each setting. */
static const char *sums_of_conf(const struct site *site, struct arena *a)
{
	const char *out = "";
	struct site_setting set;

	for (size_t i = 0; site_setting(i, &set); i++) {
		const char *value = site_setting_value(site, a, i);
		unsigned char sum[crypto_generichash_BYTES];

		if (is_own(set.name))
			continue;
		crypto_generichash(sum, sizeof sum, (const unsigned char *)value, strlen(value),
		                   NULL, 0);
		out = arena_printf(a, "%s%s=%.8s ", out, set.name, digits(a, sum));
	}
	return out;
}

/* The end of the name in "NAME=SUM ", and in *next that of the whole. */
static const char *end_of_name(const char *row, const char **next)
{
	*next = strchr(row, ' ');
	return *next ? memchr(row, '=', (size_t)(*next - row)) : NULL;
}

/* The row of that name, which ends with "=". */
static const char *find_row(const char *rows, const char *name, size_t len)
{
	for (const char *next; end_of_name(rows, &next); rows = next + 1)
		if (strncmp(rows, name, len) == 0)
			return rows;
	return NULL;
}

const char *worker_other_settings(const char *here, const char *there, struct arena *a)
{
	const char *out = "", *next;

	if (!strchr(there, '=')) /* an earlier version: one sum of all */
		return "pbm.conf";
	for (const char *end; (end = end_of_name(here, &next)); here = next + 1) {
		const char *other = find_row(there, here, (size_t)(end - here) + 1);

		if (other && strncmp(other, here, (size_t)(next - here)) != 0)
			out = arena_printf(a, "%s%s%.*s", out, *out ? ", " : "", (int)(end - here),
			                   here);
	}
	return *out ? out : NULL;
}

/* For nftw(), which hands nothing on.  The order of files is that of the disk, so their sums are joined
 * in a way in which no order counts. */
static unsigned char templates[SUM];
static size_t skipped; /* characters of a path before the part below the folder */

static int add_template(const char *path, const struct stat *, int kind, struct FTW *)
{
	crypto_generichash_state h;
	unsigned char sum[crypto_generichash_BYTES];
	AUTO(mem_free) char *text = NULL;
	size_t len;

	if (kind != FTW_F || io_read_file(AT_FDCWD, path, TEMPLATE_MAX, &text, &len, NULL) < 0)
		return 0;
	crypto_generichash_init(&h, NULL, 0, sizeof sum);
	add(&h, path + skipped, strlen(path + skipped) + 1);
	add(&h, text, len);
	crypto_generichash_final(&h, sum, sizeof sum);
	for (size_t i = 0; i < SUM; i++)
		templates[i] ^= sum[i];
	return 0;
}

void worker_sums(const struct site *site, struct arena *a, struct worker *out)
{
	memset(templates, 0, sizeof templates);
	skipped = strlen(site->template_dir);
	nftw(site->template_dir, add_template, DEPTH, FTW_PHYS);
	out->program = LIBEXEC_VERSION;
	out->conf = sums_of_conf(site, a);
	out->templates = digits(a, templates);
	out->secret = arena_strdup(a, secret_sum(site, (char[SECRET_SUM_SIZE]){ 0 }));
}

bool worker_is_near(const struct worker *w)
{
	return w->trip <= FAR;
}

/* The machines at work. */
struct peers {
	const struct worker *here;
	const char *me;
	bool nearer, same_name;
};

static int look_at(const struct worker *w, void *arg)
{
	struct peers *o = arg;

	if (strcmp(w->name, o->me) == 0)
		o->same_name = true;
	else if (strcmp(w->secret, o->here->secret) != 0)
		log_error(
			"the machine %.100s has another file secret, so each of us refuses what answers the mails of the other: copy it from the right one",
			w->name);
	else
		o->nearer |= worker_is_near(w);
	return 0;
}

int64_t worker_home(const struct site *site)
{
	char path[PATH_MAX] = "", host[256] = "";
	crypto_generichash_state h;
	int64_t home;

	gethostname(host, sizeof host - 1);
	crypto_generichash_init(&h, NULL, 0, crypto_generichash_BYTES_MIN);
	add(&h, host, strlen(host) + 1);
	add(&h, path, realpath(site->dir, path) ? strlen(path) : 0);
	unsigned char sum[crypto_generichash_BYTES_MIN];
	crypto_generichash_final(&h, sum, sizeof sum);
	memcpy(&home, sum, sizeof home);
	return home & INT64_MAX;
}

/* The host and folder from where this machine works are noted.  at_work: one of its name has run in the
 * last two minutes. */
static int note_home(struct site *site, bool at_work, struct err *e)
{
	char name[STORE_OWN_NAME_SIZE];
	int64_t was = 0, home = worker_home(site);
	int rc = store_value(site->store, store_own_name(site->store, WORKER_HOME, name), &was, e);

	if (rc < 0 || was == home)
		return rc;
	if (was && at_work)
		log_error(
			"another folder or host has worked under the name %.100s just now: if both go on, mails are sent twice; give each its own line worker in pbm.conf",
			store_worker_name(site->store));
	rc = store_begin_light(site->store, e);
	if (rc == 0)
		rc = store_value_set(site->store, name, home, e);
	return store_end_light(site->store, rc, false, e);
}

int worker_note(struct site *site, bool *stands_by, struct err *e)
{
	char source[FETCH_NAME_SIZE];
	struct worker w = { .at = clock_now(),
		            .trip = site->run.trip,
		            .source = fetch_source(site, source) };
	struct peers o = { .here = &w, .me = store_worker_name(site->store) };
	AUTO(arena_release) struct arena a = { 0 };

	worker_sums(site, &a, &w);
	int rc = store_workers(site->store, w.at - WORKER_ALIVE, look_at, &o, e);
	if (rc == 0)
		rc = note_home(site, o.same_name, e);
	if (rc == 0)
		rc = store_worker_note(site->store, &w, e);
	*stands_by = o.nearer && !worker_is_near(&w);
	return rc;
}

/* Values that a machine has of its own: the line of its clock, and what is known of its folder. */
static const char *const values[] = { CLOCK_MACHINE, CLOCK_BOOT,     CLOCK_BOOTTIME, CLOCK_SHIFT,
	                              CLOCK_DOUBT,   CLOCK_GAP_FROM, CLOCK_GAP_TO,   FETCH_READ,
	                              FETCH_UNREAD,  WORKER_HOME };

int worker_forget(struct store *s, const char *name, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof values / sizeof *values; i++)
		rc = store_value_drop(s, arena_printf(&a, "%s-%.255s", values[i], name), e);
	return rc == 0 ? store_worker_drop(s, name, e) : rc;
}
