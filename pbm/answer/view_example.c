#include "pbm/answer/view_example.h"

#include <string.h>

/* 1. e3 wins the losing game (Watkins 2016), and loses none of the others; e6 is its mirror. */
static const char *const firsts[] = { "e3", "e6" };

/* Is it the turn san, or begins with it and goes on with a push? */
static bool is_turn(const struct match *m, const struct move *mv, const char *san)
{
	char text[64], why[200];
	struct str s = STR_FIXED(text), w = STR_FIXED(why);

	game_write_san(&m->game, match_position(m), mv, &s);
	return str_prefix(text, san) && (!text[2] || text[2] == ',') &&
	       !game_blunder(&m->game, match_position(m), mv, &w);
}

const struct move *view_example(const struct match *m, const struct moves *legal)
{
	for (size_t i = 0; m->ply < 2 && i < legal->n; i++)
		if (is_turn(m, &legal->v[i], firsts[m->ply]))
			return &legal->v[i];
	return NULL;
}
