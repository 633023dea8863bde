/* Makes a new site, or what a site lacks. */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/site/guard.h"
#include "pbm/site/mail_ends.h"
#include "pbm/site/secret.h"
#include "pbm/site/site.h"
#include "store/shared/store_server.h"
#include "store/store_upgrade.h"

static void write_conf(const char *host, const char *archive_dir, const char *store,
                       struct str *out)
{
	const struct {
		const char *name, *value;
	} given[] = { { "host", host }, { "archive-dir", archive_dir }, { "store", store } };

	str_add(out, "# pbm: settings of this site.  Every line is optional.  A line like\n"
	             "# \"#name = value\" shows the default of a setting.\n");
	struct site_setting set;

	for (size_t i = 0; site_setting(i, &set); i++) {
		const char *value = NULL;

		for (size_t j = 0; j < sizeof given / sizeof *given; j++)
			if (strcmp(set.name, given[j].name) == 0)
				value = given[j].value;
		str_addf(out, "\n# %s\n%s%s = %s\n", set.help, value ? "" : "#", set.name,
		         value ? value : set.standard);
	}
}

/* *sum: of the secret that an init which was cut off has left in dir; NULL: there is none. */
static int find_sum(const char *dir, char out[SECRET_SUM_SIZE], const char **sum, struct err *e)
{
	AUTO(mem_free) char *copy = mem_strdup(dir);
	struct site s = { .dir = copy };
	int rc = err_found(secret_read(&s, e), ERR_NOT_FOUND, e);

	*sum = rc == 1 ? secret_sum(&s, out) : NULL;
	sodium_memzero(&s, sizeof s);
	return rc < 0 ? rc : 0;
}

/* Its machines have another secret than the one that would be made here. */
static int refuse_second_site(const char *dir, struct err *e)
{
	char buf[SECRET_SUM_SIZE];
	const char *sum;
	int64_t found, known;
	struct err why = { 0 };
	int rc = store_is_on_server() ? store_layout(dir, &found, &known, &why) : ERR_NOT_FOUND;

	if (rc == ERR_NOT_FOUND)
		return 0;
	if (rc == 0)
		rc = find_sum(dir, buf, &sum, &why);
	if (rc == 0 && found == known)
		rc = store_is_free(sum, &why);
	return rc == 0  ? err_set(e, ERR_CONFLICT,
	                          "the database has a site already: copy pbm.conf, secret and templates "
	                           "from its machine")
	       : rc < 0 ? err_set(e, rc, "%s", why.text)
	                : 0;
}

/* The secret comes first, since a server knows by it to whom the tables belong, and pbm.conf last: what is
 * cut off before that can be started again. */
static int create_files(const char *dir, const char *host, const char *archive_dir,
                        const char *store, struct err *e)
{
	char buf[SECRET_SUM_SIZE];
	const char *sum;
	AUTO(str_release) struct str conf = str_heap(SITE_CONF_MAX);
	int rc = secret_create(dir, clock_now(), e);

	if (rc == 0)
		rc = find_sum(dir, buf, &sum, e);
	if (rc == 0)
		rc = store_create(dir, e);
	if (rc == 0 && store_is_on_server())
		rc = store_claim(dir, sum, e);
	if (rc < 0)
		return rc;
	write_conf(host, archive_dir, store, &conf);
	return io_replace(AT_FDCWD, PRINTED(1024, "%s/pbm.conf", dir), conf.data, conf.len, 0644,
	                  IO_DURABLE, e);
}

int site_complete(const char *dir, struct err *e)
{
	static const struct {
		const char *name;
		mode_t mode;
	} folders[] = {
		{ "games", 0700 },       { "players", 0700 }, { "acts", 0700 },
		{ "tournaments", 0700 }, { "archive", 0755 }, { "quarantine", 0700 },
		{ "templates", 0755 },
	};
	char path[1024];
	int rc = 0;

	/* Only the site's folder itself keeps others out. */
	mode_t mask = umask(022);
	for (size_t i = 0; rc == 0 && i < sizeof folders / sizeof folders[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, folders[i].name);
		rc = io_make_dirs(AT_FDCWD, path, folders[i].mode, e);
	}
	umask(mask);
	return rc;
}

