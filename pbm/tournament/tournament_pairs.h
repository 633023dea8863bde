/* Pairings of a round as people and pairing programs write them.  A player is named by userid, or
 * by the number in the list of entries. */
#pragma once

#include "pbm/base/err.h"
#include "store/document/tournament.h"

struct tournament_pair {
	int white, black; /* numbers of entries; black 0: a bye */
};

/* Adds the pair that one word says: "alice:bob", "alice-bob", "1-5"; "carol" alone has a bye.
 * ERR_BAD: the text says why not. */
int tournament_pairs_add(const struct tournament_doc *t, const char *word,
                         struct tournament_pair *list, size_t *n, struct err *e);

/* Reads the list that pairing programs write (JaVaFo's "output file", which bbpPairings writes,
 * too): the number of pairs on a line, then a line for each with the numbers of White and Black,
 * 0 for a bye.  The list has room for TOURNAMENT_PLAYERS_MAX.  ERR_BAD */
int tournament_pairs_read(const struct tournament_doc *t, const char *text,
                          struct tournament_pair *list, size_t *n, struct err *e);
