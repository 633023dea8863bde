/* The engine's judgement of a finished game, as the text that the game's document keeps: for each
 * position before a turn, from the start on, an entry, with ';' between them.  "35 e2e4": the score
 * in hundredths of a pawn, for the side to move, and the best turn.  "w5 d1d8": a proved win in five
 * plies; "l4 a7a6": a proved loss.  No I/O here. */
#pragma once

#include "pbm/record/match.h"

#define ANALYSIS_PLIES_MAX 600 /* later turns are not judged */
#define ANALYSIS_TEXT_MAX 32768
#define ANALYSIS_SCORE_MAX 1000 /* a greater lead is the same */

struct analysis_entry {
	int score;  /* at most ANALYSIS_SCORE_MAX; a proved win or loss has this score */
	int proved; /* plies to a proved win; negative: to a proved loss; 0: not proved */
	struct move best;
};

/* Appends an entry. */
void analysis_write(const struct match *m, size_t ply, const struct analysis_entry *a,
                    struct str *out);

/* Reads the entries of m's positions; entries has room for m->ply of them.  Their number; 0: there
 * is no analysis, or none that fits the game. */
size_t analysis_read(const struct match *m, struct analysis_entry *entries);

enum analysis_loss { ANALYSIS_FINE, ANALYSIS_MISTAKE, ANALYSIS_LOST_WIN };

/* The price of turn i (from 0) for its side, if it is among n - 1 entries that follow one another: a proved
 * win, or *points hundredths of a pawn, 200 at the least. */
enum analysis_loss analysis_loss(const struct match *m, const struct analysis_entry *entries,
                                 size_t n, size_t i, int *points);

/* "14. Nf3 gave away a proved win: Bxa6 wins in 5 moves.", for a turn with such a loss. */
const char *analysis_mistake(struct arena *a, const struct match *m,
                             const struct analysis_entry *entry, size_t i, enum analysis_loss loss,
                             int points);

/* "Board 17 is analysed.", and the greatest mistake of the seat in a sentence. */
const char *analysis_news(struct arena *a, const struct match *m, uint8_t seat);