/* Is it a line that sets the store?  *value: what it says. */
static bool sets_store(const char *line, char value[1024])
{
	char name[10];

	*value = '\0';
	return sscanf(line, " %9[a-zA-Z] = %1023s", name, value) >= 1 &&
	       strcasecmp(name, "store") == 0;
}

/* Copies the lines, with the new one in the place of the old. */
static int change_store(char *text, const char *url, struct str *out)
{
	char value[1024] = "sqlite:", here[sizeof value];
	bool found = false;

	for (char *line; (line = strsep(&text, "\n"));) {
		if (sets_store(line, here)) {
			found = true;
			snprintf(value, sizeof value, "%s", here);
			str_addf(out, "store = %s\n", url);
		} else if (*line || text)
			str_addf(out, "%s\n", line);
	}
	if (!found)
		str_addf(out, "store = %s\n", url);
	return strcmp(value, url) != 0;
}

int site_set_store(const char *dir, const char *file, const char *url, struct err *e)
{
	char path[1024], *text = NULL;
	struct stat st = { .st_mode = 0644 };
	AUTO(str_release) struct str conf = str_heap(2 * SITE_CONF_MAX);
	size_t n = 0;

	snprintf(path, sizeof path, "%.900s/%.100s", dir, file);
	stat(path, &st);
	int rc = io_read_file(AT_FDCWD, path, SITE_CONF_MAX, &text, &n, e);
	if (rc < 0)
		return rc;
	int changed = change_store(text, url, &conf);
	if (changed)
		rc = io_replace(AT_FDCWD, path, conf.data, conf.len, st.st_mode & 0777, IO_DURABLE,
		                e);
	free(text);
	return rc < 0 ? rc : changed;
}

/* An address of a machine has a number as its last part. */
static int check_host(const char *host, struct err *e)
{
	const char *dot = strrchr(host, '.'), *last = dot ? dot + 1 : host;

	if (!site_host_is_sane(host))
		return err_set(e, ERR_BAD, "\"%.80s\" is not a host name like mail.example.org",
		               host);
	if (last[strspn(last, "0123456789")])
		return 0;
	return err_set(
		e, ERR_BAD,
		"\"%.80s\" is the address of a machine; players write to a host name like mail.example.org",
		host);
}

static int make_archive(const char *dir, struct err *e)
{
	struct err why = { 0 };

	if (!dir || (io_make_dirs(AT_FDCWD, dir, 0755, &why) == 0 && access(dir, W_OK) == 0))
		return 0;
	return err_set(
		e, ERR_BAD,
		"the archive can't be written to %.400s: %.200s; name a folder that you may write to",
		dir, why.code ? why.text : strerror(errno));
}

int site_create_apart(const char *dir, const char *host, const char *archive_dir, const char *store,
                      struct err *e)
{
	struct stat st;

	if (sodium_init() < 0)
		return err_set(e, ERR_SYSTEM, "libsodium can't be initialised");
	if (check_host(host, e) < 0)
		return e->code;
	const char *path = PRINTED(1024, "%s/pbm.conf", dir);
	if (stat(path, &st) == 0)
		return err_set(e, ERR_CONFLICT,
		               "%s is a site already; pbm -C %s doctor says what it lacks", dir,
		               dir);
	int rc = make_archive(archive_dir, e);
	if (rc == 0)
		rc = guard_folder(dir, e);
	if (rc == 0 && store)
		rc = site_use_store(store, e);
	if (rc == 0)
		rc = refuse_second_site(dir, e);
	if (rc == 0)
		rc = site_complete(dir, e);
	if (rc == 0)
		rc = create_files(dir, host, archive_dir, store, e);
	if (rc < 0)
		return rc;

	struct site s;
	struct mail_source source;
	struct mail_sink sink;
	rc = site_open(dir, &s, e);
	if (rc < 0)
		return rc;
	rc = mail_ends_source(&s, &source, e); /* makes the Maildirs */
	if (rc == 0)
		source.ops->close(source.self);
	if (rc == 0)
		rc = mail_ends_sink(&s, &sink, e);
	if (rc == 0)
		sink.ops->close(sink.self);
	site_close(&s);
	return rc;
}

int site_create(const char *dir, const char *host, struct err *e)
{
	return site_create_apart(dir, host, NULL, NULL, e);
}
