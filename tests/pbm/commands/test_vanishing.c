/* Allmate and Connected Chess, the games whose men vanish, against the slowest
 * and plainest reading of their rules: every move of every man is made, every
 * square looked at.  Positions come from random play and random setting up. */
#include "pbm/base/child_confine.h"
#include "tests/util/rows.h"
#include "tests/util/suite.h"

#include "games/orthodox.h"

#if SANITIZED
#define ROUNDS 8
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ROUNDS 8
#endif
#endif
#ifndef ROUNDS
#define ROUNDS 30
#endif
#define PLIES_MAX 40

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Does the man attack the square, by walking there? */
static bool man_attacks(const struct pos *p, struct man man, int sq)
{
	int files = sq % 8 - man.square % 8, ranks = sq / 8 - man.square / 8;
	int far = abs(files) > abs(ranks) ? abs(files) : abs(ranks);
	bool straight = !files || !ranks, diagonal = abs(files) == abs(ranks);

	if (!far)
		return false;
	if (man.type == PAWN)
		return diagonal && ranks == (man.color == WHITE ? 1 : -1);
	if (man.type == KNIGHT)
		return abs(files * ranks) == 2;
	if (man.type == KING)
		return far == 1;
	if (!(straight && man.type != BISHOP) && !(diagonal && man.type != ROOK))
		return false;
	for (int i = 1; i < far; i++)
		if (board_man(p, (unsigned)(man.square + i * (files / far + 8 * (ranks / far))))
		            .type != NO_PIECE)
			return false;
	return true;
}

static bool attacked(const struct pos *p, int sq, unsigned by)
{
	for (unsigned from = 0; from < 64; from++) {
		struct man man = board_man(p, from);

		if (man.type != NO_PIECE && man.color == by && man_attacks(p, man, sq))
			return true;
	}
	return false;
}

/* Allmate: no single move of the man's side leaves it unattacked. */
static bool is_mated(const struct pos *p, struct man man)
{
	struct pos q = *p;
	struct gen_list l;

	if (!attacked(p, man.square, !man.color))
		return false;
	q.to_move = man.color;
	orthodox_list(&q, GEN_NO_EP, false, PROMOTE_QRBN, &l);
	for (unsigned i = 0; i < l.n; i++) {
		struct move m = l.v[l.first + i];
		struct pos next = q;

		orthodox_apply(&next, &m, GEN_NO_EP, NULL);
		if (!attacked(&next, m.from == man.square ? m.to : man.square, !man.color))
			return false;
	}
	return true;
}

static uint64_t all_mated(const struct pos *p, unsigned c)
{
	uint64_t set = 0;

	for (unsigned sq = 0; sq < 64; sq++) {
		struct man man = board_man(p, sq);

		if (man.type != NO_PIECE && man.color == c && is_mated(p, man))
			set |= BIT(sq);
	}
	return set;
}

static void take_off(struct pos *p, uint64_t men)
{
	p->color[WHITE] &= ~men;
	p->color[BLACK] &= ~men;
	for (unsigned t = 0; t < PIECE_TYPES; t++)
		p->type[t] &= ~men;
}

/* False when the move is not legal. */
static bool allmate_plainly(const struct game *g, struct pos *p, const struct move *m)
{
	unsigned mover = p->to_move;
	uint64_t kings, gone;

	if (m->flags & MOVE_CAPTURE)
		return false;
	orthodox_apply(p, m, GEN_CASTLE | GEN_CASTLE_FREE | GEN_NO_EP, NULL);
	while ((gone = all_mated(p, !mover))) {
		uint64_t before = all_mated(p, mover);

		take_off(p, gone);
		if (g->options)
			take_off(p, all_mated(p, mover) & ~before & ~p->type[KING]);
	}
	kings = p->type[KING] & p->color[mover];
	return !(all_mated(p, mover) & kings);
}

