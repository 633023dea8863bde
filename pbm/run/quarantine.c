#include "pbm/run/quarantine.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pbm/base/clock.h"
#include "pbm/base/io.h"
#include "pbm/base/log.h"
#include "pbm/base/mem.h"
#include "pbm/outbox/operator.h"
#include "store/shared/store_inbox.h"

#define FOLDER QUARANTINE_FOLDER
#define PROVED QUARANTINE_PROVED

/* Tells the operator, who hears of the first mail of a flood and then the counts
 * (operator_tell()). */
static int tell_of_quarantine(struct site *site, const char *name, const char *why, struct err *e)
{
	bool row = store_is_shared(site->store);
	char text[800];

	snprintf(text, sizeof text,
	         "A mail was put aside and will not be worked on.\n\n"
	         "Reason:  %.500s\n%s%s%s",
	         why, row ? "To read it: pbm inbox show " : "Kept as: quarantine/", name,
	         row ? "" : ".eml");
	return operator_tell(site, "quarantine", "a mail in quarantine", text, e);
}

/* The name is a hash of the bytes: the same mail again gets the same file. */
static const char *path_of(const struct site *site, const struct mail_raw *raw, const char *end,
                           char name[MAIL_SUM_NAME], char *path, size_t size)
{
	mail_sum_name(raw, name);
	snprintf(path, size, "%.1000s/" FOLDER "/%s%s", site->dir, name, end);
	return path;
}

static int write_why(struct site *site, const struct mail_raw *raw, const char *why,
                     const char *more, struct err *e)
{
	char name[MAIL_SUM_NAME], path[1100];
	AUTO(arena_release) struct arena a = { 0 };
	const char *text = arena_printf(&a, "%s\n%s", why, more);

	return io_replace(AT_FDCWD, path_of(site, raw, ".why", name, path, sizeof path), text,
	                  strlen(text), 0600, IO_LAZY, e);
}

/* The number of the mail's bytes that are kept. */
static size_t kept_bytes(const struct mail_raw *raw)
{
	const char *lf, *crlf;

	if (!raw->oversize)
		return raw->len;
	lf = memmem(raw->bytes, raw->len, "\n\n", 2);
	crlf = memmem(raw->bytes, raw->len, "\n\r\n", 3);
	const char *end = !lf || (crlf && crlf < lf) ? crlf : lf;
	size_t header = end ? (size_t)(end - raw->bytes) + 3 : raw->len;
	size_t n = (header < QUARANTINE_HEADER ? header : QUARANTINE_HEADER) + QUARANTINE_BODY;

	return n < raw->len ? n : raw->len;
}

/* The file has the time of the site, which need not be that of the machine. */
static int write_mail(const char *path, const struct mail_raw *raw, struct err *e)
{
	const struct timespec now = { .tv_sec = (time_t)clock_now() }, times[2] = { now, now };
	int rc = io_replace(AT_FDCWD, path, raw->bytes, kept_bytes(raw), 0600, IO_LAZY, e);

	if (rc == 0 && utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) < 0)
		return err_sys(e, "set the time of %s", path);
	return rc;
}

static int keep_file(struct site *site, const struct mail_raw *raw, const char *why, struct err *e)
{
	char name[MAIL_SUM_NAME], path[1100];

	snprintf(path, sizeof path, "%.1000s/" FOLDER, site->dir);
	int rc = io_make_dirs(AT_FDCWD, path, 0700, e);
	path_of(site, raw, ".eml", name, path, sizeof path);
	if (rc == 0)
		rc = write_mail(path, raw, e);
	return rc == 0 ? write_why(site, raw, why, "", e) : rc;
}

/* The file would be on one machine alone. */
static int keep_row(struct site *site, const struct mail_raw *raw, const char *why, struct err *e)
{
	const struct inbox_mail m = { .came = clock_now(),
		                      .cut = raw->oversize,
		                      .bytes = raw->bytes,
		                      .len = kept_bytes(raw) };
	char name[MAIL_SUM_NAME];

	mail_sum_name(raw, name);
	return store_aside_put(site->store, name, &m, why, e);
}

int quarantine_keep(struct site *site, const struct mail_raw *raw, const char *why, struct err *e)
{
	char name[MAIL_SUM_NAME];
	int rc = (store_is_shared(site->store) ? keep_row : keep_file)(site, raw, why, e);

	mail_sum_name(raw, name);
	struct err untold = { 0 };
	if (rc == 0 && tell_of_quarantine(site, name, why, &untold) < 0)
		log_error("the operator can't be told of a quarantined mail: %s", untold.text);
	return rc;
}

int quarantine_is_proved(struct site *site, const struct mail_raw *raw, const char *why,
                         struct err *e)
{
	char name[MAIL_SUM_NAME];

	if (!store_is_shared(site->store))
		return write_why(site, raw, why, PROVED "\n", e);
	mail_sum_name(raw, name);
	return store_aside_proved(site->store, name, e);
}

int quarantine_flush(struct site *site, struct err *e)
{
	if (store_is_shared(site->store))
		return 0;
	AUTO(io_close)
	int dir = open(SITE_PATH(site, "quarantine"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return err_sys(e, "open quarantine");
	return syncfs(dir) < 0 ? err_sys(e, "sync quarantine") : 0;
}
