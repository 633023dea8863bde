/* Moves ahead as text: what is read, how lines become a tree, and which answer a turn gets. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/notation/notation.h"
#include "games/variants/registry.h"
#include "pbm/record/ahead_tree.h"
#include "tests/util/suite.h"

struct stage {
	struct arena arena;
	struct game game;
	struct pos root;
};

/* turns: played from the start, with blanks between them. */
static void set_stage(struct stage *s, const char *game, const char *turns)
{
	*s = (struct stage){ .game.rules = rules_find(game, strlen(game), NULL) };
	ck_assert_ptr_nonnull(s->game.rules);
	ck_assert_int_eq(game_setup(&s->game, NULL, &s->root, NULL), 0);
	while (*turns) {
		size_t n = strcspn(turns, " ");
		struct move mv;

		ck_assert_msg(game_read_move(&s->game, &s->root, turns, n, &mv, NULL, NULL) == 0,
		              "%s", turns);
		game_apply(&s->game, &s->root, &mv, NULL);
		turns += n + (turns[n] == ' ');
	}
}

#define THERE_AND_BACK "if Nf6 then Ng1 if Ng8 then Nf3 if Nf6 then Ng1 if Ng8 then Nf3 "

/* Lines with "\n" between them, entered one by one; then the tree as it is printed, with "/"
 * between the rows, or "!" and the refusal of the last line. */
static const struct {
	const char *game, *turns, *lines, *wanted;
} entries[] = {
	{ "chess", "e4", "if e5 then Nf3", "1. if e5 then Nf3" },
	{ "chess", "e4", "IF e5 THEN Nf3 If Nc6 Then Bb5", "1. if e5 then Nf3/2. if Nc6 then Bb5" },
	{ "chess", "e4", "if e7e5 then g1-f3!", "1. if e5 then Nf3" },
	{ "chess", "e4", "if 1... e5 then 2. Nf3", "1. if e5 then Nf3" },
	{ "chess", "e4", ", if e5 then Nf3, if Nc6 then Bb5",
	  "1. if e5 then Nf3/2. if Nc6 then Bb5" },
	/* equal beginnings merge, alternatives stand beside each other */
	{ "chess", "e4", "if e5 then Nf3 if Nc6 then Bb5\nif e5 then Nf3 if d6 then d4",
	  "1. if e5 then Nf3/2. if Nc6 then Bb5/3. if d6 then d4" },
	{ "chess", "e4", "if e5 then Nf3\nif d5 then exd5",
	  "1. if e5 then Nf3/2. if d5 then exd5" },
	/* the same turn again: another answer, and nothing of the old one's */
	{ "chess", "e4", "if e5 then Nf3 if Nc6 then Bb5\nif e5 then Bc4", "1. if e5 then Bc4" },
	{ "chess", "e4", "if e5 then Nf3\nif e5 then Nf3 draw", "1. if e5 then Nf3 draw" },
	/* the most exact first */
	{ "chess", "e4",
	  "if * then d4\nif check then Ke2\nif any capture then d3\nif capture on e4 then resign\nif d5 then exd5",
	  "1. if d5 then exd5/2. if capture on e4 then resign/3. if any capture then d3/4. if check then Ke2/5. if * then d4" },
	{ "chess", "e4", "if any capture on D2 then draw", "1. if capture on d2 then draw" },
	{ "chess", "e4", "if anything then accept draw", "1. if * then accept draw" },
	{ "chess", "e4", "if e5 then Nf3, draw", "1. if e5 then Nf3 draw" },
	{ "chess", "e4", "if e5 then resign.", "1. if e5 then resign" },
	{ "chess", "e4", "if e5 then Nf3.", "1. if e5 then Nf3" },
	/* after a wildcard nothing is known */
	{ "chess", "e4", "if * then Nh3 if Qh4 then Qxh8", "1. if * then Nh3/2. if Qh4 then Qxh8" },
	/* far to the right no row goes further */
	{ "chess", "Nf3", THERE_AND_BACK THERE_AND_BACK THERE_AND_BACK,
	  "1. if Nf6 then Ng1/2. if Ng8 then Nf3/3. if Nf6 then Ng1/4. if Ng8 then Nf3/5. if Nf6 then Ng1/6. if Ng8 then Nf3/"
	  "7. if Nf6 then Ng1/8. if Ng8 then Nf3/9. if Nf6 then Ng1/10. if Ng8 then Nf3/11. if Nf6 then Ng1/12. if Ng8 then Nf3" },
	/* refused, with the place */
	{ "chess", "e4", "if e5 then Nf6", "!After e5, Nf6 can't be played there." },
	{ "chess", "e4", "if e6 then d4 if d5 then e6", "!After e6 d4 d5, e6 can't" },
	{ "chess", "e4", "if Nf3 then d4", "!Nf3 can't be played there." },
	{ "chess", "e4", "if e5 then", "!After then I read" },
	{ "chess", "e4", "if then Nf3", "!Between if and then" },
	{ "chess", "e4", "if e5", "!Each if needs its then" },
	{ "chess", "e4", "if e5 Nf3", "!Write then between the two turns: if e5 then Nf3" },
	{ "chess", "e4", "if he plays e5, then Nf3", "1. if e5 then Nf3" },
	{ "chess", "e4", "if black answers e5 then Nf3", "1. if e5 then Nf3" },
	{ "chess", "e4", "if e5 if d5 then Nf3", "!Each if needs its then" },
	{ "chess", "e4", "if e5 then resign if d5 then Nf3", "!Nothing can follow" },
	{ "chess", "e4", "if capture on k9 then resign", "!\"k9\" is not a square." },
	{ "chess", "e4", "if I lose the queen then resign", "!Between if and then" },
	{ "chess", "e4", "if * then hello", "!After then" },
	{ "chess", "e4", "if * then Nf3 and smile", "!After then" },
	{ "chess", "f3 e5 g4", "if Qh4 then Nf3", "!After Qh4#, Nf3 can't" },
	/* turns of parts keep their commas */
	{ "avalanchechess", "e4,d6", "if e5,c3 then Nf3,h6", "1. if e5,c3 then Nf3,h6" },
	{ "avalanchechess", "e4,d6", "if e5, c3, then Nf3 , h6, if Nc6,a3 then d3,a6",
	  "1. if e5,c3 then Nf3,h6/2. if Nc6,a3 then d3,a6" },
	{ "avalanchechess", "e4,d6", "if e5 then Nf3,h6", "!e5 can't be played there." },
};

