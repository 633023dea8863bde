/* The game record: events replayed, clocks, offers, repetition, move lists. */
#include <check.h>
#include <string.h>

#include "games/game.h"
#include "games/notation/notation.h"
#include "pbm/record/match.h"
#include "pbm/record/match_clock.h"
#include "pbm/record/match_text.h"
#include "pbm/record/pgn.h"
#include "tests/util/util.h"

#define DAY 86400
#define T0 1796119200

static struct arena arena;

static void begin(struct match *m, const char *game, const char *options)
{
	struct game_doc d = { .board = 7,
		              .game = game,
		              .options = options,
		              .players = { "alice", "bob" },
		              .days = 7,
		              .reserve = 30,
		              .created = T0 };

	ck_assert_int_eq(match_create(&arena, &d, m, NULL), 0);
	ck_assert_uint_eq(match_to_move(m), SEAT_NONE);
	match_start(m, T0);
}

static void play(struct match *m, const char *text, int64_t at)
{
	struct move mv;
	struct err e = { 0 };

	ck_assert_msg(
		game_read_move(&m->game, match_position(m), text, strlen(text), &mv, NULL, &e) == 0,
		"%s: %s", text, e.text);
	match_play(m, &mv, at);
}

/* Through its document and back: nothing is lost. */
static void reload(struct match *m)
{
	struct str s;
	struct game_doc d;
	struct err e = { 0 };

	str_init(&s, 1 << 20);
	game_doc_write(&m->doc, &s);
	ck_assert_msg(game_doc_read(&arena, s.data, s.len, &d, &e) == 0, "%s", e.text);
	ck_assert_msg(match_load(&arena, &d, m, &e) == 0, "%s", e.text);
	ck_assert_msg(match_verify(&d, NULL, &e) == 0, "%s", e.text);
	str_release(&s);
}

START_TEST(a_mate_ends_the_game)
{
	struct match m;
	char buf[200];
	struct str s = STR_FIXED(buf);

	begin(&m, "chess", "");
	play(&m, "f3", T0);
	play(&m, "e5", T0);
	reload(&m);
	play(&m, "g4", T0);
	ck_assert_int_eq(m.doc.state, GAME_RUNNING);
	play(&m, "Qh4", T0 + 5);
	ck_assert_int_eq(m.doc.state, GAME_FINISHED);
	ck_assert_str_eq(m.doc.result, "0-1");
	ck_assert_str_eq(m.doc.reason, "checkmate");
	ck_assert_int_eq(m.doc.ended, T0 + 5);
	ck_assert_uint_eq(match_to_move(&m), SEAT_NONE);
	reload(&m);
	match_write_moves(&m, 0, m.ply, false, &s);
	ck_assert_str_eq(buf, "  1. f3            e5\n  2. g4            Qh4#\n");
	str_clear(&s);
	match_write_ply(&m, 4, &s);
	ck_assert_str_eq(buf, "2... Qh4#");
}
END_TEST

START_TEST(the_fifth_repetition_draws)
{
	static const char *const loop[] = { "Nf3", "Nf6", "Ng1", "Ng8" };
	struct match m;

	begin(&m, "chess", "");
	for (int i = 0; i < 15; i++) {
		play(&m, loop[i % 4], T0);
		ck_assert_int_eq(m.doc.state, GAME_RUNNING);
	}
	ck_assert_uint_eq(match_repetitions(&m, 12), 4);
	play(&m, loop[3], T0);
	ck_assert_str_eq(m.doc.result, "1/2-1/2");
	reload(&m);
}
END_TEST

START_TEST(the_bank_pays_what_the_days_do_not)
{
	struct match m;

	begin(&m, "suicide", "");
	ck_assert_int_eq(match_time_left(&m, T0), 37 * DAY);
	play(&m, "e3", T0 + 10 * DAY); /* 7 free, 3 from the bank */
	ck_assert_int_eq(m.bank[WHITE], 27 * DAY);
	ck_assert_int_eq(m.bank[BLACK], 30 * DAY);
	ck_assert_int_eq(m.doc.deadline, T0 + 47 * DAY);
	play(&m, "b5", T0 + 11 * DAY);
	ck_assert_int_eq(match_time_left(&m, T0 + 11 * DAY), 34 * DAY);
	reload(&m);
	ck_assert_int_eq(match_time_left(&m, T0 + 11 * DAY), 34 * DAY);
}
END_TEST

