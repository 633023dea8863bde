/* Properties of every position of every game, over random play from fixed seeds; and the tables
 * of names, options and refused positions. */
#include "pbm/base/child_confine.h"
#include "tests/util/rows.h"

#include "games/board.h"
#include "games/pocket.h"

#if SANITIZED
#define GAMES_EACH 3
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GAMES_EACH 3
#endif
#endif
#ifndef GAMES_EACH
#define GAMES_EACH 40
#endif
#define PLIES_MAX 160

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static unsigned men_count(const struct pos *p)
{
	return (unsigned)__builtin_popcountll(p->color[WHITE] | p->color[BLACK]);
}

static void check_consistent(const struct pos *p)
{
	uint64_t seen = 0;

	ck_assert((p->color[WHITE] & p->color[BLACK]) == 0);
	for (unsigned t = 0; t < PIECE_TYPES; t++) {
		ck_assert((seen & p->type[t]) == 0);
		seen |= p->type[t];
	}
	ck_assert(seen == (p->color[WHITE] | p->color[BLACK]));
}

static void check_fen_round_trip(const struct game *g, const struct pos *p)
{
	char buf[120], again_buf[120];
	struct str fen = STR_FIXED(buf), again_fen = STR_FIXED(again_buf);
	struct pos again;
	struct err e = { 0 };

	game_write_fen(g, p, &fen);
	ck_assert_msg(game_setup(g, fen.data, &again, &e) == 0, "%s %s: %s", g->rules->name,
	              fen.data, e.text);
	ck_assert_msg(memcmp(&again, p, sizeof again) == 0, "%s %s", g->rules->name, fen.data);
	game_write_fen(g, &again, &again_fen);
	ck_assert_str_eq(fen.data, again_fen.data);
}

