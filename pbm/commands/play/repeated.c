#include "pbm/commands/play/repeated.h"

#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "pbm/record/match_text.h"

bool repeated_is_last(const struct match *m, const char *text, size_t n)
{
	const struct pos *before = m->ply ? &m->positions[m->ply - 1] : NULL;
	struct move mv;

	return before &&
	       game_read_move(&m->game, before, text, n, &mv, NULL, &(struct err){ 0 }) == 0 &&
	       game_is_same_turn(&m->game, before, &mv, &m->moves[m->ply - 1].move);
}

/* Cuts a turn's number off the front.  *number: 0 if there is none, or, where only_white, if it is
 * one of a second turn, "3...". */
static const char *cut_number(const char *text, bool only_white, long *number)
{
	size_t n = strspn(text, "0123456789"), dots = n + strspn(text + n, " \t");

	*number = 0;
	if (n == 0 || n > 4 || text[dots] != '.')
		return text;
	if (!only_white || text[dots + 1] != '.')
		*number = strtol(text, NULL, 10);
	return text + dots + strspn(text + dots, ". \t");
}

const char *repeated_skip(const struct match *m, const char *line)
{
	char last[80] = "";
	struct str s = STR_FIXED(last);
	long number, typed, again;
	const char *first = cut_number(line, true, &typed);
	size_t word = strcspn(first, " \t"), n = word;

	if (!m->ply || !typed)
		return line;
	match_write_ply(m, m->ply, &s);
	cut_number(last, true, &number);
	const char *second = first + word + strspn(first + word, " \t");
	const char *turn = cut_number(second, false, &again);
	if (number != typed || (again && again != number))
		return line;
	while (n && strchr(",;", first[n - 1]))
		n--;
	return n && game_looks_like_move(turn, strlen(turn)) && repeated_is_last(m, first, n)
	               ? turn
	               : line;
}
