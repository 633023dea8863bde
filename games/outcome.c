#include "games/outcome.h"

const struct outcome outcome_running = { .result = RESULT_RUNNING };

struct outcome outcome_win(enum color c, const char *why)
{
	return (struct outcome){ .result = c == WHITE ? RESULT_WHITE : RESULT_BLACK, .why = why };
}

struct outcome outcome_draw(const char *why)
{
	return (struct outcome){ .result = RESULT_DRAW, .why = why };
}

struct outcome outcome_no_move(enum color to_move, bool in_check)
{
	struct outcome lost = outcome_win(!to_move, "checkmate");

	lost.mate = true;
	return in_check ? lost : outcome_draw("stalemate");
}
