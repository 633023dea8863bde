#include "games/notation/notation_resolve.h"

#include "games/game.h"
#include "games/gen.h"
#include "games/pocket.h"

static bool castle_matches(const struct reading *r, const struct move *m)
{
	return m->flags & MOVE_CASTLE &&
	       r->kind == (m->flags & MOVE_LONG ? READING_LONG : READING_SHORT);
}

/* A pawn named by its square alone moves straight ahead; with its file it
 * takes.  Castling is never written as a king's move without its origin. */
static bool origin_matches(const struct reading *r, const struct move *m)
{
	bool straight = square_file(m->from) == square_file(m->to);
	bool full = r->file != ANY_LINE && r->rank != ANY_LINE;

	if (r->file != ANY_LINE && r->file != square_file(m->from))
		return false;
	if (r->rank != ANY_LINE && r->rank != square_rank(m->from))
		return false;
	if (full)
		return true;
	if ((m->flags & MOVE_TYPE) == PAWN)
		return straight == (r->file == ANY_LINE);
	return !(m->flags & MOVE_CASTLE);
}

static bool drop_matches(const struct reading *r, const struct move *m)
{
	return move_is_drop(m) && r->kind == READING_DROP && m->to == r->to &&
	       r->types >> (m->flags & MOVE_TYPE) & 1;
}

bool notation_matches(const struct reading *r, const struct move *m, bool *needs_piece)
{
	if (r->kind == READING_PASS)
		return game_is_pass(m);
	if (m->from == NO_SQUARE)
		return false;
	if (move_is_drop(m) || r->kind == READING_DROP)
		return drop_matches(r, m);
	if (r->kind != READING_MOVE)
		return castle_matches(r, m);
	if (m->to != r->to || !(r->types >> (m->flags & MOVE_TYPE) & 1) || !origin_matches(r, m))
		return false;
	if (r->takes && !(m->flags & MOVE_CAPTURE))
		return false;
	*needs_piece = m->promo != NO_PIECE && r->promo == NO_PIECE;
	return *needs_piece || m->promo == r->promo;
}

static void add_hit(struct resolved *a, const struct move *m, bool needs_piece)
{
	if (needs_piece && a->n && !a->needs_piece)
		return;
	if (!needs_piece && a->needs_piece)
		a->n = 0;
	a->needs_piece = needs_piece;
	for (unsigned i = 0; i < a->n; i++)
		if (a->hit[i].from == m->from && a->hit[i].to == m->to &&
		    a->hit[i].promo == m->promo)
			return;
	if (a->n < HITS_MAX)
		a->hit[a->n++] = *m;
}

void notation_resolve(const struct question *q, const struct typed *t, struct resolved *out)
{
	*out = (struct resolved){ 0 };
	for (int exact = 1; exact >= 0 && !out->n; exact--) {
		for (size_t i = 0; i < q->legal->n; i++) {
			const struct move *m = &q->legal->v[i];

			for (unsigned k = 0; k < t->n; k++) {
				bool needs_piece = false;

				if (t->r[k].exact == exact &&
				    notation_matches(&t->r[k], m, &needs_piece))
					add_hit(out, m, needs_piece);
			}
		}
	}
}
