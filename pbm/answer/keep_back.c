#include "pbm/answer/keep_back.h"

#include "pbm/people/settings.h"

bool keep_back(const struct player_doc *p, const struct bundle *b)
{
	const unsigned at_once = NOTE_FINAL | NOTE_START | NOTE_OFFER | NOTE_CLOCK | NOTE_REFUSED |
	                         NOTE_ACCOUNT | NOTE_WATCH;

	if (!b->board || (settings_is(p, "digest", "off") && !settings_is(p, "noise", "end")))
		return false;
	for (size_t i = 0; i < b->n; i++)
		if (!(b->notes[i]->flags & NOTE_MOVES) || (b->notes[i]->flags & at_once) ||
		    b->notes[i]->subject)
			return false;
	return true;
}