/* Documents of programs that knew nothing of the end of the time. */
START_TEST(an_older_due_time_is_right_too)
{
	struct match m;
	struct err e = { 0 };

	begin(&m, "chess", "");
	ck_assert_int_eq(match_verify(&m.doc, NULL, &e), 0);
	for (int i = 0; i < 6; i++)
		match_remind(&m, NULL, m.doc.due);
	ck_assert_int_eq(m.doc.due, T0 + 37 * DAY); /* the time is up */
	m.doc.due = T0 + 36 * DAY;                  /* too early: only a look */
	ck_assert_int_eq(match_verify(&m.doc, NULL, &e), 0);
	m.doc.due = T0 + 43 * DAY; /* the warning */
	ck_assert_int_eq(match_verify(&m.doc, NULL, &e), 0);
	m.doc.due++;
	ck_assert_int_eq(match_verify(&m.doc, NULL, &e), ERR_DAMAGED);
}
END_TEST

START_TEST(clocks_replay)
{
	struct match m;
	const struct span rest = { T0 + DAY, T0 + 11 * DAY };
	struct zone zone = { .n = 1, .v = { { .offset = 3600 } } };

	begin(&m, "chess", "");
	match_rest(&m, SEAT_WHITE, &rest, false, T0);
	ck_assert_int_eq(m.doc.deadline, T0 + 47 * DAY);
	reload(&m);
	match_set_zone(&m, SEAT_WHITE, &zone, T0);
	match_gift(&m, SEAT_BLACK, 3, T0);
	ck_assert_int_eq(m.doc.deadline, T0 + 50 * DAY);
	match_time_up(&m, m.doc.deadline);
	reload(&m);
	ck_assert_int_ne(m.up, 0);
	match_gift(&m, SEAT_BLACK, 1, m.doc.deadline);
	ck_assert_int_eq(m.up, 0);
	reload(&m);
	ck_assert_int_eq(m.doc.deadline, T0 + 51 * DAY);
	m.received = T0 + 18 * DAY;
	play(&m, "e4", T0 + 30 * DAY);
	ck_assert_int_eq(m.bank[WHITE], 33 * DAY); /* 18 days, 10 of them of vacation, 7 free */
	ck_assert_int_eq(m.turn_started, T0 + 30 * DAY);
	reload(&m);
	ck_assert_int_eq(m.bank[WHITE], 33 * DAY);
}
END_TEST

/* A moderator stops both clocks: nothing is due, and no time is lost. */
START_TEST(clocks_stand_still)
{
	struct match m;
	int64_t at;

	begin(&m, "chess", "");
	match_pause(&m, "carol", "a quarrel", T0 + DAY);
	ck_assert_str_eq(match_decider(&m), "carol");
	ck_assert(match_is_paused(&m));
	ck_assert_int_eq(m.doc.deadline, 0);
	ck_assert_int_eq(m.doc.due, 0);
	ck_assert_int_eq(match_duty(&m, &at), DUTY_NONE);
	ck_assert_int_eq(match_time_left(&m, T0 + 200 * DAY), 36 * DAY);
	reload(&m);
	play(&m, "e4", T0 + 100 * DAY);
	ck_assert_int_eq(m.bank[WHITE], 30 * DAY);
	ck_assert_int_eq(m.doc.deadline, 0);
	match_resume(&m, "carol", T0 + 110 * DAY);
	ck_assert(!match_is_paused(&m));
	ck_assert_int_eq(m.doc.deadline, T0 + 147 * DAY);
	reload(&m);
	match_pause(&m, "carol", "again", T0 + 120 * DAY);
	match_extend_by(&m, "alice", 5 * DAY, "why", T0 + 120 * DAY);
	ck_assert_ptr_null(match_decider(&m)); /* she plays */
	match_resume(&m, "carol", T0 + 130 * DAY);
	ck_assert_int_eq(m.doc.deadline, T0 + 162 * DAY);
	reload(&m);
	ck_assert_int_eq(m.doc.deadline, T0 + 162 * DAY);
	match_inspect(&m, "carol", "board", T0 + 131 * DAY);
	match_end_by(&m, "carol", "1-0", "why", T0 + 132 * DAY);
	reload(&m);
	ck_assert_str_eq(m.doc.events[m.doc.event_count - 1].by, "carol");
}
END_TEST

