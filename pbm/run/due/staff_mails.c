#include "pbm/run/due/staff_mails.h"

#include <stdio.h>

#include "pbm/answer/notify.h"
#include "pbm/commands/staff/broadcast.h"
#include "pbm/commands/staff/staff_report.h"
#include "pbm/request/reader.h"
#include "pbm/request/request_player.h"
#include "pbm/text/template.h"
#include "store/store_documents.h"
#include "store/store_marks.h"
#include "store/store_numbers.h"
#include "store/store_questions.h"

#define WEEK (7 * INT64_C(86400))
#define REPORTED "clock-report" /* when the last report went out; a reindex keeps it */
#define TEXT_MAX 32768

/* ---- the report ---- */

/* The first run only notes the time.  A clock that was wrong must not stop the report for long. */
static bool is_due(int64_t last, int64_t now)
{
	return last && (now - last >= WEEK || last > now + WEEK);
}

static int send_reports(struct request *q, struct err *e)
{
	struct staff_report *r;
	const char *const *readers;
	int rc = staff_report_collect(q, &r, e);
	size_t n = rc == 0 ? staff_report_readers(r, &readers) : 0;

	snprintf(q->cause, sizeof q->cause, "report %lld", (long long)q->now);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = staff_report_note(q, r, readers[i], e);
		if (rc < 0)
			break;
		struct bundle b = { .reader = readers[i],
			            .n = 1,
			            .notes = { &q->notes[--q->note_count] } };
		rc = notify_reader(q, &b, e);
	}
	return rc;
}

static int report(struct site *site, int64_t now, struct err *e)
{
	AUTO(arena_release) struct arena a = { 0 };
	int64_t last = 0;
	int rc = store_value(site->store, REPORTED, &last, e);

	if (rc < 0 || (last && !is_due(last, now)))
		return rc;
	rc = store_begin(site->store, e);
	if (rc == 0 && last)
		rc = send_reports(request_new(site, &a, now), e);
	/* Always the same hour of the week, even when runs come late. */
	if (rc == 0)
		rc = store_value_set(site->store, REPORTED,
		                     last && last <= now ? last + (now - last) / WEEK * WEEK : now,
		                     e);
	return store_end(site->store, rc, e);
}

/* ---- broadcasts ---- */

struct news_step {
	struct request *q;
	const struct broadcast *b;
	int64_t number, room; /* mails that fit into the outbox */
	const char *after;
	size_t looked_at;
	struct err *e;
};

static int write_text(struct news_step *s, const struct player_doc *p, const char **out)
{
	struct request *q = s->q;
	json_auto_t *context = json_pack("{s:s, s:s, s:s}", "by", s->b->by, "comment", s->b->text,
	                                 "name", q->site->conf.name);
	struct str text = str_in(q->arena, TEXT_MAX);
	int rc = template_render_in(q->site->template_dir, reader_language(q, p->userid),
	                            "mail/broadcast.txt", context, &text, s->e);
	if (rc == 0)
		*out = text.data;
	return rc;
}

static int send_to(struct news_step *s, const struct player_doc *p)
{
	struct request *q = s->q;
	struct str head = STR_LOCAL(300);
	struct letter l = {
		.to = player_mail_address(p),
		.to_name = p->userid,
		.has_token = true,
		.token = token_lobby(p->userid, q->now),
		.tag = "news",
		.list_id = arena_printf(q->arena, "News <news.%s>", q->site->conf.host),
		.bulk = "news",
	};

	str_addf(&head, "[%s] ", q->site->conf.name);
	language_say(reader_language(q, p->userid),
	             arena_printf(q->arena, "news from %s", s->b->by), &head);
	l.subject = head.data;
	snprintf(q->cause, sizeof q->cause, "broadcast %lld", (long long)s->number);
	int rc = write_text(s, p, &l.text);
	return rc == 0 ? notify_send(q, &l, s->e) : rc;
}

static int take_player(const char *userid, void *arg)
{
	struct news_step *s = arg;
	struct player_doc p;
	int rc = 0;

	if (s->room == 0)
		return 1;
	s->looked_at++;
	s->after = arena_strdup(s->q->arena, userid);
	if (store_player_get(s->q->site->store, s->q->arena, userid, &p, NULL) < 0 ||
	    !broadcast_wants(s->q, &p, s->b->game))
		return 0;
	rc = send_to(s, &p);
	s->room -= rc == 0;
	return rc;
}

/* 1: there may be more to do; 0: there is nothing, or the outbox is full. */
static int send_some(struct site *site, struct arena *a, int64_t now, struct err *e)
{
	struct broadcast b;
	struct news_step s = { .q = request_new(site, a, now), .b = &b, .e = e };
	int64_t waiting = 0, oldest;
	int rc = broadcast_next(site->store, a, &b, &s.number, &s.after, e);

	if (rc <= 0)
		return rc;
	rc = store_outbox_size(site->store, &waiting, &oldest, e);
	s.room = site->conf.mails_per_run - waiting;
	if (rc < 0 || s.room <= 0)
		return rc;
	rc = store_begin(site->store, e);
	if (rc == 0)
		rc = store_players(site->store, s.after, STAFF_MAILS_STEP, take_player, &s, e);
	bool all = s.room > 0 && s.looked_at < STAFF_MAILS_STEP;
	if (rc >= 0)
		rc = broadcast_note(site->store, a, &b, s.number, all ? NULL : s.after, e);
	rc = store_end(site->store, rc, e);
	return rc < 0 ? rc : s.room > 0;
}

int staff_mails_run(struct site *site, int64_t now, struct err *e)
{
	int rc = report(site, now, e);

	if (rc == 0)
		rc = 1;
	while (rc == 1) {
		AUTO(arena_release) struct arena a = { 0 };

		rc = send_some(site, &a, now, e);
	}
	return rc;
}
