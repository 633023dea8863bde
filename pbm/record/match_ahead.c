#include "pbm/record/match_ahead.h"

#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"

void match_ahead(const struct match *m, uint8_t seat, unsigned stamp, struct ahead_tree *out)
{
	const struct game_secret *s = &m->doc.secret[seat];

	*out = (struct ahead_tree){ .arena = m->arena };
	if (s->ahead && s->ahead_at == stamp && ahead_tree_read(out, s->ahead, NULL) < 0)
		out->first = NULL;
}

void match_set_ahead(struct match *m, uint8_t seat, unsigned stamp, const struct ahead_tree *t)
{
	struct game_secret *s = match_secret(m, seat);
	struct str text = str_in(m->arena, GAME_AHEAD_MAX + 1);

	ahead_tree_write(t, &text);
	s->ahead = text.len && !text.truncated ? text.data : NULL;
	s->ahead_at = s->ahead ? stamp : 0;
}

bool match_ahead_place(struct match *m, uint8_t seat, unsigned *stamp, struct pos *out)
{
	const struct game_secret *s = &m->doc.secret[seat];
	struct ahead_tree_node answer;
	struct move mv;

	*stamp = m->stamp;
	*out = *match_position(m);
	if (match_to_move(m) != seat)
		return true;
	if (!s->pending || ahead_tree_read_answer(m->arena, s->pending, &answer, NULL) < 0 ||
	    answer.then != THEN_TURN ||
	    game_read_move(&m->game, out, answer.mine, strlen(answer.mine), &mv, NULL, NULL) < 0)
		return false;
	game_apply(&m->game, out, &mv, NULL);
	++*stamp;
	return true;
}

void match_wait(struct match *m, uint8_t seat, const char *turn, int64_t at, int64_t since,
                const char *comment)
{
	struct game_secret *s = match_secret(m, seat);

	s->pending = arena_strdup(m->arena, turn);
	s->pending_at = at;
	s->pending_since = since;
	s->comment = comment && *comment ? arena_strdup(m->arena, comment) : NULL;
	match_refresh(m);
}

void match_set_note(struct match *m, uint8_t seat, const char *text)
{
	match_secret(m, seat)->note = arena_strdup(m->arena, text);
}
