/* The server's own players: accounts for which games/engine plays, without an address.  This is
 * what they take and what they don't; pbm/think moves for them. */
#pragma once

#include "pbm/request/request.h"

#define COMPUTER_GAMES_OF_ONE 3 /* games that one person plays with one of them at a time */

/* Does the server itself play for this account? */
bool computer_is(const struct player_doc *p);
bool computer_is_name(struct request *q, const char *userid);

/* Is it a game for practice, neither rated nor of a tournament, against a computer?  There turns are
 * taken back at once, and there are hints. */
bool computer_is_practice(struct request *q, const struct match *m, const char *opponent);

/* Can the player begin a game and be moved for: by mail, or by the server? */
bool computer_or_reachable(const struct player_doc *p);

/* Does it play this kind of game? */
bool computer_plays(const struct player_doc *p, const char *game);

/* Would the computer begin this game with the player from?  1: yes; 0: no, and *why is a sentence
 * for from. */
int computer_asks(struct request *q, const struct game_doc *d, const struct player_doc *from,
                  const struct player_doc *computer, const char **why, struct err *e);

/* The computer for somebody who names none: it plays the game (NULL: any), takes games at present,
 * and is no hard one.  NULL: there is none. */
const char *computer_suggest(struct store *s, struct arena *a, const char *game);

/* Is it a word for a computer, as in "match computer suicide"? */
bool computer_is_word(const char *word, size_t len);

/* The site's computers, by their userids; fn gets each account.  store_staff()'s rules hold. */
typedef int computer_fn(const struct player_doc *p, void *arg, struct err *e);
int computer_each(struct store *s, struct arena *a, computer_fn *fn, void *arg, struct err *e);
