/* The legal turns for the script of a live page.  Their characters need no escape. */

#include "games/notation/notation_san.h"
#include "pbm/archive/live/live_page.h"

#define TURNS_MAX (1024 * 1024)
#define NAMED_MAX 1000 /* with more turns, none has a text for people */

void live_turns(const struct match *m, const struct moves *legal, json_t *o)
{
	const struct pos *p = match_position(m);
	struct str s;

	str_init(&s, TURNS_MAX);
	str_add(&s, "{\"turns\":\"");
	for (size_t i = 0; i < legal->n; i++) {
		str_add(&s, i ? "\\n" : "");
		game_write_uci(&m->game, p, &legal->v[i], &s);
		if (legal->n > NAMED_MAX)
			continue;
		str_add_char(&s, ' ');
		notation_write_turn(&m->game, p, legal, &legal->v[i], &s);
	}
	str_add(&s, "\"}");
	if (!s.truncated)
		json_object_set_new(o, "turns", json_stringn(s.data, s.len));
	str_release(&s);
}
