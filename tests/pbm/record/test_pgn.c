/* PGN: what is written is read back to the identical game, for random games of
 * every kind; other people's PGN is read; what can't be played is named. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "games/game.h"
#include "games/variants/registry.h"
#include "pbm/base/clock.h"
#include "pbm/record/pgn.h"
#include "pbm/record/pgn_source.h"
#include "tests/util/util.h"

static struct arena arena;

static const struct {
	const char *text;
	const char *fen;
	const char *result;
} good[] = {
	{ "[White \"a\"]\n\n1. e4 e5 2. Nf3 *\n",
	  "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2", "*" },
	{ "1.e4 {best by test} e5 (1... c5 2. Nf3 (2. c3) {x ) y}) $14 2.Nf3 ; the rest\nNc6 1/2-1/2",
	  "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", "1/2-1/2" },
	{ "[Variant \"Antichess\"]\n[Event \"x \\\"y\\\" \\\\\"]\n[Unknown \"tag\"]\n\n1. e3 b5 2. Bxb5 1-0",
	  "rnbqkbnr/p1pppppp/8/1B6/8/4P3/PPPP1PPP/RNBQK1NR b - - 0 2", "1-0" },
	{ "[Variant \"Avalanche\"]\n[AvalancheMode \"standard\"]\n\n1. e4,d6 d5,a3 *",
	  "rnbqkbnr/ppp1pppp/8/3p4/4P3/P7/1PPP1PPP/RNBQKBNR w KQkq - 0 2", "*" },
	{ "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... Kd7 8. e4 0-1",
	  "8/3k4/8/8/4P3/8/8/4K3 b - - 0 8", "0-1" },
	{ "\xef\xbb\xbf"
	  "1. f3 e5 2. g4 Qh4# 0-1",
	  "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "0-1" },
};

START_TEST(pgn_of_others_is_read)
{
	const char *at = good[_i].text;
	struct match m;
	struct err e = { 0 };
	char fen[120];
	struct str s = STR_FIXED(fen);

	ck_assert_msg(pgn_read(&arena, &at, &m, &e) == 1, "%s", e.text);
	game_write_fen(&m.game, match_position(&m), &s);
	ck_assert_str_eq(fen, good[_i].fen);
	ck_assert_str_eq(m.doc.result, good[_i].result);
	ck_assert_int_eq(pgn_read(&arena, &at, &m, &e), 0);
}
END_TEST

static const struct {
	const char *text, *says;
} bad[] = {
	{ "1. e4 e5 2. Ke3 *", "ply 3 (2. Ke3): " },
	{ "1. e4 e5 2... Ke7 3. Qa8 *", "ply 3 (2. Ke7): " },
	{ "1. f3 e5 2. g4 Qh4# 3. a3 0-1", "ply 5 (3. a3): the game is over: checkmate" },
	{ "[Variant \"Tiddlywinks\"]\n\n1. e4 *", "no game with the Variant \"Tiddlywinks\" here" },
	{ "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*", "king" },
	{ "[Variant \"Avalanche\"]\n[AvalancheMode \"sideways\"]\n\n*", "-sideways" },
	{ "[Event \"open\n\n1. e4 *", "this is not a tag" },
	{ "[Variant \"Suicide\"]\n\n1. e3 b5 2. Nf3 *", "ply 3 (2. Nf3): You must capture." },
	{ "1. e4 {a {b} c} e5 *", "ply 2 (1... c)" },
	{ "1. e4 e5 } 2. Nf3 *", "after ply 2: \"} 2. Nf3 *\" is no turn" },
	{ "1. e4 e5) 2. Nf3 *", "after ply 2: \") 2. Nf3 *\" is no turn" },
};

START_TEST(what_cannot_be_played_is_named)
{
	const char *at = bad[_i].text;
	struct match m;
	struct err e = { 0 };

	ck_assert_int_lt(pgn_read(&arena, &at, &m, &e), 0);
	ck_assert_msg(strstr(e.text, bad[_i].says) != NULL, "%s", e.text);
}
END_TEST

static uint32_t seed;
static uint32_t next_random(void)
{
	seed = seed * 1664525u + 1013904223u;
	return seed >> 8;
}

static void play_random(struct match *m)
{
	static struct moves legal;

	for (int i = 0; i < 120 && m->doc.state == GAME_RUNNING; i++) {
		game_legal(&m->game, match_position(m), &legal);
		ck_assert_uint_gt(legal.n, 0);
		match_play(m, &legal.v[next_random() % legal.n], 1796119200);
	}
	if (m->doc.state == GAME_RUNNING)
		match_end(m, "1/2-1/2", "agreed by both", SEAT_NONE, 1796119200);
}

static void round_trip(const struct rules *r, uint32_t options)
{
	struct game g = { r, options };
	char words[100];
	struct str s = STR_FIXED(words), first, second;
	struct match m, again;
	struct err e = { 0 };

	game_write_options(&g, &s);
	struct game_doc d = { .board = 5,
		              .game = r->name,
		              .options = words,
		              .players = { "alice", "bob" },
		              .days = 7,
		              .reserve = 30,
		              .created = 1796119200 };
	ck_assert_msg(match_create(&arena, &d, &m, &e) == 0, "%s %s: %s", r->name, words, e.text);
	match_start(&m, 1796119200);
	play_random(&m);
	str_init(&first, 1 << 20);
	str_init(&second, 1 << 20);
	pgn_write(&m, "pbm.example.org", &first);
	const char *at = first.data;
	ck_assert_msg(pgn_read(&arena, &at, &again, &e) == 1, "%s: %s\n%s", r->name, e.text,
	              first.data);
	again.doc.created = d.created;
	pgn_write(&again, "pbm.example.org", &second);
	ck_assert_str_eq(first.data, second.data);
	ck_assert_uint_eq(m.ply, again.ply);
	for (size_t i = 0; i <= m.ply; i++)
		ck_assert(game_same_position(&m.positions[i], &again.positions[i]));
	str_release(&first);
	str_release(&second);
	arena_release(&arena);
}

/* Every game with every set of options that agree with each other. */
START_TEST(every_game_survives)
{
	for (size_t i = 0; rules_all[i]; i++) {
		const struct rules *r = rules_all[i];
		unsigned n = rules_option_count(r);

		for (uint32_t set = 0; set < 1u << n; set++) {
			bool agree = true;

			for (size_t k = 0; k < n; k++)
				agree &= !(set & 1u << k) || !(r->options[k].excludes & set);
			for (int k = 0; agree && k < 5; k++) {
				seed = (uint32_t)(1000 * i + 10 * set) + (uint32_t)(_i * 5 + k);
				round_trip(r, set);
			}
		}
	}
}
END_TEST

