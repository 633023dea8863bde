#include "pbm/run/mail_in.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "mail/gate.h"
#include "mail/header.h"
#include "mail/parse.h"
#include "mail/robots/robot.h"
#include "mail/sandbox/sandbox.h"
#include "pbm/answer/bounce.h"
#include "pbm/answer/notify.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/commands/confirm.h"
#include "pbm/commands/find_commands.h"
#include "pbm/commands/lobby/starts.h"
#include "pbm/outbox/operator.h"
#include "pbm/people/identify.h"
#include "pbm/people/mail_limits.h"
#include "pbm/request/request.h"
#include "pbm/run/mail_findings.h"
#include "pbm/run/mail_sum.h"
#include "pbm/run/quarantine_forget.h"
#include "pbm/run/seen_key.h"
#include "pbm/run/test_mail.h"
#include "pbm/site/token.h"
#include "store/store_marks.h"

/* Keys under which a mail counts as seen: its bytes, and its Message-ID from this sender once
 * the sender is proved (the Message-ID alone would let a stranger block another sender's mail). */
static void seen_keys(const struct request *q, char by_bytes[80], const char **by_id)
{
	snprintf(by_bytes, 80, "raw:%s", q->cause);
	*by_id = *q->mail.message_id ? seen_key_of_id(q->arena, q->mail.from, q->mail.message_id)
	                             : NULL;
}

/* 1: this mail took effect before. */
static int check_seen(const struct request *q, struct err *e)
{
	char bytes[80];
	const char *id;

	seen_keys(q, bytes, &id);
	return store_seen_either(q->site->store, bytes, id ? id : bytes, e);
}

static int mark_seen(const struct request *q, struct err *e)
{
	char bytes[80];
	const char *id;

	seen_keys(q, bytes, &id);
	int rc = store_seen_add(q->site->store, bytes, q->now, e);
	/* Another player's password is no proof for From. */
	bool owner = q->tried.pair_userid && (q->tried.pair_was_senders || !q->who.known);
	if (rc == 0 && id && (request_is_proved(q) || owner))
		rc = store_seen_add(q->site->store, id, q->now, e);
	return rc;
}

/* No child could be started, or none with its limits. */
static bool has_no_parser(int rc)
{
	return rc == ERR_SYSTEM || rc == ERR_UNFILTERED;
}

/* Gate and parser.  0: *out is complete; <0: only its header, and *e has the reason.  Without a
 * parser, nothing of the mail is read. */
static int parse_in_sandbox(struct request *q, const struct mail_raw *raw, struct err *e)
{
	int rc = raw->oversize ? err_set(e, ERR_LIMIT, "larger than %d bytes", MAIL_MAX_BYTES)
	                       : mail_sandbox_parse(q->site->sandbox, q->arena, raw->bytes,
	                                            raw->len, &q->mail, e);

	if (has_no_parser(rc))
		return rc;
	if (rc < 0)
		parse_header(q->arena, raw->bytes, raw->len, &q->mail);
	return rc == 0 && q->mail.fault ? err_set(e, ERR_BAD, "%s", q->mail.fault) : rc;
}

/* The mail is done: 1. */
static int mark_done(const struct request *q, struct err *e)
{
	int rc = mark_seen(q, e);

	return rc < 0 ? rc : 1;
}

/* Reads a delivery report.  1: the mail is done: it is a report, or it went to an
 * envelope sender, or it came before.  0: go on: a person or another program wrote
 * it. */
static int take_report(struct request *q, enum mail_class kind, struct err *e)
{
	int rc = check_seen(q, e);

	if (rc == 1)
		log_info("mail %s from %s came before: nothing done", q->mail.message_id,
		         q->mail.from);
	if (rc != 0)
		return rc;
	rc = bounce_take_report(q, kind, e);
	return rc == 1 ? mark_done(q, e) : rc;
}

/* Returns 1 when nothing is left to do.  0: a person wrote the mail, and it is read.
 * <0: the parser could not run, or the store failed.  Runs the gate, the parser and
 * the check for reports and robots.  Mail from a program is never
 * quarantined, however broken it is: nobody needs to look at it. */
static int admit_person(struct request *q, const struct mail_raw *raw, enum mail_fate *fate,
                        struct err *e)
{
	struct err fault = { 0 };
	int broken = parse_in_sandbox(q, raw, &fault);