static void check_read(const struct game *g, const struct pos *p, const struct move *m,
                       const char *text)
{
	struct move again;
	struct err e = { 0 };

	ck_assert_msg(game_read_move(g, p, text, strlen(text), &again, NULL, &e) == 0, "%s: %s: %s",
	              g->rules->name, text, e.text);
	ck_assert_msg(memcmp(&again, m, sizeof again) == 0, "%s: %s", g->rules->name, text);
	ck_assert_msg(game_looks_like_move(text, strlen(text)) || m->from == NO_SQUARE, "%s", text);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

#define TEXT_SIZE 32

/* Each turn's texts mean that turn alone.  Of long lists a part is read. */
static void check_notation(const struct game *g, const struct pos *p, const struct moves *legal,
                           uint64_t *seed)
{
	static char texts[MOVES_MAX][TEXT_SIZE];
	size_t step = legal->n > 60 ? legal->n / 20 : 1;
	size_t at = legal->n > 60 ? next_random(seed) % step : 0, n = 0;

	for (; at < legal->n; at += step) {
		char uci_buf[TEXT_SIZE];
		struct str san = STR_FIXED(texts[n]), uci = STR_FIXED(uci_buf);

		game_write_san(g, p, &legal->v[at], &san);
		game_write_uci(g, p, &legal->v[at], &uci);
		ck_assert(!san.truncated && !uci.truncated);
		check_read(g, p, &legal->v[at], san.data);
		check_read(g, p, &legal->v[at], uci.data);
		n++;
	}
	qsort(texts, n, sizeof texts[0], by_text);
	for (size_t i = 1; i < n; i++)
		ck_assert_msg(strcmp(texts[i - 1], texts[i]) != 0, "%s twice", texts[i]);
}

static void check_counts(const struct game *g, const struct pos *p, const struct moves *legal)
{
	uint64_t sum = 0;

	ck_assert(game_perft(g, p, 1) == legal->n);
	if (legal->n > 200)
		return;
	for (size_t i = 0; i < legal->n; i++) {
		struct pos next = *p;

		game_apply(g, &next, &legal->v[i], NULL);
		sum += game_perft(g, &next, 1);
	}
	ck_assert_msg(sum == game_perft(g, p, 2), "%s", g->rules->name);
}

/* Text that may or may not be a turn changes nothing and never surprises. */
static void check_noise(const struct game *g, const struct pos *p, uint64_t *seed)
{
	static const char letters[] = "abcdefghNBRQKPnbrqkx12345678-=,+#O0 !X@";
	char text[12];
	struct pos before = *p;
	struct move m, near[2];
	struct err e = { 0 };
	size_t n = 1 + next_random(seed) % 11, used;

	for (size_t i = 0; i < n; i++)
		text[i] = letters[next_random(seed) % (sizeof letters - 1)];
	if (game_read_line(g, p, text, n, &m, &used, NULL, &e) != 0)
		ck_assert(e.code == ERR_BAD && e.text[0]);
	ck_assert(used <= n);
	ck_assert(game_nearest(g, p, text, n, near, 2) <= 2);
	ck_assert(memcmp(&before, p, sizeof before) == 0);
}

static void play(const struct game *g, struct pos *p, const struct move *m)
{
	unsigned before = men_count(p);
	enum color mover = p->to_move;
	struct effects fx;

	game_apply(g, p, m, &fx);
	check_consistent(p);
	ck_assert(men_count(p) + fx.removed_count + (fx.captured.type != NO_PIECE) ==
	          before + move_is_drop(m));
	ck_assert(p->to_move != mover || m->from == NO_SQUARE);
	ck_assert(p->ep == NO_SQUARE || p->halfmove == 0);
	if (fx.captured.type != NO_PIECE || fx.removed_count)
		ck_assert(p->halfmove == 0);
}

static void play_randomly(const struct game *g, uint64_t seed)
{
	struct pos p;
	struct moves legal;
	struct outcome o = { 0 };

	ck_assert(game_setup(g, NULL, &p, NULL) == 0);
	for (unsigned ply = 0; ply < PLIES_MAX; ply++) {
		check_fen_round_trip(g, &p);
		game_outcome(g, &p, &o);
		game_legal(g, &p, &legal);
		ck_assert((legal.n == 0) == (o.result != RESULT_RUNNING));
		ck_assert((o.why == NULL) == (o.result == RESULT_RUNNING));
		if (!legal.n)
			return;
		if (ply % 4 == 0)
			check_notation(g, &p, &legal, &seed);
		check_counts(g, &p, &legal);
		check_noise(g, &p, &seed);
		play(g, &p, &legal.v[next_random(&seed) % legal.n]);
	}
}

START_TEST(random_play)
{
	const struct rules *rules = rules_all[_i];
	unsigned options = rules_option_count(rules);

	for (uint32_t chosen = 0; chosen < 1u << options; chosen++) {
		bool possible = true;

		for (unsigned i = 0; i < options; i++)
			possible &= !(chosen >> i & 1 && chosen & rules->options[i].excludes);
		for (unsigned i = 0; possible && i < GAMES_EACH; i++)
			play_randomly(&(struct game){ rules, chosen },
			              0x9e3779b97f4a7c15u + 977u * i);
	}
}
END_TEST

START_TEST(attacks_agree)
{
	uint64_t seed = 88172645463325252u;

	if (!attacks_have_pext()) {
		puts("skipped: no fast PEXT here, attacks not compared");
		return;
	}
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t occ = next_random(&seed) & next_random(&seed);

		if (i % 3 == 0)
			occ &= next_random(&seed);
		for (enum attacks_line line = 0; line < LINES; line++)
			ck_assert(attacks_along(i % 64, line, occ, ATTACKS_PEXT) ==
			          attacks_along(i % 64, line, occ, ATTACKS_PORTABLE));
	}
}
END_TEST

/* The plainest possible rays. */
static uint64_t walk(unsigned sq, int file_step, int rank_step, uint64_t occ)
{
	uint64_t set = 0;
	int file = (int)square_file(sq) + file_step, rank = (int)square_rank(sq) + rank_step;

	for (; file >= 0 && file < 8 && rank >= 0 && rank < 8;
	     file += file_step, rank += rank_step) {
		set |= BIT(8 * rank + file);
		if (occ & BIT(8 * rank + file))
			break;
	}
	return set;
}

