/* Checks of what waits: mails to be sent, mails that could not be read, pages of the archive. */
#include <dirent.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "pbm/archive/archive.h"
#include "pbm/archive/live/live.h"
#include "pbm/base/clock.h"
#include "pbm/doctor/check.h"
#include "pbm/outbox/outbox.h"
#include "pbm/run/mail_findings.h"
#include "pbm/run/mail_sum.h"
#include "pbm/run/quarantine.h"
#include "pbm/site/mail_ends.h"
#include "store/store_counts.h"
#include "store/store_marks.h"
#include "store/store_outbox.h"
#include "store/store_work.h"

#define HOUR 3600
#define MARKS_MAX 1000
#define BOARDS_MAX 200      /* of a computer */
#define FILED_MAX (1 << 25) /* bytes of a mail; no larger one is taken */

static int note_mail(const struct outbox_mail *m, void *arg)
{
	struct outbox_mail *first = arg;

	first->created = m->created;
	first->attempts = m->attempts;
	return 1;
}

static void look_at_outbox(struct doctor *d)
{
	struct outbox_mail first = { 0 };
	int64_t failures = 0, now = clock_now();
	struct err e = { 0 };

	if (store_outbox_list(d->site.store, 0, 1, note_mail, &first, &e) < 0 ||
	    store_value(d->site.store, SINK_FAILURES, &failures, &e) < 0)
		check_bad(d, NULL, "%s", e.text);
	if (first.created && now - first.created >= HOUR)
		check_say(d, now - first.created >= CLOCK_DAY ? FINDING_BAD : FINDING_WARN,
		          "pbm outbox lists the mails with the answers of the mail server",
		          "A mail waits in the outbox for %s, after %d attempts to send it",
		          check_span(d, now - first.created), first.attempts);
	if (failures)
		check_warn(d, "See the findings about the sink; then pbm outbox retry",
		           "The mail server for outgoing mail failed %" PRId64 " times in a row",
		           failures);
}

static void look_at_quarantine(struct doctor *d)
{
	DIR *dir = opendir(SITE_PATH(&d->site, QUARANTINE_FOLDER));
	const struct dirent *entry;
	size_t n = 0;

	while (dir && (entry = readdir(dir))) {
		const char *ending = strrchr(entry->d_name, '.');

		n += ending && strcmp(ending, ".eml") == 0;
	}
	if (dir)
		closedir(dir);
	if (n)
		check_warn(
			d,
			"Read the reasons in quarantine/*.why, and delete the mails that nobody needs",
			"%zu mails that could not be read are in quarantine", n);
	else if (store_is_on_server())
		check_say(d, FINDING_SKIP, NULL,
		          "Mails that could not be read are rows of the server: see workers");
}

static int count_name(const char *, int64_t, void *arg)
{
	++*(size_t *)arg;
	return 0;
}

/* All pages again, as pbm archive writes them. */
static bool mend_archive(struct doctor *d)
{
	struct archive_report r = { 0 };
	struct site s;

	if (!d->task->fix || site_open(d->task->dir, &s, NULL) < 0)
		return false;
	int rc = site_wait_store(&s, STORE_WRITE, 4000, NULL);
	if (rc == 0)
		rc = archive_rebuild(&s, &r, NULL);
	if (rc == 0)
		rc = live_rebuild(&s, &r, NULL);
	if (rc == 0)
		rc = archive_publish(&s, &r, NULL); /* removes the marks */
	site_close(&s);
	return rc == 0 && r.failed == 0;
}

static void look_at_archive(struct doctor *d)
{
	struct store *s = d->site.store;
	struct err e = { 0 };
	size_t due = 0, gone = 0;
	int64_t games = 0;
	bool old = false;
	struct work boards[MARKS_MAX];
	int rc = store_work(s, WORK_GAME, 0, MARKS_MAX, boards, &due, &e);

	if (rc == 0)
		rc = store_work_names(s, WORK_GONE, "", MARKS_MAX, count_name, &gone, &e);
	if (rc == 0)
		rc = store_archive_is_old(s, &old, &e);
	if (rc == 0)
		rc = store_count(s, "all", &games, &e);
	if (rc < 0)
		check_bad(d, NULL, "%s", e.text);
	/* A bucket is asked by archive-bucket. */
	bool missing = games && !d->site.bucket && !archive_has(&d->site, "index.html");
	if (rc < 0 || (due + gone == 0 && !old && !missing))
		return;
	const char *means =
		missing ? check_text(d, "%" PRId64 " games have ended, but %.400s is missing",
	                             games, ARCHIVE_PATH(&d->site, "index.html"))
			: check_text(d,
	                             "The archive is behind: pages of %zu games or players wait%s",
	                             due + gone, old ? ", and those of an older version" : "");
	if (mend_archive(d))
		check_say(d, FINDING_OK, NULL, "Mended: %.600s", means);
	else
		check_say(
			d, missing ? FINDING_BAD : FINDING_WARN,
			"Run pbm archive, and read what it says about pages that can't be written",
			"%s", means);
}

