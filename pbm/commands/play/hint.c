#include "pbm/commands/play/hint.h"

#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "pbm/people/computer.h"
#include "pbm/record/match_text.h"
#include "pbm/record/match_think.h"

#define HINTS 3    /* positions of a game, for each player */
#define NODES 3000 /* some milliseconds */

/* Positions in which the player had a hint; *here: is it one of them? */
static size_t count_hints(const struct match *m, uint8_t seat, bool *here)
{
	size_t n = 0;

	*here = false;
	for (size_t i = 0; i < m->doc.event_count; i++) {
		const struct event *ev = &m->doc.events[i];

		if (ev->kind != EVENT_HINT || ev->seat != seat)
			continue;
		n++;
		*here |= ev->number == (int)m->ply + 1;
	}
	return n;
}

static bool refuse(struct request *q, const struct call *c, size_t had)
{
	const struct match *m = c->match;
	const char *other = m->doc.players[!c->seat];

	if (!computer_is_practice(q, m, other))
		request_refuse(
			q, c->board,
			"Hints are for unrated games against a computer, and board %lld is another game.",
			(long long)c->board);
	else if (match_to_move(m) != c->seat)
		request_refuse(q, c->board, "It is %s's move on board %lld.", other,
		               (long long)c->board);
	else if (had >= HINTS)
		request_refuse(q, c->board,
		               "You have had %d hints in this game, and there are no more.", HINTS);
	else
		return false;
	return true;
}

/* The answer to this mail is one about the board. */
static void say(struct request *q, const struct call *c, const char *text)
{
	struct note *n = request_note(q, NULL, c->board, 0);

	n->seat = c->seat;
	n->headline = text;
}

int hint_read(struct request *q, struct call *c, struct err *)
{
	bool again;
	size_t had = count_hints(c->match, c->seat, &again);

	return refuse(q, c, again ? 0 : had);
}

int hint_run(struct request *q, struct call *c, struct err *e)
{
	struct match *m = c->match;
	struct str said = STR_LOCAL(400);
	const struct engine_limits l = { .nodes = NODES };
	struct engine_result *r = arena_alloc(q->arena, sizeof *r);
	bool again;
	size_t had = count_hints(m, c->seat, &again);

	if (!match_think(m, m->ply, &l, r))
		return !request_refused(q, c->board, "I found no hint for this position.");
	const struct move *mv = &r->line[0].line[0];
	game_describe(&m->game, match_position(m), mv, true, &said);
	if (again) {
		say(q, c,
		    arena_printf(q->arena, "I would play %s: %s.",
		                 match_turn(q->arena, m, match_position(m), mv), said.data));
		return 0;
	}
	said.data[strcspn(said.data, " ")] = '\0';
	match_hint(m, c->seat, q->now);
	say(q, c,
	    arena_printf(
		    q->arena,
		    "Hint %zu of %d: look at the %s.  For the move itself, write once more: hint %lld",
		    had + 1, HINTS, strcmp(said.data, "castles") == 0 ? "king" : said.data,
		    (long long)c->board));
	return request_save(q, m, e);
}
