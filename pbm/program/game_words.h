/* The words that pbm perft, position and solve take: GAME [-options] [--fen FEN], and
 * other words, which are the caller's (moves, a depth).  Options may stand between
 * them.  No rule is applied here. */
#pragma once

#include <stddef.h>

#include "games/game.h"
#include "pbm/program/prog.h"

#define GAME_WORDS_MAX 4096

struct game_words {
	struct game game;
	const char *fen; /* NULL: the game's own start */
	size_t n;
	const char *words[GAME_WORDS_MAX];
};

/* Sets *g from a name such as "suicide". */
int game_words_set_game(struct game_words *g, const char *name, struct err *e);

/* argv[0] is the sub-command; own may be NULL.  Returns 0, or an exit code with the
 * reason printed. */
int game_words_read(int argc, char **argv, const struct prog_word *own, struct game_words *out);
