/* Seeks: offers to anybody.  Who may take one, taking it, and the list of them. */
#ifndef PBM_COMMANDS_SEEK_H
#define PBM_COMMANDS_SEEK_H

#include "pbm/commands/command.h"

/* May this player take the seek d of its owner?  Both players' lists, the seek's conditions,
 * the owner's limit and both formulas are asked.  1: yes; 0: no, and *why is a sentence for
 * the player (in the arena); <0: the store failed. */
int seek_lets_in(struct request *q, const struct game_doc *d, const struct player_doc *owner,
                 const struct player_doc *player, const char **why, struct err *e);

/* The sender takes the seek of another player: the game starts, or, if the seek is manual, an
 * offer is made.  Refuses what may not be. */
int seek_take(struct request *q, const struct call *c, struct match *m, struct err *e);

/* Appends a table of at most `limit` seeks, the newest first, with a row for each that the
 * reader may take; game NULL: of all kinds.  *n is the number of rows. */
int seek_write_open(struct request *q, const struct player_doc *reader, const char *game,
                    size_t limit, struct str *out, size_t *n, struct err *e);

/* As seek_write_open(), for a reader without an account (reader NULL) all; for a player those
 * that the reader may not take (own: only the reader's own seeks). */
int seek_write_others(struct request *q, const struct player_doc *reader, const char *game,
                      bool own, size_t limit, struct str *out, size_t *n, struct err *e);

#endif
