/* The results that rules modules give. */
#pragma once

#include "games/rules.h"

/* The game goes on. */
extern const struct outcome outcome_running;
/* c has won.  why is static text. */
struct outcome outcome_win(enum color c, const char *why);
struct outcome outcome_draw(const char *why);
/* Checkmate or stalemate, as in chess, of the side to move that has no move. */
struct outcome outcome_no_move(enum color to_move, bool in_check);
