#include "pbm/base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int __attribute__((format(printf, 3, 0)))
vset(struct err *e, enum err_code code, const char *fmt, va_list ap)
{
	if (!e || e->code)
		return code;
	e->code = code;
	vsnprintf(e->text, sizeof e->text, fmt, ap);
	return code;
}

int err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vset(e, code, fmt, ap);
	va_end(ap);
	return code;
}

int err_sys(struct err *e, const char *fmt, ...)
{
	int saved = errno;
	struct err local = { 0 };
	va_list ap;

	va_start(ap, fmt);
	vset(&local, ERR_SYSTEM, fmt, ap);
	va_end(ap);
	return err_set(e, ERR_SYSTEM, "%.400s: %s", local.text, strerror(saved));
}

void err_clear(struct err *e)
{
	e->code = ERR_NONE;
	e->text[0] = '\0';
}

int err_found(int rc, enum err_code other, struct err *e)
{
	if (rc != ERR_NOT_FOUND && rc != (int)other)
		return rc < 0 ? rc : 1;
	if (e)
		err_clear(e);
	return 0;
}

bool err_is_of_machine(const struct err *e)
{
	return e->code == ERR_SYSTEM || e->code == ERR_TEMP || e->code == ERR_BUSY ||
	       e->code == ERR_UNCERTAIN || e->code == ERR_UNFILTERED;
}

int err_of_machine(struct err *e, const struct err *why)
{
	return err_is_of_machine(why) ? err_set(e, why->code, "%s", why->text) : 0;
}
