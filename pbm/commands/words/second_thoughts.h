/* Second thoughts below a word that ends, begins or asks for something: lines that take it back, make it
 * depend on something, or ask what it does.  Knows words only. */
#pragma once

#include <stdbool.h>

#include "pbm/base/mem.h"

/* The command above the line. */
struct second_thoughts {
	const char *word; /* "resign" */
	bool offer;       /* it accepts a game */
	bool final;       /* it ends or begins a game, or accepts what the other player asked for */
};

/* Has the line a sentence that takes the command back, limits it or asks about it: "no wait!", "sorry,
 * wrong mail", "I meant draw", "if you play Ng5", "Is that the right word?"  "Sorry, I have to go", "But it
 * was fun" and "No chance left" have none.  first: it stands directly below the command. */
bool second_thoughts_has(struct arena *a, const struct second_thoughts *above, const char *line,
                         bool first);
