#include "pbm/run/attempt.h"

#include <stdio.h>

#include "mail/parse.h"
#include "mail/robots/robot.h"
#include "pbm/answer/notify.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/commands/lobby/starts.h"
#include "pbm/outbox/operator.h"
#include "pbm/people/identify.h"
#include "pbm/people/mail_limits.h"
#include "pbm/request/request.h"
#include "pbm/run/mail_in.h"
#include "pbm/run/mail_sum.h"
#include "pbm/run/quarantine.h"
#include "pbm/site/token.h"
#include "store/store_marks.h"

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

/* Works on a mail, and puts it into quarantine if it can't be read; then *why is the reason. */
static int work_on_mail(struct site *site, const struct mail_raw *raw, unsigned flags,
                        enum mail_fate *fate, struct err *why, struct err *e)
{
	int rc = mail_in_work(site, raw, flags, fate, why);

	if (rc < 0)
		return err_set(e, why->code, "%s", why->text);
	if (*fate == MAIL_QUARANTINED) {
		log_warn("mail %s is quarantined: %s", raw->id, why->text);
		rc = quarantine_keep(site, raw, why->text, e);
	}
	return rc;
}

#define SET_ASIDE_A_DAY 5 /* such answers to one player in a day, for each kind of proof */

static bool is_persons(const struct request *q)
{
	return *q->mail.from && !q->mail.fault && !robot_has_looped(&q->mail) &&
	       request_judge_robot(q).certainty == ROBOT_NO;
}

static void add_note(struct request *q, const struct mail_raw *raw, const char *why, bool last)
{
	struct note *n = request_note(q, NULL, 0, NOTE_REFUSED);

	n->seat = SEAT_NONE;
	n->subject = "your mail could not be read";
	n->headline = arena_printf(
		q->arena,
		"Your mail of %s could not be read, and the server has set it aside.  Nothing in it was played.  The reason: %s.  Please write again, in a short new mail of plain text.%s",
		request_date(q, request_userid(q), q->mail.date ? q->mail.date : raw->received),
		why,
		last ? "  If more of your mails can't be read today, you get no further mail like this one."
		     : "");
}

static int tell(struct request *q, const struct mail_raw *raw, const char *why, const char *key,
                struct err *e)
{
	int64_t count = 0;
	int rc = identify_sender(q, false, e);

	if (rc < 0 || !request_is_proved(q))
		return rc < 0 ? rc : 0;
	const char *whom = arena_printf(q->arena, "%s %s", request_userid(q), mail_limits_scope(q));
	rc = request_count_event(q, "aside", whom, 86400, &count, e);
	if (rc < 0 || count > SET_ASIDE_A_DAY)
		return rc < 0 ? rc : 1;
	log_info("%s is told that his mail was set aside", q->who.player.userid);
	add_note(q, raw, why, count == SET_ASIDE_A_DAY);
	rc = notify_all(q, e);
	if (rc == 0)
		rc = store_seen_add(q->site->store, key, q->now, e);
	return rc < 0 ? rc : 1;
}

/* Tells the sender of a mail that was set aside unread; only a sender with a proof gets an answer,
 * strangers and programs get none.  Puts the answer into the outbox, within the store's open transaction.  Reads only the header
 * of the mail.  why: a sentence without its full stop.  1: the sender has a proof and is told,
 * now or by an earlier mail (which says that further mails of the day get no answer); 0: nobody
 * is told; <0: the store failed. */
static int tell_set_aside(struct site *site, const struct mail_raw *raw, const char *why,
                          struct err *e)
{
	AUTO(arena_release) struct arena arena = { 0 };
	struct request *q = request_new(site, &arena, clock_now());
	char key[100] = "aside:";

	q->unread = true;
	parse_header(&arena, raw->bytes, raw->len, &q->mail);
	mail_sum(raw, q->cause);
	snprintf(key, sizeof key, "aside:%s", q->cause);
	int rc = store_seen(site->store, key, e);
	if (rc == 0 && is_persons(q))
		rc = tell(q, raw, why, key, e);
	return rc;
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
	rc = store_end_mark(site->store, told, &untold, e);
	if (rc == 1)
		log_error("the sender of mail %s can't be told that it was set aside: %s", raw->id,
		          untold.text);
	return rc < 0 ? rc : 0;
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
	size_t starts = starts_count(site->run.starts);
	rc = work_on_mail(site, raw, flags, fate, &fault, &why);
	rc = store_end_mark(site->store, rc, &why, e);
	token_cover(why.text); /* it may be about another player's reply address */
	token_cover(fault.text);
	if (rc != 0)
		starts_forget(site->run.starts, starts);
	if (rc == 1 && why.code == ERR_AGAIN)
		return 1;
	if (rc == 1) {
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
