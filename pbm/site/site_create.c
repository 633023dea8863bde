/* Makes a new site, or what a site lacks. */
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/site/guard.h"
#include "pbm/site/mail_ends.h"
#include "pbm/site/secret.h"
#include "pbm/site/site.h"

static void write_conf(const char *host, const char *archive_dir, struct str *out)
{
	str_add(out, "# pbm: settings of this site.  Every line is optional.  A line like\n"
	             "# \"#name = value\" shows the default of a setting.\n");
	struct site_setting set;

	for (size_t i = 0; site_setting(i, &set); i++) {
		str_addf(out, "\n# %s\n", set.help);
		if (strcmp(set.name, "host") == 0)
			str_addf(out, "host = %s\n", host);
		else if (archive_dir && strcmp(set.name, "archive-dir") == 0)
			str_addf(out, "archive-dir = %s\n", archive_dir);
		else
			str_addf(out, "#%s = %s\n", set.name, set.standard);
	}
}

static int create_files(const char *dir, const char *host, const char *archive_dir, struct err *e)
{
	char path[1024];
	struct str conf;
	int rc = secret_create(dir, clock_now(), e);

	if (rc < 0)
		return rc;
	str_init(&conf, SITE_CONF_MAX);
	write_conf(host, archive_dir, &conf);
	snprintf(path, sizeof path, "%s/pbm.conf", dir);
	rc = io_replace(AT_FDCWD, path, conf.data, conf.len, 0644, IO_DURABLE, e);
	str_release(&conf);
	return rc;
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

int site_create_apart(const char *dir, const char *host, const char *archive_dir, struct err *e)
{
	char path[1024];
	struct stat st;

	if (sodium_init() < 0)
		return err_set(e, ERR_SYSTEM, "libsodium can't be initialised");
	if (!site_host_is_sane(host))
		return err_set(e, ERR_BAD, "\"%.80s\" is not a host name like mail.example.org",
		               host);
	snprintf(path, sizeof path, "%s/pbm.conf", dir);
	if (stat(path, &st) == 0)
		return err_set(e, ERR_CONFLICT, "%s is a site already", dir);
	int rc = guard_folder(dir, e);
	if (rc == 0)
		rc = site_complete(dir, e);
	if (rc == 0)
		rc = store_create(dir, e);
	if (rc == 0)
		rc = create_files(dir, host, archive_dir, e);
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
	return site_create_apart(dir, host, NULL, e);
}
