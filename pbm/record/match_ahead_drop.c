/* Forgets the moves that a seat has sent ahead. */
#include "pbm/record/match.h"
#include "pbm/record/match_ahead.h"

struct game_secret *match_secret(struct match *m, uint8_t seat)
{
	struct game_secret *s = &m->doc.secret[seat];

	s->seat = seat;
	return s;
}

void match_forget_ahead(struct match *m, uint8_t seat)
{
	struct game_secret *s = match_secret(m, seat);

	s->ahead = s->pending = s->comment = NULL;
	s->ahead_at = 0;
	s->pending_at = s->pending_since = 0;
}

void match_drop_ahead(struct match *m, uint8_t seat, enum game_lost why, const char *turn)
{
	struct game_secret *s = match_secret(m, seat);

	if (s->ahead || s->pending) {
		s->lost = why;
		s->lost_turn = arena_strdup(m->arena, turn);
	}
	match_forget_ahead(m, seat);
}