static void fold_rows(const char *text, char *out)
{
	while (*text) {
		text += strspn(text, " ");
		size_t n = strcspn(text, "\n");
		const char *dot = memchr(text, '.', n);

		out += sprintf(out, "%.*s. ", (int)(dot - text), text);
		n -= (size_t)(dot + 1 - text);
		text = dot + 1;
		while (*text == ' ') {
			text++;
			n--;
		}
		out += sprintf(out, "%.*s%s", (int)n, text, text[n] && text[n + 1] ? "/" : "");
		text += n + (text[n] == '\n');
	}
	*out = '\0';
}

START_TEST(enters)
{
	struct stage s;
	struct str rows, kept, again;
	struct err e = { 0 };
	char folded[4000] = "";
	const char *p = entries[_i].lines, *wanted = entries[_i].wanted;

	set_stage(&s, entries[_i].game, entries[_i].turns);
	struct ahead_tree t = { .arena = &s.arena }, copy = { .arena = &s.arena };
	while (*p) {
		size_t n = strcspn(p, "\n");

		ahead_tree_add(&t, &s.game, &s.root, arena_strndup(&s.arena, p, n), NULL, &e);
		p += n + (p[n] == '\n');
	}
	if (*wanted == '!') {
		ck_assert_msg(strstr(e.text, wanted + 1), "row %d: %s", _i, e.text);
		ck_assert(!t.first);
	} else {
		ck_assert_msg(!e.code, "row %d: %s", _i, e.text);
		str_init(&rows, 4000);
		ahead_tree_print(&t, &rows);
		ck_assert_ptr_null(strstr(rows.data, ".                      "));
		fold_rows(rows.data, folded);
		ck_assert_str_eq(folded, wanted);
		str_init(&kept, 4000);
		ahead_tree_write(&t, &kept);
		ck_assert_int_eq(ahead_tree_read(&copy, kept.data, &e), 0);
		str_init(&again, 4000);
		ahead_tree_print(&copy, &again);
		ck_assert_str_eq(rows.data, again.data);
		str_release(&rows);
		str_release(&kept);
		str_release(&again);
	}
	arena_release(&s.arena);
}
END_TEST

