/* What the proof that a mail carries is good for.  A board's token stands in every mail of
 * that board and reaches everybody to whom a player forwards one, so it plays on its own
 * board only.  A lobby token arranges games.  Neither changes an account, but each is
 * enough to stop the mails, and to let them come again: the player is told of it. */
#ifndef PBM_COMMANDS_AUTHORITY_H
#define PBM_COMMANDS_AUTHORITY_H

#include "pbm/commands/command.h"

/* Days after the end of a game in which the token of its final mail is good. */
#define AUTHORITY_AFTER_GAME 30

/* Does the mail's proof cover this command?  The call has its board, if it takes one.
 * A right password behind the command covers it whatever this says. */
bool authority_covers(struct request *q, const struct call *c);

#endif
