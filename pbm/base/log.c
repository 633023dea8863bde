#include "pbm/base/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "pbm/base/clock.h"
#include "pbm/base/str.h"

static enum log_level threshold = LOG_LEVEL_INFO;

void log_threshold(enum log_level level)
{
	threshold = level;
}

void log_line(enum log_level level, const char *fmt, ...)
{
	static const char *const names[] = { "info", "warn", "error" };
	char raw[1000], clean[1200], when[CLOCK_ISO_SIZE];
	struct str s = STR_FIXED(clean);
	va_list ap;

	if (level < threshold)
		return;
	va_start(ap, fmt);
	vsnprintf(raw, sizeof raw, fmt, ap);
	va_end(ap);
	for (const char *p = raw; *p; p++) {
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			str_addf(&s, "\\x%02x", (unsigned)(unsigned char)*p);
		else
			str_add_char(&s, *p);
	}
	fprintf(stderr, "%s %s %s\n", clock_write_iso(clock_now(), when), names[level], clean);
}
