/* Notes which boards have news for watchers; at the end of the run each watcher gets one
 * mail about all of them. */
#pragma once

#include "pbm/request/request.h"

/* Notes that the board's watchers, if it has any, don't know what happened since it was
 * loaded.  An offer and a private game have none. */
int watch_news_mark(struct request *q, const struct match *m, struct err *e);

/* Counts the players, up to most, who watch a board ("17") or a kind of game ("suicide"). */
int watch_news_count(struct request *q, const char *what, size_t most, struct err *e);
