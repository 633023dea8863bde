/* A turn in words. */
#include "games/game.h"
#include "games/gen.h"

static void describe_castling(const struct move *m, struct str *out)
{
	const struct castle *k = gen_castles;

	while (k->king_from != m->from || k->king_to != m->to)
		k++;
	str_addf(out, "castles %s, king ", (k - gen_castles) % 2 ? "long" : "short");
	square_write(k->king_from, out);
	str_add_char(out, '-');
	square_write(k->king_to, out);
	str_add(out, " and rook ");
	square_write(k->rook_from, out);
	str_add_char(out, '-');
	square_write(k->rook_to, out);
}

void game_describe_move(const struct move *m, const struct effects *fx, struct str *out)
{
	if (m->flags & MOVE_CASTLE) {
		describe_castling(m, out);
		return;
	}
	str_addf(out, "%s ", piece_names[m->flags & MOVE_TYPE]);
	square_write(m->from, out);
	str_add_char(out, '-');
	square_write(m->to, out);
	if (fx->captured.type != NO_PIECE) {
		str_addf(out, " takes a %s", piece_names[fx->captured.type]);
		if (m->flags & MOVE_EP) {
			str_add(out, " on ");
			square_write(fx->captured.square, out);
			str_add(out, " en passant");
		}
	}
	if (m->promo != NO_PIECE)
		str_addf(out, "%s becomes a %s", fx->captured.type == NO_PIECE ? "" : " and",
		         piece_names[m->promo]);
}

void game_describe_removed(const struct effects *fx, struct str *out)
{
	for (size_t i = 0; i < fx->removed_count; i++) {
		const struct man *man = &fx->removed[i];

		str_add(out, i ? ", " : "; removed: ");
		str_addf(out, "%s %s ", man->color == WHITE ? "white" : "black",
		         piece_names[man->type]);
		square_write(man->square, out);
	}
}

void game_describe(const struct game *g, const struct pos *before, const struct move *m,
                   bool reader_is_mover, struct str *out)
{
	struct pos next = *before;
	struct effects fx;

	if (game_is_pass(m)) {
		str_add(out, "passes: the last pawn has no move");
		return;
	}
	if (g->rules->describe) {
		g->rules->describe(g, before, m, reader_is_mover, out);
		return;
	}
	g->rules->apply(g, &next, m, &fx);
	game_describe_move(m, &fx, out);
	game_describe_removed(&fx, out);
}
