/* Lines of analysis as a tree, their limits, takebacks; prepared openings as moves ahead. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "games/notation/notation.h"
#include "pbm/record/book.h"
#include "pbm/record/match_ahead.h"
#include "pbm/record/notebook.h"
#include "tests/util/suite.h"

static struct arena arena;

static void begin(struct match *m, const char *game)
{
	struct game_doc d = { .board = 1,
		              .game = game,
		              .options = "",
		              .players = { "alice", "bob" },
		              .days = 7,
		              .created = 1796119200 };
	struct err e = { 0 };

	ck_assert_msg(match_create(&arena, &d, m, &e) == 0, "%s", e.text);
	match_start(m, d.created);
}

static void play(struct match *m, const char *turn)
{
	struct move mv;

	ck_assert_int_eq(
		game_read_move(&m->game, match_position(m), turn, strlen(turn), &mv, NULL, NULL),
		0);
	match_play(m, &mv, 1796119200);
}

/* Lines with ";" between them, and the tree or a part of the complaint. */
static const struct {
	const char *lines, *wanted;
} trees[] = {
	{ "e4", "  1. 1. e4" },
	{ "1.e4 e5 2. Nf3", "  1. 1. e4 e5 2. Nf3" },
	{ "e4 e5;e4 c5", "  1. 1. e4 e5\n  2.   1... c5" },
	{ "e4 e5;d4;e4 c5", "  1. 1. e4 e5\n  2.   1... c5\n  3. 1. d4" },
	{ "e4;e4 e5 Nf3", "  1. 1. e4 e5 2. Nf3" },
	{ "Nf3;Nf3 Nf6;Nf3 Nc6", "  1. 1. Nf3 Nf6\n  2.   1... Nc6" },
	{ "e4 e5 Nf3;e4 e5 Nc3;e4 e5", "This line is there already." },
	{ "e4;e4", "This line is there already." },
	{ "e4 e5 Ke3", "After e4 e5, Ke3 can't be played there." },
	{ "e5", "e5 can't be played there." },
	{ "", "A line has one turn or more." },
	{ "1. 2...", "A line has one turn or more." },
};

START_TEST(lines_are_a_tree)
{
	struct match m;
	struct err e = { 0 };
	struct str s;
	char text[200], *rest = text, *line;

	begin(&m, "chess");
	snprintf(text, sizeof text, "%s", trees[_i].lines);
	while ((line = strsep(&rest, ";")) && !e.text[0])
		notebook_add(&m, BLACK, line, &e);
	str_init(&s, 4096);
	notebook_write(&m, BLACK, &s);
	if (e.text[0])
		ck_assert_msg(strstr(e.text, trees[_i].wanted), "%s", e.text);
	else
		ck_assert_str_eq(s.data, trees[_i].wanted);
	ck_assert_ptr_null(m.doc.secret[WHITE].lines);
	str_release(&s);
	arena_release(&arena);
}
END_TEST

START_TEST(limits_of_lines)
{
	struct match m;
	struct err e = { 0 };
	char line[400] = "";
	int rc = 0, n = 0;

	begin(&m, "chess");
	for (int i = 0; i < 11; i++)
		strcat(line, "Nf3 Nf6 Ng1 Ng8 ");
	ck_assert_int_eq(notebook_add(&m, WHITE, line, &e), ERR_LIMIT);
	for (char a = 'a'; rc == 0 && a <= 'h'; a++)
		for (char b = 'a'; rc == 0 && b <= 'h'; b++)
			for (int k = 0; rc == 0 && k < 4; k++, n += rc == 0) {
				snprintf(line, sizeof line, "%c%d %c%d", a, 3 + k % 2, b,
				         6 - k / 2);
				rc = notebook_add(&m, WHITE, line, &e);
			}
	ck_assert_int_eq(rc, ERR_LIMIT);
	ck_assert_int_eq(n, NOTEBOOK_ROWS);
	ck_assert(!notebook_forget(&m, WHITE, NOTEBOOK_ROWS + 1));
	ck_assert(notebook_forget(&m, WHITE, NOTEBOOK_ROWS));
	ck_assert(notebook_forget(&m, WHITE, 0));
	ck_assert_ptr_null(m.doc.secret[WHITE].lines);
	ck_assert(!notebook_forget(&m, WHITE, 0));
	arena_release(&arena);
}
END_TEST

