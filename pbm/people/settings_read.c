#include "pbm/people/settings_read.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "games/variants/registry.h"
#include "mail/plain.h"
#include "pbm/base/io.h"
#include "pbm/base/utf8.h"
#include "pbm/text/link.h"

#define ZONES "/usr/share/zoneinfo"
#define ZONE_MAX 64
#define ZONE_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/"

/* Does the list "de|german|deutsch" hold this word? */
static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (; *list; list += *list == '|') {
		size_t n = strcspn(list, "|");

		if (n == len && strncasecmp(list, word, n) == 0)
			return true;
		list += n;
	}
	return false;
}

int settings_read_choice(const struct setting *s, struct arena *a, const char *text,
                         const char **value, struct err *)
{
	for (const char *const *v = s->values; *v; v++)
		if (has_word(*v, text)) {
			*value = arena_strndup(a, *v, strcspn(*v, "|"));
			return 0;
		}
	return 1;
}

static bool is_off(const char *text)
{
	return has_word("off|no|none|never|0", text);
}

int settings_read_hour(const struct setting *, struct arena *a, const char *text,
                       const char **value, struct err *)
{
	char *end;

	if (is_off(text) && strcmp(text, "0") != 0) {
		*value = "off";
		return 0;
	}
	if (!isdigit((unsigned char)*text))
		return 1;
	long hour = strtol(text, &end, 10), minute = 0;
	if ((*end == ':' || *end == '.') && isdigit((unsigned char)end[1]) &&
	    isdigit((unsigned char)end[2])) {
		minute = (end[1] - '0') * 10L + end[2] - '0';
		end += 3;
	}
	if (*end || hour > 23 || minute > 59)
		return 1;
	*value = arena_printf(a, "%02ld:%02ld", hour, minute);
	return 0;
}

/* Reads "daily suicide, antichess" as "daily suicide,antichess". */
int settings_read_puzzle(const struct setting *, struct arena *a, const char *text,
                         const char **value, struct err *why)
{
	static const char blanks[] = " \t,";
	size_t n = strcspn(text, blanks);
	const char *word = arena_strndup(a, text, n);
	bool daily = has_word("daily|on|yes|every", word);
	const char *games = "";

	if (is_off(text)) {
		*value = "off";
		return 0;
	}
	if (!daily && !has_word("weekly", word))
		return 1;
	for (text += n; *(text += strspn(text, blanks)); text += n) {
		n = strcspn(text, blanks);
		const struct rules *r = rules_find(text, n, why);

		if (!r)
			return ERR_BAD;
		games = arena_printf(a, "%s%c%s", games, *games ? ',' : ' ', r->name);
	}
	*value = arena_printf(a, "%s%s", daily ? "daily" : "weekly", games);
	return 0;
}

int settings_read_number(const struct setting *s, struct arena *a, const char *text,
                         const char **value, struct err *)
{
	size_t n = strspn(text, "0123456789");

	if (n == 0 || n > 9 || text[n])
		return 1;
	long number = strtol(text, NULL, 10);
	if (number < s->min || number > s->max)
		return 1;
	*value = arena_printf(a, "%ld", number);
	return 0;
}

static const struct {
	const char *words;
	char letter;
	long seconds;
} units[] = {
	{ "m|min|mins|minute|minutes", 'm', 60 },
	{ "h|hour|hours", 'h', 3600 },
	{ "d|day|days", 'd', 86400 },
};

int settings_read_duration(const struct setting *s, struct arena *a, const char *text,
                           const char **value, struct err *)
{
	size_t n = strspn(text, "0123456789");

	if (is_off(text)) {
		*value = "off";
		return 0;
	}
	if (n == 0 || n > 6)
		return 1;
	long number = strtol(text, NULL, 10);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (has_word(units[i].words, text + n + strspn(text + n, " ")) &&
		    number * units[i].seconds >= s->min && number * units[i].seconds <= s->max) {
			*value = arena_printf(a, "%ld%c", number, units[i].letter);
			return 0;
		}
	return 1;
}

long settings_duration(const char *value)
{
	size_t n = strspn(value, "0123456789");

	for (size_t i = 0; n && n <= 6 && i < sizeof units / sizeof *units; i++)
		if (value[n] == units[i].letter && !value[n + 1])
			return strtol(value, NULL, 10) * units[i].seconds;
	return 0;
}

