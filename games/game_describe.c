/* A turn in words. */
#include "games/game.h"
#include "games/gen.h"
#include "games/pocket.h"

static void describe_castling(const struct game *g, const struct pos *before, const struct move *m,
                              struct str *out)
{
	/* As in chess: a rook of the corner goes over the king. */
	struct castle k = {
		.king_from = m->from,
		.king_to = m->to,
		.rook_from = (uint8_t)((m->from & 56) + (m->to < m->from ? 0 : 7)),
		.rook_to = (uint8_t)((m->from + m->to) / 2),
	};

	if (g->rules->castle)
		k = g->rules->castle(before, m);
	str_addf(out,
	         m->flags & MOVE_LONG ? "castles long, king %s-%s and rook %s-%s"
	                              : "castles short, king %s-%s and rook %s-%s",
	         SQUARE(k.king_from), SQUARE(k.king_to), SQUARE(k.rook_from), SQUARE(k.rook_to));
}

void game_describe_move(const struct game *g, const struct pos *before, const struct move *m,
                        const struct effects *fx, struct str *out)
{
	if (m->flags & MOVE_CASTLE) {
		describe_castling(g, before, m, out);
		return;
	}
	if (move_is_drop(m)) {
		str_addf(out, "%s from the pocket to %s", piece_names[m->flags & MOVE_TYPE],
		         SQUARE(m->to));
		return;
	}
	str_addf(out, "%s %s-%s", piece_names[m->flags & MOVE_TYPE], SQUARE(m->from),
	         SQUARE(m->to));
	if (fx->captured.type != NO_PIECE) {
		str_addf(out, " takes a %s", piece_names[fx->captured.type]);
		if (m->flags & MOVE_EP)
			str_addf(out, " on %s en passant", SQUARE(fx->captured.square));
	}
	if (m->promo != NO_PIECE)
		str_addf(out, "%s becomes a %s", fx->captured.type == NO_PIECE ? "" : " and",
		         piece_names[m->promo]);
}

void game_describe_removed(const struct effects *fx, struct str *out)
{
	for (size_t i = 0; i < fx->removed_count; i++) {
		const struct man *man = &fx->removed[i];

		str_addf(out, "%s%s %s %s",
		         i ? ", " : "; removed: ", man->color == WHITE ? "white" : "black",
		         piece_names[man->type], SQUARE(man->square));
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
	game_describe_move(g, before, m, &fx, out);
	game_describe_removed(&fx, out);
}
