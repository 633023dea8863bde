#include "pbm/commands/hold.h"

#include "pbm/base/utf8.h"

void hold_line(struct request *q, const struct call *c, const char *line)
{
	char shown[400];
	struct str s = STR_FIXED(shown);

	if (q->held_count == REQUEST_LINES_MAX)
		return;
	str_add(&s, line);
	if (c->match)
		str_addf(&s, "     (board %lld, %s, %s against %s)", (long long)c->board,
		         c->match->game.rules->title, c->match->doc.players[0],
		         c->match->doc.players[1]);
	utf8_scrub(shown);
	q->held_lines[q->held_count] = arena_strdup(q->arena, line);
	q->held_shown[q->held_count++] = arena_strdup(q->arena, shown);
}
