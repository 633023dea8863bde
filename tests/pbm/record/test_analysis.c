/* The engine's judgement as text: written, read, refused; what a turn cost. */
#include <check.h>
#include <string.h>

#include "games/notation/notation.h"
#include "pbm/record/analysis.h"
#include "tests/util/util.h"

#define T0 1796119200

static struct arena arena;

/* 1. f3 e5 2. g4 Qh4#. */
static void fools_mate(struct match *m, const char *analysis)
{
	static const char *const turns[] = { "f3", "e5", "g4", "Qh4" };
	struct game_doc d = { .board = 7,
		              .game = "chess",
		              .options = "",
		              .players = { "alice", "bob" },
		              .days = 7,
		              .created = T0 };

	ck_assert_int_eq(match_create(&arena, &d, m, NULL), 0);
	match_start(m, T0);
	for (size_t i = 0; i < 4; i++) {
		struct move mv;

		ck_assert_int_eq(game_read_move(&m->game, match_position(m), turns[i],
		                                strlen(turns[i]), &mv, NULL, NULL),
		                 0);
		match_play(m, &mv, T0);
	}
	m->doc.analysis = analysis;
}

static const char judged[] = "30 e2e4;-90 e7e5;60 d2d3;w1 d8h4";

START_TEST(what_was_written_is_read)
{
	struct match m;
	struct analysis_entry v[4];
	char text[200];
	struct str s = STR_FIXED(text);

	fools_mate(&m, judged);
	ck_assert_uint_eq(analysis_read(&m, v), 4);
	ck_assert_int_eq(v[1].score, -90);
	ck_assert_int_eq(v[3].proved, 1);
	ck_assert_int_eq(v[3].score, ANALYSIS_SCORE_MAX);
	for (size_t i = 0; i < 4; i++)
		analysis_write(&m, i, &v[i], &s);
	ck_assert_str_eq(text, judged);
}
END_TEST

START_TEST(a_turn_costs_what_the_next_score_says)
{
	struct match m;
	struct analysis_entry v[4];
	int points = 0;

	fools_mate(&m, judged);
	ck_assert_uint_eq(analysis_read(&m, v), 4);
	ck_assert_int_eq(analysis_loss(&m, v, 4, 0, &points), ANALYSIS_FINE);
	ck_assert_int_eq(analysis_loss(&m, v, 4, 2, &points), ANALYSIS_MISTAKE);
	ck_assert_int_eq(points, 60 + ANALYSIS_SCORE_MAX);
	ck_assert_int_eq(analysis_loss(&m, v, 4, 3, &points), ANALYSIS_FINE);
	fools_mate(&m, "w3 e2e4;-90 e7e5;60 d2d3;w1 d8h4");
	analysis_read(&m, v);
	ck_assert_int_eq(analysis_loss(&m, v, 4, 0, &points), ANALYSIS_LOST_WIN);
	fools_mate(&m, "w3 e2e4;l2 e7e5");
	ck_assert_uint_eq(analysis_read(&m, v), 2);
	ck_assert_int_eq(analysis_loss(&m, v, 2, 0, &points), ANALYSIS_FINE);
}
END_TEST

START_TEST(the_news_is_the_greatest_mistake)
{
	struct match m;

	fools_mate(&m, judged);
	ck_assert_str_eq(analysis_news(&arena, &m, SEAT_WHITE),
	                 "Board 7 is analysed.  2. g4 cost 10.6 pawns: d3 was better.");
	ck_assert_str_eq(analysis_news(&arena, &m, SEAT_BLACK),
	                 "Board 7 is analysed.  No turn of yours cost two pawns or a proved win.");
	fools_mate(&m, "w1 e2e4;-90 e7e5;60 d2d3;w1 d8h4");
	ck_assert_str_eq(analysis_news(&arena, &m, SEAT_WHITE),
	                 "Board 7 is analysed.  1. f3 gave away a proved win: e4 wins in 1 move.");
}
END_TEST

static const char *const damaged[] = {
	"30",       "30 ",         "x e2e4",      "30 e2e5", ";",
	"30 e2e4;", "30 e2e4;1 e", "30 e2e4,5 e", "w e2e4",  "999999999999999999999 e9e4",
};

START_TEST(a_damaged_text_is_none)
{
	struct match m;
	struct analysis_entry v[4];

	fools_mate(&m, damaged[_i]);
	ck_assert_uint_le(analysis_read(&m, v), strcmp(damaged[_i], "30 e2e4;") == 0);
	fools_mate(&m, NULL);
	ck_assert_uint_eq(analysis_read(&m, v), 0);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("analysis");

	tcase_add_test(t, what_was_written_is_read);
	tcase_add_test(t, a_turn_costs_what_the_next_score_says);
	tcase_add_test(t, the_news_is_the_greatest_mistake);
	tcase_add_loop_test(t, a_damaged_text_is_none, 0, ROWS(damaged));
	return util_main(t);
}
