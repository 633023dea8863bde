#include "pbm/archive/old_pages.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pbm/archive/pages.h"
#include "pbm/base/io.h"

#define SMALL_PAGE 4096 /* no page that leads on is larger */

static bool exists(struct site *site, const char *name)
{
	char path[1200];

	return access(site_archive_path(site, name, path, sizeof path), F_OK) == 0;
}

static int lead_on(struct site *site, const char *name, const struct list_name *l, struct err *e)
{
	char to[300];

	snprintf(to, sizeof to, "../%.250s/index.html", l->folder);
	return archive_write(
		site, name, "archive/moved.html",
		json_pack("{s:s, s:s, s:s}", "up", "../", "heading", l->heading, "to", to), e);
}

/* Does the page lead on already? */
static bool is_moved(struct site *site, const char *name)
{
	char path[1200], *text;
	size_t n;

	if (io_read_file(AT_FDCWD, site_archive_path(site, name, path, sizeof path), SMALL_PAGE,
	                 &text, &n, NULL) < 0)
		return false;
	bool moved = strstr(text, "http-equiv=\"refresh\"") != NULL;
	free(text);
	return moved;
}

/* The page without a number is the last one: if it leads on, all do. */
int old_pages_replace(struct site *site, const struct list_name *l, struct err *e)
{
	static const char *const kinds[] = { "player", "game", "month" };
	struct arena a = { 0 };
	const char *first = arena_printf(&a, "%s.html", l->folder);
	const char *standings = arena_printf(&a, "standings/%s.html", l->key);
	bool had = false;
	int rc = 0;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		had |= strcmp(l->kind, kinds[i]) == 0;
	had = had && exists(site, first) && !is_moved(site, first);
	for (int number = 1; had && rc == 0; number++) {
		const char *name = arena_printf(&a, "%s.%d.html", l->folder, number);

		if (!exists(site, name))
			break;
		rc = lead_on(site, name, l, e);
	}
	if (had && rc == 0 && strcmp(l->kind, "game") == 0 && exists(site, standings))
		rc = lead_on(site, standings, l, e);
	if (had && rc == 0)
		rc = lead_on(site, first, l, e);
	arena_release(&a);
	return rc;
}

int old_pages_remove(struct site *site, const char *name, struct err *e)
{
	char path[1200];

	site_archive_path(site, name, path, sizeof path);
	return unlink(path) == 0 || errno == ENOENT ? 0 : err_sys(e, "unlink %s", path);
}

/* The folder has files alone. */
static int remove_folder(struct site *site, struct arena *a, const char *name, struct err *e)
{
	char path[1200];
	int rc = 0;
	struct dirent *entry;
	DIR *dir = opendir(site_archive_path(site, name, path, sizeof path));

	if (!dir)
		return errno == ENOENT ? 0 : err_sys(e, "open %s", path);
	while (rc == 0 && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			rc = old_pages_remove(site, arena_printf(a, "%s/%s", name, entry->d_name),
			                      e);
	closedir(dir);
	if (rc == 0 && rmdir(path) < 0)
		rc = err_sys(e, "rmdir %s", path);
	return rc;
}

int old_pages_remove_player(struct site *site, const char *key, struct err *e)
{
	struct arena a = { 0 };
	int rc = old_pages_remove(site, arena_printf(&a, "player/%s.html", key), e);

	for (int number = 1; rc == 0; number++) {
		const char *name = arena_printf(&a, "player/%s.%d.html", key, number);

		if (!exists(site, name))
			break;
		rc = old_pages_remove(site, name, e);
	}
	if (rc == 0)
		rc = old_pages_remove(site, arena_printf(&a, "search/player/%s.js", key), e);
	for (int number = 1; rc == 0; number++) {
		const char *name = arena_printf(&a, "search/player/%s.%d.js", key, number);

		if (!exists(site, name))
			break;
		rc = old_pages_remove(site, name, e);
	}
	if (rc == 0)
		rc = remove_folder(site, &a, arena_printf(&a, "player/%s", key), e);
	arena_release(&a);
	return rc;
}
