#include "pbm/run/tell_set_aside.h"

#include <stdio.h>

#include "mail/parse.h"
#include "mail/robots/robot.h"
#include "pbm/answer/notify.h"
#include "pbm/base/clock.h"
#include "pbm/base/log.h"
#include "pbm/people/identify.h"
#include "pbm/people/mail_limits.h"
#include "pbm/request/request.h"
#include "pbm/run/mail_sum.h"
#include "pbm/text/text.h"
#include "store/store_marks.h"

static bool is_persons(const struct request *q)
{
	return *q->mail.from && !q->mail.fault && !robot_has_looped(&q->mail) &&
	       request_judge_robot(q).certainty == ROBOT_NO;
}

static void add_note(struct request *q, const struct mail_raw *raw, const char *why, bool last)
{
	struct note *n = request_note(q, NULL, 0, NOTE_REFUSED);
	char when[100];
	struct str s = STR_FIXED(when);

	text_date(q->mail.date ? q->mail.date : raw->received, request_zone(q, request_userid(q)),
	          &s);
	n->seat = SEAT_NONE;
	n->subject = "your mail could not be read";
	n->headline = arena_printf(
		q->arena,
		"Your mail of %s could not be read, and the server has set it aside.  Nothing in it was played.  The reason: %s.  Please write again, in a short new mail of plain text.%s",
		when, why,
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

int tell_set_aside(struct site *site, const struct mail_raw *raw, const char *why, struct err *e)
{
	struct arena arena = { 0 };
	struct request *q = arena_alloc(&arena, sizeof *q);
	char key[100] = "aside:";

	q->site = site;
	q->arena = &arena;
	q->now = clock_now();
	q->unread = true;
	parse_header(&arena, raw->bytes, raw->len, &q->mail);
	mail_sum(raw, q->cause);
	snprintf(key, sizeof key, "aside:%s", q->cause);
	int rc = store_seen(site->store, key, e);
	if (rc == 0 && is_persons(q))
		rc = tell(q, raw, why, key, e);
	arena_release(&arena);
	return rc;
}