START_TEST(the_clock_goes_back_too)
{
	struct match m;

	begin(&m, "chess", "");
	play(&m, "e4", T0 + 10 * DAY);
	play(&m, "e5", T0 + 11 * DAY);
	play(&m, "Nf3", T0 + 20 * DAY);
	ck_assert_int_eq(m.bank[WHITE], 25 * DAY);
	match_gift(&m, SEAT_BLACK, 1, T0 + 20 * DAY);
	match_undo(&m, 1, SEAT_BLACK, T0 + 21 * DAY);
	ck_assert_int_eq(m.bank[WHITE], 28 * DAY);
	reload(&m);
	ck_assert_int_eq(m.bank[WHITE], 28 * DAY);
	match_undo(&m, 2, SEAT_BLACK, T0 + 21 * DAY);
	ck_assert_int_eq(m.bank[WHITE], 31 * DAY);
	/* as it was before */
	for (size_t i = 0; i < m.doc.event_count; i++)
		m.doc.events[i].clocks = false;
	ck_assert_int_eq(match_load(m.arena, &m.doc, &m, NULL), 0);
	ck_assert_int_eq(m.bank[WHITE], 26 * DAY);
}
END_TEST

START_TEST(offers_follow_the_rules)
{
	struct match m;

	begin(&m, "chess", "");
	play(&m, "e4", T0);
	ck_assert(match_may_offer_draw(&m, SEAT_WHITE));
	match_offer_draw(&m, SEAT_WHITE, T0);
	ck_assert_uint_eq(m.draw_offered_by, SEAT_WHITE);
	ck_assert(!match_may_offer_draw(&m, SEAT_WHITE));
	reload(&m);
	ck_assert_uint_eq(m.draw_offered_by, SEAT_WHITE);
	play(&m, "e5", T0); /* a move declines */
	ck_assert_uint_eq(m.draw_offered_by, SEAT_NONE);
	for (int i = 0; i < 2; i++) {
		play(&m, "Nf3", T0);
		play(&m, "Nf6", T0);
		play(&m, "Ng1", T0);
		play(&m, "Ng8", T0);
	}
	ck_assert(!match_may_offer_draw(&m, SEAT_WHITE));
	play(&m, "Nc3", T0);
	ck_assert(match_may_offer_draw(&m, SEAT_WHITE));
}
END_TEST

START_TEST(taking_back_goes_back)
{
	struct match m;
	char before[100], after[100];
	struct str b = STR_FIXED(before), a = STR_FIXED(after);

	begin(&m, "avalanchechess", "-reversed");
	play(&m, "e4,d6", T0);
	game_write_fen(&m.game, match_position(&m), &b);
	play(&m, "d5,a3", T0);
	play(&m, "Nf3,h6", T0);
	match_ask_undo(&m, 2, SEAT_BLACK, T0);
	ck_assert_uint_eq(m.undo_asked_by, SEAT_BLACK);
	match_undo(&m, 2, SEAT_WHITE, T0 + DAY);
	ck_assert_uint_eq(m.ply, 1);
	reload(&m);
	game_write_fen(&m.game, match_position(&m), &a);
	ck_assert_str_eq(before, after);
	ck_assert_int_eq(m.turn_started, T0 + DAY);
	play(&m, "d5,h3", T0 + DAY);
	reload(&m);
	ck_assert_uint_eq(m.ply, 2);
}
END_TEST

START_TEST(a_lying_document_is_found)
{
	struct match m;
	struct game_doc d;
	struct err e = { 0 };

	begin(&m, "chess", "");
	play(&m, "e4", T0);
	d = m.doc;
	d.fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
	ck_assert_int_eq(match_verify(&d, NULL, &e), ERR_DAMAGED);
	err_clear(&e);
	d = m.doc;
	d.events[1].move = "e2e5";
	ck_assert_int_eq(match_verify(&d, NULL, &e), ERR_DAMAGED);
	ck_assert_ptr_nonnull(strstr(e.text, "e2e5"));
	d.game = "nonsense";
	err_clear(&e);
	ck_assert_int_eq(match_verify(&d, NULL, &e), ERR_DAMAGED);
}
END_TEST

