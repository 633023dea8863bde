#include "pbm/base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pbm/base/clock.h"
#include "pbm/base/str.h"

static const char *const names[] = { "debug", "info", "warn", "error" };
static enum log_level threshold = LOG_LEVEL_INFO;
static bool fixed;

void log_threshold(enum log_level level)
{
	threshold = level;
	fixed = true;
}

void log_standard(enum log_level level)
{
	if (!fixed)
		threshold = level;
}

bool log_read_level(const char *word, enum log_level *out)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], word) == 0) {
			*out = (enum log_level)i;
			return true;
		}
	return false;
}

__attribute__((format(printf, 3, 0))) static void write_line(enum log_level level, const char *keys,
                                                             const char *fmt, va_list ap)
{
	char raw[1000], clean[4 * sizeof raw];
	struct str s = STR_FIXED(clean);

	if (level < threshold)
		return;
	vsnprintf(raw, sizeof raw, fmt, ap);
	for (const char *p = raw; *p; p++) {
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			str_addf(&s, "\\x%02x", (unsigned)(unsigned char)*p);
		else
			str_addf(&s, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
	}
	fprintf(stderr, "time=%s level=%s msg=\"%s\"%s%s\n", CLOCK_ISO(clock_now()), names[level],
	        clean, keys ? " " : "", keys ? keys : "");
}

void log_line(enum log_level level, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	write_line(level, NULL, fmt, ap);
	va_end(ap);
}

void log_keys(enum log_level level, const char *keys, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	write_line(level, keys, fmt, ap);
	va_end(ap);
}
