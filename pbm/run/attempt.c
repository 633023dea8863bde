#include "pbm/run/attempt.h"

#include <stdio.h>

#include "pbm/base/log.h"
#include "pbm/commands/lobby/starts.h"
#include "pbm/outbox/operator.h"
#include "pbm/run/mail_in.h"
#include "pbm/run/mail_sum.h"
#include "pbm/run/quarantine.h"
#include "pbm/run/tell_set_aside.h"

#define ATTEMPTS 3 /* failures after which a mail is quarantined */

static int tell_of_trouble(struct site *site, const struct mail_raw *raw, const struct err *why,
                           struct err *e)
{
	char text[900];

	snprintf(
		text, sizeof text,
		"A mail can't be worked on, because the machine fails.  It stays where it is, and every run tries it again.\n\n"
		"Mail:    %.255s\nReason:  %.500s",
		raw->id, why->text);
	return operator_tell(site, "machine", "a mail waits for the machine", text, e);
}

/* A mail that failed stays at its source for the next runs.  At the third failure it goes into
 * quarantine.  If the machine is at fault, the mail always stays.  At the first two such
 * failures the mails after it wait too (halt), because they may depend on it.  From the third
 * failure on they do not wait: the fault may concern this mail alone, for example a file that
 * can't be read. */
static int after_failure(struct site *site, const struct mail_raw *raw, const struct err *why,
                         enum mail_fate *fate, struct err *halt, struct err *e)
{
	char name[MAIL_SUM_NAME];
	int64_t count = 0;

	mail_sum_name(raw, name);
	int rc = crash_note_count(site, name, &count, e);
	if (rc < 0)
		return rc;
	if (count < ATTEMPTS || err_is_of_machine(why)) {
		log_error("mail %s failed and stays where it is: %s", raw->id, why->text);
		*fate = MAIL_RETRY;
		if (count < ATTEMPTS && err_is_of_machine(why))
			err_set(halt, why->code, "%s", why->text);
		return count == ATTEMPTS ? tell_of_trouble(site, raw, why, e) : 0;
	}
	log_error("mail %s failed %lld times and is quarantined: %s", raw->id, (long long)count,
	          why->text);
	*fate = MAIL_QUARANTINED;
	return quarantine_keep(site, raw, why->text, e);
}

/* Works on a mail, and puts it into quarantine if it can't be read; then *why is the
 * reason.  Releasing the
 * mark fails if any store call in between failed, even one whose error was ignored. */
static int work_in_mark(struct site *site, const struct mail_raw *raw, unsigned flags,
                        enum mail_fate *fate, struct err *why, struct err *e)
{
	int rc = mail_in_work(site, raw, flags, fate, why);

	if (rc < 0)
		return err_set(e, why->code, "%s", why->text);
	if (*fate == MAIL_QUARANTINED) {
		log_warn("mail %s is quarantined: %s", raw->id, why->text);
		rc = quarantine_keep(site, raw, why->text, e);
	}
	return rc < 0 ? rc : store_release_mark(site->store, e);
}

/* Tells the sender, in a mark of its own: if that fails, the mail is still set aside, and the
 * operator has been told. */
static int tell_sender(struct site *site, const struct mail_raw *raw, const char *why,
                       struct err *e)
{
	struct err untold = { 0 };
	int rc = store_mark(site->store, e);

	if (rc < 0)
		return rc;
	int told = tell_set_aside(site, raw, why, &untold);
	if (told == 1 && quarantine_is_proved(site, raw, why, &untold) < 0)
		log_error("quarantine: %s", untold.text);
	if (told >= 0)
		return store_release_mark(site->store, e);
	log_error("the sender of mail %s can't be told that it was set aside: %s", raw->id,
	          untold.text);
	return store_rollback_to_mark(site->store, e);
}

/* Sets a mail aside that made the program fail again and again. */
static int set_aside(struct crash_note *note, const struct mail_raw *raw, bool tell, struct err *e)
{
	static const char why[] = "the server failed each time it worked on this mail";
	int rc = quarantine_keep(note->site, raw, why, e);

	log_error("mail %s is quarantined: %s", raw->id, why);
	if (rc == 0)
		rc = crash_note_forget(note, raw, e);
	return rc == 0 && tell ? tell_sender(note->site, raw, why, e) : rc;
}

/* Works on the mail, with the note written meanwhile.  1: it must begin again. */
static int try_mail(struct site *site, const struct mail_raw *raw, unsigned flags,
                    enum mail_fate *fate, struct err *halt, struct err *e)
{
	struct err why = { 0 }, fault = { 0 };
	int rc = store_mark(site->store, e);

	if (rc < 0)
		return rc;
	size_t starts = starts_count(site->starts);
	int worked = work_in_mark(site, raw, flags, fate, &fault, &why);
	if (worked < 0)
		starts_forget(site->starts, starts);
	if (worked == ERR_AGAIN) {
		rc = store_rollback_to_mark(site->store, e);
		return rc < 0 ? rc : 1;
	}
	if (worked < 0) {
		rc = store_rollback_to_mark(site->store, e);
		if (rc == 0)
			rc = after_failure(site, raw, &why, fate, halt, e);
		fault = why;
	}
	return rc == 0 && *fate == MAIL_QUARANTINED ? tell_sender(site, raw, fault.text, e) : rc;
}

bool attempt_is_apart(struct crash_note *note, const struct mail_raw *raw)
{
	enum crash_advice advice;
	int64_t killed;

	return crash_note_advise(note, raw, &advice, &killed, NULL) == 0 && advice != CRASH_NONE;
}

int attempt_mail(struct crash_note *note, const struct mail_raw *raw, unsigned flags,
                 enum mail_fate *fate, struct err *halt, struct err *e)
{
	enum crash_advice advice;
	int64_t killed = 0;

	if (raw->oversize && (flags & MAIL_IN_PIPE)) {
		*fate = MAIL_REFUSED;
		return 0;
	}
	int rc = crash_note_advise(note, raw, &advice, &killed, e);
	if (rc == 0)
		rc = crash_note_begin(note, raw, advice, killed, flags & MAIL_IN_PIPE, e);
	if (rc < 0)
		return rc;
	if (advice >= CRASH_TELL) {
		*fate = MAIL_QUARANTINED;
		rc = set_aside(note, raw, advice == CRASH_TELL, e);
	} else {
		rc = try_mail(note->site, raw, flags, fate, halt, e);
	}
	if (rc < 0) {
		crash_note_end(note, NULL);
		return rc;
	}
	int again = rc;
	rc = crash_note_end(note, e);
	return rc < 0 ? rc : again;
}
