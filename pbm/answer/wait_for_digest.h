/* Decides which news of boards a player does not get at once, because of a digest or `set
 * noise`. */
#ifndef PBM_ANSWER_WAIT_FOR_DIGEST_H
#define PBM_ANSWER_WAIT_FOR_DIGEST_H

#include <stdbool.h>

#include "pbm/answer/bundle.h"

/* Does this news of a board wait for the digest, or, with `set noise end`, for the end?  The
 * reader's own turns with `set noise quiet`, too.  Never final mails, first mails of a game,
 * offers, reminders and messages. */
bool wait_for_digest(struct request *q, const struct player_doc *p, const struct bundle *b);

/* Does the answer only say that turns were played, to a reader who does not want to read that? */
bool wait_for_digest_answer(const struct request *q, const struct bundle *b);

#endif
