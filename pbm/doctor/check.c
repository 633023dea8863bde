#include "pbm/doctor/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void check_say(struct doctor *d, enum finding_level level, const char *means, const char *todo)
{
	const struct finding f = { d->check->name, level, means, todo };

	d->said++;
	d->worst = level > d->worst ? level : d->worst;
	d->task->show(&f, d->task->arg);
}

const char *check_text(struct doctor *d, const char *fmt, ...)
{
	char text[900];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	return arena_strdup(&d->arena, text);
}

const char *check_span(struct doctor *d, int64_t seconds)
{
	static const struct {
		int64_t seconds;
		const char *word;
	} units[] = { { 86400, "day" }, { 3600, "hour" }, { 60, "minute" }, { 1, "second" } };
	size_t i = 0;

	while (i < 3 && seconds < units[i].seconds)
		i++;
	int64_t n = seconds / units[i].seconds;
	return check_text(d, "%" PRId64 " %s%s", n, units[i].word, n == 1 ? "" : "s");
}

void check_mode(struct doctor *d, const char *path, const struct stat *st, mode_t take, mode_t give,
                enum finding_level level, const char *means)
{
	mode_t right = (st->st_mode & 07777 & ~take) | give;

	if (d->task->fix && chmod(path, right) == 0)
		check_say(d, FINDING_OK, check_text(d, "Mended: %.700s", means), NULL);
	else
		check_say(d, level, means,
		          check_text(d, "chmod %03o %.700s", (unsigned)right, path));
}
