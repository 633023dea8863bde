#include "pbm/doctor/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static const char *__attribute__((format(printf, 2, 0)))
text_of(struct doctor *d, const char *fmt, va_list args)
{
	char text[900];

	vsnprintf(text, sizeof text, fmt, args);
	return arena_strdup(&d->arena, text);
}

void check_say(struct doctor *d, enum finding_level level, const char *todo, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	const struct finding f = { d->check->name, level, text_of(d, fmt, args), todo };
	va_end(args);
	d->said++;
	d->worst = level > d->worst ? level : d->worst;
	d->task->show(&f, d->task->arg);
}

const char *check_text(struct doctor *d, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	const char *text = text_of(d, fmt, args);
	va_end(args);
	return text;
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
                enum finding_level level, const char *fmt, ...)
{
	mode_t right = (st->st_mode & 07777 & ~take) | give;
	va_list args;

	va_start(args, fmt);
	const char *means = text_of(d, fmt, args);
	va_end(args);
	if (d->task->fix && chmod(path, right) == 0)
		check_say(d, FINDING_OK, NULL, "Mended: %.700s", means);
	else
		check_say(d, level, check_text(d, "chmod %03o %.700s", (unsigned)right, path), "%s",
		          means);
}