START_TEST(attacks_by_walking)
{
	uint64_t seed = 362436069362436069u;

	for (unsigned i = 0; i < 20000; i++) {
		uint64_t occ = next_random(&seed) & next_random(&seed);
		unsigned sq = i % 64;

		ck_assert(attacks_rook(sq, occ, ATTACKS_PORTABLE) ==
		          (walk(sq, 1, 0, occ) | walk(sq, -1, 0, occ) | walk(sq, 0, 1, occ) |
		           walk(sq, 0, -1, occ)));
		ck_assert(attacks_bishop(sq, occ, ATTACKS_PORTABLE) ==
		          (walk(sq, 1, 1, occ) | walk(sq, -1, -1, occ) | walk(sq, -1, 1, occ) |
		           walk(sq, 1, -1, occ)));
	}
}
END_TEST

/* result NULL: refused with a text that contains says. */
static const struct {
	const char *game, *options, *fen, *says;
} fens[] = {
	{ "chess", "", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", NULL },
	{ "chess", "", "4k3/8/8/8/8/8/8/4K3 w", NULL },
	{ "chess", "", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 0", NULL },
	{ "chess", "", "", "empty" },
	{ "chess", "", "4k3/8/8/8/8/8/8/4K3", "who moves" },
	{ "chess", "", "4k3/8/8/8/8/8/4K3 w - - 0 1", "too few ranks" },
	{ "chess", "", "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "more than 8 ranks" },
	{ "chess", "", "4k4/8/8/8/8/8/8/4K3 w - - 0 1", "Rank 8" },
	{ "chess", "", "4k3/8/8/7/8/8/8/4K3 w - - 0 1", "Rank 5" },
	{ "chess", "", "4k3/8/8/x7/8/8/8/4K3 w - - 0 1", "means no piece" },
	{ "chess", "", "4k3/8/8/8/8/8/8/4K3 w KK - 0 1", "castling" },
	{ "chess", "", "4k3/8/8/8/8/8/8/4K3 w K - 0 1", "rook on h1" },
	{ "chess", "", "4k3/8/8/8/8/8/8/4K3 w - e4 0 1", "en passant" },
	{ "chess", "", "4k3/8/8/8/8/8/8/4K3 w - - x 1", "half-move" },
	{ "chess", "", "4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999", "move number" },
	{ "chess", "", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 7", "six fields" },
	{ "chess", "", "4k3/8/8/8/8/8/8/8 w - - 0 1", "White must have" },
	{ "chess", "", "4k3/8/8/8/8/8/8/4K2P w - - 0 1", "pawn cannot stand" },
	{ "chess", "", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "stands in check" },
	{ "suicide", "", "4k2r/8/8/8/8/8/8/4K3 w k - 0 1", "no castling" },
	{ "kamikaze", "", "4k2r/8/8/8/8/8/8/4K3 w k - 0 1", "no castling" },
	{ "losing2", "", "8/8/8/8/8/8/8/8 w - - 0 1", "empty" },
	{ "antichess", "", "KKK5/8/8/4k3/8/2k5/8/6K1 w - - 0 1", NULL },
	{ "giveaway", "", "4k2r/8/8/8/8/8/8/4K3 w k - 0 1", NULL },
	{ "losers", "", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Two bare kings" },
	{ "losers", "", "KK6/8/8/8/8/8/8/4k2r w - - 0 1", "exactly one king" },
	{ "losing3", "", "4k3/4R3/8/8/8/8/8/4K2P w - - 0 1", "pawn" },
	{ "losing4", "", "4k3/4R2p/8/8/8/8/8/4K3 w - - 0 1", "stands in check" },
	{ "losers", "", "k7/1P5P/8/8/8/8/1p5p/K7 w - - 0 1", NULL },
	{ "kamikaze2", "", "8/8/8/p7/P7/8/8/7r w - - 0 1", NULL },
	{ "kamikaze", "", "4k3/p7/8/8/8/8/4R3/4K3 w - - 0 1", "Black stands in check" },
	{ "kamikaze", "", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", NULL },
	{ "threecheck", "", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", NULL },
	{ "threecheck", "", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1+2", NULL },
	{ "threecheck", "", "4k3/8/8/8/8/8/8/4K3 w - - 3+2 0 1", NULL },
	{ "threecheck", "", "4k3/8/8/8/8/8/8/4K3 w - - 3+2 0 1 +0+1", "more than its seven" },
	{ "threecheck", "", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +4+0", "checks in the FEN" },
	{ "threecheck", "", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1-0", "checks in the FEN" },
	{ "threecheck", "", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +3+0", "White has given three" },
	{ "threecheck", "", "4k3/8/8/8/8/8/8/4K3 b - - 0 1 +3+0", NULL },
	{ "threecheck", "", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1 +1+0", "Black stands in check" },
	{ "chess", "", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1+0", "more than its six" },
	{ "chess", "", "4k3/8/8/8/8/8/8/4K3 w - - 0 70000", NULL },
	{ "chess", "", "4k3/8/8/8/8/8/8/4K3 w - - 70000 1000000000", NULL },
	{ "chess", "", "4k3/8/8/8/8/8/8/4K3 w - - 0 5000000000", "up to 4000000000" },
	{ "chess960", "", "3k4/8/8/8/8/8/8/RR2K1RR w HAha - 0 1", "h is not" },
	{ "chess960", "", "3k4/8/8/8/8/8/8/RR2K1RR w GB - 0 1", NULL },
	{ "chess960", "", "3k4/8/8/8/8/8/8/RR2K1RR w KK - 0 1", "K is not" },
	{ "chess960", "", "3k4/8/8/8/8/8/8/RR2K1RR w HG - 0 1", "G is not" },
	{ "chess960", "", "1k6/8/8/8/8/8/4K3/RR4RR w K - 0 1", "K is not" },
	{ "chess960", "", "3k4/8/8/8/8/8/8/RR2K1RR w E - 0 1", "E is not" },
	{ "chess960", "", "3k4/8/8/8/8/8/8/RR2K1RR w \x80 - 0 1", "each once" },
	{ "kingofthehill", "", "4k3/8/8/8/4K3/8/8/8 b - - 0 1", NULL },
	{ "kingofthehill", "", "4k3/8/8/8/4K3/8/8/8 w - - 0 1", "stands on the hill" },
	{ "crazyhouse", "", "4k3/8/8/8/8/8/8/4K2Q~[Qpp] w - - 0 1", NULL },
	{ "crazyhouse", "", "4k3/8/8/8/8/8/8/4K3/Qpp w - - 0 1", NULL },
	{ "crazyhouse", "", "4k3/8/8/8/8/8/8/4K3[-] w - - 0 1", NULL },
	{ "crazyhouse", "", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", NULL },
	{ "crazyhouse", "", "4k3/8/8/8/8/8/8/4K3[Qk] w - - 0 1", "in brackets after the board" },
	{ "crazyhouse", "", "4k3/8/8/8/8/8/8/4K3[Q w - - 0 1", "in brackets after the board" },
	{ "crazyhouse", "", "4k3/8/8/8/8/8/8/4K3[Q]q w - - 0 1", "in brackets after the board" },
	{ "crazyhouse", "", "4k3/8/8/8/8/8/8/4K~3[] w - - 0 1", "~ follows a knight" },
	{ "crazyhouse", "", "4k3/8/8/8/8/8/8/4K2R~[] w K - 0 1", "~ follows a knight" },
	{ "crazyhouse", "", "4k3/8/8/8/8/8/8/~4K2R[] w - - 0 1", "means no piece" },
	{ "crazyhouse", "", "4k3/8/8/8/8/8/8/4K2~R[] w - - 0 1", "~ follows a knight" },
	{ "chess", "", "4k3/8/8/8/8/8/8/4K2Q~ w - - 0 1", "means no piece" },
	{ "chess", "", "4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "more than 8 ranks" },
	{ "racingkings", "", "8/8/8/8/8/8/k7/7K w - - 0 1", NULL },
	{ "racingkings", "", "8/8/8/8/8/P7/k7/7K w - - 0 1", "without pawns" },
	{ "racingkings", "", "8/8/8/8/8/8/k6R/7K w - - 0 1", "in this game nobody may" },
	{ "racingkings", "", "1k6/8/8/8/8/8/8/7K b - - 0 1", "on the last rank" },
	{ "racingkings", "", "1k5K/8/8/8/8/8/8/8 w - - 0 1", NULL },
	{ "horde", "", "4k3/8/8/8/8/8/8/P7 w - - 0 1", NULL },
	{ "horde", "", "4k3/8/8/8/8/8/8/8 w - - 0 1", NULL },
	{ "horde", "", "4k3/8/8/8/8/8/8/K7 w - - 0 1", "White has no king" },
	{ "horde", "", "8/8/8/8/8/8/8/P7 w - - 0 1", "Black must have exactly one king" },
	{ "horde", "", "4k3/8/8/8/8/8/8/p7 w - - 0 1", "first or the last rank" },
	{ "horde", "", "4k3/3P4/8/8/8/8/8/8 w - - 0 1", "Black stands in check" },
	{ "atomic", "", "8/8/8/8/8/8/8/4K3 b - - 0 1", NULL },
	{ "atomic", "", "8/8/8/8/8/8/8/4K3 w - - 0 1", "Black must have exactly one king" },
	{ "atomic", "", "8/8/8/8/8/8/4k3/4K3 w - - 0 1", NULL },
	{ "atomic", "", "8/8/8/8/4R3/8/4k3/4K3 w - - 0 1", NULL },
	{ "atomic", "", "8/8/8/8/4R3/8/4k3/6K1 w - - 0 1", "Black stands in check" },
	{ "avalanche", "", "4k3/8/8/8/8/8/8/p3K3 b - - 0 20", NULL },
	{ "avalanche", "", "4k3/8/8/8/8/8/8/p3K3 w - - 0 20", "owner is not to move" },
	{ "avalanche", "", "4k3/8/8/8/8/8/8/p3K2p b - - 0 20", "Only one pawn" },
	{ "avalanche", "", "P3k3/8/8/8/8/8/8/p3K3 b - - 0 20", "owner is not to move" },
	{ "avalanche", "", "4k3/8/8/8/8/8/8/4K2P w - - 0 20", "pawn cannot stand" },
	{ "avalanche", "", "4k2r/8/8/8/8/8/8/4K3 b k - 0 20", "rook on a8" },
	{ "avalanche", "-standard", "4k2r/8/8/8/8/8/8/4K3 b k - 0 20", NULL },
	{ "avalanche", "", "4k3/8/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 20", NULL },
	{ "avalanche", "", "4k3/8/8/8/8/Q7/QQQQQQQQ/QQQQKQQQ w - - 0 20", "more than 16" },
	{ "avalanche", "", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 20", "more than 8 pawns" },
	{ "allmate", "", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", NULL },
	{ "allmate", "", "8/4R3/8/8/8/8/8/4K3 b - - 0 1", NULL },
	{ "allmate", "", "8/4R3/8/8/8/8/8/4K3 w - - 0 1", "Black must have" },
	{ "allmate", "", "8/4R3/8/8/8/8/8/8 b - - 0 1", "White must have" },
	{ "allmate", "", "8/4R3/8/8/8/8/8/K3K3 b - - 0 1", "White must have" },
	{ "allmate", "", "4k2r/8/8/8/8/8/8/4K3 w K - 0 1", "rook on h1" },
	{ "connected", "", "4k3/8/7r/8/8/8/8/4K3 w - - 0 1", NULL },
	{ "connected", "", "8/4k3/4K3/8/8/8/8/8 w - - 0 1", NULL },
	{ "connected", "", "8/4k3/3pK3/8/8/8/8/8 w - - 0 1", "stands in check" },
	{ "connected", "", "4k3/8/8/8/8/8/8/8 w - - 0 1", "White must have" },
	{ "connected", "", "k7/1N6/8/8/8/8/3PPP2/4K3 w - - 0 1", "stands in check" },
	{ "connected", "-half", "rkqr/nbbn/4/4/4/4/NBBN/RKQR w - - 0 1", NULL },
	{ "connected", "-half", "rkqr/nbbn/4/4/3p/4/NBBN/RKQR w - - 0 1", NULL },
	{ "connected", "-half", "rkqr/nbbn/5/4/4/4/NBBN/RKQR w - - 0 1", "exactly 4 squares" },
	{ "connected", "-half", "rkqr/nbbn/4/4/4/4/NBBNN/RKQR w - - 0 1", "exactly 4 squares" },
	{ "connected", "-half", "rkqr/nbbn/4/4/4/4/NBBN/RKQR w K - 0 1", "no castling" },
	{ "connected", "", "rkqr/nbbn/4/4/4/4/NBBN/RKQR w - - 0 1", "exactly 8 squares" },
};

START_TEST(fen)
{
	struct game g = { .rules = rules_find(fens[_i].game, strlen(fens[_i].game), NULL) };
	struct pos p = { .halfmove = 77 };
	struct err e = { 0 };
	bool refused;

	if (*fens[_i].options)
		ck_assert(game_option(&g, fens[_i].options, strlen(fens[_i].options), NULL) == 0);
	refused = game_setup(&g, fens[_i].fen, &p, &e) != 0;
	ck_assert_msg(refused == (fens[_i].says != NULL), "%s: %s", fens[_i].fen, e.text);
	if (!refused)
		return;
	ck_assert_msg(e.code == ERR_BAD && strstr(e.text, fens[_i].says) != NULL, "%s: %s",
	              fens[_i].fen, e.text);
	ck_assert_msg(p.halfmove == 77, "a refusal wrote its output");
}
END_TEST

static const struct {
	const char *word, *name;
	enum err_code code;
} names[] = {
	{ "chess", "chess", 0 },
	{ "SUICIDE", "suicide", 0 },
	{ "losing", "antichess", 0 },
	{ "Anti", "antichess", 0 },
	{ "takemeall", "antichess", 0 },
	{ "w17", "losers", 0 },
	{ "losing6", "kamikaze2", 0 },
	{ "losing5", "losing5", 0 },
	{ "kamikaze", "kamikaze", 0 },
	{ "avalanche", "avalanchechess", 0 },
	{ "ava", "avalanchechess", 0 },
	{ "giv", "giveaway", 0 },
	{ "tak", "antichess", 0 },
	{ "av", NULL, ERR_NOT_FOUND },
	{ "los", NULL, ERR_CONFLICT },
	{ "kami", NULL, ERR_CONFLICT },
	{ "chesss", NULL, ERR_NOT_FOUND },
	{ "", NULL, ERR_NOT_FOUND },
	{ "allmate", "allmate", 0 },
	{ "allm", "allmate", 0 },
	{ "all", NULL, ERR_NOT_FOUND }, /* "accept all" */
	{ "connected", "connectedchess", 0 },
	{ "con", "connectedchess", 0 },
	{ "almate", NULL, ERR_NOT_FOUND },
};

START_TEST(name)
{
	struct err e = { 0 };
	const struct rules *r = rules_find(names[_i].word, strlen(names[_i].word), &e);

	ck_assert_msg(e.code == names[_i].code, "%s: %d %s", names[_i].word, e.code, e.text);
	ck_assert((r == NULL) == (names[_i].name == NULL));
	ck_assert(!r || strcmp(r->name, names[_i].name) == 0);
	ck_assert(r || e.text[0]);
}
END_TEST

static const struct {
	const char *game, *words[3], *written;
	enum err_code code;
} options[] = {
	{ "avalanche", { NULL }, "", 0 },
	{ "avalanche", { "-reversed", "-balanced" }, "-balanced -reversed", 0 },
	{ "avalanche", { "-Balanced" }, "-balanced", 0 },
	{ "avalanche", { "-standard" }, "-standard", 0 },
	{ "avalanche", { "-standard", "-balanced" }, "-standard", ERR_BAD },
	{ "avalanche", { "-reversed", "-standard" }, "-reversed", ERR_BAD },
	{ "avalanche", { "-rated" }, "", ERR_NOT_FOUND },
	{ "allmate", { "-cascade-both" }, "-cascade-both", 0 },
	{ "allmate", { "-cascade" }, "", ERR_NOT_FOUND },
	{ "connected", { "-half", "-friendly" }, "-friendly -half", 0 },
	{ "connected", { "-friendly" }, "-friendly", 0 },
};

START_TEST(option)
{
	struct game g = { .rules = rules_find(options[_i].game, strlen(options[_i].game), NULL) };
	struct err e = { 0 };
	char buf[60];
	struct str s = STR_FIXED(buf);

	for (unsigned i = 0; i < 3 && options[_i].words[i]; i++)
		game_option(&g, options[_i].words[i], strlen(options[_i].words[i]), &e);
	ck_assert_msg(e.code == options[_i].code, "%s", e.text);
	game_write_options(&g, &s);
	ck_assert_str_eq(s.data, options[_i].written);
}
END_TEST

START_TEST(clock_draw)
{
	struct game g = { .rules = rules_find("chess", 5, NULL) };
	struct pos p;
	struct outcome o;
	struct moves legal;

	ck_assert(game_setup(&g, "4k3/8/8/8/8/8/8/4K2R w - - 149 100", &p, NULL) == 0);
	game_outcome(&g, &p, &o);
	ck_assert(o.result == RESULT_RUNNING);
	p.halfmove = 150;
	game_outcome(&g, &p, &o);
	game_legal(&g, &p, &legal);
	ck_assert(o.result == RESULT_DRAW && o.why && !legal.n);
	ck_assert(game_setup(&g, "R3k3/8/4K3/8/8/8/8/8 b - - 150 100", &p, NULL) == 0);
	game_outcome(&g, &p, &o);
	ck_assert_msg(o.result == RESULT_WHITE, "a mate comes before the clock");
}
END_TEST

START_TEST(same_position)
{
	struct game g = { .rules = rules_find("chess", 5, NULL) };
	struct pos a, b;

	ck_assert(game_setup(&g, "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", &a, NULL) == 0);
	ck_assert(game_setup(&g, "4k3/8/8/8/4P3/8/8/4K3 b - - 7 9", &b, NULL) == 0);
	ck_assert_msg(game_same_position(&a, &b), "nothing can take on e3");
	ck_assert(game_setup(&g, "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", &a, NULL) == 0);
	ck_assert(game_setup(&g, "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1", &b, NULL) == 0);
	ck_assert(!game_same_position(&a, &b));
}
END_TEST

START_TEST(blunder)
{
	struct game g = { .rules = rules_find("avalanche", 9, NULL) };
	struct pos p;
	struct move m;
	char buf[100];
	struct str why = STR_FIXED(buf);

	ck_assert(game_setup(&g, "4k3/8/8/b7/8/2p5/8/4K2R w - - 0 20", &p, NULL) == 0);
	ck_assert(game_read_move(&g, &p, "Rh2,c2", 6, &m, NULL, NULL) == 0);
	ck_assert(game_blunder(&g, &p, &m, &why) && why.len);
	ck_assert(game_read_move(&g, &p, "Kf1,c2", 6, &m, NULL, NULL) == 0);
	ck_assert(!game_blunder(&g, &p, &m, &why));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("games");
	TCase *t = tcase_create("games");
	int n = 0;

	while (rules_all[n])
		n++;
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, random_play, 0, n);
	tcase_add_test(t, attacks_agree);
	tcase_add_test(t, attacks_by_walking);
	tcase_add_loop_test(t, fen, 0, sizeof fens / sizeof fens[0]);
	tcase_add_loop_test(t, name, 0, sizeof names / sizeof names[0]);
	tcase_add_loop_test(t, option, 0, sizeof options / sizeof options[0]);
	tcase_add_test(t, clock_draw);
	tcase_add_test(t, same_position);
	tcase_add_test(t, blunder);
	suite_add_tcase(s, t);

	SRunner *r = srunner_create(s);

	srunner_run_all(r, CK_NORMAL);

	int failed = srunner_ntests_failed(r);

	srunner_free(r);
	return failed != 0;
}
