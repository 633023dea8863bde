/* Seeks: offers to anybody.  Decides who may take one, takes it, and lists them. */
#pragma once

#include "pbm/commands/words/command.h"

/* May this player take the seek d of its owner?  Checks both players' lists, the seek's
 * conditions, the owner's limit and both formulas.  1: yes; 0: no, and *why is a sentence for
 * the player (in the arena); <0: the store failed. */
int seek_lets_in(struct request *q, const struct game_doc *d, const struct player_doc *owner,
                 const struct player_doc *player, const char **why, struct err *e);

/* The condition of a seek: the rest of the line from word i on, without quotation marks; NULL: none. */
const char *seek_formula(struct request *q, const struct call *c, size_t i);

/* Are range and formula of the seek d, read from the line, right?  false: refused. */
bool seek_is_right(struct request *q, const struct call *c, const struct rules *r,
                   const struct game_doc *d);

/* Takes another player's seek for the sender: starts the game, or, if the seek is manual, makes
 * an offer.  Refuses a seek that the sender may not take. */
int seek_take(struct request *q, const struct call *c, struct match *m, struct err *e);

/* For a reader without an account all seeks are SEEKS_OTHER. */
enum seek_choice { SEEKS_OPEN, SEEKS_OWN, SEEKS_OTHER, SEEK_TABLES };

struct seek_table {
	struct str *out; /* NULL: not wanted */
	size_t n;        /* rows */
};

/* Appends tables of at most `limit` seeks each, the newest first: those that the reader may
 * take, the reader's own, and the others.  game NULL: of all kinds; reader NULL: somebody
 * without an account. */
int seek_write(struct request *q, const struct player_doc *reader, const char *game, size_t limit,
               struct seek_table tables[SEEK_TABLES], struct err *e);

/* Appends the lines below that list: how to seek oneself, or, when it is empty, how to play at once.
 * r NULL: of all kinds. */
void seek_add_ways(struct request *q, const struct rules *r, struct str *out);

/* Says that the seek is taken back, and the line that makes it anew. */
void seek_say_gone(struct request *q, const struct match *m);
