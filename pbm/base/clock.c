#include "pbm/base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <time.h>

static int64_t fixed = -1, fixed_ms = -1, shift;
static struct clock_witness named;
static bool is_named;

int64_t clock_machine(void)
{
	return fixed >= 0 ? fixed : (int64_t)time(NULL);
}

int64_t clock_now(void)
{
	return clock_machine() + shift;
}

void clock_shift(int64_t seconds)
{
	shift = seconds;
}

void clock_set(int64_t t)
{
	fixed = t;
	shift = 0;
}

bool clock_is_set(void)
{
	return fixed >= 0;
}

/* Linux makes a random UUID at each start; its first 15 hexadecimal digits. */
static int64_t read_boot(void)
{
	char text[40] = "", digits[16] = "";
	size_t n = 0;
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (f && !fgets(text, sizeof text, f))
		text[0] = '\0';
	if (f)
		fclose(f);
	for (const char *p = text; *p && n + 1 < sizeof digits; p++)
		if (*p != '-')
			digits[n++] = *p;
	return (int64_t)strtoull(digits, NULL, 16);
}

void clock_set_witness(const struct clock_witness *w)
{
	is_named = w != NULL;
	if (w)
		named = *w;
}

struct clock_witness clock_witness(void)
{
	struct clock_witness w = { 0 };
	struct timex kernel = { .status = STA_UNSYNC }; /* stays if adjtimex() fails */
	struct timespec t;

	if (is_named)
		return named;
	if (fixed >= 0)
		return w;
	if (clock_gettime(CLOCK_BOOTTIME, &t) == 0) {
		w.boot = read_boot();
		w.boottime = (int64_t)t.tv_sec;
	}
	adjtimex(&kernel);
	w.synced = !(kernel.status & STA_UNSYNC);
	return w;
}

int64_t clock_ms(void)
{
	struct timespec t;

	if (fixed_ms >= 0)
		return fixed_ms;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void clock_set_ms(int64_t t)
{
	fixed_ms = t;
}

char *clock_write_iso(int64_t t, char *buf)
{
	time_t tt = (time_t)t;
	struct tm tm;

	if (!gmtime_r(&tt, &tm) || !strftime(buf, CLOCK_ISO_SIZE, "%Y-%m-%dT%H:%M:%SZ", &tm))
		snprintf(buf, CLOCK_ISO_SIZE, "1970-01-01T00:00:00Z");
	return buf;
}

/* Takes n digits and the character after them from *s.  False, if they are not there. */
static bool take_number(const char **s, int n, char behind, int *out)
{
	*out = 0;
	for (; n > 0; n--, (*s)++) {
		if (**s < '0' || **s > '9')
			return false;
		*out = 10 * *out + (**s - '0');
	}
	return *(*s)++ == behind;
}

/* Documents are full of times, and sscanf() takes ten times as long. */
int clock_read_iso(const char *text, int64_t *out, struct err *e)
{
	struct tm tm = { 0 };
	const char *s = text;
	char again[CLOCK_ISO_SIZE];

	if (take_number(&s, 4, '-', &tm.tm_year) && take_number(&s, 2, '-', &tm.tm_mon) &&
	    take_number(&s, 2, 'T', &tm.tm_mday) && take_number(&s, 2, ':', &tm.tm_hour) &&
	    take_number(&s, 2, ':', &tm.tm_min) && take_number(&s, 2, 'Z', &tm.tm_sec)) {
		tm.tm_year -= 1900;
		tm.tm_mon -= 1;
		int64_t t = (int64_t)timegm(&tm);

		if (strcmp(clock_write_iso(t, again), text) == 0) {
			*out = t;
			return 0;
		}
	}
	return err_set(e, ERR_BAD, "\"%.40s\" is not a time like 2026-12-01T17:00:00Z", text);
}
