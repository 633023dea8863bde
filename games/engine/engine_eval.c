#include "games/engine/engine_eval.h"

#include <stdlib.h>
#include <string.h>

#include "games/pocket.h"

#define BAIT_MEN 6 /* with more of them the kings have others to take */

void eval_init(struct eval_table *t, const struct game *g)
{
	const struct eval_row *row = eval_rows;

	if (!(g->rules->flags & RULES_MUST_CAPTURE))
		while ((row++)->game)
			;
	while (row->game && (strcmp(row->game, g->rules->name) != 0 ||
	                     (row->options && !(row->options & g->options))))
		row++;
	t->row = row;
	t->friendly = g->options & row->friendly;
	t->pext = attacks_have_pext();
	for (unsigned type = PAWN; type <= KING; type++)
		for (unsigned sq = 0; sq < 64; sq++) {
			int file = (int)square_file(sq), rank = (int)square_rank(sq);
			int centre = (file < 4 ? file : 7 - file) + (rank < 4 ? rank : 7 - rank);

			for (int c = WHITE; c <= BLACK; c++)
				t->square[c][type][sq] = row->man[type] +
				                         centre * row->centre[type] +
				                         (c == WHITE || row->uphill ? rank
				                                                    : 7 - rank) *
				                                 row->advance[type];
		}
}

GAMES_INLINE int phase(const struct eval_row *row, const struct pos *p, enum attacks_path path)
{
	int sum = 0;

	for (unsigned type = PAWN; type <= KING; type++)
		sum += row->phase[type] * (int)bit_count(p->type[type], path);
	return sum < row->full ? sum : row->full;
}

/* The one number of a double weight. */
GAMES_INLINE int blend(const struct eval_row *row, int32_t w, int early)
{
	int a = (int16_t)(uint16_t)w, b = (w - a) / 65536;

	return (a * early + b * (row->full - early)) / row->full;
}

GAMES_INLINE int32_t men_of(const struct eval_table *t, const struct pos *p, enum color c)
{
	int32_t sum = 0;

	for (unsigned type = PAWN; type <= KING; type++)
		for (uint64_t men = p->type[type] & p->color[c]; men; men &= men - 1)
			sum += t->square[c][type][bit_first(men)];
	for (unsigned type = PAWN; t->row->hand[PAWN] && type < POCKET_TYPES; type++)
		sum += t->row->hand[type] * p->own[POCKET_TYPES * c + type];
	return sum;
}

/* The attacks of a side, for the weights of pairs of men. */
struct attack_map {
	uint64_t all;
	int32_t mobility;
};

GAMES_INLINE struct attack_map map_of(const struct eval_row *row, const struct pos *p, enum color c,
                                      enum attacks_path path)
{
	uint64_t occ = p->color[WHITE] | p->color[BLACK], own = p->color[c];
	uint64_t pawns = p->type[PAWN] & own;
	struct attack_map map = { attacks_pawns(pawns, c), 0 };

	map.mobility = row->mobility[PAWN] * (int)bit_count(bits_forward(pawns, c) & ~occ, path);
	for (unsigned type = KNIGHT; type <= KING; type++)
		for (uint64_t men = p->type[type] & own; men; men &= men - 1) {
			uint64_t to = attacks_of(type, c, bit_first(men), occ, path);

			map.all |= to;
			map.mobility += row->mobility[type] * (int)bit_count(to & ~own, path);
		}
	return map;
}

/* Squares in front of these pawns of c, on their files and those beside. */
GAMES_INLINE uint64_t span_of(uint64_t pawns, enum color c)
{
	uint64_t span = bits_forward(pawns, c);

	span |= bits_forward(span, c);
	span |= c == WHITE ? span << 16 : span >> 16;
	span |= c == WHITE ? span << 32 : span >> 32;
	return span | (span & ~FILE_A) >> 1 | (span & ~FILE_H) << 1;
}

GAMES_INLINE int32_t passed_of(const struct eval_row *row, const struct pos *p, enum color c)
{
	uint64_t pawns = p->type[PAWN];
	uint64_t free = pawns & p->color[c] & ~span_of(pawns & p->color[!c], !c);
	int32_t sum = 0;

	for (; free; free &= free - 1) {
		unsigned rank = square_rank(bit_first(free));

		sum += row->passed[c == WHITE ? rank : 7 - rank];
	}
	return sum;
}

