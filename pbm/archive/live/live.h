/* Live pages: a running game has one for each seat, live/<secret>/index.html, for the eyes
 * of that seat's player alone.  Its address stands only in the mails to that player.  It shows
 * the board, and a man that is moved on it becomes a mail to the server, ready to be sent.
 * Nothing refers to these pages, and they have no secret of the game but the player's own lines of analysis.
 *
 * A change of a game marks its board in the store; a run writes the pages of marked boards, or,
 * when the game is over, small pages that lead to the archive, and then removes
 * the marks.  Some pages have to be
 * written though their games have not changed: when the addresses, the URL of the archive or
 * the pages' layout are other ones ("live-key" in the store), when they look otherwise
 * ("live-look"), and before the reply tokens in them expire ("live-period").  Then each run writes those of some hundred games ("live-next":
 * the board after which it goes on, plus 1; 0: all are written).  A site without an
 * archive-url has no live pages. */
#pragma once

#include "pbm/archive/archive.h"
#include "pbm/site/site.h"

/* Writes and removes the pages that are due.  A page that can't be written is counted in r, and
 * the next run tries again.  The store must be open for writing. */
int live_publish(struct site *site, struct archive_report *r, struct err *e);

/* Writes all live pages again and removes all others. */
int live_rebuild(struct site *site, struct archive_report *r, struct err *e);
