/* Mails to the players of a tournament and its director: it begins, rounds, new games, who has
 * left, the end.  Each function puts mails into the outbox, in the open transaction. */
#pragma once

#include "pbm/request/request.h"
#include "store/document/tournament.h"

/* Tells each player of his new games, those from an index of the list on: one mail each.
 * begins: a round begins, and the mail has the table. */
int tournament_tell_games(struct request *q, const struct tournament_doc *t, size_t from,
                          bool begins, struct err *e);

/* Asks the director about a round that lasts long. */
int tournament_tell_slow(struct request *q, const struct tournament_doc *t, struct err *e);

/* Tells a player that the round can't be paired without him, so that he does not have it off. */
int tournament_tell_no_bye(struct request *q, const struct tournament_doc *t, int number,
                           struct err *e);

/* Tells the director who pairs by hand that a player wants the next round off, or plays in it after
 * all; unless he is that player. */
void tournament_tell_skips(struct request *q, const struct tournament_doc *t, const char *who,
                           bool skips);

/* Asks the director for the pairings of the next round. */
int tournament_tell_unpaired(struct request *q, const struct tournament_doc *t, struct err *e);

/* Tells an entry without a place that the tournament begins without it. */
int tournament_tell_left_out(struct request *q, const struct tournament_doc *t, int number,
                             struct err *e);

/* Tells a team who has left it after the start; captain: the number of its new captain, or 0. */
int tournament_tell_left(struct request *q, const struct tournament_doc *t, int number, int captain,
                         struct err *e);

/* Tells the captain of a team that a player left before the start, whose entry is gone; nobody
 * if the team is gone, too.  captain: the player was its captain. */
int tournament_tell_dropped(struct request *q, const struct tournament_doc *t, const char *who,
                            const char *team, bool captain, struct err *e);

/* Tells the captain of the team, or the director, that the player of the entry, which is gone, has declined
 * an invitation or wishes no more to play in the team; and the same to the player, by. */
int tournament_tell_declined(struct request *q, const struct tournament_doc *t,
                             const struct tournament_entry *n, const struct player_doc *by,
                             struct err *e);

/* Tells the director, unless he plays: then he is told as a player. */
int tournament_tell_director(struct request *q, const struct tournament_doc *t, const char *cause,
                             const char *subject, const char *headline, unsigned parts,
                             struct err *e);

/* again: a result has changed since the end.  by: who wrote the reason, or NULL. */
int tournament_tell_end(struct request *q, const struct tournament_doc *t, bool again,
                        const struct player_doc *by, struct err *e);
int tournament_tell_cancelled(struct request *q, const struct tournament_doc *t,
                              const struct player_doc *by, struct err *e);

/* Tells the director that a player has entered the running tournament, or left it, or left an open
 * one with words for the director; unless he is that player. */
void tournament_tell_moved(struct request *q, const struct tournament_doc *t, const char *who,
                           bool joined);
