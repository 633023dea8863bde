#include "pbm/program/upgrade.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/libexec.h"
#include "pbm/base/log.h"
#include "pbm/site/site.h"

static bool is_wanted(const char *dir)
{
	struct site s;

	/* A pbm.conf that can't be read does not say no. */
	if (site_open_to_look(dir, &s, NULL) < 0)
		return true;
	bool wanted = s.upgrade_backup;
	site_close(&s);
	return wanted;
}

/* "/srv/pbm-version-8-20261201T100000Z.tar.zst", or the same in /srv/pbm. */
static int name_backup(const char *dir, int64_t found, char *path, size_t size, struct err *e)
{
	char *whole = realpath(dir, NULL), when[CLOCK_ISO_SIZE], digits[CLOCK_ISO_SIZE] = "";

	if (!whole)
		return err_sys(e, "%s", dir);
	clock_write_iso(clock_now(), when);
	for (const char *p = when; *p; p++)
		if (*p != '-' && *p != ':')
			digits[strlen(digits)] = *p;
	char *slash = strrchr(whole, '/');
	*slash = '\0';
	bool beside = slash[1] && access(*whole ? whole : "/", W_OK) == 0;
	snprintf(path, size, "%.400s/%.200s%sversion-%lld-%s.tar.zst", whole, slash + 1,
	         beside ? "-" : "/", (long long)found, digits);
	free(whole);
	return 0;
}

/* Deletes what a killed upgrade from this version has left of its backup: it has the site's
 * secret, and nobody would look for it. */
static void remove_torn(const char *path)
{
	const char *slash = strrchr(path, '/'), *dash = strrchr(path, '-');
	size_t n = (size_t)(dash - slash); /* "pbm-version-8-" */
	char folder[800];
	const struct dirent *entry;

	snprintf(folder, sizeof folder, "%.*s", (int)(slash - path) + 1, path);
	DIR *dir = opendir(folder);
	while (dir && (entry = readdir(dir))) {
		const char *ending = strrchr(entry->d_name, '.');

		if (strncmp(entry->d_name, slash + 1, n) == 0 && ending &&
		    strcmp(ending, ".tmp") == 0 && strstr(entry->d_name, ".tar.zst."))
			unlinkat(dirfd(dir), entry->d_name, 0);
	}
	if (dir)
		closedir(dir);
}

int upgrade_save(const char *dir, int64_t found, int64_t known, struct err *e)
{
	char path[800];
	struct err why = { 0 };
	char *const still[] = { (char[]){ "pbm" },
		                (char[]){ "-C" },
		                (char *)(uintptr_t)dir,
		                (char[]){ "still" },
		                path,
		                NULL };

	if (!is_wanted(dir))
		return 0;
	int rc = name_backup(dir, found, path, sizeof path, &why);
	if (rc == 0)
		rc = libexec_run("pbm-backup", still, &why);
	if (rc == 0)
		remove_torn(path);
	if (rc < 0)
		return err_set(
			e, ERR_TEMP,
			"pbm.db is of version %lld; nothing is done before a backup is written, and "
			"that fails: %.200s.  Mend that, or run pbm upgrade --no-backup",
			(long long)found, why.text);
	log_warn(
		"the site's layout is brought from version %lld to %lld; the backup before that is %s",
		(long long)found, (long long)known, path);
	return 0;
}
