/* Lines as players of other servers write them, in the words of this one.  Changes no line that
 * is a command here. */
#pragma once

#include "pbm/request/request.h"

/* "tell bob hi" is "chat hi" in an answer to the board of bob, and "message bob hi" elsewhere;
 * "report bob cheats" is "message moderators bob cheats"; "board 17" is "show 17", "take 5" is
 * "play 5". */
const char *short_form_line(struct request *q, const char *line);

/* The text of a mail about no board of its own that has nothing but moves, with a colon after the
 * board of each: "1: e4" for "1 e4", "#1 e4" and "game 1: e4".  Another text as it is. */
const char *short_form_boards(struct request *q, const char *text);

/* The board of a Subject, "Suicide #2 alice-bob: your move" or "board 2", if the sender plays there; 0: none.
 * A Subject proves nothing: it only says what the mail is about. */
int64_t short_form_subject_board(struct request *q, const char *subject);

/* A Subject that names a board and a turn, "Chess #1: Nf3", as the command "move 1 Nf3", without the
 * userid and password that may stand between them.  NULL: it is another Subject. */
const char *short_form_move(struct request *q, const char *subject);

/* "1 d4" below "Board 2": the number may be a board's or a move's.  Moves line past that of the
 * Subject's board; true: it is another, and the player is asked. */
bool short_form_asks_which(struct request *q, int64_t board, const char **line);
