/* A player's mails with the letters of pieces in his own language: Sf3 after `set notation
 * german`.  English is always read, too. */
#pragma once

#include "pbm/request/request.h"

/* The line with its move in English letters, if the sender writes in others, and if it is about
 * moves.  The French R is a king, and in English a rook: if only one of them is legal on the
 * mail's board, that one is meant.  The words of moves ahead are read in other languages for everybody: "wenn Nf6 dann
 * Bb5". */
const char *piece_letters_line(struct request *q, const char *line);

/* Is the text a legal turn of two men, as "Rf1" of a Spanish king and of a rook, or "De5" of a pawn
 * and of a German queen?  two: both, as nobody can mistake them. */
bool piece_letters_doubt(struct request *q, const struct match *m, const char *text,
                         const char *two[2]);

/* The end of a line that was read so, as its sender typed it. */
const char *piece_letters_typed(const struct request *q, const char *line);

/* A word of prose with its move in English letters, if the sender writes in others. */
const char *piece_letters_word(struct request *q, const char *word);

/* The move that the line begins with in German letters, in English ones; NULL: it begins with
 * none, or English reads it. */
const char *piece_letters_german(struct arena *a, const char *line);
/* The same as a hint for the writer. */
const char *piece_letters_hint(struct arena *a, const char *line);

/* The move in English letters, if it begins with a letter that is a file in English and a man in
 * Spanish, French, Italian or German: Nf6 for Cf6.  NULL: it does not. */
const char *piece_letters_file(struct arena *a, const char *move);
