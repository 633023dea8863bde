/* Decides who plays White: by what both played before, or by a coin. */
#pragma once

#include "pbm/request/request.h"

/* Decides whether u[1] plays White (*swap), and says in *why how that was decided; NULL with
 * COLORS_GIVEN, which leaves *swap alone.  COLORS_FAIR compares the colours that both had in
 * their newest games, the newest first: at the first difference the one who had White gets
 * Black.  Without a difference a coin decides. */
int colors_decide(struct request *q, enum game_colors how, const char *const u[2], bool *swap,
                  const char **why, struct err *e);
