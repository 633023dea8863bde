/* Decides which commands a mail's proof covers.  A board's token stands in every mail of that
 * board and reaches everybody to whom a player forwards one, so it plays on its own board only.
 * A lobby token makes offers and answers them.  Neither changes an account, nor ends or begins a
 * game without the other player's own word.  Each covers commands that change only the player's
 * own mails: the player gets the answer, which says so. */
#pragma once

#include "pbm/commands/words/command.h"

/* Days after the end of a game for which the token of its final mail is good. */
#define AUTHORITY_AFTER_GAME 30

/* A text for the other player of a running game: it is about no position. */
bool authority_is_talk(const struct call *c);

/* Does the mail's proof cover this command?  The call has its board, if it takes one.  A right
 * password after the command covers it in any case. */
bool authority_covers(struct request *q, const struct call *c);

/* Does the line change nothing but the player's own mails? */
bool authority_is_own_mails(struct request *q, const struct call *c);