START_TEST(long_games_keep_every_ply)
{
	static const char *const loop[] = { "Nf3", "Nf6", "Ng1", "Ng8" };
	struct match m;

	begin(&m, "chess", "");
	/* pawn moves in between so that no position comes five times */
	for (int i = 0; i < 12; i++)
		play(&m, loop[i % 4], T0);
	static const char *const pawns[] = { "a3", "a6", "b3", "b6", "c3", "c6", "d3", "d6" };
	for (int k = 0; k < 8; k += 2) {
		play(&m, pawns[k], T0);
		play(&m, pawns[k + 1], T0);
		for (int i = 0; i < 12; i++)
			play(&m, loop[i % 4], T0);
	}
	ck_assert_uint_eq(m.ply, 12 + 4 * 14);
	for (int k = 0; k < 100 && m.doc.state == GAME_RUNNING; k++)
		match_add_text(&m, EVENT_CHAT, SEAT_WHITE, "still here", T0);
	reload(&m);
	ck_assert_uint_eq(m.ply, 12 + 4 * 14);
}
END_TEST

START_TEST(pgn_has_what_a_reader_needs)
{
	struct match m;
	struct str s;

	begin(&m, "avalanchechess", "-balanced -reversed");
	play(&m, "e4", T0);
	match_end(&m, "1-0", "bob \"left\"", SEAT_NONE, T0);
	str_init(&s, 10000);
	pgn_write(&m, "pbm.example.org", &s);
	ck_assert_ptr_nonnull(
		strstr(s.data, "[White \"alice\"]\n[Black \"bob\"]\n[Result \"1-0\"]\n"));
	ck_assert_ptr_nonnull(
		strstr(s.data, "[Variant \"Avalanche\"]\n[AvalancheMode \"balanced,reversed\"]"));
	ck_assert_ptr_nonnull(strstr(s.data, "[Termination \"bob \\\"left\\\"\"]"));
	ck_assert_ptr_nonnull(strstr(s.data, "\n\n1. e4 1-0\n"));
	str_release(&s);
}
END_TEST

/* A game that a moderator continues has neither a result nor an end. */
START_TEST(a_rolled_back_game_goes_on)
{
	struct match m;

	begin(&m, "chess", "");
	play(&m, "f3", T0);
	play(&m, "e5", T0);
	play(&m, "g4", T0);
	play(&m, "Qh4", T0 + 5);
	match_roll_back(&m, "carol", 2, "the board was wrong", T0 + DAY);
	ck_assert_int_eq(m.doc.state, GAME_RUNNING);
	ck_assert_str_eq(m.doc.result, "*");
	ck_assert_ptr_null(m.doc.reason);
	ck_assert_int_eq(m.doc.ended, 0);
	ck_assert_uint_eq(m.ply, 2);
	ck_assert_uint_eq(match_to_move(&m), SEAT_WHITE);
	reload(&m);
}
END_TEST

static void teardown(void)
{
	arena_release(&arena);
}

int main(void)
{
	TCase *t = tcase_create("match");

	tcase_add_checked_fixture(t, NULL, teardown);
	tcase_add_test(t, a_mate_ends_the_game);
	tcase_add_test(t, the_fifth_repetition_draws);
	tcase_add_test(t, the_bank_pays_what_the_days_do_not);
	tcase_add_test(t, an_older_due_time_is_right_too);
	tcase_add_test(t, clocks_replay);
	tcase_add_test(t, clocks_stand_still);
	tcase_add_test(t, the_clock_goes_back_too);
	tcase_add_test(t, offers_follow_the_rules);
	tcase_add_test(t, taking_back_goes_back);
	tcase_add_test(t, a_rolled_back_game_goes_on);
	tcase_add_test(t, a_lying_document_is_found);
	tcase_add_test(t, long_games_keep_every_ply);
	tcase_add_test(t, pgn_has_what_a_reader_needs);
	return util_main(t);
}
