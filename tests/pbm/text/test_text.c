/* Words for people, and command lines cut into words. */
#include <check.h>
#include <string.h>

#include "pbm/base/distance.h"
#include "pbm/text/text.h"
#include "pbm/text/words.h"
#include "tests/util/util.h"

static const struct {
	int64_t seconds;
	const char *text;
} durations[] = {
	{ -5, "less than a minute" },
	{ 59, "less than a minute" },
	{ 60, "1 minute" },
	{ 3660, "1 hour 1 minute" },
	{ 86400, "1 day" },
	{ 6 * 86400 + 22 * 3600, "6 days 22 hours" },
	{ 30 * 86400 + 3600, "30 days" },
	{ 7200, "2 hours" },
};

START_TEST(durations_read_well)
{
	char buf[100];
	struct str s = STR_FIXED(buf);

	text_duration(durations[_i].seconds, &s);
	ck_assert_str_eq(buf, durations[_i].text);
}
END_TEST

START_TEST(dates_read_well)
{
	char buf[100];
	struct str s = STR_FIXED(buf);

	text_date(1796119200, NULL, &s);
	ck_assert_str_eq(buf, "Tue 1 Dec 2026, 10:00 (UTC)");
	str_clear(&s);
	text_date(1796119200 + 14 * 3600, "Europe/Berlin", &s);
	ck_assert_str_eq(buf, "Wed 2 Dec 2026, 01:00 (Europe/Berlin)");
	str_clear(&s);
	text_date(1796119200, "Europe/Bonn", &s);
	ck_assert_str_eq(buf, "Tue 1 Dec 2026, 10:00 (UTC)");
}
END_TEST

START_TEST(sentences_are_narrow)
{
	struct str s;

	str_init(&s, 4096);
	text_narrow(
		"Somebody (you, we think) asked for the account \"chess-friend\" at this server,\n"
		"    suicide challenge alice bob -unrated -fen=\"8/8/8/8/8/p7/1P6/7k w - - 0 1\"\n"
		"  I read the first line of your answer as a move or a command, and \"zz\" is\n"
		"| a quotation of so many words that it does not fit into one line of a mail\n",
		&s);
	ck_assert_str_eq(
		s.data,
		"Somebody (you, we think) asked for the account \"chess-friend\" at this\nserver,\n"
		"    suicide challenge alice bob -unrated -fen=\"8/8/8/8/8/p7/1P6/7k w - - 0 1\"\n"
		"  I read the first line of your answer as a move or a command, and \"zz\"\n  is\n"
		"| a quotation of so many words that it does not fit into one line of a mail\n");
	str_release(&s);
}
END_TEST

START_TEST(paragraphs_are_filled)
{
	struct str s;

	str_init(&s, 4096);
	text_fill(
		"one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
		"fifteen\n  kept line\n",
		&s);
	ck_assert_str_eq(s.data,
	                 "one two three four five six seven eight nine ten eleven twelve thirteen\n"
	                 "fourteen fifteen\n  kept line\n");
	str_clear(&s);
	char word[200];
	memset(word, 'w', sizeof word - 1);
	word[sizeof word - 1] = '\0';
	text_fill(word, &s);
	ck_assert_uint_eq(s.len, sizeof word - 1);
	str_release(&s);
}
END_TEST

static const struct {
	const char *a, *b;
	size_t distance;
} pairs[] = {
	{ "", "", 0 },        { "mvoe", "move", 1 },           { "move", "move", 0 },
	{ "mov", "move", 1 }, { "Challenge", "challenge", 0 }, { "abc", "xyz", 3 },
	{ "", "abc", 3 },
};

START_TEST(distances_count_edits)
{
	ck_assert_uint_eq(
		word_distance(pairs[_i].a, strlen(pairs[_i].a), pairs[_i].b, strlen(pairs[_i].b)),
		pairs[_i].distance);
	ck_assert_uint_eq(
		word_distance(pairs[_i].b, strlen(pairs[_i].b), pairs[_i].a, strlen(pairs[_i].a)),
		pairs[_i].distance);
}
END_TEST

static const struct {
	const char *line;
	size_t n;
	const char *words[6];
} lines[] = {
	{ "move 17 e4", 3, { "move", "17", "e4" } },
	{ "  a\t b  ", 2, { "a", "b" } },
	{ "-fen=\"8/8 w - -\" x", 2, { "-fen=8/8 w - -", "x" } },
	{ "\"open", 1, { "open" } },
	{ "", 0, { 0 } },
	{ "\"\" x", 2, { "", "x" } },
};

START_TEST(lines_are_cut_into_words)
{
	struct arena a = { 0 };
	struct words w;

	words_split(&a, lines[_i].line, &w);
	ck_assert_uint_eq(w.n, lines[_i].n);
	for (size_t i = 0; i < w.n; i++)
		ck_assert_str_eq(w.v[i].text, lines[_i].words[i]);
	arena_release(&a);
}
END_TEST

static const struct {
	const char *word;
	bool good;
	int64_t board;
	bool has_ply;
	long ply;
} refs[] = {
	{ "17", true, 17, false, 0 },    { "#17", true, 17, false, 0 },
	{ "17:", true, 17, false, 0 },   { "17#5", true, 17, true, 5 },
	{ "17#-1", true, 17, true, -1 }, { "17#", false, 0, false, 0 },
	{ "e4", false, 0, false, 0 },    { "17x", false, 0, false, 0 },
	{ "", false, 0, false, 0 },      { "1234567890123", false, 0, false, 0 },
	{ "0", false, 0, false, 0 },     { "00#1", false, 0, false, 0 },
};

START_TEST(boards_are_recognised)
{
	struct board_ref r = { 0 };

	ck_assert_int_eq(words_board(refs[_i].word, &r), refs[_i].good);
	ck_assert_int_eq(r.board, refs[_i].board);
	ck_assert_int_eq(r.has_ply, refs[_i].has_ply);
	ck_assert_int_eq(r.ply, refs[_i].ply);
	ck_assert_int_eq(r.marked,
	                 refs[_i].good && (*refs[_i].word == '#' || strchr(refs[_i].word, ':')));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("text");

	tcase_add_loop_test(t, durations_read_well, 0, ROWS(durations));
	tcase_add_test(t, dates_read_well);
	tcase_add_test(t, sentences_are_narrow);
	tcase_add_test(t, paragraphs_are_filled);
	tcase_add_loop_test(t, distances_count_edits, 0, ROWS(pairs));
	tcase_add_loop_test(t, lines_are_cut_into_words, 0, ROWS(lines));
	tcase_add_loop_test(t, boards_are_recognised, 0, ROWS(refs));
	return util_main(t);
}
