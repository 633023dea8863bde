#include "pbm/doctor/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

const char *const finding_words[] = { [FINDING_OK] = "ok",
	                              [FINDING_SKIP] = "skip",
	                              [FINDING_WARN] = "warn",
	                              [FINDING_BAD] = "bad" };

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

	while (seconds < units[i].seconds && i < 3)
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
		check_say(d, level, means, check_text(d, "chmod %03o %.700s", (unsigned)right, path));
}

static const char *missing_need(struct doctor *d, const struct check *c)
{
	if (c->needs && !d->has_conf)
		return check_text(d, "not looked at, because pbm.conf can't be used");
	if ((c->needs & CHECK_NET) && d->task->offline)
		return "not asked (--offline)";
	if ((c->needs & CHECK_STORE) && !d->site.store) {
		d->no_store = (struct err){ 0 };
		if (site_open_store(&d->site, STORE_READ, &d->no_store) < 0)
			return check_text(d, "not looked at, because pbm.db can't be opened");
	}
	return NULL;
}

static void run_check(struct doctor *d, const struct check *c)
{
	d->check = c;
	d->said = 0;
	const char *missing = missing_need(d, c);
	if (missing)
		check_say(d, FINDING_SKIP, missing, NULL);
	else
		c->look(d);
	if (!d->said)
		check_say(d, FINDING_OK, c->well, NULL);
}

enum finding_level doctor_examine(const struct doctor_task *task)
{
	static const struct check *const tables[] = { check_files,   check_store,   check_machine,
		                                      check_traffic, check_ends,    check_mail,
		                                      check_names,   check_pages };
	struct doctor d = { .task = task };

	d.has_conf = site_open_to_look(task->dir, &d.site, &d.no_conf) == 0;
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		for (const struct check *c = tables[i]; c->name; c++)
			run_check(&d, c);
	if (d.has_conf)
		site_close(&d.site);
	arena_release(&d.arena);
	return d.worst;
}
