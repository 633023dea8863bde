/* The last guard of private games: no note shows a board to somebody who may not see it.  The
 * commands check that themselves, and refuse; but some refusals are written before anything has
 * checked whose board the mail is about. */
#ifndef PBM_ANSWER_PRIVATE_BOARDS_H
#define PBM_ANSWER_PRIVATE_BOARDS_H

#include "pbm/request/request.h"

/* Takes the board out of each note whose reader may not see it (match_shows_to()): the
 * note keeps only its words. */
void private_boards_hide(struct request *q);

#endif
