#include "pbm/answer/private_boards.h"

void private_boards_hide(struct request *q)
{
	for (size_t i = 0; i < q->note_count; i++) {
		struct note *n = &q->notes[i];
		const struct match *m = n->board ? request_match(q, n->board, NULL) : NULL;

		if (!m || (n->flags & NOTE_STAFF) ||
		    match_shows_to(m, n->userid ? n->userid : request_userid(q)))
			continue;
		n->board = 0;
		n->seat = SEAT_NONE;
		n->view = NULL;
		n->flags &= ~(unsigned)(NOTE_BOARD | NOTE_MOVES | NOTE_ASK | NOTE_START);
	}
}
