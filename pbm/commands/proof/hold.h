/* Lines of a mail that wait until the player confirms them; confirm.h asks. */
#pragma once

#include "pbm/commands/words/command.h"

#define HOLD_LINE_MAX 1500 /* bytes: the question shows the whole line */
#define HOLD_NEWS_MAX 4200 /* ... and the whole text of a broadcast */

/* Adds line to the request's held lines, with the call's board in words. false: it was refused,
 * because it has too many bytes or another player is asked, or dropped after REQUEST_LINES_MAX
 * others. */
bool hold_line(struct request *q, const struct call *c, const char *line);

/* Asks in any case, also a proved sender: holds the line, with why as the reason for the
 * question. false: the player has confirmed the line, which is to be run. */
bool hold_ask(struct request *q, const struct call *c, const char *line, const char *why);

/* May the mail's question ask this player?  A mail asks one player only, so that nobody confirms
 * another player's lines.  false: refused. */
bool hold_asks(struct request *q, const struct player_doc *actor);

/* Asks before an act that can't be taken back, with a line that says all of it; the answer is
 * good for an hour. 1: asked, or the answer came too late; 0: it was confirmed. */
int hold_ask_final(struct request *q, const struct call *c, const char *line, const char *question);
