#include "pbm/run/worker.h"

#include <fcntl.h>
#include <ftw.h>
#include <sodium.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/libexec.h"
#include "pbm/run/fetch.h"

#define FAR 2000  /* microseconds: a mail asks the server about twenty times */
#define ALIVE 120 /* seconds since a run of the nearer machine */
#define SUM 8     /* bytes */
#define TEMPLATE_MAX (1 << 20)
#define DEPTH 8

/* Settings that a machine may have of its own. */
static const char *const own[] = {
	"worker",           "store",        "source",      "source-password",
	"source-token",     "source-ca",    "sink",        "sink-password",
	"sink-token",       "sink-ca",      "archive-dir", "archive-region",
	"archive-password", "archive-ca",   "resolver",    "timeout",
	"log-level",        "disk-reserve", "quota"
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

static const char *sum_of_conf(const struct site *site, struct arena *a)
{
	crypto_generichash_state h;
	unsigned char sum[crypto_generichash_BYTES];
	struct site_setting set;

	crypto_generichash_init(&h, NULL, 0, sizeof sum);
	for (size_t i = 0; site_setting(i, &set); i++)
		if (!is_own(set.name)) {
			const char *value = site_setting_value(site, a, i);

			add(&h, set.name, strlen(set.name) + 1);
			add(&h, value, strlen(value) + 1);
		}
	crypto_generichash_final(&h, sum, sizeof sum);
	return digits(a, sum);
}

static const char *sum_of_keys(const struct site *site, struct arena *a)
{
	crypto_generichash_state h;
	unsigned char sum[crypto_generichash_BYTES];

	crypto_generichash_init(&h, NULL, 0, sizeof sum);
	for (size_t i = 0; i < site->key_count; i++) {
		add(&h, &site->keys[i].number, sizeof site->keys[i].number);
		add(&h, site->keys[i].bytes, sizeof site->keys[i].bytes);
	}
	crypto_generichash_final(&h, sum, sizeof sum);
	return digits(a, sum);
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
	out->conf = sum_of_conf(site, a);
	out->templates = digits(a, templates);
	out->secret = sum_of_keys(site, a);
}

struct nearer {
	const char *me;
	bool found;
};

static int look_at(const struct worker *w, void *arg)
{
	struct nearer *n = arg;

	n->found |= w->trip <= FAR && strcmp(w->name, n->me) != 0;
	return n->found;
}

int worker_note(struct site *site, bool *stands_by, struct err *e)
{
	char source[FETCH_NAME_SIZE];
	struct worker w = { .at = clock_now(),
		            .trip = site->run.trip,
		            .source = fetch_source(site, source) };
	struct nearer n = { .me = store_worker_name(site->store) };
	AUTO(arena_release) struct arena a = { 0 };

	worker_sums(site, &a, &w);
	int rc = store_worker_note(site->store, &w, e);
	if (rc == 0 && w.trip > FAR)
		rc = store_workers(site->store, w.at - ALIVE, look_at, &n, e);
	*stands_by = n.found;
	return rc;
}
