/* The machine's timezone data, read by the C library.  It knows only the zone of the
 * process: that is set for the moment of a look and set back.  Nothing here runs beside
 * another thread. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/mem.h"
#include "pbm/base/zone.h"

#define FOLDER "/usr/share/zoneinfo"
#define STEP (7 * CLOCK_DAY) /* no zone changes twice within a week */

/* The file is there, but the machine can't read it now: with UTC in its place the clocks of
 * games would differ from those of other runs.  As without memory, the next run does all. */
static _Noreturn void give_up(const char *name)
{
	fprintf(stderr, "pbm: the timezone %s can't be read just now; the next run tries again\n",
	        name);
	_exit(EX_TEMPFAIL);
}

static bool has_data(const char *name)
{
	char path[sizeof FOLDER + 1 + ZONE_NAME_MAX + 1], magic[4] = "";

	snprintf(path, sizeof path, "%s/%s", FOLDER, name);
	AUTO(io_close_file) FILE *f = fopen(path, "re");
	if (!f && errno != ENOENT && errno != ENOTDIR)
		give_up(name);
	if (!f)
		return false;
	return fread(magic, 1, sizeof magic, f) == sizeof magic &&
	       memcmp(magic, "TZif", sizeof magic) == 0;
}

bool zone_is_known(const char *name)
{
	static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				   "0123456789_+-/";

	if (strcmp(name, "UTC") == 0)
		return true;
	/* Folders posix and right and the file localtime are no names of zones. */
	return *name >= 'A' && *name <= 'Z' && strlen(name) <= ZONE_NAME_MAX &&
	       strspn(name, good) == strlen(name) && has_data(name);
}

/* The process's own TZ, and the variable while it looks. */
struct zone_look {
	const char *before;
	char variable[sizeof "TZ=:" + ZONE_NAME_MAX];
};

/* Zones whose own name is UTC.  Any other one of that name has not been read. */
static bool is_universal(const char *name)
{
	static const char *const names[] = { "UTC", "UCT", "Universal", "Zulu" };

	if (strncmp(name, "Etc/", 4) == 0)
		name += 4;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static void begin_look(struct zone_look *l, const char *name)
{
	l->before = getenv("TZ");
	snprintf(l->variable, sizeof l->variable, "TZ=:%s", name);
	mem_watch();
	putenv(l->variable);
	tzset();
	if ((strcmp(tzname[0], "UTC") == 0 || strcmp(tzname[0], "Universal") == 0) &&
	    !is_universal(name))
		give_up(name);
}

static void end_look(const struct zone_look *l)
{
	if (l->before) /* the old text still stands in memory, after its "TZ=" */
		putenv((char *)(uintptr_t)(l->before - 3));
	else
		unsetenv("TZ");
	tzset();
	mem_watched();
}

static int offset_at(int64_t t)
{
	time_t at = (time_t)t;
	struct tm tm;

	return localtime_r(&at, &tm) ? (int)(tm.tm_gmtoff / 60 * 60) : 0;
}

/* The first instant after `from`, up to `until`, at which another offset than that of
 * `from` holds; both differ. */
static int64_t shift_between(int64_t from, int64_t until)
{
	int offset = offset_at(from);

	while (until - from > 1) {
		int64_t middle = from + (until - from) / 2;

		if (offset_at(middle) == offset)
			from = middle;
		else
			until = middle;
	}
	return until;
}

void zone_load(const char *name, int64_t from, int64_t until, struct zone *out)
{
	struct zone_look look;

	*out = (struct zone){ .n = 1 };
	if (!name || strcmp(name, "UTC") == 0 || !zone_is_known(name))
		return;
	begin_look(&look, name);
	out->v[0].from = from;
	out->v[0].offset = offset_at(from);
	for (int64_t t = from; t < until && out->n < ZONE_SHIFTS;) {
		int64_t next = t + STEP < until ? t + STEP : until;

		if (offset_at(next) == offset_at(t)) {
			t = next;
			continue;
		}
		t = shift_between(t, next);
		out->v[out->n].from = t;
		out->v[out->n++].offset = offset_at(t);
	}
	end_look(&look);
}
