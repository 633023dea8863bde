/* Offers of games from one player to another: making one, starting the game. */
#pragma once

#include "pbm/commands/lobby/terms.h"
#include "pbm/commands/words/command.h"

#define OFFERS_MAX 10 /* open offers that one player has made */
#define SEEKS_MAX 10

struct offer {
	struct terms terms;
	const char *u[2]; /* the first player named, and the other; one is the sender */
	const struct player_doc *other;
	int64_t answers;      /* the seek that this offer answers, or 0 */
	int64_t answers_game; /* the game whose rematch it is, or 0 */
	int64_t instead;      /* the offer that this one replaces, or 0 */
	bool asked;           /* the other player's formula and limit have been checked */
};

/* Makes the offer, or starts the game: when the other player has made the same offer, or
 * accepts all of this kind.  1: done; 0: refused, and the sender is told. */
int offer_make(struct request *q, const struct call *c, struct offer *o, struct err *e);

/* A new game with these terms and its own number; NULL on errors. */
struct match *offer_match(struct request *q, struct terms *t, struct err *e);

/* Decides the colours of the two players and writes the players into the terms' document.  *why:
 * the reason for the colours, for an event and for the players, or NULL. */
int offer_colors(struct request *q, struct terms *t, const char *const u[2], const char **why,
                 struct err *e);

/* Starts the game and tells both.  how: the first sentence, to
 * the actor and to others; colors: how the colours were
 * decided, or NULL; first: NOTE_START when this is the first mail about this board. */
int offer_start(struct request *q, const struct call *c, struct match *m, const char *const how[2],
                const char *colors, unsigned first, struct err *e);

/* Is it an offer to anybody? */
bool offer_is_seek(const struct match *m);
/* The seat of the player who made the offer. */
uint8_t offer_seat(const struct match *m);

/* May the sender begin or accept one more game of this kind?  Only the sender's own limit
 * counts.  1; 0: refused. */
int offer_is_within_limit(struct request *q, const struct call *c, const struct rules *r,
                          struct err *e);

/* Finds a player who can be reached by mail.  0; 1: refused. */
int offer_find_player(struct request *q, const char *word, struct player_doc *out, struct err *e);