static const struct {
	const char *date, *day; /* NULL: none */
} dates[] = {
	{ "1999.12.01", "1999-12-01T00:00:00Z" },
	{ "1999.??.??", "1999-01-01T00:00:00Z" },
	{ "1999.02.??", "1999-02-01T00:00:00Z" },
	{ "2000.02.29", "2000-02-29T00:00:00Z" },
	{ "1999.02.29", NULL },
	{ "1999.13.01", NULL },
	{ "1999.12.1", NULL },
	{ "1999.12.011", NULL },
	{ "1999-12-01", NULL },
	{ "1999.12-01", NULL },
	{ "199.12.001", NULL },
	{ "????.??.??", NULL },
	{ "1999.1?.01", NULL },
	{ "", NULL },
};

START_TEST(a_date_is_read)
{
	int64_t t = 0;
	bool read = pgn_source_date(dates[_i].date, &t);

	ck_assert_msg(read == (dates[_i].day != NULL), "%s", dates[_i].date);
	if (read) {
		char iso[CLOCK_ISO_SIZE];

		ck_assert_str_eq(clock_write_iso(t, iso), dates[_i].day);
	}
}
END_TEST

static void teardown(void)
{
	arena_release(&arena);
}

int main(void)
{
	TCase *t = tcase_create("pgn");

	tcase_add_checked_fixture(t, NULL, teardown);
	tcase_add_loop_test(t, pgn_of_others_is_read, 0, ROWS(good));
	tcase_add_loop_test(t, what_cannot_be_played_is_named, 0, ROWS(bad));
	tcase_add_loop_test(t, every_game_survives, 0, 4);
	tcase_add_loop_test(t, a_date_is_read, 0, ROWS(dates));
	return util_main(t);
}
