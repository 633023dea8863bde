/* Another engine at work: a program in a sandbox (pbm/base/child_program.h), for one turn or one
 * test.  Every call has a limit of time; after an error the program is gone. */
#pragma once

#include "pbm/base/child_program.h"
#include "pbm/external/external_line.h"

#define EXTERNAL_RUN_TURN 40    /* bytes of a turn, with its NUL */
#define EXTERNAL_RUN_LIST 16384 /* bytes of a list of turns */
#define EXTERNAL_RUN_NO_SCORE INT32_MIN

/* It must not be moved. */
struct external_run {
	const struct external_line *line;
	struct child_program program;
	struct str say;
	char name[60];
};

struct external_turn {
	char uci[EXTERNAL_RUN_TURN]; /* the engine's word, which nobody has looked up yet */
	int score; /* hundredths of a pawn for the side to move, or EXTERNAL_RUN_NO_SCORE */
	uint64_t nodes;
};

/* Starts the program and has it prepare for the game.  ERR_BAD: it does not know the variant;
 * ERR_TEMP: it failed; ERR_UNFILTERED, ERR_SYSTEM as child_start(). */
int external_run_begin(struct external_run *r, const struct external_line *l,
                       const struct external_variant *v, struct err *e);

/* Asks for a turn in the position, "startpos moves e2e4" or "fen … moves …". */
int external_run_turn(struct external_run *r, const char *position, struct external_turn *out,
                      struct err *e);

/* Asks for the legal turns, " e2e4 d2d4 ", and their number. */
int external_run_list(struct external_run *r, const char *position, struct str *list, size_t *n,
                      struct err *e);

/* Ends it at once.  Also after an error. */
void external_run_end(struct external_run *r);