static bool has_neighbour(const struct game *g, const struct pos *p, struct man man)
{
	for (unsigned sq = 0; sq < 64; sq++) {
		struct man other = board_man(p, sq);
		int files = sq % 8 - man.square % 8, ranks = (int)sq / 8 - man.square / 8;

		if (sq != man.square && abs(files) <= 1 && abs(ranks) <= 1 &&
		    other.type != NO_PIECE && (!(g->options & 1) || other.color == man.color))
			return true;
	}
	return false;
}

static void connected_move(const struct game *g, struct pos *p, const struct move *m)
{
	uint64_t gone = 0;

	orthodox_apply(p, m, GEN_CASTLE, NULL);
	for (unsigned sq = 0; sq < 64; sq++) {
		struct man man = board_man(p, sq);

		if (man.type != NO_PIECE && !has_neighbour(g, p, man))
			gone |= BIT(sq);
	}
	take_off(p, gone);
	p->castling &= (uint8_t)~gen_rights_lost(gone, GEN_CASTLE);
	if (p->ep != NO_SQUARE && gone & BIT(p->ep ^ 8))
		p->ep = NO_SQUARE;
}

static void connected_moves(const struct game *g, const struct pos *p, struct gen_list *l)
{
	unsigned kept = 0;

	orthodox_list(p, GEN_CASTLE | GEN_CASTLE_FREE, false, PROMOTE_QRBN, l);
	for (unsigned i = 0; i < l->n; i++)
		if (!(g->options & 2) || square_file(l->v[l->first + i].to) < 4)
			l->v[l->first + kept++] = l->v[l->first + i];
	l->n = kept;
}

static bool has_king(const struct pos *p, unsigned c)
{
	return p->type[KING] & p->color[c];
}

/* Can the side to move make away with the other's king and keep its own? */
static bool is_threat(const struct game *g, const struct pos *p)
{
	struct gen_list l;

	connected_moves(g, p, &l);
	for (unsigned i = 0; i < l.n; i++) {
		struct pos next = *p;

		connected_move(g, &next, &l.v[l.first + i]);
		if (has_king(&next, p->to_move) && !has_king(&next, !p->to_move))
			return true;
	}
	return false;
}

static bool in_check_plainly(const struct game *g, const struct pos *p)
{
	struct pos q = *p;

	q.to_move = !q.to_move;
	q.ep = NO_SQUARE;
	return is_threat(g, &q);
}

static bool connected_plainly(const struct game *g, struct pos *p, const struct move *m)
{
	unsigned mover = p->to_move;

	if (m->flags & MOVE_CASTLE &&
	    (attacked(p, (m->from + m->to) / 2, !mover) || in_check_plainly(g, p)))
		return false;
	connected_move(g, p, m);
	return has_king(p, mover) && !is_threat(g, p);
}

typedef bool plain_move(const struct game *g, struct pos *p, const struct move *m);

static void check_men(const struct game *g, const struct pos *before, const struct move *m,
                      const struct pos *a, const struct pos *b)
{
	char fen_buf[120], uci_buf[12];
	struct str fen = STR_FIXED(fen_buf), uci = STR_FIXED(uci_buf);

	game_write_fen(g, before, &fen);
	game_write_uci(g, before, m, &uci);
	ck_assert_msg(memcmp(a->color, b->color, sizeof a->color) == 0 &&
	                      memcmp(a->type, b->type, sizeof a->type) == 0,
	              "%s %s", fen.data, uci.data);
}

/* Every move in shape is legal here if and only if it is so plainly, and
 * leaves the same men. */
