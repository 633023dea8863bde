/* Writes the proof that a search has found, as a line of play. */
#pragma once

#include "games/solve/solve_search.h"

/* Called by solve_run() once the value of p is known. */
void proof_write(struct solve *s, const struct pos *p, struct solve_result *out);
