/* Decides which offers a player takes: the lists noplay and censor, limits and words about kinds
 * of games, the formula.  Asks and answers only; never tells anybody and never changes a player. */
#pragma once

#include "pbm/request/request.h"

/* The player's settings that are lists of words with blanks between them.  A limit is
 * "suicide=3". */
#define CONSENT_NOPLAY "noplay"
#define CONSENT_CENSOR "censor"
#define CONSENT_LIMITS "limits"
#define CONSENT_ACCEPTS "accepts" /* kinds of games of which every offer is accepted */
#define CONSENT_REJECTS "rejects" /* ... and refused */

#define CONSENT_YOUNG_DAYS 7 /* a younger account starts no rated game by "accept game" */

/* Is the word in the player's list of that name?  Letter case is ignored. */
bool consent_has(const struct player_doc *p, const char *list, const char *word);
/* Is the other player in it, with this account or with another one of the same mailbox? */
bool consent_has_person(struct request *q, const struct player_doc *p, const char *list,
                        const struct player_doc *other);
/* The player's limit of running games of a kind; -1: none. */
long consent_limit(const struct player_doc *p, const char *game);

/* The player's load: his open offers and seeks, and how many of these and of his running games
 * are of one kind. */
struct consent_load {
	size_t offers, seeks, of_game;
};
int consent_count(struct request *q, const char *userid, const char *game, struct consent_load *out,
                  struct err *e);

/* Has the player as many games of this kind as the limit allows?  1, 0. spare: the number of the
 * player's own open offers that don't count. */
int consent_is_full(struct request *q, const struct player_doc *p, const char *game, size_t spare,
                    struct err *e);

/* Do the lists of either player keep them from playing each other?  The sentence is for
 * from; NULL: they do not. */
const char *consent_blocked(struct request *q, const struct player_doc *from,
                            const struct player_doc *to);

enum consent_kind {
	CONSENT_OFFER, /* d is an offer from one player to another */
	CONSENT_ANSWER /* to's own offer or seek, which from would like to take */
};

/* Does `to`'s own formula allow this game with `from`?  1: yes, or there is none; 0: no, and
 * *failed is the part that fails. */
int consent_formula(struct request *q, const struct game_doc *d, const struct player_doc *from,
                    const struct player_doc *to, const char **failed, struct err *e);

/* Would `to` take this game with `from`?  Checks no lists.  1: yes; 0: no, *why is a sentence
 * for from, and *failed is the part of to's formula that fails, or NULL. */
int consent_asks(struct request *q, const struct game_doc *d, enum consent_kind kind,
                 const struct player_doc *from, const struct player_doc *to, const char **why,
                 const char **failed, struct err *e);

/* Does the player accept every such offer from this sender without a question? */
bool consent_is_given(struct request *q, const struct game_doc *d, const struct player_doc *from,
                      const struct player_doc *to);

/* Do both get their mail in the same mailbox?  Such games are not rated. */
bool consent_shares_mailbox(const struct player_doc *a, const struct player_doc *b);

/* Is it the player's own account, or another one with the same mailbox? */
bool consent_is_person(struct request *q, const struct player_doc *p, const char *userid);
