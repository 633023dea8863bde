/* The board that a Subject names, of a mail that is no answer.  A Subject proves nothing: it only says
 * what the mail is about. */
#ifndef PBM_COMMANDS_SUBJECT_BOARD_H
#define PBM_COMMANDS_SUBJECT_BOARD_H

#include "pbm/request/request.h"

/* The board of "Suicide #2 alice-bob: your move" or "board 2", if the sender plays there; 0: none. */
int64_t subject_board(struct request *q, const char *subject);

/* "1 d4" below "Board 2": the number may be a board's or a move's.  Moves line past that of the
 * Subject's board; true: it is another, and the player is asked. */
bool subject_board_asks(struct request *q, int64_t board, const char **line);

#endif
