#include "pbm/run/attempt.h"

#include <stdio.h>

#include "pbm/base/log.h"
#include "pbm/run/mail_in.h"
#include "pbm/run/quarantine.h"

#define ATTEMPTS 3 /* failures after which a mail is quarantined */

/* A mail that failed stays at its source for the next runs.  At the third failure it
 * goes into quarantine.  If the machine is at fault, the mail always stays.  At the
 * first two such failures the mails behind it wait too (halt), because they may depend
 * on it.  From the third failure on they do not wait: the fault may concern this mail
 * alone, for example a file that can't be read. */
static int after_failure(struct site *site, const struct mail_raw *raw, const struct err *why,
                         enum mail_fate *fate, struct err *halt, struct err *e)
{
	char name[CRASH_NOTE_NAME];
	int64_t count = 0;

	crash_note_name(raw, name);
	int rc = crash_note_count(site, name, &count, e);
	if (rc < 0)
		return rc;
	if (count < ATTEMPTS || err_is_of_machine(why)) {
		log_error("mail %s failed and stays where it is: %s", raw->id, why->text);
		*fate = MAIL_RETRY;
		if (count < ATTEMPTS && err_is_of_machine(why))
			err_set(halt, why->code, "%s", why->text);
		return 0;
	}
	log_error("mail %s failed %lld times and is quarantined: %s", raw->id, (long long)count,
	          why->text);
	*fate = MAIL_QUARANTINED;
	return quarantine_keep(site, raw, why->text, e);
}

/* Works on a mail, and puts it into quarantine if it can't be read.  Releasing the
 * mark fails if any store call in between failed, even one whose error was ignored. */
static int work_in_mark(struct site *site, const struct mail_raw *raw, unsigned flags,
                        enum mail_fate *fate, struct err *e)
{
	struct err why = { 0 };
	int rc = mail_in_work(site, raw, flags, fate, &why);

	if (rc < 0)
		return err_set(e, why.code, "%s", why.text);
	if (*fate == MAIL_QUARANTINED) {
		log_warn("mail %s is quarantined: %s", raw->id, why.text);
		rc = quarantine_keep(site, raw, why.text, e);
	}
	return rc < 0 ? rc : store_release_mark(site->store, e);
}

int attempt_mail(struct crash_note *note, const struct mail_raw *raw, unsigned flags,
                 enum mail_fate *fate, struct err *halt, struct err *e)
{
	struct site *site = note->site;
	struct err why = { 0 };

	if (raw->oversize && (flags & MAIL_IN_PIPE)) {
		*fate = MAIL_REFUSED;
		return 0;
	}
	int rc = crash_note_begin(note, raw, e);
	if (rc < 0)
		return rc;
	if (rc == 1) {
		log_error("mail %s ended two runs and is quarantined", raw->id);
		*fate = MAIL_QUARANTINED;
		return quarantine_keep(site, raw,
		                       "the server ended twice while it worked on this mail", e);
	}
	rc = store_mark(site->store, e);
	if (rc < 0)
		return rc;
	int worked = work_in_mark(site, raw, flags, fate, &why);
	if (worked == 0)
		return 0;
	rc = store_rollback_to_mark(site->store, e);
	if (rc == 0 && worked == ERR_AGAIN)
		return 1;
	return rc < 0 ? rc : after_failure(site, raw, &why, fate, halt, e);
}
