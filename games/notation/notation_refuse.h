/* Why a typed move is not played, in one or two sentences for its player. */
#pragma once

#include "games/notation/notation_parse.h"

/* The sentence for a text that does not mean exactly one of the question's
 * moves; a is what it means.  May change the order of a->hit. */
enum read_refusal notation_refuse(const struct question *q, const struct typed *t, const char *text,
                                  struct resolved *a, struct str *out);
