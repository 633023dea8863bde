/* Tells a player of the offers that his formula declined, in the next mail to him, at most once
 * a day.  Until then the news waits in his document. */
#pragma once

#include "pbm/request/request.h"

/* The name under which the document keeps it; no list of settings shows it. */
#define FORMULA_NEWS "formula-news"

/* Keeps the news that the part `failed` of a player's formula declined an offer. */
int formula_news_put(struct request *q, const struct player_doc *p, const char *from,
                     const char *title, const char *failed, struct err *e);

/* Takes what the player may read now.  1: *text (in the arena) is lines of text; 0: nothing. */
int formula_news_take(struct request *q, const char *userid, const char **text, struct err *e);
