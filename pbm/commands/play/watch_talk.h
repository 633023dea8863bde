/* The texts of players who watch a board. */
#pragma once

#include "pbm/commands/words/command.h"

#define WATCH_TALK_A_DAY 10 /* texts of one watcher, each a mail to everybody who watches */

/* Passes a watcher's text on to the others who watch the board; to the players only after the
 * game, because nobody may advise them before. */
int watch_talk(struct request *q, struct call *c, const char *text, struct err *e);

/* Passes a player's text on to the moderator or director, too, whose decision about the board it
 * answers.  Returns his userid, or NULL: there is none. */
const char *watch_tell_decider(struct request *q, const struct call *c, const char *text);

/* ", and to 2 who watch" when others read what the actor writes to his opponent, else "". */
const char *watch_listeners(struct request *q, const struct call *c);

/* The reason why the actor's text is not passed on to the opponent or the watchers; NULL: it is.  What
 * a player writes about a board that a moderator closed before its first move is for the moderator. */
const char *watch_why_not(struct request *q, const struct call *c);

/* Refuses a text for the board with the reason; a moderator who decided about it reads it all the
 * same.  0. */
int watch_refuse_talk(struct request *q, const struct call *c, const char *text, const char *why);
