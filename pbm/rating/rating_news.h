/* A player whose rating an act of a moderator moved by a point or more reads it in the next
 * mail.  Until then the index remembers what the rating was. */
#pragma once

#include "pbm/record/match.h"

struct store;

#define RATING_NEWS_MOVED 100 /* hundredths of a point */

/* The player's rating in the kind of game was, and becomes now, in hundredths; 0: there is none. */
int rating_news_note(struct store *s, const char *userid, const char *game, int64_t was,
                     int64_t now, struct err *e);

/* The mail about an act tells both players what the game gives them now, by its document.  Where it
 * is a player's newest game that is the rating, and no later mail tells it again. */
int rating_news_told(struct store *s, const struct game_doc *d, struct err *e);

/* Takes what the player may read now, of one kind of game.  1: *text (in the arena) is a
 * sentence; 0: nothing. */
int rating_news_take(struct store *s, struct arena *a, const char *userid, const char **text,
                     struct err *e);