/* Men of c with fewer than two neighbours. */
GAMES_INLINE uint64_t lonely_of(const struct eval_table *t, const struct pos *p, enum color c)
{
	uint64_t men = t->friendly ? p->color[c] : p->color[WHITE] | p->color[BLACK];
	uint64_t left = (men & ~FILE_A) >> 1, right = (men & ~FILE_H) << 1;
	const uint64_t beside[8] = { left,      right,     men << 8,   men >> 8,
		                     left << 8, left >> 8, right << 8, right >> 8 };
	uint64_t one = 0, two = 0;

	for (unsigned i = 0; i < 8; i++) {
		two |= one & beside[i];
		one |= beside[i];
	}
	return p->color[c] & ~two;
}

/* The men of c beside the enemy's king have to be taken by it; are the others near? */
GAMES_INLINE int nearness_of(const struct pos *p, enum color c, unsigned enemy)
{
	int sum = 0;

	for (uint64_t men = p->color[c] & ~p->type[KING]; men; men &= men - 1) {
		unsigned sq = bit_first(men);
		int files = abs((int)square_file(sq) - (int)square_file(enemy));
		int ranks = abs((int)square_rank(sq) - (int)square_rank(enemy));

		sum += 7 - (files > ranks ? files : ranks);
	}
	return sum;
}

GAMES_INLINE int32_t rest_of(const struct eval_table *t, const struct pos *p, enum color c,
                             const struct attack_map map[2], enum attacks_path path)
{
	const struct eval_row *row = t->row;
	uint64_t opp = p->color[!c], king = p->type[KING] & p->color[c];
	uint64_t enemy = p->type[KING] & opp, ring = 0;
	int32_t sum = map[c].mobility;

	sum += row->attacked * (int)bit_count(map[c].all & opp, path);
	sum += row->hanging * (int)bit_count(map[c].all & opp & ~map[!c].all, path);
	sum += row->own[p->own[c] & 3];
	if (enemy)
		ring = attacks_king[bit_first(enemy)];
	sum += row->siege * (int)bit_count(ring & map[c].all, path);
	sum += row->blast * (int)bit_count(ring & map[c].all & opp, path);
	if (row->bait && enemy && bit_count(p->color[WHITE] | p->color[BLACK], path) <= BAIT_MEN)
		sum += row->bait * nearness_of(p, c, bit_first(enemy));
	if (row->shelter && king)
		sum += row->shelter *
		       (int)bit_count(attacks_king[bit_first(king)] & p->type[PAWN] & p->color[c],
		                      path);
	if (row->passed[6])
		sum += passed_of(row, p, c);
	if (bit_count(p->type[BISHOP] & p->color[c], path) > 1)
		sum += row->pair;
	if (row->lonely)
		sum += row->lonely * (int)bit_count(lonely_of(t, p, c), path);
	return sum;
}

GAMES_INLINE int eval_text(const struct eval_table *t, const struct pos *p, int alpha, int beta,
                           enum attacks_path path)
{
	const struct eval_row *row = t->row;
	enum color c = p->to_move;
	int early = phase(row, p, path);
	int32_t sum = men_of(t, p, c) - men_of(t, p, !c) + row->tempo;
	int men = blend(row, sum, early);
	struct attack_map map[2];

	if (men - row->lazy >= beta || men + row->lazy <= alpha)
		return men;
	map[WHITE] = map_of(row, p, WHITE, path);
	map[BLACK] = map_of(row, p, BLACK, path);
	sum += rest_of(t, p, c, map, path) - rest_of(t, p, !c, map, path);
	return blend(row, sum, early);
}

ATTACKS_PEXT_TARGET static int eval_pext(const struct eval_table *t, const struct pos *p, int alpha,
                                         int beta)
{
	return eval_text(t, p, alpha, beta, ATTACKS_PEXT);
}

int eval(const struct eval_table *t, const struct pos *p, int alpha, int beta)
{
	if (t->pext)
		return eval_pext(t, p, alpha, beta);
	return eval_text(t, p, alpha, beta, ATTACKS_PORTABLE);
}
