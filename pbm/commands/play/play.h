/* Plays a legal turn with all its consequences in one transaction, and tells both sides in one
 * mail each. */
#pragma once

#include "games/rules.h"
#include "pbm/request/request.h"

struct play {
	struct move mv;
	bool draw;         /* with an offer of a draw */
	const char *words; /* text for the other side, or NULL */
	const char *ifs;   /* lines of moves ahead that begin after the turn, or NULL */
	int64_t since;     /* when the player sent the turn; 0: now */
};

/* Plays the turn of the side to move, or keeps it back for the time that its player has set. */
int play_turn(struct request *q, struct match *m, const struct play *p, struct err *e);

/* Holds the turn until the player confirms it. */
int play_submit(struct request *q, struct match *m, const struct play *p, struct err *e);

/* Plays the turn that waits on this board. */
int play_waiting(struct request *q, struct match *m, struct err *e);

/* Withdraws the turn that the seat has sent and that waits.  false: there is none. */
bool play_withdraw(struct request *q, struct match *m, uint8_t seat);

/* Does a turn of this seat wait, sent by its player and not yet shown to the other? */
bool play_is_held(const struct match *m, uint8_t seat);