	if (has_no_parser(broken))
		return err_set(e, fault.code, "%s", fault.text);
	*fate = MAIL_HANDLED;
	if (test_mail_take(q->site, &q->mail, raw))
		return mark_done(q, e);
	struct robot_verdict v = request_judge_robot(q);
	int rc = take_report(q, v.kind, e);
	if (rc != 0)
		return rc;
	if (v.certainty == ROBOT_WEAK && broken == 0)
		q->robot = v.why; /* run_commands() decides */
	else if (v.certainty != ROBOT_NO) {
		log_info("no answer to %s: %s", *q->mail.from ? q->mail.from : "<>", v.why);
		return mark_done(q, e);
	}
	if (broken == 0 && !robot_has_looped(&q->mail))
		return 0;
	*fate = MAIL_QUARANTINED;
	if (broken < 0)
		err_set(e, fault.code, "%s", fault.text);
	else
		err_set(e, ERR_LIMIT, "it passed too many hosts: it is in a loop");
	return 1;
}

/* Tells the operator that a limit of strangers' mail is reached.  Trouble with that must
 * not fail the mail. */
static void tell_of_flood(struct request *q)
{
	struct err why = { 0 };

	if (q->flood.news &&
	    operator_tell(q->site, q->flood.key, "a flood of strangers", q->flood.news, &why) < 0)
		log_error("the operator can't be told: %s", why.text);
}

/* Subject and text, whose words may reach others, keep no reply address. */
static void cover_tokens(struct request *q)
{
	char *text = arena_strdup(q->arena, q->mail.text);
	char *subject = arena_strdup(q->arena, q->mail.subject);

	token_cover(text);
	token_cover(subject);
	q->mail.text = text;
	q->mail.subject = subject;
}

static int run_commands(struct request *q, unsigned flags, enum mail_fate *fate, struct err *e)
{
	cover_tokens(q);
	int rc = identify_sender(q, flags & MAIL_IN_OPERATOR, e);
	if (rc == 0 && q->robot && !find_is_playable(q)) {
		log_info("no answer to %s: %s", q->mail.from, q->robot);
		return mark_seen(q, e);
	}
	q->site->run.strangers.by_minute = flags & MAIL_IN_PIPE;
	if (rc == 0)
		rc = mail_limits_check_sender(q, e);
	if (rc == 1) {
		*fate = MAIL_QUARANTINED;
		err_set(e, ERR_LIMIT, "%.200s sent more than %ld mails in a day", q->mail.from,
		        q->site->conf.sender_per_day);
		return 0;
	}
	if (rc == 0)
		rc = find_commands(q, e);
	if (rc == 0)
		rc = bounce_wake_address(q, e);
	if (rc == 0)
		rc = confirm_ask(q, e);
	if (rc == 0)
		rc = starts_take(q, e);
	if (rc == 0)
		rc = notify_all(q, e);
	if (rc == 0 && q->erased)
		quarantine_forget(q->site, q->erased);
	if (rc == 0)
		tell_of_flood(q);
	return rc < 0 ? rc : mark_seen(q, e);
}

/* The time when our side got the mail: from the source, or from the Received field of the
 * outermost of our own servers, if that is earlier.  Other fields may be the sender's. */
static int64_t received_at(const struct site *site, const struct mail *m, int64_t came, int64_t now)
{
	int64_t at = came > 0 && came < now ? came : now;
	long left = site->conf.authserv_received;

	for (size_t i = 0; left > 0 && i < m->field_count; i++) {
		const char *value = m->fields[i].value, *date = strrchr(value, ';');

		if (strcasecmp(m->fields[i].name, "Received") != 0 || --left > 0)
			continue;
		int64_t stamp = date ? header_date(date + 1) : 0;
		at = stamp > 0 && stamp < at ? stamp : at;
	}
	return at;
}

int mail_in_work(struct site *site, const struct mail_raw *raw, unsigned flags,
                 enum mail_fate *fate, struct err *e)
{
	AUTO(arena_release) struct arena arena = { 0 };
	struct request *q = request_new(site, &arena, clock_now());

	mail_sum(raw, q->cause);
	int rc = admit_person(q, raw, fate, e);
	if (rc >= 0 && !(flags & MAIL_IN_OPERATOR))
		mail_findings_note(site, &q->mail);
	q->received = received_at(site, &q->mail, raw->received, q->now);
	if (rc == 0)
		rc = run_commands(q, flags, fate, e);
	return rc < 0 ? rc : 0;
}