/* The answer to a turn: "" none. */
static const struct {
	const char *game, *turns, *lines, *turn, *wanted;
} answers[] = {
	{ "chess", "e4", "if e5 then Nf3\nif * then d4", "e5", "Nf3" },
	{ "chess", "e4", "if e5 then Nf3\nif * then d4", "d5", "d4" },
	{ "chess", "e4", "if e5 then Nf3", "d5", "" },
	{ "chess", "e4 d5 Nf3", "if any capture then d3", "dxe4", "d3" },
	{ "chess", "e4 d5 Nf3", "if any capture then d3", "d4", "" },
	{ "chess", "e4 d5 Nf3", "if capture on e4 then d3", "dxe4", "d3" },
	{ "chess", "e4 d5 Nf3", "if capture on d5 then d3", "dxe4", "" },
	{ "chess", "e4 d5 Nf3", "if check then d3\nif * then h3", "dxe4", "h3" },
	{ "chess", "f4 e5 g4", "if check then d3\nif * then h3", "Qh4", "d3" },
	{ "chess", "f4 e5 a3", "if check then g3\nif * then h3", "Qh4", "g3" },
	/* en passant: the square of the man taken, or where the taker lands */
	{ "chess", "a3 d5 a4 d4 e4", "if capture on e4 then resign", "dxe3", "resign" },
	{ "chess", "a3 d5 a4 d4 e4", "if capture on e3 then resign", "dxe3", "resign" },
	{ "chess", "a3 d5 a4 d4 e4", "if capture on d4 then resign", "dxe3", "" },
	/* a push is no capture */
	{ "avalanchechess", "e4,d6", "if any capture then Nf3,h6\nif * then Nc3,h6", "dxe5,c3",
	  "" },
	{ "avalanchechess", "e4,d6", "if any capture then Nf3,h6\nif * then Nc3,h6", "e5,c3",
	  "Nc3,h6" },
	/* Atomic's neighbours are no captures: the square of the man taken is */
	{ "atomic", "e4 d5 Nc3", "if capture on c3 then resign\nif capture on e4 then d3", "dxe4",
	  "d3" },
};

START_TEST(finds)
{
	struct stage s;
	struct move mv;
	char text[80] = "";
	struct str out = STR_FIXED(text);
	const char *p = answers[_i].lines;

	set_stage(&s, answers[_i].game, answers[_i].turns);
	struct ahead_tree t = { .arena = &s.arena };
	while (*p) {
		size_t n = strcspn(p, "\n");
		struct err e = { 0 };

		ck_assert_msg(ahead_tree_add(&t, &s.game, &s.root, arena_strndup(&s.arena, p, n),
		                             NULL, &e) == 0,
		              "row %d: %s", _i, e.text);
		p += n + (p[n] == '\n');
	}
	if (game_read_move(&s.game, &s.root, answers[_i].turn, strlen(answers[_i].turn), &mv, NULL,
	                   NULL) == 0) {
		const struct ahead_tree_node *n = ahead_tree_find(&t, &s.game, &s.root, &mv);

		if (n)
			ahead_tree_write_answer(n, &out);
	}
	ck_assert_msg(strcmp(text, answers[_i].wanted) == 0, "row %d: %s", _i, text);
	arena_release(&s.arena);
}
END_TEST

