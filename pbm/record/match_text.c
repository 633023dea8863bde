#include "pbm/record/match_text.h"

#include "games/game.h"
#include "games/notation/notation.h"

const char *match_san(const struct match *m, size_t i)
{
	const struct event *ev = m->moves[i].event;

	return ev->san ? ev->san : ev->move;
}

const char *match_turn(struct arena *a, const struct match *m, const struct pos *p,
                       const struct move *mv)
{
	struct str san = STR_LOCAL(100);

	game_write_san(&m->game, p, mv, &san);
	return arena_strdup(a, san.data);
}

void match_write_ply(const struct match *m, size_t ply, struct str *out)
{
	size_t i = ply - 1;

	str_addf(out, "%u.%s %s", m->positions[i].fullmove,
	         m->positions[i].to_move == WHITE ? "" : "..", match_san(m, i));
}

void match_write_last(const struct match *m, size_t n, struct str *out)
{
	struct str first = STR_LOCAL(MATCH_LAST_SIZE);

	match_write_ply(m, m->ply - n + 1, &first);
	str_addf(out, n == 1 ? "%zu turn (%s)" : "%zu turns (from %s on)", n, first.data);
}

void match_write_players(const struct match *m, struct str *out)
{
	str_addf(out, "%s-%s", m->doc.players[WHITE], m->doc.players[BLACK]);
}

/* One cell of the move table; "?" for the open ply after the last. */
static const char *cell(const struct match *m, size_t i, size_t to, bool open)
{
	return i < to ? match_san(m, i) : open && i == to ? "?" : "";
}

void match_write_moves(const struct match *m, size_t from, size_t to, bool open, struct str *out)
{
	size_t end = to + (open ? 1 : 0), i = from;

	while (i < end) {
		if (m->positions[i].to_move == WHITE) {
			const char *second = i + 1 < end ? cell(m, i + 1, to, open) : "";

			str_addf(out, "%3u. %-*s%s\n", m->positions[i].fullmove, *second ? 14 : 0,
			         cell(m, i, to, open), second);
			i += 2;
		} else {
			str_addf(out, "%3u. %-14s%s\n", m->positions[i].fullmove, "...",
			         cell(m, i, to, open));
			i++;
		}
	}
}

void match_write_removed(const struct match *m, size_t i, struct str *out)
{
	struct pos p = m->positions[i];
	struct effects fx;

	game_apply(&m->game, &p, &m->moves[i].move, &fx);
	for (size_t k = 0; k < fx.removed_count; k++) {
		const struct man *r = &fx.removed[k];
		char letter = "pnbrqk"[r->type];

		str_addf(out, "%s%c%c%d", k ? " " : "",
		         r->color == WHITE ? letter - 'a' + 'A' : letter, 'a' + r->square % 8,
		         r->square / 8 + 1);
	}
}
