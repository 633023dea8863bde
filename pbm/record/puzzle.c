#include "pbm/record/puzzle.h"

#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "pbm/base/clock.h"

int puzzle_board(const struct match *m, size_t ply, struct match *out, struct err *e)
{
	struct str fen = STR_LOCAL(GAME_FEN_MAX);

	game_write_fen(&m->game, &m->positions[ply], &fen);
	struct game_doc d = { .game = m->doc.game,
		              .options = m->doc.options,
		              .start_fen = arena_strdup(m->arena, fen.data),
		              .days = MATCH_DAYS,
		              .created = m->doc.created };
	int rc = match_create(m->arena, &d, out, e);
	if (rc == 0)
		match_start(out, d.created);
	return rc;
}

void puzzle_write(const struct puzzle *p, struct str *out)
{
	str_addf(out, "%zu", p->ply);
	for (size_t i = 0; i < p->board.ply; i++) {
		str_add_char(out, ' ');
		game_write_uci(&p->board.game, &p->board.positions[i], &p->board.moves[i].move,
		               out);
	}
}

static bool play_all(struct match *m, const char *at)
{
	while (*at) {
		size_t n = strcspn(at + 1, " ");
		struct move mv;

		if (*at != ' ' || m->outcome.result != RESULT_RUNNING || m->ply == PUZZLE_PLIES ||
		    game_read_move(&m->game, match_position(m), at + 1, n, &mv, NULL, NULL) < 0)
			return false;
		match_play(m, &mv, m->doc.created);
		at += 1 + n;
	}
	return m->ply % 2 == 1;
}

bool puzzle_read(struct arena *a, const struct game_doc *d, struct puzzle *out)
{
	struct match m;
	char *end;

	if (!d->puzzle || d->state != GAME_FINISHED || match_load(a, d, &m, NULL) < 0)
		return false;
	out->ply = strtoul(d->puzzle, &end, 10);
	return end > d->puzzle && out->ply <= m.ply &&
	       puzzle_board(&m, out->ply, &out->board, NULL) == 0 && play_all(&out->board, end);
}

void puzzle_write_path(int64_t day, struct str *out)
{
	str_addf(out, "puzzles/%.10s.html", CLOCK_ISO(day));
}

void puzzle_write_turns(const struct puzzle *p, size_t from, size_t to, struct str *out)
{
	const struct match *m = &p->board;

	for (size_t i = from; i < to && i < m->ply; i++) {
		const struct pos *pos = &m->positions[i];
		size_t number = (p->ply + i) / 2 + 1;

		if (i > from)
			str_add_char(out, ' ');
		if (pos->to_move == WHITE)
			str_addf(out, "%zu. ", number);
		else if (i == from)
			str_addf(out, "%zu... ", number);
		game_write_san(&m->game, pos, &m->moves[i].move, out);
	}
}