static void compare(const struct game *g, const struct pos *p, plain_move *plainly)
{
	struct moves legal;
	struct gen_list l;
	size_t n = 0;

	game_legal(g, p, &legal);
	connected_moves(g, p, &l);
	for (unsigned i = 0; i < l.n; i++) {
		const struct move *m = &l.v[l.first + i];
		struct pos plain = *p, ours = *p;
		size_t k = 0;

		if (!plainly(g, &plain, m))
			continue;
		n++;
		while (k < legal.n && memcmp(&legal.v[k], m, sizeof *m) != 0)
			k++;
		ck_assert(k < legal.n);
		game_apply(g, &ours, m, NULL);
		check_men(g, p, m, &plain, &ours);
	}
	ck_assert_uint_eq(n, legal.n);
}

/* Men strewn over the board, one of three empty: false when a game refuses it. */
static bool strew(const struct game *g, uint64_t *seed, struct pos *out)
{
	struct board_size size = game_board(g);
	struct pos p = { .ep = NO_SQUARE, .fullmove = 1 };
	unsigned men = 4 + (unsigned)(next_random(seed) % 14);
	char buf[120];
	struct str fen = STR_FIXED(buf);

	for (unsigned i = 0; i < men; i++) {
		unsigned rank = (unsigned)(next_random(seed) % size.ranks);
		unsigned sq = 8 * rank + (unsigned)(next_random(seed) % size.files);
		unsigned type = i < 2 ? KING : (unsigned)(next_random(seed) % KING);

		if (type == PAWN && (rank == 0 || rank == 7))
			type = KNIGHT;
		if (board_man(&p, sq).type == NO_PIECE)
			board_put(&p, sq, i % 2, type);
	}
	p.to_move = next_random(seed) % 2;
	game_write_fen(g, &p, &fen);
	return game_setup(g, fen.data, out, NULL) == 0;
}

static const struct {
	const char *game;
	uint32_t options;
	plain_move *plainly;
} variants[] = {
	{ "allmate", 0, allmate_plainly },     { "allmate", 1, allmate_plainly },
	{ "connected", 0, connected_plainly }, { "connected", 1, connected_plainly },
	{ "connected", 2, connected_plainly }, { "connected", 3, connected_plainly },
};

START_TEST(same_when_strewn)
{
	struct game g = { rules_find(variants[_i].game, strlen(variants[_i].game), NULL),
		          variants[_i].options };
	uint64_t seed = 0x2545f4914f6cdd1du + (unsigned)_i;
	unsigned done = 0;

	for (unsigned i = 0; i < 40 * ROUNDS && done < 10 * ROUNDS; i++) {
		struct pos p;

		/* Without a king, or with nothing else, the game is over. */
		if (!strew(&g, &seed, &p) || !has_king(&p, p.to_move) ||
		    p.type[KING] == (p.color[WHITE] | p.color[BLACK]))
			continue;
		if (variants[_i].plainly == connected_plainly)
			ck_assert(game_in_check(&g, &p) == in_check_plainly(&g, &p));
		compare(&g, &p, variants[_i].plainly);
		done++;
	}
	ck_assert_uint_ge(done, ROUNDS);
}
END_TEST

START_TEST(same_when_played)
{
	struct game g = { rules_find(variants[_i].game, strlen(variants[_i].game), NULL),
		          variants[_i].options };
	uint64_t seed = 0x9e3779b97f4a7c15u + (unsigned)_i;

	for (unsigned i = 0; i < ROUNDS / 4; i++) {
		struct pos p;

		ck_assert(game_setup(&g, NULL, &p, NULL) == 0);
		for (unsigned ply = 0; ply < PLIES_MAX; ply++) {
			struct moves legal;

			game_legal(&g, &p, &legal);
			if (!legal.n)
				break;
			if (ply % 3 == 0)
				compare(&g, &p, variants[_i].plainly);
			game_apply(&g, &p, &legal.v[next_random(&seed) % legal.n], NULL);
		}
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("vanishing");
	TCase *t = tcase_create("vanishing");
	int n = sizeof variants / sizeof variants[0];

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, same_when_strewn, 0, n);
	tcase_add_loop_test(t, same_when_played, 0, n);
	suite_add_tcase(s, t);
	return suite_run(s);
}
