#include "pbm/answer/wait_for_digest.h"

#include "pbm/people/quiet.h"
#include "pbm/people/settings.h"

/* Does anything on the board wait for an answer? */
static bool has_offer(const struct match *m)
{
	return m && (m->draw_offered_by != SEAT_NONE || m->undo_asked_by != SEAT_NONE ||
	             m->abort_asked_by != SEAT_NONE);
}

static bool is_quiet(const struct player_doc *p)
{
	return settings_is(p, "noise", "quiet") || settings_is(p, "noise", "end");
}

/* Turns of the reader, with nothing else to say about them? */
static bool only_played(const struct bundle *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->notes[i]->flags != NOTE_PLAYED)
			return false;
	return true;
}

bool wait_for_digest_answer(const struct request *q, const struct bundle *b)
{
	return q->who.known && !q->question && is_quiet(&q->who.player) && only_played(b);
}

bool wait_for_digest(struct request *q, const struct player_doc *p, const struct bundle *b)
{
	const unsigned at_once = NOTE_FINAL | NOTE_START | NOTE_OFFER | NOTE_CLOCK | NOTE_REFUSED |
	                         NOTE_ACCOUNT | NOTE_WATCH;

	if (!b->board)
		return false;
	if (quiet_has(p, b->board) || (is_quiet(p) && only_played(b)))
		return true;
	if (settings_is(p, "digest", "off") && !settings_is(p, "noise", "end"))
		return false;
	for (size_t i = 0; i < b->n; i++)
		if (!(b->notes[i]->flags & (NOTE_MOVES | NOTE_PLAYED)) ||
		    (b->notes[i]->flags & at_once) || b->notes[i]->subject)
			return false;
	return !has_offer(request_match(q, b->board, NULL));
}
