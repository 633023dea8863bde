/* The secrets of a game's two seats: moves ahead, a turn that waits, a note.  Nothing of them
 * is part of the position, and nothing here tells anybody. */
#pragma once

#include "pbm/record/ahead_tree.h"
#include "pbm/record/match.h"

/* The secret of a seat, to be changed. */
struct game_secret *match_secret(struct match *m, uint8_t seat);

/* The moves ahead of a seat that begin at the position with this stamp, where the other side
 * is to move.  An empty tree if there are none. */
void match_ahead(const struct match *m, uint8_t seat, unsigned stamp, struct ahead_tree *out);

/* Sets them: a tree without branches removes them. */
void match_set_ahead(struct match *m, uint8_t seat, unsigned stamp, const struct ahead_tree *t);

/* The stamp of the position where new moves ahead of the seat begin: the present one if the
 * other side is to move, else the one after the turn that waits. false: the player is to move,
 * and no turn waits. */
bool match_ahead_place(struct match *m, uint8_t seat, unsigned *stamp, struct pos *out);

/* Lets a turn wait until the time at (0: until the player confirms it). */
void match_wait(struct match *m, uint8_t seat, const char *turn, int64_t at, int64_t since,
                const char *comment);

/* Removes moves ahead and a turn that waits.  match_drop_ahead() notes why, for the player's
 * next mail, if there were any. */
void match_forget_ahead(struct match *m, uint8_t seat);
void match_drop_ahead(struct match *m, uint8_t seat, enum game_lost why, const char *turn);

/* Sets or, with NULL, removes the player's note. */
void match_set_note(struct match *m, uint8_t seat, const char *text);
