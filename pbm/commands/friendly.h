/* Understands friendly words as a command.  A yes or a no, as accept or decline, counts only for
 * the one question of the answered mail; otherwise it is refused. */
#pragma once

#include "pbm/commands/dispatch_pair.h"

/* Does the answer to a question say yes, perhaps below a greeting, with nothing below it but courtesy
 * and a name?  "ok\nwho asked for that?" does not. */
bool friendly_confirms(struct request *q, const char *text);

/* Turns a line that is no command and no move, but answers its mail's question, into accept or
 * decline; its words become a comment. */
bool friendly_take(struct parse *p, const char *line);

/* Asks back a yes above a text that may limit it: "yes" above "but only if you like".  false: the line is
 * another. */
bool friendly_refuse(struct parse *p, const char *line);

/* Reads a line as the command, if it asks for it in other words: "What can I capture?" for
 * moves. */
bool friendly_asks(struct parse *p, const char *line, const char *command);

/* The same for what shows a game: "show me the board", "can you send me the PGN?". */
bool friendly_reads(struct parse *p, const char *line);

/* Tells how to answer the offer that waits for the sender on the line's board; NULL: there is
 * none. */
const char *friendly_hint(struct parse *p);

/* Tells how to answer an offer with the other terms that the line names, "ok, but unrated"; NULL: it names
 * none, or the board is no offer to the sender. */
const char *friendly_terms(struct parse *p);

/* The command for "I'd love to" or "accept" in an answer to an invitation to a tournament or a team.
 * The mail's address does not prove it: the sender is asked to confirm.  *text becomes what is to be
 * passed on, "" or a no with its reason.  NULL: the text is no such answer. */
const char *friendly_joins(struct request *q, const char **text);

/* Finds in a sentence the command that a member may wish for, with the arguments that it names:
 * "vacation 2026-12-10 2026-12-20" for "I go on holiday from 10 to 20 December"; "seek chess
 * 1400-1600" for "I want to play chess with anyone rated 1400-1600".  It is offered, never run.
 * NULL: neither. */
const char *friendly_wish(struct request *q, const char *line);

/* Says to a player of the board that nobody read the words of this mail; NULL: to nobody else. */
const char *friendly_unsaid(struct request *q, const struct match *m);
