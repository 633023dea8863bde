/* The Universal Chess Interface: lines from a chess program, answers to it.  It knows
 * positions and options, and lets games/engine think. */
#pragma once

#include "games/engine/engine.h"
#include "pbm/base/str.h"

#define UCI_LINE_MAX (1u << 20) /* bytes; a game of 10,000 turns has less */

struct uci_position {
	size_t n, cap;
	struct pos *v; /* from the first one on */
};

struct uci {
	struct game game;
	struct uci_position past; /* n is 0 before the first position */
	uint64_t mib, lines;      /* options Hash and MultiPV */
	void *memory;             /* of the engine; NULL: not asked yet */
	struct engine *engine;
	uint64_t nodes_max; /* of one turn; 0: unlimited */
	int64_t until;      /* clock_ms() when the turn is due; 0: whenever */
	bool refused;       /* was there a line that made no sense? */
	/* Writes an answer of whole lines. */
	void (*write)(void *ctx, const char *text);
	/* Looks for lines that came while it thinks, endless: without any limit.  true: it
	 * shall stop. */
	bool (*stop)(void *ctx, bool endless);
	void *ctx;
};

void uci_begin(struct uci *u, const struct game *g);
/* Obeys one line; thinks until the turn is found.  false: it was "quit". */
bool uci_obey(struct uci *u, const char *line, size_t len);
void uci_end(struct uci *u);