START_TEST(taken_back)
{
	struct match m;
	struct err e = { 0 };
	struct str s;

	begin(&m, "chess");
	ck_assert_int_eq(notebook_add(&m, WHITE, "e4 e5", &e), 0);
	play(&m, "e4");
	ck_assert_int_eq(notebook_add(&m, WHITE, "c5 Nf3", &e), 0);
	match_undo(&m, 1, WHITE, 1796119200);
	str_init(&s, 4096);
	notebook_write(&m, WHITE, &s);
	ck_assert_str_eq(s.data, "  1. 1. e4 e5");
	str_release(&s);
	arena_release(&arena);
}
END_TEST

/* Lines of suicide, who has them, and the first turn that waits and the moves ahead. */
static const struct {
	const char *lines;
	uint8_t seat;
	const char *waits, *ahead;
} books[] = {
	{ "e3 b6 a4", WHITE, "e3", "if b6 then a4" },
	{ "e3 b6 a4", BLACK, NULL, NULL },
	{ "e3 b5", BLACK, NULL, "if e3 then b5" },
	{ "e3 b5", WHITE, NULL, NULL },
	{ "e3", WHITE, "e3", NULL },
	{ "e3 b6 a4;e3 b5 Bxb5;a3 b6 a4", WHITE, "e3", "if b6 then a4\nif b5 then Bxb5" },
	{ "e3 b5 Bxb5 Bb7 Bxd7", WHITE, "e3", "if b5 then Bxb5 if Bb7 then Bxd7" },
	{ "a3 a5;b3 b5", BLACK, NULL, "if a3 then a5\nif b3 then b5" },
};

START_TEST(openings_play)
{
	const struct rules *r = rules_find("suicide", 7, NULL);
	struct match m, other;
	struct err e = { 0 };
	char text[200], *rest = text, *line;
	const char *book = "";

	snprintf(text, sizeof text, "%s", books[_i].lines);
	while ((line = strsep(&rest, ";")))
		ck_assert_msg(book_add(&arena, &book, r, line, &e) == 0, "%s", e.text);
	begin(&m, "suicide");
	book_prepare(&m, books[_i].seat, book, 1796119200);
	const struct game_secret *s = &m.doc.secret[books[_i].seat];
	ck_assert_pstr_eq(s->pending, books[_i].waits);
	ck_assert_pstr_eq(s->ahead, books[_i].ahead);
	ck_assert(game_secret_is_empty(&m.doc.secret[!books[_i].seat]));
	begin(&other, "antichess");
	book_prepare(&other, books[_i].seat, book, 1796119200);
	ck_assert(game_secret_is_empty(&other.doc.secret[books[_i].seat]));
	arena_release(&arena);
}
END_TEST

START_TEST(rows_of_books)
{
	const struct rules *suicide = rules_find("suicide", 7, NULL),
			   *chess = rules_find("chess", 5, NULL);
	const char *book = "";
	struct err e = { 0 };
	struct str s;

	ck_assert_int_eq(book_add(&arena, &book, suicide, "e3 b5", &e), 0);
	ck_assert_int_eq(book_add(&arena, &book, chess, "e4", &e), 0);
	ck_assert_int_eq(book_add(&arena, &book, suicide, "e3 b6 a4", &e), 0);
	ck_assert_int_eq(book_add(&arena, &book, chess, "e4", &e), ERR_CONFLICT);
	ck_assert_int_eq(book_add(&arena, &book, chess, "e5", &e), ERR_BAD);
	str_init(&s, 4096);
	ck_assert(book_write(book, suicide, &s));
	ck_assert_str_eq(s.data, "  1. suicide e3 b5  (Black)\n  2. suicide e3 b6 a4  (White)");
	ck_assert(!book_forget(&arena, &book, suicide, 3));
	ck_assert(book_forget(&arena, &book, suicide, 1));
	ck_assert_str_eq(book, "chess e4\nsuicide e3 b6 a4");
	ck_assert(book_forget(&arena, &book, suicide, 0));
	ck_assert_str_eq(book, "chess e4");
	str_release(&s);
	arena_release(&arena);
}
END_TEST

#define LOOP(t, test, table)                                                                       \
	tcase_add_loop_test(t, test, 0, (int)(sizeof(table) / sizeof((table)[0])))

int main(void)
{
	Suite *s = suite_create("notebook");
	TCase *t = tcase_create("lines and openings");

	LOOP(t, lines_are_a_tree, trees);
	tcase_add_test(t, limits_of_lines);
	tcase_add_test(t, taken_back);
	LOOP(t, openings_play, books);
	tcase_add_test(t, rows_of_books);
	suite_add_tcase(s, t);
	return suite_run(s);
}
