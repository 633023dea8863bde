/* Functions that commands on a board share: notes to the players, and messages between them. */
#pragma once

#include "pbm/commands/words/command.h"

/* A note about the call's board to the player of a seat. */
struct note *board_note(struct request *q, const struct call *c, uint8_t seat, unsigned flags);

#define BOARD_COMMENT_MAX 4000 /* bytes of one message */

/* Text, cut to the length that one message may have, which its writer is told after the line; NULL stays
 * NULL. */
const char *board_comment(struct request *q, const char *text);

/* The words after a command and the text below it; NULL: there are none. */
const char *board_words(struct request *q, const char *words);

/* Passes the player's prose to the other player: into the note `to` and into the game's record. */
void board_pass_comment(struct request *q, struct call *c, struct note *to, const char *text);

/* Tells both sides that something happened, and saves the game. */
int board_tell_both(struct request *q, struct call *c, const char *mine, const char *theirs,
                    unsigned flags, struct err *e);
