/* The digest: one mail with all boards that wait for a player's move, instead of a mail for
 * each.  Its reply token is good for the boards that it lists, each at the position shown;
 * the player's document remembers which those are. */
#pragma once

#include <stddef.h>

#include "pbm/answer/bundle.h"
#include "pbm/request/request.h"

#define DIGEST_BOARDS 50    /* of one digest, those with the least time first */
#define DIGEST_BOARDS_FEW 6 /* of an answer that has to be short */

/* Makes the digest's note, lists its boards in the document *p, which the caller stores, and
 * sets q->digest, so that the mail gets the token.  most: the greatest number of boards;
 * since: what the engine has said of finished games from then on is news.  *out is NULL when no
 * board waits, and nothing is news. */
int digest_make(struct request *q, struct player_doc *p, size_t most, int64_t since,
                struct note **out, struct err *e);

/* Puts the boards that a mail shows into the document of its reader, which it stores, removes those of
 * digests that are too old to answer, and sets q->digest. */
int digest_remember(struct request *q, const struct bundle *b, struct err *e);