/* Is it a line that must not be passed on? */
static const struct {
	const char *text;
	bool is, open;
} texts[] = {
	{ "if e5 then Nf3", true, false },
	{ "  IF e5, then Nf3", true, false },
	{ "> 1. if e5 then Nf3", true, false },
	{ "* if e5 then Nf3", true, false },
	{ "17: Nf3 if e5 then d4", true, false },
	{ "If you take it then I resign", false, false },
	{ "If you play d5 then I take", true, false },
	{ "if I take then you mate me", false, false },
	{ "If you play e5 then I will smile", false, false },
	{ "If you play e5 then I castle", true, false },
	{ "if e5 then Nf33", true, false },
	{ "if any move then resign", true, false },
	{ "and if e5 then Nf3", true, false },
	{ "if e5", true, true },
	{ "if e5 Nf3", true, true },
	{ "if any capture, resign", true, true },
	{ "If you take it, I resign", false, true },
	{ "if e5 then", true, true },
	{ "if e5 then Nf3 if", true, true },
	{ "I wonder if you see it", false, false },
	{ "gif then riffraff", false, false },
	{ "Good luck, and then a game of whist if you like", false, false },
	{ "", false, false },
};

START_TEST(sees_lines)
{
	ck_assert_msg(ahead_tree_is_line(texts[_i].text) == texts[_i].is, "%s", texts[_i].text);
	ck_assert_msg(ahead_tree_is_open(texts[_i].text) == texts[_i].open, "open: %s",
	              texts[_i].text);
}
END_TEST

START_TEST(forgets)
{
	static const struct {
		size_t row;
		const char *wanted;
	} rows[] = { { 1, "if d5 then exd5" },
		     { 2, "if e5 then Nf3 if d6 then d4\nif d5 then exd5" },
		     { 3, "if e5 then Nf3 if Nc6 then Bb5\nif d5 then exd5" },
		     { 4, "if e5 then Nf3 if Nc6 then Bb5\nif e5 then Nf3 if d6 then d4" },
		     { 0, NULL },
		     { 5, NULL } };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a = { 0 };
		struct ahead_tree t = { .arena = &a };
		struct str s;

		ck_assert_int_eq(
			ahead_tree_read(
				&t,
				"if e5 then Nf3 if Nc6 then Bb5\nif e5 then Nf3 if d6 then d4\nif d5 then exd5",
				NULL),
			0);
		ck_assert_int_eq(ahead_tree_forget(&t, rows[i].row), rows[i].wanted != NULL);
		str_init(&s, 1000);
		ahead_tree_write(&t, &s);
		if (rows[i].wanted)
			ck_assert_str_eq(s.data, rows[i].wanted);
		str_release(&s);
		arena_release(&a);
	}
}
END_TEST

/* Lines, depth and bytes are bounded; what is over the limit changes nothing. */
START_TEST(has_limits)
{
	struct stage s;
	struct str line;
	struct err e = { 0 };

	set_stage(&s, "chess", "e4");
	struct ahead_tree t = { .arena = &s.arena };
	str_init(&line, 100000);
	for (int i = 0; i < AHEAD_TREE_DEPTH; i++)
		str_add(&line, "if * then Nf3 ");
	ck_assert_int_eq(ahead_tree_add(&t, &s.game, &s.root, line.data, NULL, &e), 0);
	str_add(&line, "if * then Nf3");
	ck_assert_int_eq(ahead_tree_add(&t, &s.game, &s.root, line.data, NULL, &e), ERR_LIMIT);
	int rc = 0;
	t.first = NULL;
	for (int i = 0; rc == 0 && i < 1000; i++) {
		char text[80];

		err_clear(&e);
		snprintf(text, sizeof text, "if * then Nf3 if %c%d%c%d then O-O", 'a' + i % 8,
		         1 + i / 8 % 8, 'a' + i / 64 % 8, 1 + i % 7);
		rc = ahead_tree_add(&t, &s.game, &s.root, text, NULL, &e);
		ck_assert(rc == 0 || i > 100);
	}
	ck_assert_int_eq(rc, ERR_LIMIT);
	str_release(&line);
	arena_release(&s.arena);
}
END_TEST

int main(void)
{
	Suite *all = suite_create("tree");
	TCase *t = tcase_create("tree");

	tcase_add_loop_test(t, enters, 0, sizeof entries / sizeof *entries);
	tcase_add_loop_test(t, finds, 0, sizeof answers / sizeof *answers);
	tcase_add_loop_test(t, sees_lines, 0, sizeof texts / sizeof *texts);
	tcase_add_test(t, forgets);
	tcase_add_test(t, has_limits);
	suite_add_tcase(all, t);
	return suite_run(all);
}
