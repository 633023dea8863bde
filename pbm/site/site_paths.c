/* Paths and URLs of a site, and where the archive may lie: everybody may read it, and pbm deletes files
 * there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pbm/site/site.h"

static const char *const own[] = { "acts",    "games", "inbox",     "players",     "quarantine",
	                           "sending", "sent",  "templates", "tournaments", NULL };

/* Returns the part of path below folder, "" for folder itself, NULL if path is outside. */
static const char *below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	if (strncmp(path, folder, n) != 0)
		return NULL;
	return folder[n - 1] == '/' ? path + n
	       : path[n] == '/'     ? path + n + 1
	       : path[n] == '\0'    ? path + n
	                            : NULL;
}

static bool is_own(const char *name)
{
	size_t n = strcspn(name, "/"), i = 0;

	while (own[i] && (strlen(own[i]) != n || strncmp(own[i], name, n) != 0))
		i++;
	return own[i] != NULL;
}

int site_check_archive(const struct site *s, struct err *e)
{
	AUTO(mem_free) char *site = realpath(s->dir, NULL);
	AUTO(mem_free) char *archive = realpath(SITE_PATH(s, s->conf.archive.where), NULL);
	const char *inside = site && archive ? below(archive, site) : NULL;
	bool bad = (site && archive && below(site, archive)) || (inside && is_own(inside));

	return bad ? err_set(e, ERR_BAD,
	                     "pbm.conf: archive-dir must be a folder for the archive alone, not "
	                     "\"%.300s\", where the site has its own files",
	                     s->conf.archive.where)
	           : 0;
}

const char *site_game_url(const struct site *s, struct arena *a, int64_t board)
{
	return *s->conf.archive_url
	               ? arena_printf(a, "%s/games/%03lld/%lld.html", s->conf.archive_url,
	                              (long long)board / 1000, (long long)board)
	               : "";
}

const char *site_path(const struct site *s, const char *name, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s%s", name[0] == '/' ? "" : s->dir, name[0] == '/' ? "" : "/",
	         name);
	return buf;
}

const char *site_archive_path(const struct site *s, const char *name, char *buf, size_t size)
{
	char dir[1024];

	snprintf(buf, size, "%s%s%s", site_path(s, s->conf.archive.where, dir, sizeof dir),
	         *name ? "/" : "", name);
	return buf;
}

const char *site_hide_password(struct arena *a, const char *value)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	const char *from = value + strspn(value, letters), *to = strrchr(from, '@');

	if (strncmp(from, "://", 3) != 0)
		return value;
	from = to ? memchr(from + 3, ':', (size_t)(to - from - 3)) : NULL;
	if (!from && (from = strstr(value, "password="))) {
		from = strchr(from, '=');
		to = from + strcspn(from, "&");
	}
	return from ? arena_printf(a, "%.*s...%s", (int)(from + 1 - value), value, to) : value;
}
