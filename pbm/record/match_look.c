/* Questions to a game, which don't change it: who plays, who is to move. */
#include <strings.h>

#include "games/game.h"
#include "pbm/record/match.h"

bool match_is_solo(const struct match *m)
{
	return m->doc.players[0] && m->doc.players[1] &&
	       strcasecmp(m->doc.players[0], m->doc.players[1]) == 0;
}

bool match_is_rated(const struct match *m)
{
	return m->doc.state == GAME_FINISHED ? m->doc.rating_count > 0 : m->doc.rated;
}

const struct pos *match_position(const struct match *m)
{
	return &m->positions[m->ply];
}

uint8_t match_to_move(const struct match *m)
{
	if (m->doc.state != GAME_RUNNING)
		return SEAT_NONE;
	return match_position(m)->to_move;
}

uint8_t match_seat_of(const struct match *m, const char *userid)
{
	bool white = strcasecmp(m->doc.players[WHITE], userid) == 0;
	bool black = strcasecmp(m->doc.players[BLACK], userid) == 0;

	if (white && black)
		return m->doc.state == GAME_RUNNING ? match_position(m)->to_move : SEAT_WHITE;
	return white ? SEAT_WHITE : black ? SEAT_BLACK : SEAT_NONE;
}

bool match_shows_to(const struct match *m, const char *userid)
{
	return !m->doc.private_game || m->doc.state == GAME_FINISHED ||
	       match_seat_of(m, GAME_ANYONE) != SEAT_NONE ||
	       (userid && match_seat_of(m, userid) != SEAT_NONE);
}

const char *match_decider(const struct match *m)
{
	static const bool words[EVENT_KINDS] = { [EVENT_CHAT] = true,
		                                 [EVENT_INSPECT] = true,
		                                 [EVENT_REMIND] = true,
		                                 [EVENT_VACATION] = true,
		                                 [EVENT_ZONE] = true };
	size_t i = m->doc.event_count;

	while (i && words[m->doc.events[i - 1].kind])
		i--;
	const char *by = i ? m->doc.events[i - 1].by : NULL;
	return by && match_seat_of(m, by) == SEAT_NONE ? by : NULL;
}

bool match_is_young(const struct match *m)
{
	return m->doc.rated && !m->doc.tournament && m->ply < MATCH_YOUNG_PLIES &&
	       !match_is_solo(m);
}

size_t match_repetitions(const struct match *m, size_t ply)
{
	size_t n = 0;

	for (size_t i = 0; i <= ply; i++)
		n += game_same_position(&m->positions[i], &m->positions[ply]);
	return n;
}

bool match_may_offer_draw(const struct match *m, uint8_t by)
{
	long last = m->last_draw_offer[by];

	return last < 0 || (long)m->ply - last >= MATCH_DRAW_PAUSE;
}
