/* The first plies of a game, by which the archive lists finished games.  They follow from
 * the events of its document. */
#pragma once

#include "store/document/document.h"

#define OPENING_PLIES 12
#define OPENING_LISTED 4 /* plies of an opening that has a list of its games */
#define OPENING_MAX 200  /* bytes, with the NUL */

/* Writes a turn as openings have it: without signs of check. */
#define OPENING_TURN_MAX 16
void opening_turn(const char *san, size_t len, char out[OPENING_TURN_MAX]);

/* Writes the first plies of a finished game that began as usual: "e3 b5 Bxb5 Bb7", in SAN
 * without signs of check.  "" for any other game. */
void opening_of(const struct game_doc *g, char out[OPENING_MAX]);

/* The same from the document's text, if that has a line for each event (as
 * game_doc_write() does it); g is its summary.  The events are not parsed. */
void opening_of_text(const struct game_doc *g, const char *json, size_t len, char out[OPENING_MAX]);

/* The bytes of the first plies of an opening. */
size_t opening_head(const char *opening, int plies);
