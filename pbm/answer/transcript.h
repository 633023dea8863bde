/* The answer to a mail that answers a digest, or that only plays turns on several boards: the
 * result of each line, without boards. */
#pragma once

#include "pbm/answer/bundle.h"

/* Replaces the notes of b, the answer to its sender, by a single note with a line or two for
 * each.  A single note, and the answer to any other mail, stay as they are. */
void transcript_fold(struct request *q, struct bundle *b);

/* Must the sender get this note of such an answer in the game's own thread, too?  The last
 * mail of a game, and with `set noise every` all of them. */
bool transcript_is_apart(struct request *q, const struct note *n);
