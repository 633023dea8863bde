/* What commands on a board have in common: notes to the players, their words to
 * each other, and the turn itself. */
#ifndef PBM_COMMANDS_BOARD_NOTES_H
#define PBM_COMMANDS_BOARD_NOTES_H

#include "pbm/commands/command.h"

/* A note about the call's board to the player of a seat. */
struct note *board_note(struct request *q, const struct call *c, uint8_t seat, unsigned flags);

/* Text as long as one message may be; NULL stays NULL. */
const char *board_comment(struct request *q, const char *text);

/* The prose beside a command goes to the other side and into the record. */
void board_pass_comment(struct request *q, struct call *c, struct note *to, const char *text);

#endif
