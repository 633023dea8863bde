#include "games/notation/notation_san.h"

#include <ctype.h>

#include "games/game.h"
#include "games/gen.h"
#include "games/notation/notation.h"
#include "games/pocket.h"

/* Writes the file, the rank or both, to tell this man from others of its type that can go to the
 * same square. */
static void write_origin(const struct question *q, const struct move *m, struct str *out)
{
	bool twins = false, same_file = false, same_rank = false;

	for (size_t i = 0; i < q->legal->n; i++) {
		const struct move *o = &q->legal->v[i];

		if (o->to != m->to || o->from == m->from || move_is_drop(o) ||
		    (o->flags & MOVE_TYPE) != (m->flags & MOVE_TYPE) || o->flags & MOVE_CASTLE)
			continue;
		twins = true;
		same_file |= square_file(o->from) == square_file(m->from);
		same_rank |= square_rank(o->from) == square_rank(m->from);
	}
	if (twins && (!same_file || same_rank))
		str_add_char(out, (char)('a' + square_file(m->from)));
	if (same_file)
		str_add_char(out, (char)('1' + square_rank(m->from)));
}

static void write_drop(const struct move *m, struct str *out)
{
	str_addf(out, "%c@%s", piece_letters[m->flags & MOVE_TYPE], SQUARE(m->to));
}

void notation_write_move(const struct question *q, const struct move *m, struct str *out)
{
	unsigned type = m->flags & MOVE_TYPE;

	if (m->from == NO_SQUARE) {
		str_add(out, "--");
		return;
	}
	if (move_is_drop(m)) {
		write_drop(m, out);
		return;
	}
	if (m->flags & MOVE_CASTLE) {
		str_add(out, m->flags & MOVE_LONG ? "O-O-O" : "O-O");
		return;
	}
	if (type != PAWN) {
		str_add_char(out, piece_letters[type]);
		write_origin(q, m, out);
	} else if (m->flags & MOVE_CAPTURE) {
		str_add_char(out, (char)('a' + square_file(m->from)));
	}
	str_addf(out, "%s%s", m->flags & MOVE_CAPTURE ? "x" : "", SQUARE(m->to));
	if (m->promo != NO_PIECE)
		str_addf(out, "=%c", piece_letters[m->promo]);
}

bool notation_turn_removes(const struct game *g, const struct pos *p, const struct move *m)
{
	struct pos next = *p;
	struct effects fx;

	g->rules->apply(g, &next, m, &fx);
	return fx.removed_count > 0;
}

void notation_write_turn(const struct game *g, const struct pos *p, const struct moves *legal,
                         const struct move *m, struct str *out)
{
	struct question q = { .g = g, .p = p, .legal = legal };

	if (g->rules->write_san)
		g->rules->write_san(g, p, legal, m, out);
	else
		notation_write_move(&q, m, out);
	if (g->rules->flags & RULES_MARK_REMOVALS && notation_turn_removes(g, p, m))
		str_add_char(out, 'X');
}

void notation_write_long(const struct move *m, struct str *out)
{
	unsigned type = m->flags & MOVE_TYPE;

	if (type != PAWN)
		str_add_char(out, piece_letters[type]);
	str_addf(out, "%s%s", SQUARE(m->from), SQUARE(m->to));
}

void game_write_san(const struct game *g, const struct pos *p, const struct move *m,
                    struct str *out)
{
	struct moves legal;
	struct outcome o;
	struct pos next = *p;

	game_turns(g, p, &legal);
	notation_write_turn(g, p, &legal, m, out);
	if (!(g->rules->flags & RULES_CHECK))
		return;
	g->rules->apply(g, &next, m, NULL);
	game_result(g, &next, &o);
	if (o.result == RESULT_RUNNING && game_in_check(g, &next))
		str_add_char(out, '+');
	else if (o.mate)
		str_add_char(out, '#');
}

void notation_write_plain(const struct move *m, struct str *out)
{
	if (m->from == NO_SQUARE) {
		str_add(out, "0000");
		return;
	}
	if (move_is_drop(m)) {
		write_drop(m, out);
		return;
	}
	str_addf(out, "%s%s", SQUARE(m->from), SQUARE(m->to));
	if (m->promo != NO_PIECE)
		str_add_char(out, (char)tolower(piece_letters[m->promo]));
}

void game_write_uci(const struct game *g, const struct pos *p, const struct move *m,
                    struct str *out)
{
	if (g->rules->write_uci)
		g->rules->write_uci(g, p, m, out);
	else
		notation_write_plain(m, out);
}

bool game_is_same_turn(const struct game *g, const struct pos *p, const struct move *a,
                       const struct move *b)
{
	struct str one = STR_LOCAL(64), other = STR_LOCAL(64);

	game_write_uci(g, p, a, &one);
	game_write_uci(g, p, b, &other);
	return strcmp(one.data, other.data) == 0;
}
