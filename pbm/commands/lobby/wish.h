/* "I want to play chess", "play chess with bob": lines of members who look for a game. */
#pragma once

#include "pbm/request/request.h"
#include "pbm/text/words.h"

/* The command that lists seeks of such a game, or of any: "sought chess"; "help computers" for who
 * wants to play against one.  NULL: the line is no such wish. */
const char *wish_line(struct arena *a, const char *line);

/* The game that one of the words names; NULL: none. */
const struct rules *wish_game(const struct words *w);

/* The line with the option for its words "best of 3", or the line itself. */
const char *wish_best_of(struct arena *a, const char *line);

/* The userid of the other player of that name; NULL: there is none. */
const char *wish_player(struct request *q, const char *word);

/* The offer that a wish with another player's name means: "match bob chess".  NULL: none. */
const char *wish_offer(struct request *q, const char *line);

/* Refuses a name that is nobody's, if it is one slip of the pen away from exactly one player's: "bobb".
 * That player is named to the writer, never used. */
bool wish_refuse_near(struct request *q, const char *word);

/* The options that prose names, " -white -days=10 -unrated" of "with white, 10 days, unrated"; "": none. */
const char *wish_options(struct arena *a, const char *line);
