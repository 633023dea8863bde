#include "pbm/commands/play/chat_later.h"

#include <strings.h>

#include "pbm/answer/later.h"
#include "pbm/answer/view.h"
#include "pbm/commands/lobby/board_notes.h"
#include "pbm/people/mail_limits.h"
#include "store/store_held.h"

#define LATER_MAX 65536 /* bytes of one mail's texts */

void chat_later_refuse(struct request *q, const struct call *c, const char *to, int64_t ends)
{
	request_refuse(
		q, c->board,
		"You have written to %s %d times within an hour.  This was not passed on.  You can send it again after %s.",
		to, MAIL_LIMITS_TALKS_AN_HOUR, request_date(q, c->actor->userid, ends));
}

/* The texts that wait, kept under the id of their mail until the hour ends. */
static const char *texts_id(struct request *q, const struct call *c, const char *to, int64_t ends)
{
	return arena_printf(q->arena, LATER_MARK ".%s.%s",
	                    later_tag(q, c->actor->userid, c->board, ends), to);
}

/* The texts that wait, and the new one below them. */
static int gather(struct request *q, const char *id, const char *text, struct str *out,
                  struct err *e)
{
	struct held_command h;
	int rc = err_found(store_held_get(q->site->store, q->arena, id, &h, e), ERR_NOT_FOUND, e);

	if (rc < 0)
		return rc;
	if (rc == 1)
		str_addf(out, "%s\n\n", h.text);
	str_add(out, view_quoted(q, text));
	return 0;
}

static int keep(struct request *q, const char *id, const char *texts, int64_t ends, struct err *e)
{
	const struct held_command h = {
		.id = id, .userid = "", .address = "", .text = texts, .expires = ends
	};

	store_held_expire(q->site->store, q->now, e);
	return store_held_put(q->site->store, &h, e);
}

/* One note for all such texts of one mail of the writer's. */
static struct note *note_of(struct request *q, const struct call *c, const char *to, int64_t ends)
{
	for (size_t i = 0; i < q->note_count; i++)
		if (q->notes[i].later == ends && q->notes[i].board == c->board &&
		    strcasecmp(q->notes[i].userid, to) == 0)
			return &q->notes[i];
	return c->match ? board_note(q, c, !c->seat, 0) : request_note(q, to, 0, 0);
}

static void write_notes(struct request *q, const struct call *c, const char *to, const char *texts,
                        int64_t ends)
{
	const char *me = c->actor->userid;
	struct note *n = note_of(q, c, to, ends);

	n->later = ends;
	n->subject = arena_printf(q->arena, "a message from %s", me);
	n->headline = arena_printf(
		q->arena, "%s wrote you more than %d mails within an hour.  This is the rest.", me,
		MAIL_LIMITS_TALKS_AN_HOUR);
	n->body = texts;
	n->comment_by = me; /* prose in the answer is for him */
	n = c->match ? board_note(q, c, c->seat, 0) : request_note(q, me, 0, 0);
	n->headline = arena_printf(
		q->arena,
		"You have written to %s %d times within an hour.  This text waits: it goes, with all that you write until then, in one mail after %s.",
		to, MAIL_LIMITS_TALKS_AN_HOUR, request_date(q, me, ends));
}

int chat_later(struct request *q, const struct call *c, const char *to, const char *text,
               int64_t ends, struct err *e)
{
	const char *id = texts_id(q, c, to, ends);
	struct str s = str_in(q->arena, LATER_MAX);
	int rc = gather(q, id, text, &s, e);
	const char *texts = s.data;
	bool cut = s.truncated;
	if (rc == 0 && cut) {
		chat_later_refuse(q, c, to, ends);
		return 0;
	}
	if (rc == 0)
		rc = keep(q, id, texts, ends, e);
	if (rc < 0)
		return rc;
	write_notes(q, c, to, texts, ends);
	return 1;
}
