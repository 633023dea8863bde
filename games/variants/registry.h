/* All games, and games by the words people type.  A game comes into the list by
 * its line in variants.list. */
#pragma once

#include "games/rules.h"

extern const struct rules *const rules_all[]; /* NULL at the end */

/* By name or alias, case folded, or by a unique prefix of three letters or
 * more.  ERR_NOT_FOUND (nothing near) or ERR_CONFLICT (ambiguous), the text
 * naming the nearest games. */
const struct rules *rules_find(const char *word, size_t len, struct err *e);

/* By a whole name or alias, for words of a sentence: "take" is no game there.  NULL: none. */
const struct rules *rules_named(const char *word, size_t len);

/* The title of the game with this name; the word itself if there is none. */
const char *rules_title(const char *name);
