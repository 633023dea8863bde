/* A puzzle from a finished game, as the text that the game's document keeps: after how many plies
 * the position came about, and the turns of the solution, "24 d1d8 a7a6 d8a8".  The solver plays
 * the first turn and every second one after it.  No I/O here. */
#pragma once

#include "pbm/record/match.h"

#define PUZZLE_PLIES 6      /* a solution has fewer, because its last turn is the solver's */
#define PUZZLE_TEXT_MAX 500 /* bytes */

struct puzzle {
	struct match board; /* of no game: begins with the position, and plays the solution */
	size_t ply;         /* the plies that the game had then */
};

/* A board of no game that begins with the position after so many plies of the game. */
int puzzle_board(const struct match *m, size_t ply, struct match *out, struct err *e);

/* Appends the text of a puzzle whose board has played its solution. */
void puzzle_write(const struct puzzle *p, struct str *out);

/* Reads the puzzle of a finished game.  false: it has none, or none that fits the game. */
bool puzzle_read(struct arena *a, const struct game_doc *d, struct puzzle *out);

/* Appends the path of its page in the archive: "puzzles/2026-12-01.html". */
void puzzle_write_path(int64_t day, struct str *out);

/* Appends the turns from one ply of the board to before another: "14. Bxa6 b5 15. Bc8". */
void puzzle_write_turns(const struct puzzle *p, size_t from, size_t to, struct str *out);