/* The entry of a folder that is this name in any letter case. */
static bool find_entry(const char *folder, const char *name, size_t len, char *out)
{
	AUTO(io_close_dir) DIR *dir = opendir(folder);
	bool found = false;

	if (!dir)
		return false;
	for (struct dirent *d; !found && (d = readdir(dir));)
		if (strlen(d->d_name) == len && strncasecmp(d->d_name, name, len) == 0) {
			memcpy(out, d->d_name, len + 1);
			found = true;
		}
	return found;
}

static bool is_zone_file(const char *path)
{
	char magic[4];
	AUTO(io_close) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return false;
	ssize_t n = read(fd, magic, sizeof magic);
	return n == (ssize_t)sizeof magic && memcmp(magic, "TZif", 4) == 0;
}

/* Only names of letters, digits and "_+-/" are looked for, part by part as they stand in
 * the folder, so that no name leads out of it. */
static int read_zone_name(struct arena *a, const char *text, const char **value)
{
	static const char *const no_zones[] = { "posix", "right", "localtime", "posixrules",
		                                "Factory" };
	char path[sizeof ZONES + ZONE_MAX + 2] = ZONES;
	size_t len = sizeof ZONES - 1;

	if (strcasecmp(text, "UTC") == 0) { /* also without the database */
		*value = "UTC";
		return 0;
	}
	if (strlen(text) > ZONE_MAX || text[strspn(text, ZONE_CHARS)] || *text == '/')
		return 1;
	for (const char *p = text; *p; p += *p == '/') {
		char folder[sizeof path];
		size_t n = strcspn(p, "/");

		memcpy(folder, path, len + 1);
		path[len] = '/';
		if (n == 0 || !find_entry(folder, p, n, path + len + 1))
			return 1;
		len += n + 1;
		p += n;
	}
	const char *zone = path + sizeof ZONES;
	for (size_t i = 0; i < sizeof no_zones / sizeof *no_zones; i++)
		if (strncmp(zone, no_zones[i], strlen(no_zones[i])) == 0)
			return 1;
	if (!is_zone_file(path))
		return 1;
	*value = arena_strdup(a, zone);
	return 0;
}

/* A city alone is the zone of its name, "new york" America/New_York. */
int settings_read_zone(const struct setting *s, struct arena *a, const char *text,
                       const char **value, struct err *)
{
	static const char *const parts[] = { "",         "Europe/",   "America/",
		                             "Asia/",    "Africa/",   "Australia/",
		                             "Pacific/", "Atlantic/", "Indian/" };
	char *name = arena_strdup(a, text);
	int rc = 1;

	(void)s;
	for (char *p = strchr(name, ' '); p; p = strchr(p, ' '))
		*p = '_';
	for (size_t i = 0; rc == 1 && i < sizeof parts / sizeof *parts; i++)
		rc = read_zone_name(a, arena_printf(a, "%s%s", parts[i], name), value);
	return rc;
}

/* Control characters, and those that change the direction of what follows. */
static bool is_unprintable(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
	       c == 0xfffd;
}

/* An address of mail is somebody else's name to a reader, and a link leads him away. */
static bool has_address(struct arena *a, const char *text)
{
	static const char *const marks[] = { "@", "\uff20", "\ufe6b", "www.", NULL };

	return str_holds_any(text, marks) || link_is_in(plain_line(a, text));
}

int settings_read_text(const struct setting *s, struct arena *a, const char *text,
                       const char **value, struct err *why)
{
	size_t n = strlen(text), at = 0;

	if (has_word("none|off|-", text)) {
		*value = NULL;
		return 0;
	}
	if (n >= 2 && text[0] == '"' && text[n - 1] == '"') {
		text++;
		n -= 2;
	}
	if (n > (size_t)s->max)
		return err_set(why, ERR_BAD, "%s has at most %ld characters; yours has %zu.",
		               s->name, s->max, n);
	if (has_address(a, text))
		return 1;
	while (at < n) {
		uint32_t c;

		at += utf8_decode(text + at, n - at, &c);
		if (is_unprintable(c))
			return 1;
	}
	*value = n ? arena_strndup(a, text, n) : NULL;
	return 0;
}
