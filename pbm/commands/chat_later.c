#include "pbm/commands/chat_later.h"

#include <string.h>

#include "pbm/answer/view.h"
#include "pbm/commands/board_notes.h"
#include "pbm/people/volume.h"
#include "pbm/text/text.h"

#define HOUR 3600
#define LATER_MAX 65536 /* bytes of one mail's texts */

static const char *date_of(struct request *q, const char *reader, int64_t t)
{
	char when[100];
	struct str s = STR_FIXED(when);

	text_date(t, request_zone(q, reader), &s);
	return arena_strdup(q->arena, when);
}

void chat_later_refuse(struct request *q, const struct call *c, const char *to, int64_t ends)
{
	request_refuse(
		q, c->board,
		"You have written to %s %d times within an hour.  This was not passed on.  You can send it again after %s.",
		to, VOLUME_TALKS_AN_HOUR, date_of(q, c->actor->userid, ends));
}

/* A text that waits is marked in the table of rates until the hour ends: comments on turns
 * stand among the events too, and were passed on with their turns. */
static const char *event_name(struct request *q, const struct call *c, size_t event)
{
	return arena_printf(q->arena, "%lld %d %zu", (long long)c->board, c->seat, event);
}

/* The player's texts that wait, and the new one below them. */
static int gather(struct request *q, const struct call *c, const char *text, struct str *out,
                  struct err *e)
{
	const struct game_doc *d = &c->match->doc;
	int64_t waits = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < d->event_count; i++) {
		const struct event *ev = &d->events[i];

		if (ev->kind != EVENT_CHAT || ev->seat != c->seat || !ev->text ||
		    ev->at < q->now - HOUR)
			continue;
		rc = request_event_count(q, "talk-later", event_name(q, c, i), &waits, e);
		if (rc == 0 && waits)
			str_addf(out, "%s\n\n", view_quoted(q, ev->text));
	}
	str_add(out, view_quoted(q, text));
	return rc;
}

/* One note for all such texts of one mail of the writer's. */
static struct note *note_of(struct request *q, const struct call *c, int64_t ends)
{
	for (size_t i = 0; i < q->note_count; i++)
		if (q->notes[i].later == ends && q->notes[i].board == c->board)
			return &q->notes[i];
	return board_note(q, c, !c->seat, 0);
}

static void write_notes(struct request *q, const struct call *c, const char *texts, int64_t ends)
{
	const char *me = c->match->doc.players[c->seat], *other = c->match->doc.players[!c->seat];
	struct note *n = note_of(q, c, ends);

	n->later = ends;
	n->subject = arena_printf(q->arena, "a message from %s", me);
	n->headline = arena_printf(
		q->arena, "%s wrote you more than %d mails within an hour.  This is the rest.", me,
		VOLUME_TALKS_AN_HOUR);
	n->body = texts;
	board_note(q, c, c->seat, 0)->headline = arena_printf(
		q->arena,
		"You have written to %s %d times within an hour.  This text waits: it goes, with all that you write until then, in one mail after %s.",
		other, VOLUME_TALKS_AN_HOUR, date_of(q, me, ends));
}

int chat_later(struct request *q, struct call *c, const char *text, int64_t ends, struct err *e)
{
	int64_t count;
	struct str s;

	str_init(&s, LATER_MAX);
	int rc = gather(q, c, text, &s, e);
	const char *texts = arena_strdup(q->arena, s.data);
	bool cut = s.truncated;
	str_release(&s);
	if (rc == 0 && cut) {
		chat_later_refuse(q, c, c->match->doc.players[!c->seat], ends);
		return 0;
	}
	if (rc < 0)
		return rc;
	match_add_text(c->match, EVENT_CHAT, c->seat, text, q->now);
	rc = request_count_event(q, "talk-later", event_name(q, c, c->match->doc.event_count - 1),
	                         ends > q->now ? ends - q->now : 1, &count, e);
	if (rc < 0)
		return rc;
	write_notes(q, c, texts, ends);
	return request_save(q, c->match, e);
}