static void look_at_results(struct doctor *d)
{
	int64_t with = 0, without = 0;
	struct err e = { 0 };

	if (!*d->site.conf.authserv_id) {
		check_say(
			d, FINDING_SKIP, NULL,
			"authserv-id is not set: players who write a new mail are asked to confirm it");
		return;
	}
	if (store_value(d->site.store, SIGNS_FIELD, &with, &e) < 0 ||
	    store_value(d->site.store, SIGNS_NO_FIELD, &without, &e) < 0)
		check_bad(d, NULL, "%s", e.text);
	else if (!with && without)
		check_warn(
			d,
			"Let your mail server check DKIM, SPF and DMARC, or correct authserv-id: it is the first word of that field in a mail that came",
			"No mail had Authentication-Results of %.200s, which authserv-id names",
			d->site.conf.authserv_id);
	else if (with && without - with > 7 * CLOCK_DAY)
		check_warn(d, "Look whether your mail server still checks DKIM, SPF and DMARC",
		           "No mail had Authentication-Results of %.200s for %s",
		           d->site.conf.authserv_id, check_span(d, without - with));
	else if (!with)
		check_say(d, FINDING_SKIP, NULL, "No mail has come yet");
}

/* Was each of the newest filed mails taken by this site? */
static int count_strange(struct doctor *d, struct mail_source *filed, int64_t since, size_t *all,
                         size_t *strange)
{
	struct mail_raw raw = { 0 };
	int rc;

	while ((rc = filed->ops->next(filed->self, FILED_MAX, &raw, NULL)) == 1) {
		char sum[MAIL_SUM];
		AUTO(arena_release) struct arena a = { 0 };

		++*all;
		mail_sum(&raw, sum);
		if (!raw.oversize && raw.received > since)
			*strange += store_seen(d->site.store, arena_printf(&a, "raw:%s", sum),
			                       NULL) == 0;
		mail_raw_release(&raw);
	}
	return rc;
}

static void look_at_mailbox(struct doctor *d)
{
	struct mail_source filed;
	struct err e = { 0 };
	int64_t since = 0;
	size_t strange = 0, all = 0;

	if (store_value(d->site.store, SIGNS_FILED, &since, &e) < 0 || !since)
		since = INT64_MAX;
	if (d->task->offline && strncasecmp(d->site.conf.source.where, "maildir:", 8) != 0) {
		check_say(d, FINDING_SKIP, NULL, "Not asked (--offline)");
		return;
	}
	if (mail_ends_filed(&d->site, &filed, &e) < 0) {
		check_say(d, FINDING_SKIP, NULL, "No filed mails can be read: %.400s", e.text);
		return;
	}
	count_strange(d, &filed, since, &all, &strange);
	filed.ops->close(filed.self);
	if (!all)
		check_say(d, FINDING_SKIP, NULL, "No mail is in Processed yet");
	else if (strange)
		check_bad(
			d,
			"Give each site a mailbox of its own (after pbm restore: wait until 20 newer mails have come)",
			"%zu of the newest mails in Processed were taken by another site or program, not by this one",
			strange);
}

const struct check check_traffic[] = {
	{ "outbox", CHECK_STORE, look_at_outbox, "No mail waits for long" },
	{ "quarantine", CHECK_CONF, look_at_quarantine, "The quarantine is empty" },
	{ "archive", CHECK_STORE, look_at_archive, "The archive has all games that have ended" },
	{ "authserv", CHECK_STORE, look_at_results,
	  "Your mail server's Authentication-Results are in the mails" },
	{ "mailbox", CHECK_STORE, look_at_mailbox, "No other site takes mails from this mailbox" },
	{ .name = NULL }
};
