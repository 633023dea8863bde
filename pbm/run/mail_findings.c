#include "pbm/run/mail_findings.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/header.h"
#include "mail/robots/authres.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "store/store_marks.h"

/* The seconds by which the mail server's clock is certainly ahead of ours, or (negative) late.
 * A mail that came after the last run, but was stamped with a time before it, was stamped by a
 * late clock; one with a stamp to come, by one ahead.  A stamp of another day is that of a mail
 * which somebody has put back. */
static int64_t skew_of(const struct site *site, int64_t stamp, int64_t now)
{
	if (stamp > now)
		return stamp - now;
	return site->run.before > stamp && site->run.before <= now &&
	                       site->run.before - stamp < CLOCK_DAY
	               ? stamp - site->run.before
	               : 0;
}

/* The next mail reads the values again: the transaction may go back. */
static int note(struct site *site, const char *name, int64_t value, struct err *e)
{
	site->run.signs.read = false;
	return store_value_set(site->store, name, value, e);
}

static int note_skew(struct site *site, const struct mail *m, int64_t now, struct err *e)
{
	const char *value = header_field(m, "Received");
	const char *date = value ? strrchr(value, ';') : NULL;
	int64_t stamp = date ? header_date(date + 1) : 0;
	int64_t skew = stamp ? skew_of(site, stamp, now) : site->run.signs.skew;

	return skew != site->run.signs.skew ? note(site, SIGNS_SKEW, skew, e) : 0;
}

/* Notes it once a day. */
static int note_day(struct site *site, bool has, int64_t now, struct err *e)
{
	int64_t last = has ? site->run.signs.field : site->run.signs.no_field;

	return llabs(now - last) >= CLOCK_DAY
	               ? note(site, has ? SIGNS_FIELD : SIGNS_NO_FIELD, now, e)
	               : 0;
}

static bool has_results(const struct site *site, const struct mail *m)
{
	AUTO(arena_release) struct arena a = { 0 };
	bool found = false;

	for (size_t i = 0; !found && i < m->field_count; i++) {
		struct authres results = { 0 };

		if (strcasecmp(m->fields[i].name, "Authentication-Results") != 0)
			continue;
		authres_read(&a, m->fields[i].value, &results, NULL);
		found = results.id && authres_same_domain(results.id, site->conf.authserv_id);
	}
	return found;
}

void mail_findings_note(struct site *site, const struct mail *m)
{
	struct mail_signs *k = &site->run.signs;
	const struct store_value values[] = { { SIGNS_FILED, &k->filed },
		                              { SIGNS_SKEW, &k->skew },
		                              { SIGNS_FIELD, &k->field },
		                              { SIGNS_NO_FIELD, &k->no_field } };
	int64_t now = clock_now();
	struct err e = { 0 };
	int rc = k->read ? 0 : store_values(site->store, 4, values, &e);

	k->read = rc == 0;
	if (rc == 0 && !k->filed)
		rc = note(site, SIGNS_FILED, now, &e);
	if (rc == 0)
		rc = note_skew(site, m, now, &e);
	if (rc == 0 && *site->conf.authserv_id)
		rc = note_day(site, has_results(site, m), now, &e);
	if (rc < 0)
		log_error("what a mail says of the site can't be noted: %s", e.text);
}

void mail_findings_run(struct site *site)
{
	struct stat st;
	int fd = open(SITE_PATH(site, LAST_RUN_FILE), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
	              0600);
	/* An empty file is new. */
	bool old = fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0;

	site->run.before = old ? (int64_t)st.st_mtime : 0;
	if (fd < 0)
		return;
	const struct timespec now[2] = { { .tv_sec = (time_t)clock_now() },
		                         { .tv_sec = (time_t)clock_now() } };
	if (old || write(fd, "\n", 1) == 1)
		futimens(fd, now);
	close(fd);
}
